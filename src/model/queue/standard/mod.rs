//! A standard queue: at-least-once delivery, best-effort order.

mod age;
mod lease;
mod redrive;

use std::collections::VecDeque;

use slab::Slab;

use super::ages::{AgeEntry, AgeIndex};
use super::message::{Held, Message, NO_LEASE, NewMessage, Place, Receipt, Removed};
use super::visible::{Entry, VisibleMessages};
use super::{DeleteAnswer, Enqueued, QueueDraws, QueueSettings, ReceiveCall, Received, StaleDelete, Step};
use crate::model::MessageClass;
use redrive::VisibleByAge;

/// The queue. It is told the time and never moves on by itself: whoever drives it calls
/// [`lease_ended`](Self::lease_ended) when a lease ends.
///
/// ```
/// use retrystorm::engine::random::Streams;
/// use retrystorm::model::queue::{
///     MessageTag, NewMessage, QueueDraws, QueueSettings, ReceiveCall, Received, StandardQueue,
/// };
///
/// let settings = QueueSettings { max_receive_count: Some(1), ..QueueSettings::default() };
/// let mut queue = StandardQueue::new(settings, u64::MAX, QueueDraws::new(&Streams::new(42, 0)));
/// queue.enqueue(0, NewMessage::new(7, MessageTag::default()));
///
/// let Received::Message(delivery) = queue.receive_next(0, &mut ReceiveCall::new()) else { panic!("there is one") };
/// assert_eq!((delivery.id, delivery.leased_until_us), (7, 30_000_000));
///
/// // Nobody deletes it: after its lease the next receive finds one receive behind it and moves it instead.
/// queue.lease_ended(30_000_000, delivery.receipt.slot());
/// let mut call = ReceiveCall::new();
/// assert!(matches!(queue.receive_next(30_000_000, &mut call), Received::DeadLettered(moved) if moved.id == 7));
/// assert_eq!(queue.receive_next(30_000_000, &mut call), Received::Nothing);
/// ```
#[derive(Debug)]
pub struct StandardQueue {
    settings: QueueSettings,
    /// End of the run: retention that ends later is not followed.
    horizon_us: u64,
    messages: Slab<Message>,
    /// End of the lease or delay of each message by its place in `messages`, `NO_LEASE` where it has none. It stands
    /// apart because most ends that come due have been replaced or outlived: to see that, no message need be fetched into
    /// the cache.
    hidden_until_us: Vec<u64>,
    visible: VisibleMessages,
    /// Visible messages that have been returned all the same: the next call returns them again (rule Q14, duplicates and
    /// lost deliveries).
    duplicates: VecDeque<Entry>,
    visible_count: usize,
    in_flight_count: usize,
    delayed_count: usize,
    /// Messages that count for the age of the oldest.
    young: AgeIndex,
    /// Messages that retention may remove; only kept where it can within the run.
    mortal: Option<AgeIndex>,
    /// Visible messages from the oldest on; only kept once somebody has asked for them.
    visible_by_age: Option<VisibleByAge>,
    last_stamp: u32,
    draws: QueueDraws,
    /// Whether any delivery can be doubled or lost: where none can, nothing is drawn.
    deliveries_vary: bool,
}

impl StandardQueue {
    /// An empty queue. Retention is only followed where it can end before `horizon_us`, the end of the run.
    pub fn new(settings: QueueSettings, horizon_us: u64, draws: QueueDraws) -> Self {
        let mortal = (settings.retention_us < horizon_us).then(AgeIndex::default);
        let deliveries_vary = settings.lost_share > 0.0 || settings.duplicate_share > 0.0;
        Self {
            settings,
            horizon_us,
            messages: Slab::new(),
            hidden_until_us: Vec::new(),
            visible: VisibleMessages::default(),
            duplicates: VecDeque::new(),
            visible_count: 0,
            in_flight_count: 0,
            delayed_count: 0,
            young: AgeIndex::default(),
            mortal,
            visible_by_age: None,
            last_stamp: 0,
            draws,
            deliveries_vary,
        }
    }

