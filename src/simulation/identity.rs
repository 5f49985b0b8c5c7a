//! Message ids, and what they tell of a message's past.
//!
//! Producers number their messages. What is sent again keeps that number, its business key, and gets marks above it: so its
//! id is its own, and a redrive or a second send in one variant does not change the luck of the messages that all share.

use std::collections::HashMap;

/// Bits of the business key: 10^12 messages.
const KEY_BITS: u32 = 40;
/// Bits of the number of an extra copy.
const EXTRA_BITS: u32 = 8;
/// Marks the second message of a send that was repeated.
const SENT_AGAIN: u64 = 1 << 62;
/// One more redrive.
const ONE_REDRIVE: u64 = 1 << (KEY_BITS + EXTRA_BITS);

/// The business key of a message: the same for all messages that mean the same thing.
#[inline]
pub(super) fn business_key(id: u64) -> u64 {
    id & ((1 << KEY_BITS) - 1)
}

/// What an id says of its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageIdentity {
    /// The number that its producer gave it: the business key.
    pub key: u64,
    /// Whether its producer has sent it a second time, and this is the second.
    pub is_second_send: bool,
    /// How often it was sent anew, by a redrive or its consumer.
    pub times_anew: u32,
    /// Which of the copies that were made while the message itself stayed where it was; 0 for the message itself.
    pub extra_copy: u8,
}

impl MessageIdentity {
    /// What that id says.
    pub(super) fn of(id: u64) -> Self {
        Self {
            key: business_key(id),
            is_second_send: id & SENT_AGAIN != 0,
            times_anew: ((id & (SENT_AGAIN - 1)) / ONE_REDRIVE) as u32,
            extra_copy: (id >> KEY_BITS) as u8,
        }
    }
}

/// The id of the second message of a repeated send.
pub(super) fn sent_again(id: u64) -> u64 {
    id | SENT_AGAIN
}

/// The id that a message has when it is sent anew, by a redrive (rule R1, message move task) or by its consumer. After
/// 16 383 times the ids begin again.
pub(super) fn redriven(id: u64) -> u64 {
    let marks = id & SENT_AGAIN;
    marks | (id.wrapping_add(ONE_REDRIVE) & (SENT_AGAIN - 1))
}

/// Counts the copies that are made of a message while it stays where it is: by a consumer that sends it anew and whose delete
/// then does nothing, or that crashes between the two. Without a number of its own such a copy could not be told from the
/// next one.
#[derive(Debug, Default)]
pub(super) struct ExtraCopies {
    by_key: HashMap<u64, u8>,
}

impl ExtraCopies {
    /// The id of one more copy. After 255 copies of a message the numbers begin again.
    pub fn next_of(&mut self, id: u64) -> u64 {
        let number = self.by_key.entry(business_key(id)).or_insert(0);
        *number = number.checked_add(1).unwrap_or(1);
        let numbers = ((1 << EXTRA_BITS) - 1) << KEY_BITS;
        id & !numbers | u64::from(*number) << KEY_BITS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_business_keys_do_not() {
        let ids = [5, sent_again(5), redriven(5), redriven(redriven(5)), redriven(sent_again(5)), 6];
        let distinct: std::collections::HashSet<u64> = ids.into_iter().collect();
        assert_eq!(distinct.len(), ids.len());
        assert_eq!(ids.map(business_key), [5, 5, 5, 5, 5, 6]);
        let identity = MessageIdentity::of(redriven(redriven(sent_again(5))));
        assert_eq!(identity, MessageIdentity { key: 5, is_second_send: true, times_anew: 2, extra_copy: 0 });
    }

    #[test]
    fn extra_copies_are_numbered_and_what_comes_of_them_keeps_the_number() {
        let mut copies = ExtraCopies::default();
        let first = copies.next_of(redriven(sent_again(5)));
        let second = copies.next_of(first);
        let of = |id| MessageIdentity::of(id);
        assert_eq!(of(first), MessageIdentity { key: 5, is_second_send: true, times_anew: 1, extra_copy: 1 });
        assert_eq!(
            of(redriven(second)),
            MessageIdentity { key: 5, is_second_send: true, times_anew: 2, extra_copy: 2 }
        );
        assert_eq!(of(copies.next_of(6)).extra_copy, 1);
        for number in 3..=255 {
            assert_eq!(of(copies.next_of(5)).extra_copy, number);
        }
        assert_eq!(of(copies.next_of(5)).extra_copy, 1);
    }
}
