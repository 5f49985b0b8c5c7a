//! A queue of either kind, for those who do not care which.

use super::{
    ChangeRefused, DeleteAnswer, Delivery, Enqueued, FifoQueue, Held, LeaseEnd, NewMessage, QueueDraws, QueueKind,
    QueueSettings, Receipt, ReceiveCall, Received, Removed, StandardQueue, Step, VisibilityChange,
};
use crate::model::MessageClass;

/// A standard or a FIFO queue. What its methods do is said at [`StandardQueue`] and [`FifoQueue`].
///
/// ```
/// use retrystorm::engine::random::Streams;
/// use retrystorm::model::queue::{MessageTag, NewMessage, Queue, QueueDraws, QueueKind, QueueSettings};
///
/// let settings = QueueSettings { kind: QueueKind::Fifo, ..QueueSettings::default() };
/// let mut queue = Queue::new(settings, u64::MAX, QueueDraws::new(&Streams::new(42, 0)));
/// queue.enqueue(0, NewMessage::new(7, MessageTag::default()));
/// assert_eq!((queue.visible_count(), queue.in_flight_count(), queue.delayed_count()), (1, 0, 0));
/// ```
#[derive(Debug)]
pub enum Queue {
    /// At-least-once delivery, best-effort order.
    Standard(StandardQueue),
    /// Message groups in order.
    Fifo(FifoQueue),
}

/// Hands a call on to the queue, whichever kind it is.
macro_rules! either {
    ($queue:expr, $inner:ident => $call:expr) => {
        match $queue {
            Queue::Standard($inner) => $call,
            Queue::Fifo($inner) => $call,
        }
    };
}

impl Queue {
    /// An empty queue of the kind that the settings name. Retention is only followed where it can end before
    /// `horizon_us`, the end of the run.
    pub fn new(settings: QueueSettings, horizon_us: u64, draws: QueueDraws) -> Self {
        match settings.kind {
            QueueKind::Standard => Self::Standard(StandardQueue::new(settings, horizon_us, draws)),
            QueueKind::Fifo => Self::Fifo(FifoQueue::new(settings, horizon_us)),
        }
    }

    /// Takes a new message in.
    #[inline(always)]
    pub fn enqueue(&mut self, now_us: u64, new: NewMessage) -> Enqueued {
        either!(self, queue => queue.enqueue(now_us, new))
    }

    /// Takes in a message that another queue has moved here; call [`expire`](Self::expire) afterwards.
    pub fn enqueue_moved(&mut self, now_us: u64, removed: Removed) {
        either!(self, queue => queue.enqueue_moved(now_us, removed));
    }

    /// One step of a receive call.
    pub fn receive_next(&mut self, now_us: u64, call: &mut ReceiveCall) -> Received {
        either!(self, queue => queue.receive_next(now_us, call))
    }

    /// The same in few words: the caller asks for the rest at once, with [`delivery`](Self::delivery) or
    /// [`take_used_up`](Self::take_used_up), and has asked for [`leased_until_us`](Self::leased_until_us) before.
    #[inline(always)]
    pub fn receive_step(&mut self, now_us: u64, leased_until_us: u64, call: &mut ReceiveCall) -> Step {
        either!(self, queue => queue.receive_step(now_us, leased_until_us, call))
    }

    /// When the leases end that a receive call brings.
    #[inline]
    pub fn leased_until_us(&self, now_us: u64, call: &ReceiveCall) -> u64 {
        either!(self, queue => queue.leased_until_us(now_us, call))
    }

    /// What a consumer gets to see of the message that it has just received.
    #[inline(always)]
    pub fn delivery(&self, slot: u32, leased_until_us: u64) -> Delivery {
        either!(self, queue => queue.delivery(slot, leased_until_us))
    }

    /// Takes a message out that a step has found to have used up its receives.
    pub fn take_used_up(&mut self, slot: u32) -> Removed {
        either!(self, queue => queue.take_used_up(slot))
    }