    /// Visible messages (rule Q18, queue metrics).
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
        self.visible_count > 0 && !self.is_at_limit()
    }

    /// The class of each message that is still there.
    pub fn classes_of_outstanding(&self) -> impl Iterator<Item = MessageClass> {
        let outstanding = self.messages.iter().filter(|(_, message)| message.place != Place::Gone);
        outstanding.map(|(_, message)| message.tag.class)
    }

    /// Takes a new message in. Ids are unique for all time.
    #[inline(always)]
    pub fn enqueue(&mut self, now_us: u64, new: NewMessage) -> Enqueued {
        let delay_us = new.delay_us.unwrap_or(self.settings.delay_us);
        let place = if delay_us > 0 { Place::Delayed } else { Place::Visible };
        let stamp = self.next_stamp();
        let slot = self.insert(Message::sent(now_us, &new, stamp, place), now_us);
        if delay_us > 0 {
            return self.hold_back(slot, now_us + delay_us);
        }
        self.becomes_visible(slot);
        self.visible.add_fresh(now_us, Entry { slot, stamp });
        Enqueued::Visible
    }

    #[cold]
    fn hold_back(&mut self, slot: u32, at_us: u64) -> Enqueued {
        self.delayed_count += 1;
        self.hidden_until_us[slot as usize] = at_us;
        Enqueued::DelayedUntil { slot, at_us }
    }

    /// Takes in a message that another queue has moved here, its dead-letter queue. It keeps its id, its receive count
    /// and its enqueue time (rule Q11, age in the DLQ), so its retention may have run out: call [`expire`](Self::expire).
    pub fn enqueue_moved(&mut self, now_us: u64, removed: Removed) {
        let stamp = self.next_stamp();
        let slot = self.insert(Message::moved(&removed, removed.enqueued_us, stamp), now_us);
        self.becomes_visible(slot);
        self.visible.add_fresh(removed.enqueued_us, Entry { slot, stamp });
    }

    /// One step of a receive call, which goes through its messages one by one. A message that has used up its receives
    /// is not returned: it is in the dead-letter queue now (rule Q7, lazy redrive).
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
    #[inline(always)]
    pub fn receive_step(&mut self, now_us: u64, leased_until_us: u64, call: &mut ReceiveCall) -> Step {
        if self.is_at_limit() {
            return Step::OverLimit;
        }
        while self.visible_count > 0 {
            let duplicate = if self.deliveries_vary { self.next_duplicate(call) } else { None };
            let Some(entry) = duplicate.or_else(|| self.visible.take_first()) else { break };
            if !is_visible(&self.messages, entry) {
                continue;
            }
            if self.is_used_up(entry.slot) {
                return Step::UsedUp { slot: entry.slot };
            }
            return self.deliver(now_us, entry.slot, leased_until_us);
        }
        Step::Nothing
    }

    /// Takes a message out that a step has found to have used up its receives.
    pub fn take_used_up(&mut self, slot: u32) -> Removed {
        self.remove(slot)
    }

    /// A duplicate of an earlier call, not of this one.
    #[cold]
    fn next_duplicate(&mut self, call: &mut ReceiveCall) -> Option<Entry> {
        let left = call.duplicates_left.get_or_insert(self.duplicates.len());
        *left = left.checked_sub(1)?;
        self.duplicates.pop_front()
    }

    /// Deletes a message. The receipt of a lease that has ended still deletes, unless the message has been received again
    /// since (rule Q15, stale handles).
    #[inline]
    pub fn delete(&mut self, receipt: Receipt) -> DeleteAnswer {
        let message = &self.messages[receipt.slot as usize];
        if message.place == Place::Gone {
            DeleteAnswer::AlreadyGone
        } else if message.stamp == receipt.stamp || self.settings.stale_delete == StaleDelete::Deletes {
            self.take_out(receipt.slot);
            DeleteAnswer::Deleted
        } else {
            DeleteAnswer::Ignored
        }
    }

    /// Somebody holds the receipt a second time, and lets it go a second time.
    pub fn hold(&mut self, receipt: Receipt) {
        self.messages[receipt.slot as usize].hand_out();
    }

    /// The consumer is done with a receipt: the record of a message that has left the queue is given up with the last.
    #[inline]
    pub fn let_go(&mut self, receipt: Receipt) {
        let message = &mut self.messages[receipt.slot as usize];
        message.holders -= 1;
        if message.holders == 0 && message.place == Place::Gone {
            self.messages.remove(receipt.slot as usize);
        }
    }

    /// The message of a receipt that is still held.
    #[inline]
    pub fn held(&mut self, receipt: Receipt) -> Held<'_> {
        self.messages[receipt.slot as usize].held()
    }

    /// What a consumer that still holds the receipt can copy of its message.
    pub fn copy_of(&self, receipt: Receipt) -> Removed {
        self.messages[receipt.slot as usize].removed(0)
    }

    /// The longest visibility that a change with this receipt may ask for (rule Q5, twelve-hour ceiling).
    #[inline]
    pub fn visibility_left_us(&self, now_us: u64, receipt: Receipt) -> u64 {
        self.messages[receipt.slot as usize].visibility_left_us(now_us, self.settings.twelve_hour_clock)
    }

    /// Messages in the queue, wherever they stand.
    #[inline]
    fn outstanding(&self) -> usize {
        self.visible_count + self.in_flight_count + self.delayed_count
    }

    #[inline]
    fn is_at_limit(&self) -> bool {
        self.in_flight_count >= self.settings.in_flight_limit as usize
    }

    #[inline(always)]
    fn insert(&mut self, message: Message, now_us: u64) -> u32 {
        let (stamp, enqueued_us) = (message.entered, message.enqueued_us);
        let slot = self.messages.insert(message) as u32;
        if slot as usize == self.hidden_until_us.len() {
            self.hidden_until_us.push(NO_LEASE);
        }
        let outstanding = self.outstanding() + 1;
        let messages = &self.messages;
        // On a dead-letter queue this age counts from the move (rule Q18, queue metrics).
        let arrived = AgeEntry::new(now_us, Entry { slot, stamp });
        self.young.add(arrived, outstanding, |entry| is_young(messages, entry));
        if let Some(mortal) = &mut self.mortal {
            let sent = AgeEntry::new(enqueued_us, Entry { slot, stamp });
            mortal.add(sent, outstanding, |entry| is_there(messages, entry));
        }
        slot
    }

    /// Counts a message that has just become visible.
    #[inline]
    fn becomes_visible(&mut self, slot: u32) {
        self.visible_count += 1;
        self.note_visible_by_age(slot);
    }

    #[inline]
    fn is_used_up(&self, slot: u32) -> bool {
        // Those of another queue have been used up there: a DLQ may have a redrive policy of its own.
        let receives = self.messages[slot as usize].receives_here();
        self.settings.max_receive_count.is_some_and(|limit| receives >= limit)
    }

    /// Takes a message out of the queue and says what it was.
    fn remove(&mut self, slot: u32) -> Removed {
        let removed = self.messages[slot as usize].removed(0);
        self.take_out(slot);
        removed
    }

    /// Takes a message out of the queue. Its record stays while a consumer holds a receipt.
    #[inline]
    fn take_out(&mut self, slot: u32) {
        let message = &mut self.messages[slot as usize];
        match message.place {
            Place::Visible => self.visible_count -= 1,
            Place::InFlight => self.in_flight_count -= 1,
            Place::Delayed => self.delayed_count -= 1,
            Place::Gone => {}
        }
        if message.place != Place::Visible {
            self.hidden_until_us[slot as usize] = NO_LEASE;
        }
        message.place = Place::Gone;
        if message.holders == 0 {
            self.messages.remove(slot as usize);
        }
    }

    #[inline]
    fn next_stamp(&mut self) -> u32 {
        self.last_stamp = self.last_stamp.wrapping_add(1);
        self.last_stamp
    }
}

/// From this receive on a message counts as a straggler: it goes to the back of the queue (rule Q8, back of queue) and is
/// left out of the age of the oldest (rule Q18, queue metrics). Receives in another queue do not count.
const STRAGGLER_RECEIVES: u32 = 3;

/// Whether the entry is that of a visible message.
#[inline]
fn is_visible(messages: &Slab<Message>, entry: Entry) -> bool {
    messages
        .get(entry.slot as usize)
        .is_some_and(|message| message.place == Place::Visible && message.stamp == entry.stamp)
}

/// Whether the message is still in the queue.
fn is_there(messages: &Slab<Message>, entry: AgeEntry) -> bool {
    let Entry { slot, stamp } = entry.entrance();
    messages.get(slot as usize).is_some_and(|message| message.entered == stamp && message.place != Place::Gone)
}

/// Whether the message is still in the queue and counts for the age of the oldest (rule Q18, queue metrics).
fn is_young(messages: &Slab<Message>, entry: AgeEntry) -> bool {
    is_there(messages, entry) && messages[entry.entrance().slot as usize].receives_here() < STRAGGLER_RECEIVES
}
