//! A queue and its reference in lock step: every question goes to both, and their answers have to be the same.

use retrystorm::model::queue::{
    DeleteAnswer, Delivery, Enqueued, LeaseEnd, NewMessage, Queue, QueueDraws, QueueSettings, Receipt, ReceiveCall,
    Received, Removed, VisibilityChange,
};

use super::model::{Changed, Deleted, Handle, Reference, Step};

/// How long runs are taken to last: retention beyond it is not followed.
pub const HORIZON_US: u64 = 1_000_000_000_000;

/// An end that the driver has to announce to the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    at_us: u64,
    slot: u32,
    is_delay: bool,
}

/// A receipt of the queue and what the reference has for it.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    receipt: Receipt,
    handle: Handle,
}

/// The two.
#[derive(Debug)]
pub struct Pair {
    queue: Queue,
    reference: Reference,
    ends: Vec<End>,
}

impl Pair {
    pub fn new(settings: &QueueSettings, draws: QueueDraws) -> Self {
        Self {
            queue: Queue::new(settings.clone(), HORIZON_US, draws),
            reference: Reference::new(settings.clone(), HORIZON_US, draws),
            ends: Vec::new(),
        }
    }

    pub fn send(&mut self, now_us: u64, new: NewMessage) {
        let expected = self.reference.send(now_us, new);
        let answer = match self.queue.enqueue(now_us, new) {
            Enqueued::Duplicate => None,
            Enqueued::Visible => Some(None),
            Enqueued::DelayedUntil { slot, at_us } => {
                self.will_end(End { at_us, slot, is_delay: true });
                Some(Some(at_us))
            }
        };
        assert_eq!(answer, expected, "a send");
    }

    /// Of two announcements of the same the later one counts: the earlier was of a lease that is over.
    fn will_end(&mut self, end: End) {
        self.ends.retain(|&other| other != end);
        self.ends.push(end);
    }

    pub fn send_moved(&mut self, now_us: u64, removed: Removed) {
        self.queue.enqueue_moved(now_us, removed);
        self.reference.send_moved(now_us, removed);
    }

    /// One receive call; returns what it moved and what its consumer holds now.
    pub fn receive(&mut self, now_us: u64, limit: usize, timeout_us: Option<u64>) -> (Vec<Removed>, Vec<Held>) {
        let (mut moved, mut held) = (Vec::new(), Vec::new());
        let mut call = timeout_us.map_or_else(ReceiveCall::new, ReceiveCall::with_visibility_timeout_us);
        let had_receivable = self.queue.has_receivable();
        let expected = self.reference.receive(now_us, limit, timeout_us);
        let finds = !matches!(expected[0], Step::Nothing | Step::OverLimit);
        assert_eq!(had_receivable, finds, "whether there is something to receive");
        for step in expected {
            match (self.queue.receive_next(now_us, &mut call), step) {
                (Received::Message(delivery), Step::Message { handle, .. }) => {
                    assert_eq!(seen(delivery, handle), step, "a delivery");
                    self.will_end(End {
                        at_us: delivery.leased_until_us,
                        slot: delivery.receipt.slot(),
                        is_delay: false,
                    });
                    held.push(Held { receipt: delivery.receipt, handle });
                }
                (Received::DeadLettered(removed), Step::DeadLettered(expected)) => {
                    assert_eq!(removed, expected, "a move");
                    moved.push(removed);
                }
                (Received::Lost { slot, leased_until_us }, Step::Lost { until_us }) => {
                    assert_eq!(leased_until_us, until_us, "a lost delivery");
                    self.will_end(End { at_us: leased_until_us, slot, is_delay: false });
                }
                (Received::Nothing, Step::Nothing) | (Received::OverLimit, Step::OverLimit) => {}
                (answer, step) => panic!("a receive has met {answer:?} and should have met {step:?}"),
            }
        }
        (moved, held)
    }

    pub fn delete(&mut self, held: Held) {
        let answer = match self.queue.delete(held.receipt) {
            DeleteAnswer::Deleted => Deleted::Yes(self.queue.copy_of(held.receipt)),
            DeleteAnswer::AlreadyGone => Deleted::AlreadyGone,
            DeleteAnswer::Ignored => Deleted::Ignored,
            DeleteAnswer::Refused => Deleted::Refused,
        };
        assert_eq!(answer, self.reference.delete(held.handle), "a delete");
    }

