//! A FIFO queue: message groups in order, one receive at a time for each.

mod age;
mod deduplication;
mod groups;
mod lease;
mod order;

use slab::Slab;

use super::message::{Held, Message, NO_LEASE, NewMessage, Place, Receipt, Removed};
use super::{DeleteAnswer, Enqueued, QueueSettings, ReceiveCall, Received, Step};
use crate::model::MessageClass;
use deduplication::Deduplication;
use groups::{Groups, Member};
use order::ArrivalOrder;

/// A message and what a FIFO queue knows of it beside.
#[derive(Debug)]
struct FifoMessage {
    message: Message,
    /// End of its lease or delay, `NO_LEASE` where it has none.
    hidden_until_us: u64,
    /// Its place in the order of arrival.
    sequence: u64,
    /// The record of its group.
    group: u32,
    /// The group's id, which outlives the record.
    group_id: u32,
}

/// The queue. Like a standard queue it is told the time, and when leases and delays end.
///
/// A message is delivered if no earlier message of its group is hidden (rule F1, group blocking). Nothing is returned
/// twice or lost by chance, and nothing goes to the back of the queue.
///
/// ```
/// use retrystorm::model::queue::{DeleteAnswer, FifoQueue, MessageTag, NewMessage, QueueSettings, ReceiveCall, Received};
///
/// let mut queue = FifoQueue::new(QueueSettings::default(), u64::MAX);
/// for (id, group) in [(1, 7), (2, 7), (3, 8)] {
///     queue.enqueue(0, NewMessage { group, ..NewMessage::new(id, MessageTag::default()) });
/// }
/// let Received::Message(first) = queue.receive_next(0, &mut ReceiveCall::new()) else { panic!("there are three") };
/// assert_eq!(first.id, 1);
///
/// // Message 2 has to wait for message 1, but nothing holds back the other group.
/// let mut call = ReceiveCall::new();
/// assert!(matches!(queue.receive_next(1_000, &mut call), Received::Message(delivery) if delivery.id == 3));
/// assert_eq!(queue.receive_next(1_000, &mut call), Received::Nothing);
///
/// // The consumer is too late: its delete fails, and the message comes back.
/// queue.lease_ended(30_000_000, first.receipt.slot());
/// assert_eq!(queue.delete(first.receipt), DeleteAnswer::Refused);
/// ```
#[derive(Debug)]
pub struct FifoQueue {
    settings: QueueSettings,
    /// End of the run: retention that ends later is not followed.
    horizon_us: u64,
    messages: Slab<FifoMessage>,
    order: ArrivalOrder,
    groups: Groups,
    deduplication: Deduplication,
    visible_count: usize,
    in_flight_count: usize,
    delayed_count: usize,
    last_stamp: u32,
}

impl FifoQueue {
    /// An empty queue. Retention is only followed where it can end before `horizon_us`, the end of the run.
    pub fn new(settings: QueueSettings, horizon_us: u64) -> Self {
        let order = ArrivalOrder::new(settings.look_ahead);
        Self {
            settings,
            horizon_us,
            messages: Slab::new(),
            order,
            groups: Groups::default(),
            deduplication: Deduplication::default(),
            visible_count: 0,
            in_flight_count: 0,
            delayed_count: 0,
            last_stamp: 0,
        }
    }

    /// Visible messages (rule Q18, queue metrics), those of blocked groups included.
    pub fn visible_count(&self) -> usize {
        self.visible_count
    }

    /// Messages under a lease (rule Q18, queue metrics).
    pub fn in_flight_count(&self) -> usize {
        self.in_flight_count
    }

    /// Messages that are held back before their first receive (rule Q18, queue metrics).
    pub fn delayed_count(&self) -> usize {
        self.delayed_count
    }

    /// Whether a receive call would find anything to return or to move.
    #[inline]
    pub fn has_receivable(&self) -> bool {
        !self.is_at_limit() && self.groups.first_ready().is_some_and(|sequence| self.order.is_searched(sequence))
    }