    /// The end of a lease of the message in that slot has come.
    #[inline]
    pub fn lease_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        either!(self, queue => queue.lease_ended(now_us, slot))
    }

    /// The end of the delay of the message in that slot has come.
    pub fn delay_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        either!(self, queue => queue.delay_ended(now_us, slot))
    }

    /// Deletes a message.
    #[inline]
    pub fn delete(&mut self, receipt: Receipt) -> DeleteAnswer {
        either!(self, queue => queue.delete(receipt))
    }

    /// Hides a message for `delay_s` seconds from now, in place of what was left of its lease.
    ///
    /// # Errors
    /// Where the value or the whole lease would be more than twelve hours, or the message is gone.
    #[inline]
    pub fn change_visibility(
        &mut self,
        now_us: u64,
        receipt: Receipt,
        delay_s: u32,
    ) -> Result<VisibilityChange, ChangeRefused> {
        either!(self, queue => queue.change_visibility(now_us, receipt, delay_s))
    }

    /// Somebody holds the receipt a second time, and lets it go a second time.
    pub fn hold(&mut self, receipt: Receipt) {
        either!(self, queue => queue.hold(receipt));
    }

    /// The consumer is done with a receipt.
    #[inline]
    pub fn let_go(&mut self, receipt: Receipt) {
        either!(self, queue => queue.let_go(receipt));
    }

    /// The message of a receipt that is still held.
    #[inline]
    pub fn held(&mut self, receipt: Receipt) -> Held<'_> {
        either!(self, queue => queue.held(receipt))
    }

    /// What a consumer that still holds the receipt can copy of its message.
    pub fn copy_of(&self, receipt: Receipt) -> Removed {
        either!(self, queue => queue.copy_of(receipt))
    }

    /// The longest visibility that a change with this receipt may ask for (rule Q5, twelve-hour ceiling). The receipt is
    /// still held.
    #[inline]
    pub fn visibility_left_us(&self, now_us: u64, receipt: Receipt) -> u64 {
        either!(self, queue => queue.visibility_left_us(now_us, receipt))
    }

    /// Whether retention can remove messages within the run.
    #[inline]
    pub fn follows_retention(&self) -> bool {
        either!(self, queue => queue.follows_retention())
    }

    /// Removes what retention has run out for; returns when the next one is due.
    pub fn expire(&mut self, now_us: u64, expired: &mut Vec<Removed>) -> Option<u64> {
        either!(self, queue => queue.expire(now_us, expired))
    }

    /// When retention removes the next message, if nothing else does before.
    pub fn next_expiry_us(&mut self) -> Option<u64> {
        either!(self, queue => queue.next_expiry_us())
    }

    /// Takes up to `count` visible messages out for a message move task, the oldest first.
    pub fn take_oldest_visible(&mut self, count: u32, taken: &mut Vec<Removed>) {
        either!(self, queue => queue.take_oldest_visible(count, taken));
    }

    /// Whether a receive call would find anything to return or to move.
    #[inline]
    pub fn has_receivable(&self) -> bool {
        either!(self, queue => queue.has_receivable())
    }

    /// Visible messages.
    #[inline]
    pub fn visible_count(&self) -> usize {
        either!(self, queue => queue.visible_count())
    }

    /// Messages under a lease.
    #[inline]
    pub fn in_flight_count(&self) -> usize {
        either!(self, queue => queue.in_flight_count())
    }

    /// Messages that are held back before their first receive.
    pub fn delayed_count(&self) -> usize {
        either!(self, queue => queue.delayed_count())
    }

    /// When the message that counts as the oldest was sent, or moved here.
    pub fn oldest_enqueued_us(&mut self) -> Option<u64> {
        either!(self, queue => queue.oldest_enqueued_us())
    }

    /// Whether the message in that slot, which is visible again, stands at the back for its receives (rule Q8, back of
    /// queue).
    pub fn is_at_back(&self, slot: u32) -> bool {
        match self {
            Self::Standard(queue) => queue.is_at_back(slot),
            Self::Fifo(_) => false,
        }
    }

    /// The class of each message that is still there.
    pub fn classes_of_outstanding(&self) -> Box<dyn Iterator<Item = MessageClass> + '_> {
        match self {
            Self::Standard(queue) => Box::new(queue.classes_of_outstanding()),
            Self::Fifo(queue) => Box::new(queue.classes_of_outstanding()),
        }
    }

    /// Sets the visibility timeout of receives to come.
    pub fn set_visibility_timeout_us(&mut self, visibility_timeout_us: u64) {
        either!(self, queue => queue.set_visibility_timeout_us(visibility_timeout_us));
    }

    /// Sets or takes away the redrive policy.
    pub fn set_max_receive_count(&mut self, max_receive_count: Option<u32>) {
        either!(self, queue => queue.set_max_receive_count(max_receive_count));
    }

    /// Sets the retention; call [`expire`](Self::expire) afterwards.
    pub fn set_retention_us(&mut self, retention_us: u64) {
        either!(self, queue => queue.set_retention_us(retention_us));
    }
}
