//! A standard queue: at-least-once delivery, best-effort order.

use slab::Slab;

use super::ages::{AgeEntry, AgeIndex};
use super::message::{Delivery, Message, MessageTag, Place, Receipt, Removed};
use super::visible::{Entry, VisibleMessages};
use super::{QueueSettings, RedriveTiming, ReturnOrder, TwelveHourClock};
use crate::engine::random::KeyedStream;
use crate::engine::time::{HOUR_US, SECOND_US};
use crate::model::MessageClass;

/// The longest that one lease may last in all (rule Q5, twelve-hour ceiling).
const LEASE_CEILING_US: u64 = 12 * HOUR_US;
/// From this receive on a returned message goes to the back of the queue (rule Q8, back of queue).
const BACK_OF_QUEUE_RECEIVES: u32 = 3;

/// Stands for the end of a lease that a message does not have.
const NO_LEASE: u64 = u64::MAX;

/// A change of visibility that would take a lease past twelve hours: refused, and the lease stays as it was (rule Q5,
/// twelve-hour ceiling).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a visibility timeout may not end later than 12 h after the receive")]
pub struct BeyondTwelveHours;

/// What a change of visibility has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibilityChange {
    /// Nothing: the receipt is stale, or the message is gone.
    Unchanged,
    /// The message is hidden until then; call [`StandardQueue::lease_ended`] at that time.
    LeasedUntil {
        /// The new end of the lease.
        at_us: u64,
    },
    /// The lease has ended: the message is visible, or has been moved.
    Ended(LeaseEnd),
}

/// What a receive call meets next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Received {
    /// A message to return.
    Message(Delivery),
    /// A message that has used up its receives: it is in the dead-letter queue now, and the call goes on.
    DeadLettered(Removed),
    /// Nothing more.
    Nothing,
}

/// What the end of a lease has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeaseEnd {
    /// Nothing: that lease had been replaced, or its message is gone.
    Stale,
    /// The message is visible again.
    Visible,
    /// The message has moved to the dead-letter queue at once (rule Q7, lazy redrive, switched to eager).
    DeadLettered(Removed),
}

/// The queue. It is told the time and never moves on by itself: whoever drives it calls
/// [`lease_ended`](Self::lease_ended) when a lease ends.
///
/// ```
/// use retrystorm::engine::random::Streams;
/// use retrystorm::model::queue::{MessageTag, QueueSettings, StandardQueue};
///
/// let settings = QueueSettings { max_receive_count: Some(1), ..QueueSettings::default() };
/// let mut queue = StandardQueue::new(settings, u64::MAX, Streams::new(42, 0).keyed("order"));
/// queue.enqueue(0, 7, MessageTag::default());
///
/// let (mut deliveries, mut moved) = (Vec::new(), Vec::new());
/// queue.receive(0, 10, &mut deliveries, &mut moved);
/// assert_eq!((deliveries[0].id, deliveries[0].leased_until_us), (7, 30_000_000));
///
/// // Nobody deletes it: after its lease the next receive finds one receive behind it and moves it instead.
/// queue.lease_ended(30_000_000, deliveries[0].receipt.slot());
/// deliveries.clear();
/// queue.receive(30_000_000, 10, &mut deliveries, &mut moved);
/// assert_eq!((deliveries.len(), moved[0].id), (0, 7));
/// ```
#[derive(Debug)]
pub struct StandardQueue {
    settings: QueueSettings,
    messages: Slab<Message>,
    /// End of the lease of each message by its place in `messages`, `NO_LEASE` where it has none. It stands apart because
    /// most ends that come due have been replaced or outlived: to see that, no message need be fetched into the cache.
    lease_ends_us: Vec<u64>,
    visible: VisibleMessages,
    visible_count: usize,
    in_flight_count: usize,
    /// Messages that count for the age of the oldest.
    young: AgeIndex,
    /// Messages that retention may remove; only kept where it can within the run.
    mortal: Option<AgeIndex>,
    last_stamp: u32,
    /// Places returned messages where their order is random.
    order: KeyedStream,
}