    /// The class of each message that is still there.
    pub fn classes_of_outstanding(&self) -> impl Iterator<Item = MessageClass> {
        let outstanding = self.messages.iter().filter(|(_, record)| record.message.place != Place::Gone);
        outstanding.map(|(_, record)| record.message.tag.class)
    }

    /// Takes a new message in, unless its deduplication id is known (rule F7, deduplication). Ids are unique for all
    /// time. Only the queue has a delay, not the message (rule Q16, delivery delay).
    #[inline(always)]
    pub fn enqueue(&mut self, now_us: u64, new: NewMessage) -> Enqueued {
        if new.deduplication_id.is_some_and(|id| !self.deduplication.accepts(now_us, id)) {
            return Enqueued::Duplicate;
        }
        let stamp = self.next_stamp();
        if self.settings.delay_us == 0 {
            self.insert(Message::sent(now_us, &new, stamp, Place::Visible), new.group);
            self.visible_count += 1;
            return Enqueued::Visible;
        }
        let at_us = now_us + self.settings.delay_us;
        let slot = self.insert(Message::sent(now_us, &new, stamp, Place::Delayed), new.group);
        self.messages[slot as usize].hidden_until_us = at_us;
        self.delayed_count += 1;
        Enqueued::DelayedUntil { slot, at_us }
    }

    /// Takes in a message that another queue has moved here, its dead-letter queue. It keeps its id, its group and its
    /// receive count; its enqueue time is that of the move (rule Q11, age in the DLQ).
    pub fn enqueue_moved(&mut self, now_us: u64, removed: Removed) {
        let stamp = self.next_stamp();
        self.insert(Message::moved(&removed, now_us, stamp), removed.group);
        self.visible_count += 1;
    }

    /// One step of a receive call, which goes through its messages one by one: it takes what it can from one group before
    /// it goes on to another (rule F2, one group first), whichever has the earliest message. A message that has used up
    /// its receives is not returned but moved, and its group goes on (rule F4, DLQ breaks the order).
    ///
    /// The caller holds the receipt of a message until it calls [`let_go`](Self::let_go).
    pub fn receive_next(&mut self, now_us: u64, call: &mut ReceiveCall) -> Received {
        let leased_until_us = self.leased_until_us(now_us, call);
        match self.receive_step(now_us, leased_until_us, call) {
            Step::Message { slot } => Received::Message(self.delivery(slot, leased_until_us)),
            Step::UsedUp { slot } => Received::DeadLettered(self.take_used_up(slot)),
            Step::Lost { slot } => Received::Lost { slot, leased_until_us },
            Step::Nothing => Received::Nothing,
            Step::OverLimit => Received::OverLimit,
        }
    }

    /// The same as [`receive_next`](Self::receive_next) in few words: the caller asks for the rest at once, with
    /// [`delivery`](Self::delivery) or [`take_used_up`](Self::take_used_up), and has asked for
    /// [`leased_until_us`](Self::leased_until_us) before.
    pub fn receive_step(&mut self, now_us: u64, leased_until_us: u64, call: &mut ReceiveCall) -> Step {
        // No error here, unlike on a standard queue (rule F5, silent in-flight limit).
        if self.is_at_limit() {
            return Step::Nothing;
        }
        let Some(member) = self.next_deliverable(call) else { return Step::Nothing };
        if self.is_used_up(member.slot) {
            return Step::UsedUp { slot: member.slot };
        }
        self.lease(now_us, member, leased_until_us);
        Step::Message { slot: member.slot }
    }

    /// Takes a message out that a step has found to have used up its receives.
    pub fn take_used_up(&mut self, slot: u32) -> Removed {
        self.remove(slot)
    }

    /// Deletes a message, if the lease of the receipt still runs (rule F3, late delete refused).
    pub fn delete(&mut self, receipt: Receipt) -> DeleteAnswer {
        let message = &self.messages[receipt.slot as usize].message;
        match message.place {
            Place::Gone => DeleteAnswer::AlreadyGone,
            Place::InFlight if message.stamp == receipt.stamp => {
                self.remove(receipt.slot);
                DeleteAnswer::Deleted
            }
            Place::InFlight | Place::Visible | Place::Delayed => DeleteAnswer::Refused,
        }
    }

