//! Message ids, and what they tell of a message's past.
//!
//! Producers number their messages. What is sent again keeps that number, its business key, and gets marks above it: so its
//! id is its own, and a redrive or a second send in one variant does not change the luck of the messages that all share.

/// Bits of the business key.
const KEY_BITS: u32 = 48;
/// Marks the second message of a send that was repeated.
const SENT_AGAIN: u64 = 1 << 62;
/// One more redrive.
const ONE_REDRIVE: u64 = 1 << KEY_BITS;

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
}

impl MessageIdentity {
    /// What that id says.
    pub(super) fn of(id: u64) -> Self {
        let times_anew = (id & (SENT_AGAIN - 1)) >> KEY_BITS;
        Self { key: business_key(id), is_second_send: id & SENT_AGAIN != 0, times_anew: times_anew as u32 }
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
        assert_eq!(identity, MessageIdentity { key: 5, is_second_send: true, times_anew: 2 });
    }
}
