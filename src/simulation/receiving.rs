//! Messages on their way from a producer into a consumer's hands, and back into the queue.

use super::event::{Event, Place, lane};
use super::identity::sent_again;
use super::observing::{DeadLettering, Happening, Observer};
use super::world::{Attempt, Outlook, World};
use crate::measure::Fate;
use crate::model::consumer::{Poll, PollTimer};
use crate::model::policy::{Admission, RetryPolicy};
use crate::model::producer::{Deduplication, SentTwice};
use crate::model::queue::{Delivery, Enqueued, LeaseEnd, MessageTag, NewMessage, ReceiveCall, Step, VisibilityChange};

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    pub fn schedule_arrival(&mut self, producer: u32) {
        if let Some(at_us) = self.producers[producer as usize].source.next_us() {
            self.agenda.schedule_in_lane(lane::ARRIVAL, at_us, Event::Arrival(producer).pack());
        }
    }

    #[inline]
    pub fn message_arrives(&mut self, producer: u32) {
        let id = self.next_message_id;
        self.next_message_id += 1;
        if let Some(twice) = self.producers[producer as usize].sent_twice {
            self.may_send_again(producer, id, twice);
        }
        let line = self.send(producer, id, id);
        self.schedule_arrival(producer);
        self.serve_waiting(line);
    }

    /// A producer sends a message; `first_id` is the id of its first send. Returns the line that it goes to.
    #[inline(always)]
    fn send(&mut self, producer: u32, id: u64, first_id: u64) -> usize {
        let source = &self.producers[producer as usize];
        let (line, class) = (source.line, source.classes.class(|| self.draws.class.draw(first_id, 0)));
        let group = if source.groups > 1 { self.draws.group.draw(first_id, 0).up_to(source.groups - 1) } else { 0 };
        let deduplication_id = (source.deduplication == Deduplication::BusinessKey).then_some(first_id);
        let tag = MessageTag { class, tenant: source.tenant, source: line as u8, ..MessageTag::default() };
        let new = NewMessage { group, deduplication_id, ..NewMessage::new(id, tag) };
        if self.enqueue(line, new) {
            self.recorder.enqueued(class);
        } else {
            self.recorder.deduplicated();
        }
        line
    }

    /// The producer may not learn that its send has worked.
    fn may_send_again(&mut self, producer: u32, id: u64, twice: SentTwice) {
        if self.draws.sent_twice.draw(id, 0).unit() < twice.share {
            let number = self.sends_to_repeat.insert((producer, id)) as u32;
            self.agenda.schedule(self.now_us + twice.after_us, Event::SendAgain(number).pack());
        }
    }

    /// A producer sends what it has sent before: another message with the same business key.
    pub fn send_again(&mut self, number: u32) {
        let (producer, id) = self.sends_to_repeat.remove(number as usize);
        let line = self.send(producer, sent_again(id), id);
        self.serve_waiting(line);
    }

    /// A new message enters a queue; says whether the queue takes it (rule F7, deduplication).
    #[inline(always)]
    pub fn enqueue(&mut self, line: usize, new: NewMessage) -> bool {
        let (state, class) = (&mut self.lines[line], new.tag.class);
        match state.queue.enqueue(self.now_us, new) {
            Enqueued::Visible => self.tell(line, new.id, |world| {
                let others = world.others(line);
                Happening::Entered { class, delayed_until_us: None, others }
            }),
            Enqueued::DelayedUntil { slot, at_us } => {
                self.tell(line, new.id, |world| {
                    let others = world.lines[line].queue.visible_count() as u64;
                    Happening::Entered { class, delayed_until_us: Some(at_us), others }
                });
                self.agenda.schedule(at_us, Event::DelayEnds(Place { line, number: slot }.pack()).pack());
            }
            Enqueued::Duplicate => {
                self.tell(line, new.id, |_| Happening::Deduplicated);
                return false;
            }
        }
        if self.lines[line].must_look_at_retention() {
            self.expire(line);
        }
        true
    }

    /// The first message after a while decides when retention is looked at next.
    #[inline]
    pub fn follow_retention(&mut self, line: usize) {
        if self.lines[line].must_look_at_retention() {
            self.expire(line);
        }
    }

    /// The consumer asks for messages for as long as it has room and the queue has some; then its poll waits.
    #[inline(always)]
    pub fn poll(&mut self, line: usize, consumer: u32) {
        let room = self.lines[line].fleet.room(consumer);
        if room > 0 {
            self.poll_for(line, consumer, room);
        }
    }

    fn poll_for(&mut self, line: usize, consumer: u32, mut room: u32) {
        while let Some(poll) = self.admitted_poll(line, consumer, room) {
            self.recorder.request();
            if poll.is_probe {
                self.with_breakers(line, |breakers| breakers.probe_taken(consumer));
            }
            let may_receive = self.lines[line].queue.has_receivable();
            if !(may_receive && self.receive(line, consumer, poll)) {
                return self.wait_for_messages(line, consumer, poll);
            }
            room = self.lines[line].fleet.room(consumer);
        }
    }

    /// The receive call that a consumer with that much room may make now, if any.
    #[inline]
    fn admitted_poll(&self, line: usize, consumer: u32, room: u32) -> Option<Poll> {
        let state = &self.lines[line];
        if room == 0 || state.polling_is_paused {
            return None;
        }
        if let Some(mapping) = &state.mapping {
            let limit = room.min(mapping.room(consumer));
            return (limit > 0).then_some(Poll { limit, is_probe: false });
        }
        let Some(breakers) = &state.breakers else { return Some(Poll { limit: room, is_probe: false }) };
        match breakers.admission(self.now_us, consumer) {
            Admission::Free => Some(Poll { limit: room, is_probe: false }),
            Admission::Limited { held } => {
                let limit = room.min(held.saturating_sub(state.fleet.held(consumer)));
                (limit > 0).then_some(Poll { limit, is_probe: false })
            }
            Admission::OneProbe => Some(Poll { limit: 1, is_probe: true }),
            Admission::Denied => None,
        }
    }

    /// One receive call; says whether it returned messages.
    #[inline]
    fn receive(&mut self, line: usize, consumer: u32, poll: Poll) -> bool {
        let (mut count, mut handed_over) = (0, 0);
        let mut batch = None;
        let probe = if poll.is_probe { self.probe_of(line, consumer) } else { None };
        let mut call = ReceiveCall::new();
        let leased_until_us = self.lines[line].queue.leased_until_us(self.now_us, &call);
        // A call may go on where a new one would find nothing: it takes more of the group that it has begun (rule F2, one
        // group first). So the queue is asked until it says that there is nothing more.
        while count < poll.limit {
            let state = &mut self.lines[line];
            let step = state.queue.receive_step(self.now_us, leased_until_us, &mut call);
            let Step::Message { slot } = step else {
                let Some(counted) = self.step_without_message(line, step, leased_until_us) else { break };
                count += counted;
                continue;
            };
            let delivery = state.queue.delivery(slot, leased_until_us);
            count += 1;
            let receive_count = delivery.receive_count;
            self.tell(line, delivery.id, |_| Happening::Received { receive_count, leased_until_us, consumer });
            if self.overflows(line, consumer, &delivery) {
                continue;
            }
            if let Some(breakers) = &mut self.lines[line].breakers {
                batch = breakers.batch_with_one_more(batch);
            }
            handed_over += 1;
            self.hand_over(line, consumer, &delivery, Attempt::new(&delivery, batch, probe));
        }
        if count > 0 && line != self.dead_letter_line {
            self.recorder.received(count);
        }
        if handed_over > 0 && self.lines[line].mapping.is_some() {
            self.batch_grows(line, consumer);
        }
        if let Some(batch) = batch {
            self.batch_is_complete(line, consumer, batch, probe);
        }
        if probe.is_some() && count > 0 && handed_over == 0 {
            // A lost delivery (rule Q14, duplicates and lost deliveries) reaches nobody, and a rejected one no handler: its
            // result would never come.
            self.with_breakers(line, |breakers| breakers.probe_given_back(consumer));
        }
        count > 0
    }

    /// A step of a receive call that brings its consumer nothing: returns for how many messages it counts all the same;
    /// `None` where it was the last.
    #[inline]
    fn step_without_message(&mut self, line: usize, step: Step, leased_until_us: u64) -> Option<u32> {
        match step {
            Step::UsedUp { slot } => {
                let removed = self.lines[line].queue.take_used_up(slot);
                self.tell(line, removed.id, |_| Happening::DeadLettered(DeadLettering::Polled));
                self.move_to_dead_letter_queue(line, removed);
                Some(0)
            }
            Step::Lost { slot } => {
                if O::WATCHES {
                    let lost = self.lines[line].queue.delivery(slot, leased_until_us);
                    let receive_count = lost.receive_count;
                    self.tell(line, lost.id, |_| Happening::DeliveryLost { receive_count, leased_until_us });
                }
                self.schedule_lease_end(Place { line, number: slot }, leased_until_us);
                Some(1)
            }
            Step::Message { .. } | Step::Nothing | Step::OverLimit => None,
        }
    }

    /// A message of a receive call reaches its consumer.
    #[inline(always)]
    fn hand_over(&mut self, line: usize, consumer: u32, delivery: &Delivery, attempt: Attempt) {
        // A lease whose message is certain to be deleted before needs no event: in a healthy run that is nearly every lease.
        let is_outlived = match self.take(line, consumer, attempt) {
            Outlook::DeletedAt { at_us } => at_us < delivery.leased_until_us && !self.consumers_crash,
            Outlook::Open => false,
        };
        if !is_outlived {
            self.schedule_lease_end(Place { line, number: delivery.receipt.slot() }, delivery.leased_until_us);
        }
    }

    /// The consumer begins on a message or puts it aside. One that has crashed over an earlier message of the batch takes
    /// it down with it: it stays leased.
    #[inline(always)]
    fn take(&mut self, line: usize, consumer: u32, attempt: Attempt) -> Outlook {
        if let Some(mapping) = &mut self.lines[line].mapping {
            mapping.poller(consumer).gathered.push(attempt);
            self.tell(line, attempt.id, |_| Happening::Buffered);
            return Outlook::Open;
        }
        let fleet = &mut self.lines[line].fleet;
        if fleet.is_down(consumer) {
            self.drop_attempt(line, consumer, attempt);
            return Outlook::Open;
        }
        let (mut attempt, id) = (attempt, attempt.id);
        if self.lines[line].groups_in_turn {
            let Some(begins) = self.put_aside(line, consumer, attempt) else {
                self.tell(line, id, |_| Happening::Buffered);
                return Outlook::Open;
            };
            attempt = begins;
        }
        match self.lines[line].fleet.take(consumer, attempt) {
            Some(slot) => self.begin(line, slot),
            None => {
                self.tell(line, id, |_| Happening::Buffered);
                Outlook::Open
            }
        }
    }

    #[inline]
    pub fn schedule_lease_end(&mut self, message: Place, at_us: u64) {
        self.agenda.schedule_in_lane(lane::LEASE, at_us, Event::LeaseEnds(message.pack()).pack());
    }

    fn wait_for_messages(&mut self, line: usize, consumer: u32, poll: Poll) {
        if self.lines[line].consumers.wait_us == 0 {
            return self.poll_was_empty(line, consumer, poll);
        }
        if let Some(at_us) = self.lines[line].fleet.wait(self.now_us, consumer, poll) {
            self.schedule_poll_timer(line, consumer, at_us);
        }
    }

    fn schedule_poll_timer(&mut self, line: usize, consumer: u32, at_us: u64) {
        let event = Event::PollTimer(Place { line, number: consumer }.pack()).pack();
        self.agenda.schedule_in_lane(lane::POLL, at_us, event);
    }

    /// The consumer polls again, after its pause.
    fn poll_was_empty(&mut self, line: usize, consumer: u32, poll: Poll) {
        if poll.is_probe {
            self.with_breakers(line, |breakers| breakers.probe_given_back(consumer));
        }
        match self.lines[line].consumers.pause_us {
            0 => self.poll(line, consumer),
            pause_us => self.pause(line, consumer, pause_us),
        }
    }

    pub fn poll_timer(&mut self, Place { line, number: consumer }: Place) {
        match self.lines[line].fleet.poll_timer(self.now_us, consumer) {
            PollTimer::Idle => self.event_was_stale(),
            PollTimer::AskAgain { at_us } => {
                self.event_was_stale();
                self.schedule_poll_timer(line, consumer, at_us);
            }
            PollTimer::Empty(poll) => self.poll_was_empty(line, consumer, poll),
        }
    }

    /// Visible messages go to the polls that wait for them, the longest-waiting first (rule Q13, receive call).
    #[inline(always)]
    pub fn serve_waiting(&mut self, line: usize) {
        if self.lines[line].may_serve_polls() {
            self.serve_polls(line);
        }
    }

    fn serve_polls(&mut self, line: usize) {
        while self.lines[line].queue.has_receivable() {
            let Some((consumer, poll)) = self.lines[line].fleet.first_waiting() else { return };
            if !self.receive(line, consumer, poll) {
                return;
            }
            self.lines[line].fleet.stop_waiting(consumer);
            self.poll(line, consumer);
        }
    }

    #[inline]
    pub fn lease_ends(&mut self, Place { line, number: message }: Place) {
        self.expire_first(line);
        match self.lines[line].queue.lease_ended(self.now_us, message) {
            LeaseEnd::Stale => self.event_was_stale(),
            end => {
                self.tell_end(line, message, end, Happening::LeaseEnded);
                self.lease_has_ended(line, end);
            }
        }
    }

    /// Where retention and the end of a lease fall on the same moment, retention comes first: a message that is as old as
    /// that is not moved to the dead-letter queue any more (rule Q10, retention).
    #[inline]
    fn expire_first(&mut self, line: usize) {
        let queue = &mut self.lines[line].queue;
        if queue.follows_retention() && queue.next_expiry_us().is_some_and(|due_us| due_us <= self.now_us) {
            self.expire(line);
        }
    }

    fn lease_has_ended(&mut self, line: usize, end: LeaseEnd) {
        match end {
            LeaseEnd::Stale => {}
            LeaseEnd::Visible => self.serve_waiting(line),
            LeaseEnd::DeadLettered(message) => {
                self.tell(line, message.id, |_| Happening::DeadLettered(DeadLettering::AtOnce));
                self.move_to_dead_letter_queue(line, message);
            }
        }
    }

    /// A delayed message may become visible (rule Q16, delay).
    pub fn delay_ends(&mut self, Place { line, number: message }: Place) {
        match self.lines[line].queue.delay_ended(self.now_us, message) {
            LeaseEnd::Stale => self.event_was_stale(),
            end => {
                self.tell_end(line, message, end, Happening::DelayEnded);
                self.lease_has_ended(line, end);
            }
        }
    }

    /// What a change of visibility leads to.
    #[inline]
    pub fn visibility_has_changed(&mut self, line: usize, message: u32, change: VisibilityChange) {
        match change {
            VisibilityChange::Unchanged => {}
            VisibilityChange::LeasedUntil { at_us } => {
                self.agenda.schedule(at_us, Event::LeaseEnds(Place { line, number: message }.pack()).pack());
            }
            VisibilityChange::Ended(end) => self.lease_has_ended(line, end),
        }
    }

    /// Removes what retention has run out for, and comes back when the next message is due.
    pub fn expire(&mut self, line: usize) {
        let mut removed = std::mem::take(&mut self.removed);
        let next_us = self.lines[line].queue.expire(self.now_us, &mut removed);
        removed.drain(..).for_each(|message| {
            self.tell(line, message.id, |_| Happening::Expired);
            self.record_left(line, message.tag.class, Fate::Expired);
        });
        self.removed = removed;
        self.lines[line].expiry_is_set = next_us.is_some();
        if let Some(at_us) = next_us {
            self.agenda.schedule(at_us, Event::Expiry(line as u32).pack());
        }
    }
}
