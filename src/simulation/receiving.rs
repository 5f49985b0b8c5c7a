//! Messages on their way from a producer into a consumer's hands, and back into the queue.

use super::breakers::{BatchId, Breakers};
use super::event::{Event, lane};
use super::world::{Attempt, Due, Outlook, World};
use crate::engine::time::SECOND_US;
use crate::measure::Fate;
use crate::model::consumer::{Poll, PollTimer};
use crate::model::policy::{Admission, RetryPolicy};
use crate::model::queue::{Delivery, LeaseEnd, MessageTag, NewMessage, ReceiveCall, Received, VisibilityChange};

/// Pause of a consumer after an empty short poll: it does not poll meanwhile, not even when a slot comes free. Without
/// one it would poll infinitely often in no time.
const SHORT_POLL_PAUSE_US: u64 = SECOND_US;

impl<P: RetryPolicy + ?Sized> World<'_, P> {
    pub fn schedule_arrival(&mut self, producer: u32) {
        if let Some(at_us) = self.producers[producer as usize].source.next_us() {
            self.agenda.schedule_in_lane(lane::ARRIVAL, at_us, Event::Arrival(producer).pack());
        }
    }

    #[inline]
    pub fn message_arrives(&mut self, producer: u32) {
        let id = self.next_message_id;
        self.next_message_id += 1;
        let class = self.producers[producer as usize].classes.class(|| self.draws.class.draw(id, 0));
        self.recorder.enqueued(class);
        let tag = MessageTag { class, ..MessageTag::default() };
        self.queue.enqueue(self.now_us, NewMessage::new(id, tag));
        if self.queue.follows_retention() && !self.expiry_is_set {
            self.schedule_expiry(self.now_us + self.setup.queue.retention_us);
        }
        self.schedule_arrival(producer);
        self.serve_waiting();
    }

    /// The consumer asks for messages for as long as it has room and the queue has some; then its poll waits.
    pub fn poll(&mut self, consumer: u32) {
        loop {
            let Some(poll) = self.admitted_poll(consumer) else { return };
            self.recorder.request();
            if poll.is_probe {
                self.with_breakers(|breakers| breakers.probe_taken(consumer));
            }
            if !self.receive(consumer, poll) {
                return self.wait_for_messages(consumer, poll);
            }
        }
    }

    /// The receive call that the consumer may make now, if any.
    #[inline]
    fn admitted_poll(&self, consumer: u32) -> Option<Poll> {
        let room = self.fleet.room(consumer);
        if room == 0 {
            return None;
        }
        match self.breakers.as_ref().map_or(Admission::Free, |breakers| breakers.admission(consumer)) {
            Admission::Free => Some(Poll { limit: room, is_probe: false }),
            Admission::OneProbe => Some(Poll { limit: 1, is_probe: true }),
            Admission::Denied => None,
        }
    }

    /// One receive call; says whether it returned messages.
    #[inline]
    fn receive(&mut self, consumer: u32, poll: Poll) -> bool {
        let mut count = 0;
        let mut batch = None;
        let mut call = ReceiveCall::new();
        while count < poll.limit {
            match self.queue.receive_next(self.now_us, &mut call) {
                Received::Message(delivery) => {
                    if count == 0 {
                        batch = self.breakers.as_mut().and_then(Breakers::open_batch);
                    }
                    count += 1;
                    self.hand_over(consumer, delivery, batch, poll.is_probe);
                }
                Received::DeadLettered(message) => self.record_dead_letter(message),
                Received::Lost { slot, leased_until_us } => {
                    count += 1;
                    self.agenda.schedule(leased_until_us, Event::LeaseEnds(slot).pack());
                }
                Received::Nothing | Received::OverLimit => break,
            }
        }
        if count > 0 {
            self.recorder.received(count);
        }
        if let Some(batch) = batch {
            self.batch_is_complete(consumer, batch, poll.is_probe);
        }
        count > 0
    }

    /// A message of a receive call reaches its consumer.
    #[inline]
    fn hand_over(&mut self, consumer: u32, delivery: Delivery, batch: Option<BatchId>, is_probe: bool) {
        let attempt = Attempt { delivery, tries: 0, due: Due::Nothing, batch, is_probe };
        if let (Some(breakers), Some(batch)) = (&mut self.breakers, batch) {
            breakers.add_to_batch(batch);
        }
        let outlook = self.take(consumer, attempt);
        self.schedule_lease_end(&delivery, outlook);
    }

    /// The consumer begins on a message or puts it aside. One that has crashed over an earlier message of the batch takes
    /// it down with it: it stays leased.
    #[inline]
    fn take(&mut self, consumer: u32, attempt: Attempt) -> Outlook {
        if self.fleet.is_down(consumer) {
            self.drop_attempt(consumer, attempt);
            return Outlook::Open;
        }
        match self.fleet.take(consumer, attempt) {
            Some(slot) => self.begin(slot),
            None => Outlook::Open,
        }
    }

    /// A lease whose message is certain to be deleted before needs no event: in a healthy run that is nearly every lease.
    #[inline]
    fn schedule_lease_end(&mut self, delivery: &Delivery, outlook: Outlook) {
        match outlook {
            Outlook::DeletedAt { at_us } if at_us < delivery.leased_until_us && !self.consumers_crash => {}
            _ => {
                let event = Event::LeaseEnds(delivery.receipt.slot()).pack();
                self.agenda.schedule_in_lane(lane::LEASE, delivery.leased_until_us, event);
            }
        }
    }

    fn wait_for_messages(&mut self, consumer: u32, poll: Poll) {
        if self.setup.consumers.wait_us == 0 {
            return self.pause_after_short_poll(consumer, poll);
        }
        if let Some(at_us) = self.fleet.wait(self.now_us, consumer, poll) {
            self.agenda.schedule_in_lane(lane::POLL, at_us, Event::PollTimer(consumer).pack());
        }
    }

    fn pause_after_short_poll(&mut self, consumer: u32, poll: Poll) {
        if poll.is_probe {
            self.with_breakers(|breakers| breakers.probe_given_back(consumer));
        }
        let again_us = self.now_us + SHORT_POLL_PAUSE_US;
        self.fleet.pause(consumer, again_us);
        self.agenda.schedule_in_lane(lane::POLL, again_us, Event::PollTimer(consumer).pack());
    }

    pub fn poll_timer(&mut self, consumer: u32) {
        if self.setup.consumers.wait_us == 0 {
            return if self.fleet.pause_ended(self.now_us, consumer) {
                self.poll(consumer);
            } else {
                self.event_was_stale();
            };
        }
        match self.fleet.poll_timer(self.now_us, consumer) {
            PollTimer::Idle => self.event_was_stale(),
            PollTimer::AskAgain { at_us } => {
                self.event_was_stale();
                self.agenda.schedule_in_lane(lane::POLL, at_us, Event::PollTimer(consumer).pack());
            }
            PollTimer::Empty(poll) => {
                if poll.is_probe {
                    self.with_breakers(|breakers| breakers.probe_given_back(consumer));
                }
                self.poll(consumer);
            }
        }
    }

    /// Visible messages go to the polls that wait for them, the longest-waiting first (rule Q13, receive call).
    #[inline]
    pub fn serve_waiting(&mut self) {
        while self.queue.has_receivable() {
            let Some((consumer, poll)) = self.fleet.first_waiting() else { return };
            if self.receive(consumer, poll) {
                self.fleet.stop_waiting(consumer);
                self.poll(consumer);
            }
        }
    }

    #[inline]
    pub fn lease_ends(&mut self, message: u32) {
        match self.queue.lease_ended(self.now_us, message) {
            LeaseEnd::Stale => self.event_was_stale(),
            end => self.lease_has_ended(end),
        }
    }

    fn lease_has_ended(&mut self, end: LeaseEnd) {
        match end {
            LeaseEnd::Stale => {}
            LeaseEnd::Visible => self.serve_waiting(),
            LeaseEnd::DeadLettered(message) => self.record_dead_letter(message),
        }
    }

    /// What a change of visibility leads to.
    #[inline]
    pub fn visibility_has_changed(&mut self, message: u32, change: VisibilityChange) {
        match change {
            VisibilityChange::Unchanged => {}
            VisibilityChange::LeasedUntil { at_us } => {
                self.agenda.schedule(at_us, Event::LeaseEnds(message).pack());
            }
            VisibilityChange::Ended(end) => self.lease_has_ended(end),
        }
    }

    fn schedule_expiry(&mut self, at_us: u64) {
        self.expiry_is_set = true;
        self.agenda.schedule(at_us, Event::Expiry.pack());
    }

    pub fn expire(&mut self) {
        let mut removed = std::mem::take(&mut self.removed);
        let next_us = self.queue.expire(self.now_us, &mut removed);
        removed.drain(..).for_each(|message| self.recorder.left(message.tag.class, Fate::Expired));
        self.removed = removed;
        self.expiry_is_set = false;
        if let Some(at_us) = next_us {
            self.schedule_expiry(at_us);
        }
    }
}