    /// A change of visibility; returns what it moved.
    pub fn change(&mut self, now_us: u64, held: Held, delay_s: u32) -> Option<Removed> {
        let answer = self.queue.change_visibility(now_us, held.receipt, delay_s).map(|change| match change {
            VisibilityChange::Unchanged => Changed::Nothing,
            VisibilityChange::LeasedUntil { at_us } => {
                self.will_end(End { at_us, slot: held.receipt.slot(), is_delay: false });
                Changed::Until(at_us)
            }
            VisibilityChange::Ended(LeaseEnd::Visible) => Changed::Visible,
            VisibilityChange::Ended(LeaseEnd::DeadLettered(removed)) => Changed::DeadLettered(removed),
            VisibilityChange::Ended(LeaseEnd::Stale) => panic!("a lease that was ended was none"),
        });
        assert_eq!(answer, self.reference.change(now_us, held.handle, delay_s), "a change of visibility");
        if let Ok(Changed::DeadLettered(removed)) = answer { Some(removed) } else { None }
    }

    pub fn let_go(&mut self, held: Held) {
        self.queue.let_go(held.receipt);
    }

    /// When the next lease or delay ends.
    pub fn next_end_us(&self) -> Option<u64> {
        self.reference.next_end_us()
    }

    /// Announces all ends until this moment, each with its own time; returns what they moved.
    pub fn end_all(&mut self, now_us: u64) -> Vec<Removed> {
        let (mut visible, mut moved) = (0, Vec::new());
        let (due, later) = self.ends.drain(..).partition(|end: &End| end.at_us <= now_us);
        self.ends = later;
        for end in due {
            let answer = if end.is_delay {
                self.queue.delay_ended(end.at_us, end.slot)
            } else {
                self.queue.lease_ended(end.at_us, end.slot)
            };
            match answer {
                LeaseEnd::Stale => {}
                LeaseEnd::Visible => visible += 1,
                LeaseEnd::DeadLettered(removed) => moved.push(removed),
            }
        }
        moved.sort_by_key(|removed| removed.id);
        let mut expected = self.reference.end_all(now_us);
        expected.1.sort_by_key(|removed| removed.id);
        assert_eq!((visible, moved.clone()), expected, "ends of leases and delays");
        moved
    }

    pub fn expire(&mut self, now_us: u64) {
        let mut expired = Vec::new();
        let next_us = self.queue.expire(now_us, &mut expired);
        expired.sort_by_key(|removed| removed.id);
        let mut expected = self.reference.expire(now_us);
        expected.0.sort_by_key(|removed| removed.id);
        assert_eq!((expired, next_us), expected, "retention");
        assert_eq!(self.queue.next_expiry_us(), next_us);
    }

    pub fn take_oldest(&mut self, count: usize) -> Vec<Removed> {
        let mut taken = Vec::new();
        self.queue.take_oldest_visible(count as u32, &mut taken);
        assert_eq!(taken, self.reference.take_oldest(count), "a message move task");
        taken
    }

    pub fn set_visibility_timeout_us(&mut self, visibility_timeout_us: u64) {
        self.queue.set_visibility_timeout_us(visibility_timeout_us);
        self.reference.settings.visibility_timeout_us = visibility_timeout_us;
    }

    pub fn set_max_receive_count(&mut self, max_receive_count: Option<u32>) {
        self.queue.set_max_receive_count(max_receive_count);
        self.reference.settings.max_receive_count = max_receive_count;
    }

    pub fn set_retention_us(&mut self, retention_us: u64) {
        self.queue.set_retention_us(retention_us);
        self.reference.settings.retention_us = retention_us;
    }

    /// What can be asked at any time.
    pub fn compare_levels(&mut self) {
        let counts = [self.queue.visible_count(), self.queue.in_flight_count(), self.queue.delayed_count()];
        assert_eq!(counts, self.reference.counts(), "visible, in flight, delayed");
        assert_eq!(self.queue.classes_of_outstanding().count(), counts.iter().sum::<usize>(), "all messages");
        assert_eq!(self.queue.oldest_enqueued_us(), self.reference.oldest_us(), "the oldest message");
    }
}

/// A delivery in the words of the reference.
fn seen(delivery: Delivery, expected: Handle) -> Step {
    assert_eq!(delivery.id, expected.id, "the message that is returned next");
    Step::Message {
        handle: expected,
        receives: delivery.receive_count,
        enqueued_us: delivery.enqueued_us,
        first_received_us: delivery.first_received_us,
        until_us: delivery.leased_until_us,
    }
}