    /// Somebody holds the receipt a second time, and lets it go a second time.
    pub fn hold(&mut self, receipt: Receipt) {
        self.messages[receipt.slot as usize].message.hand_out();
    }

    /// The consumer is done with a receipt: the record of a message that has left the queue is given up with the last.
    pub fn let_go(&mut self, receipt: Receipt) {
        let message = &mut self.messages[receipt.slot as usize].message;
        message.holders -= 1;
        if message.holders == 0 && message.place == Place::Gone {
            self.messages.remove(receipt.slot as usize);
        }
    }

    /// The message of a receipt that is still held.
    pub fn held(&mut self, receipt: Receipt) -> Held<'_> {
        self.messages[receipt.slot as usize].message.held()
    }

    /// What a consumer that still holds the receipt can copy of its message.
    pub fn copy_of(&self, receipt: Receipt) -> Removed {
        let record = &self.messages[receipt.slot as usize];
        record.message.removed(record.group_id)
    }

    /// The longest visibility that a change with this receipt may ask for (rule Q5, twelve-hour ceiling).
    #[inline]
    pub fn visibility_left_us(&self, now_us: u64, receipt: Receipt) -> u64 {
        self.messages[receipt.slot as usize].message.visibility_left_us(now_us, self.settings.twelve_hour_clock)
    }

    /// The message that a call meets next.
    fn next_deliverable(&self, call: &mut ReceiveCall) -> Option<Member> {
        if let Some(run) = &mut call.run
            && let Some(member) = self.groups.next_of(run)
            && self.order.is_searched(member.sequence)
        {
            run.last_sequence = member.sequence;
            return Some(member);
        }
        let (run, member) = self.groups.begin_run()?;
        call.run = Some(run);
        // Rule F6, search depth.
        self.order.is_searched(member.sequence).then_some(member)
    }

    fn is_at_limit(&self) -> bool {
        self.in_flight_count >= self.settings.in_flight_limit as usize
    }

    fn is_used_up(&self, slot: u32) -> bool {
        // Those of another queue have been used up there: a DLQ may have a redrive policy of its own.
        let receives = self.messages[slot as usize].message.receives_here();
        self.settings.max_receive_count.is_some_and(|limit| receives >= limit)
    }

    fn insert(&mut self, message: Message, group_id: u32) -> u32 {
        let is_visible = message.place == Place::Visible;
        let record = FifoMessage { message, hidden_until_us: NO_LEASE, sequence: 0, group: 0, group_id };
        let slot = self.messages.insert(record) as u32;
        let sequence = self.order.push(slot);
        let group = self.groups.add(group_id, Member { sequence, slot }, is_visible);
        let record = &mut self.messages[slot as usize];
        (record.sequence, record.group) = (sequence, group);
        slot
    }

    /// Takes a message out of the queue. Its record stays while a consumer holds a receipt.
    fn remove(&mut self, slot: u32) -> Removed {
        let record = &mut self.messages[slot as usize];
        let (group, member) = (record.group, Member { sequence: record.sequence, slot });
        match record.message.place {
            Place::Visible => self.visible_count -= 1,
            Place::InFlight => self.in_flight_count -= 1,
            Place::Delayed => self.delayed_count -= 1,
            Place::Gone => {}
        }
        let was_visible = record.message.place == Place::Visible;
        record.message.place = Place::Gone;
        record.hidden_until_us = NO_LEASE;
        let removed = record.message.removed(record.group_id);
        if record.message.holders == 0 {
            self.messages.remove(slot as usize);
        }
        self.order.remove(slot);
        self.groups.remove(group, member, was_visible);
        removed
    }

    fn next_stamp(&mut self) -> u32 {
        self.last_stamp = self.last_stamp.wrapping_add(1);
        self.last_stamp
    }
}
