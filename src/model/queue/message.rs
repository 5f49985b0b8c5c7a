//! A message and what a consumer gets to see of it.

use crate::model::MessageClass;

/// What others have noted about a message; the queue itself does not look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageTag {
    /// Class of the message.
    pub class: MessageClass,
    /// Whether an attempt at it has succeeded.
    pub succeeded: bool,
    /// Whether a redrive has sent it anew.
    pub redriven: bool,
    /// Number of the queue that it was first sent to.
    pub source: u8,
    /// The last visibility that a policy set: stands for a store of the consumers' own, since a queue carries none.
    pub previous_delay_s: Option<u32>,
}

/// Where a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// To be had by the next receive.
    Visible,
    /// Hidden by a lease.
    InFlight,
    /// Out of the queue; the record stays for as long as a consumer holds one of its receipts.
    Gone,
}

/// The queue's record of a message: one cache line, since a run spends much of its time on fetching them.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Message {
    /// Stable across receives (rule Q19, message id).
    pub id: u64,
    pub enqueued_us: u64,
    pub first_received_us: u64,
    /// When the current lease began (rule Q3, lease per receive).
    pub received_us: u64,
    pub receive_count: u32,
    /// Names the latest receive: an older receipt has an older stamp (rule Q15, stale handles).
    pub stamp: u32,
    /// Receipts that consumers hold.
    pub holders: u32,
    pub place: Place,
    pub tag: MessageTag,
}

/// What a consumer refers to a received message by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    pub(super) slot: u32,
    pub(super) stamp: u32,
}

impl Receipt {
    /// A number that names the message for as long as it is in the queue.
    pub fn slot(self) -> u32 {
        self.slot
    }
}

/// A received message, as its consumer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery {
    /// Refers to it.
    pub receipt: Receipt,
    /// Its id.
    pub id: u64,
    /// Its class.
    pub class: MessageClass,
    /// Receives so far, this one included (rule Q6, receive count).
    pub receive_count: u32,
    /// When it was sent.
    pub enqueued_us: u64,
    /// When it was first received.
    pub first_received_us: u64,
    /// End of the lease that came with it.
    pub leased_until_us: u64,
}

/// A message that has left the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Its id.
    pub id: u64,
    /// When it was sent.
    pub enqueued_us: u64,
    /// When it was first received; `None`: never.
    pub first_received_us: Option<u64>,
    /// What others have noted about it.
    pub tag: MessageTag,
}

impl Message {
    pub(super) fn removed(&self) -> Removed {
        Removed {
            id: self.id,
            enqueued_us: self.enqueued_us,
            first_received_us: (self.receive_count > 0).then_some(self.first_received_us),
            tag: self.tag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_fills_one_cache_line() {
        assert_eq!(size_of::<Message>(), 64);
        assert_eq!(size_of::<Option<Message>>(), 64, "a place in the slab needs no byte more");
    }
}