impl StandardQueue {
    /// An empty queue. Retention is only followed where it can end before `horizon_us`, the end of the run.
    pub fn new(settings: QueueSettings, horizon_us: u64, order: KeyedStream) -> Self {
        let mortal = (settings.retention_us < horizon_us).then(AgeIndex::default);
        Self {
            settings,
            messages: Slab::new(),
            lease_ends_us: Vec::new(),
            visible: VisibleMessages::default(),
            visible_count: 0,
            in_flight_count: 0,
            young: AgeIndex::default(),
            mortal,
            last_stamp: 0,
            order,
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

    /// Whether retention can remove messages within the run.
    pub fn follows_retention(&self) -> bool {
        self.mortal.is_some()
    }

    /// The class of each message that is still there, visible or in flight.
    pub fn classes_of_outstanding(&self) -> impl Iterator<Item = MessageClass> {
        let outstanding = self.messages.iter().filter(|(_, message)| message.place != Place::Gone);
        outstanding.map(|(_, message)| message.tag.class)
    }

    /// Takes a new message in. Ids are unique for all time.
    #[inline]
    pub fn enqueue(&mut self, now_us: u64, id: u64, tag: MessageTag) {
        let stamp = self.next_stamp();
        let slot = self.messages.insert(Message {
            id,
            enqueued_us: now_us,
            first_received_us: 0,
            received_us: 0,
            receive_count: 0,
            stamp,
            holders: 0,
            place: Place::Visible,
            tag,
        }) as u32;
        if slot as usize == self.lease_ends_us.len() {
            self.lease_ends_us.push(NO_LEASE);
        }
        self.visible.add_fresh(now_us, Entry { slot, stamp });
        self.visible_count += 1;

        let outstanding = self.visible_count + self.in_flight_count;
        let messages = &self.messages;
        let age = AgeEntry { id, slot };
        self.young.add(age, outstanding, |entry| is_young(messages, entry));
        if let Some(mortal) = &mut self.mortal {
            mortal.add(age, outstanding, |entry| is_there(messages, entry));
        }
    }

    /// One receive call: appends up to `limit` messages to `deliveries`. A message that has used up its receives is not
    /// returned but appended to `moved`: it is in the dead-letter queue now (rule Q7, lazy redrive).
    ///
    /// The caller holds the receipts until it calls [`let_go`](Self::let_go).
    pub fn receive(&mut self, now_us: u64, limit: u32, deliveries: &mut Vec<Delivery>, moved: &mut Vec<Removed>) {
        let mut returned = 0;
        while returned < limit {
            match self.receive_next(now_us) {
                Received::Message(delivery) => {
                    deliveries.push(delivery);
                    returned += 1;
                }
                Received::DeadLettered(message) => moved.push(message),
                Received::Nothing => return,
            }
        }
    }

    /// One step of a receive call, for callers that go through its messages one by one.
    #[inline]
    pub fn receive_next(&mut self, now_us: u64) -> Received {
        while self.visible_count > 0 {
            let Some(entry) = self.visible.take_first() else { break };
            if !is_visible(&self.messages, entry) {
                continue;
            }
            if self.is_used_up(entry.slot) {
                return Received::DeadLettered(self.remove(entry.slot));
            }
            return Received::Message(self.lease(now_us, entry.slot));
        }
        Received::Nothing
    }

    /// The end of a lease of the message in that slot has come. Ends that have been replaced meanwhile do nothing.
    #[inline]
    pub fn lease_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.lease_ends_us[slot as usize] == now_us { self.end_lease(now_us, slot) } else { LeaseEnd::Stale }
    }

    /// Deletes a message; `None` where that changes nothing. The receipt of a lease that has ended still deletes, unless
    /// the message has been received again since (rule Q15, stale handles).
    #[inline]
    pub fn delete(&mut self, receipt: Receipt) -> Option<Removed> {
        self.holds_latest(receipt).then(|| self.remove(receipt.slot))
    }

    /// Hides a message for `delay_s` seconds from now, in place of what was left of its lease (rule Q4, change replaces).
    ///
    /// # Errors
    /// Where the lease would last more than twelve hours in all; it then stays as it was.
    #[inline]
    pub fn change_visibility(
        &mut self,
        now_us: u64,
        receipt: Receipt,
        delay_s: u32,
    ) -> Result<VisibilityChange, BeyondTwelveHours> {
        let clock = self.settings.twelve_hour_clock;
        let message = &mut self.messages[receipt.slot as usize];
        if message.place != Place::InFlight {
            return Ok(VisibilityChange::Unchanged);
        }
        let latest = message.stamp == receipt.stamp;
        if delay_s == 0 {
            // Even an old receipt ends a newer lease (rule Q15, stale handles).
            return Ok(VisibilityChange::Ended(self.end_lease(now_us, receipt.slot)));
        }
        if !latest {
            return Ok(VisibilityChange::Unchanged);
        }
        let clock_start_us = match clock {
            TwelveHourClock::PerReceive => message.received_us,
            TwelveHourClock::Lifetime => message.first_received_us,
        };
        let until_us = now_us + u64::from(delay_s) * SECOND_US;
        if until_us - clock_start_us > LEASE_CEILING_US {
            return Err(BeyondTwelveHours);
        }
        self.lease_ends_us[receipt.slot as usize] = until_us;
        Ok(VisibilityChange::LeasedUntil { at_us: until_us })
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

    /// What has been noted about the message of a receipt that is still held.
    #[inline]
    pub fn tag_mut(&mut self, receipt: Receipt) -> &mut MessageTag {
        &mut self.messages[receipt.slot as usize].tag
    }

    /// Removes what retention has run out for (rule Q10, retention) and appends it to `expired`, messages in flight
    /// included; returns when the next one is due.
    pub fn expire(&mut self, now_us: u64, expired: &mut Vec<Removed>) -> Option<u64> {
        while let Some((slot, due_us)) = self.next_expiry() {
            if due_us > now_us {
                return Some(due_us);
            }
            expired.push(self.remove(slot));
        }
        None
    }

    /// When the oldest message was sent, those with three and more receives left out (rule Q18, queue metrics).
    pub fn oldest_enqueued_us(&mut self) -> Option<u64> {
        let messages = &self.messages;
        let oldest = self.young.oldest(|entry| is_young(messages, entry))?;
        Some(messages[oldest.slot as usize].enqueued_us)
    }

    /// The message that retention removes next, and when.
    fn next_expiry(&mut self) -> Option<(u32, u64)> {
        let messages = &self.messages;
        let oldest = self.mortal.as_mut()?.oldest(|entry| is_there(messages, entry))?;
        Some((oldest.slot, messages[oldest.slot as usize].enqueued_us + self.settings.retention_us))
    }

    #[inline]
    fn is_used_up(&self, slot: u32) -> bool {
        let receives = self.messages[slot as usize].receive_count;
        self.settings.max_receive_count.is_some_and(|limit| receives >= limit)
    }

    #[inline]
    fn lease(&mut self, now_us: u64, slot: u32) -> Delivery {
        let stamp = self.next_stamp();
        let leased_until_us = now_us + self.settings.visibility_timeout_us;
        self.lease_ends_us[slot as usize] = leased_until_us;
        let message = &mut self.messages[slot as usize];
        message.receive_count += 1;
        if message.receive_count == 1 {
            message.first_received_us = now_us;
        }
        message.received_us = now_us;
        message.stamp = stamp;
        message.holders += 1;
        message.place = Place::InFlight;
        self.visible_count -= 1;
        self.in_flight_count += 1;
        Delivery {
            receipt: Receipt { slot, stamp },
            id: message.id,
            class: message.tag.class,
            receive_count: message.receive_count,
            enqueued_us: message.enqueued_us,
            first_received_us: message.first_received_us,
            leased_until_us,
        }
    }

    fn end_lease(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.settings.redrive_timing == RedriveTiming::Eager && self.is_used_up(slot) {
            return LeaseEnd::DeadLettered(self.remove(slot));
        }
        let message = &mut self.messages[slot as usize];
        message.place = Place::Visible;
        self.lease_ends_us[slot as usize] = NO_LEASE;
        self.in_flight_count -= 1;
        self.visible_count += 1;
        let entry = Entry { slot, stamp: message.stamp };
        let (id, receives, enqueued_us) = (message.id, message.receive_count, message.enqueued_us);
        if self.goes_to_back(receives) {
            self.visible.add_at_back(now_us, entry);
        } else {
            match self.settings.return_order {
                ReturnOrder::ByVisibleTime => self.visible.add_at_back(now_us, entry),
                ReturnOrder::ByAge => self.visible.add_returned(enqueued_us, entry),
                ReturnOrder::Random => {
                    let first_us = self.visible.first_rank_us().unwrap_or(now_us);
                    let span_us = now_us.saturating_sub(first_us) as f64;
                    let rank_us = first_us + (self.order.draw(id, receives.into()).unit() * span_us) as u64;
                    self.visible.add_returned(rank_us, entry);
                }
            }
        }
        LeaseEnd::Visible
    }

    /// Rule Q8, back of queue: from the third receive on, unless a redrive policy ends the message's life by then.
    #[inline]
    fn goes_to_back(&self, receives: u32) -> bool {
        self.settings.back_of_queue
            && receives >= BACK_OF_QUEUE_RECEIVES
            && self.settings.max_receive_count.is_none_or(|limit| limit > BACK_OF_QUEUE_RECEIVES)
    }

    /// Whether the receipt is of the latest receive of a message that is still there.
    #[inline]
    fn holds_latest(&self, receipt: Receipt) -> bool {
        let message = &self.messages[receipt.slot as usize];
        message.place != Place::Gone && message.stamp == receipt.stamp
    }

    /// Takes a message out of the queue. Its record stays while a consumer holds a receipt.
    #[inline]
    fn remove(&mut self, slot: u32) -> Removed {
        let message = &mut self.messages[slot as usize];
        match message.place {
            Place::Visible => self.visible_count -= 1,
            Place::InFlight => {
                self.in_flight_count -= 1;
                self.lease_ends_us[slot as usize] = NO_LEASE;
            }
            Place::Gone => {}
        }
        message.place = Place::Gone;
        let removed = message.removed();
        if message.holders == 0 {
            self.messages.remove(slot as usize);
        }
        removed
    }

    #[inline]
    fn next_stamp(&mut self) -> u32 {
        self.last_stamp = self.last_stamp.wrapping_add(1);
        self.last_stamp
    }
}

/// Whether the entry is that of a visible message.
#[inline]
fn is_visible(messages: &Slab<Message>, entry: Entry) -> bool {
    messages
        .get(entry.slot as usize)
        .is_some_and(|message| message.place == Place::Visible && message.stamp == entry.stamp)
}

/// Whether the message is still in the queue.
fn is_there(messages: &Slab<Message>, entry: AgeEntry) -> bool {
    messages.get(entry.slot as usize).is_some_and(|message| message.id == entry.id && message.place != Place::Gone)
}

/// Whether the message is still in the queue and counts for the age of the oldest (rule Q18, queue metrics).
fn is_young(messages: &Slab<Message>, entry: AgeEntry) -> bool {
    is_there(messages, entry) && messages[entry.slot as usize].receive_count < BACK_OF_QUEUE_RECEIVES
}
