//! A message and what a consumer gets to see of it.

use super::answers::ChangeRefused;
use super::settings::TwelveHourClock;
use crate::engine::time::{HOUR_US, SECOND_US};
use crate::model::MessageClass;

/// The longest that one lease may last in all (rule Q5, twelve-hour ceiling).
const LEASE_CEILING_US: u64 = 12 * HOUR_US;
/// Stands for the end of a lease that a message does not have.
pub(super) const NO_LEASE: u64 = u64::MAX;

/// A message that a producer sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewMessage {
    /// Its id, unique for all time.
    pub id: u64,
    /// What others have noted about it.
    pub tag: MessageTag,
    /// A delay of its own in place of the queue's (rule Q16, delivery delay); FIFO queues do not look at it.
    pub delay_us: Option<u64>,
    /// Its message group; standard queues do not look at it.
    pub group: u32,
    /// What tells it from others (rule F7, deduplication); standard queues do not look at it. `None`: like nothing else.
    pub deduplication_id: Option<u64>,
    /// Receives that count already: a redrive may keep them (rule R1, message move task).
    pub receive_count: u32,
}

impl NewMessage {
    /// A message without a delay of its own, in group 0.
    #[inline]
    pub fn new(id: u64, tag: MessageTag) -> Self {
        Self { id, tag, delay_us: None, group: 0, deduplication_id: None, receive_count: 0 }
    }
}

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
    /// The tenant that it is of.
    pub tenant: u8,
    /// The last visibility that a policy set, at most twelve hours: stands for a store of the consumers' own, since a queue
    /// carries none.
    pub previous_delay_s: Option<u16>,
}

/// Where a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Held back before its first receive (rule Q16, delivery delay).
    Delayed,
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
    /// The stamp that it came in with: names it for good.
    pub entered: u32,
    /// Receipts that consumers hold.
    pub holders: u32,
    /// Receives in the queue from which it was moved; the count goes on here (rule Q6, receive count).
    pub receives_before: u32,
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
    /// The tenant that it is of.
    pub tenant: u8,
    /// Receives so far, this one included (rule Q6, receive count).
    pub receive_count: u32,
    /// When it was sent.
    pub enqueued_us: u64,
    /// When it was first received.
    pub first_received_us: u64,
    /// End of the lease that came with it.
    pub leased_until_us: u64,
}

/// What a consumer that still holds a receipt can ask of its message.
#[derive(Debug, PartialEq, Eq)]
pub struct Held<'a> {
    /// When it was sent.
    pub enqueued_us: u64,
    /// When it was first received.
    pub first_received_us: u64,
    /// What others have noted about it, to be read and changed.
    pub tag: &'a mut MessageTag,
}

/// A message that has left the queue, and what a move to another one needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Its id.
    pub id: u64,
    /// When it was sent.
    pub enqueued_us: u64,
    /// When it was first received; `None`: never.
    pub first_received_us: Option<u64>,
    /// Receives so far; they go on in the queue to which it is moved (rule Q6, receive count).
    pub receive_count: u32,
    /// Its message group; 0 on standard queues.
    pub group: u32,
    /// What others have noted about it.
    pub tag: MessageTag,
}

/// What a change of visibility asks of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing.
    Nothing,
    /// To be visible at once.
    End,
    /// To be hidden until then.
    Until(u64),
}

impl Message {
    /// A message that was sent now.
    #[inline(always)]
    pub fn sent(now_us: u64, new: &NewMessage, stamp: u32, place: Place) -> Self {
        Self {
            id: new.id,
            enqueued_us: now_us,
            first_received_us: now_us,
            received_us: 0,
            receive_count: new.receive_count,
            stamp,
            entered: stamp,
            holders: 0,
            receives_before: 0,
            place,
            tag: new.tag,
        }
    }

    /// A message that comes from another queue.
    pub fn moved(removed: &Removed, enqueued_us: u64, stamp: u32) -> Self {
        Self {
            id: removed.id,
            enqueued_us,
            first_received_us: removed.first_received_us.unwrap_or(0),
            received_us: 0,
            receive_count: removed.receive_count,
            stamp,
            entered: stamp,
            holders: 0,
            receives_before: removed.receive_count,
            place: Place::Visible,
            tag: removed.tag,
        }
    }

    /// Receives in this queue.
    #[inline]
    pub fn receives_here(&self) -> u32 {
        self.receive_count - self.receives_before
    }

    /// Counts a receive (rule Q6, receive count).
    #[inline(always)]
    pub fn count_receive(&mut self, now_us: u64, stamp: u32) {
        self.receive_count += 1;
        if self.receive_count == 1 {
            self.first_received_us = now_us;
        }
        self.received_us = now_us;
        self.stamp = stamp;
    }

    /// A consumer holds a receipt now.
    #[inline(always)]
    pub fn hand_out(&mut self) {
        self.holders += 1;
    }

    /// What a consumer gets to see of it after a receive.
    #[inline(always)]
    pub fn delivery(&self, slot: u32, leased_until_us: u64) -> Delivery {
        Delivery {
            receipt: Receipt { slot, stamp: self.stamp },
            id: self.id,
            class: self.tag.class,
            tenant: self.tag.tenant,
            receive_count: self.receive_count,
            enqueued_us: self.enqueued_us,
            first_received_us: self.first_received_us,
            leased_until_us,
        }
    }

    /// What the holder of a receipt can ask of it.
    #[inline]
    pub fn held(&mut self) -> Held<'_> {
        Held { enqueued_us: self.enqueued_us, first_received_us: self.first_received_us, tag: &mut self.tag }
    }

    /// What a change of visibility with that receipt asks for (rules Q4, Q5 and Q15).
    #[inline]
    pub fn change(
        &self,
        now_us: u64,
        receipt: Receipt,
        delay_s: u32,
        clock: TwelveHourClock,
    ) -> Result<Change, ChangeRefused> {
        let delay_us = u64::from(delay_s) * SECOND_US;
        if delay_us > LEASE_CEILING_US {
            return Err(ChangeRefused::OutOfRange);
        }
        match self.place {
            Place::Gone => return Err(ChangeRefused::MessageGone),
            Place::Visible | Place::Delayed => return Ok(Change::Nothing),
            // Even an old receipt ends a newer lease (rule Q15, stale handles).
            Place::InFlight if delay_s == 0 => return Ok(Change::End),
            Place::InFlight if self.stamp != receipt.stamp => return Ok(Change::Nothing),
            Place::InFlight => {}
        }
        if delay_us > self.visibility_left_us(now_us, clock) {
            return Err(ChangeRefused::BeyondTwelveHours);
        }
        Ok(Change::Until(now_us + delay_us))
    }

    /// The longest visibility that the twelve-hour ceiling leaves (rule Q5, twelve-hour ceiling).
    #[inline]
    pub fn visibility_left_us(&self, now_us: u64, clock: TwelveHourClock) -> u64 {
        let clock_start_us = match clock {
            TwelveHourClock::PerReceive => self.received_us,
            TwelveHourClock::Lifetime => self.first_received_us,
        };
        (clock_start_us + LEASE_CEILING_US).saturating_sub(now_us)
    }

    pub fn removed(&self, group: u32) -> Removed {
        Removed {
            id: self.id,
            enqueued_us: self.enqueued_us,
            first_received_us: (self.receive_count > 0).then_some(self.first_received_us),
            receive_count: self.receive_count,
            group,
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
