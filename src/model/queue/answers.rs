//! What a queue answers to its callers.

use super::message::{Delivery, Removed};

/// What has become of a message that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enqueued {
    /// It is to be had by the next receive.
    Visible,
    /// It is held back (rule Q16, delivery delay): call `delay_ended` for that slot at that time.
    DelayedUntil {
        /// Names the message.
        slot: u32,
        /// End of the delay.
        at_us: u64,
    },
    /// Its deduplication id was accepted less than five minutes ago: it is not taken again (rule F7, deduplication).
    Duplicate,
}

/// What a receive call meets next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// A message to return.
    Message(Delivery),
    /// A message that has used up its receives: it is in the dead-letter queue now, and the call goes on.
    DeadLettered(Removed),
    /// A message that was handed out and reached nobody (rule Q14, duplicates and lost deliveries). It counts as returned
    /// and is hidden for a full lease: call `lease_ended` for that slot at that time.
    Lost {
        /// Names the message.
        slot: u32,
        /// End of its lease.
        leased_until_us: u64,
    },
    /// Nothing more.
    Nothing,
    /// Nothing more, since too many messages are in flight (rule Q12, in-flight limit): a short poll that has got
    /// nothing fails with `OverLimit`, a long poll comes back empty.
    OverLimit,
}

/// What a receive call meets next, in so few words that they fit into registers: a run takes millions of such steps. The
/// rest is in the queue, for those who ask at once. [`Received`] says all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A message to return: `delivery` says what its consumer gets to see.
    Message {
        /// Names the message.
        slot: u32,
    },
    /// A message that has used up its receives and is still there: `take_used_up` takes it out, and the call goes on.
    UsedUp {
        /// Names the message.
        slot: u32,
    },
    /// As [`Received::Lost`].
    Lost {
        /// Names the message.
        slot: u32,
    },
    /// As [`Received::Nothing`].
    Nothing,
    /// As [`Received::OverLimit`].
    OverLimit,
}

/// What the end of a lease or of a delay has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseEnd {
    /// Nothing: that lease had been replaced, or its message is gone.
    Stale,
    /// The message is visible.
    Visible,
    /// The message has moved to the dead-letter queue at once (rule Q7, lazy redrive, switched to eager).
    DeadLettered(Removed),
}

/// What a successful change of visibility has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibilityChange {
    /// Nothing: the lease of the receipt has ended (rule Q15, stale handles).
    Unchanged,
    /// The message is hidden until then; call `lease_ended` at that time.
    LeasedUntil {
        /// The new end of the lease.
        at_us: u64,
    },
    /// The lease has ended: the message is visible, or has been moved.
    Ended(LeaseEnd),
}

/// A change of visibility that fails; the lease stays as it was. The service calls each of them `InvalidParameterValue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChangeRefused {
    /// The value itself is too large (rule Q5, twelve-hour ceiling).
    #[error("a visibility timeout may not be longer than 12 h")]
    OutOfRange,
    /// The lease would last too long in all (rule Q5, twelve-hour ceiling).
    #[error("a visibility timeout may not end later than 12 h after the receive")]
    BeyondTwelveHours,
    /// The message has left the queue (rule Q15, stale handles).
    #[error("the message is not in the queue any more")]
    MessageGone,
}

/// What a delete has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeleteAnswer {
    /// The message is deleted; `copy_of` says which it was, for as long as the receipt is held.
    Deleted,
    /// Success, and nothing was left to delete.
    AlreadyGone,
    /// Success, and the message is still there: it has been received again since (rule Q15, stale handles).
    Ignored,
    /// `InvalidParameterValue`, and the message is still there: the lease has ended (rule F3, late delete refused).
    Refused,
}

impl DeleteAnswer {
    /// Whether this call has deleted the message.
    #[inline]
    pub fn has_deleted(self) -> bool {
        self == Self::Deleted
    }
}
