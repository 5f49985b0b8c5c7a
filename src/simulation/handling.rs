//! What a consumer does with a message: the handler, its call, and what follows from the result.

use super::event::{Event, Place, lane};
use super::world::{Attempt, Due, Outlook, World};
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::model::consumer::SlotId;
use crate::model::downstream::{Answer, CallFailure, CallId, CallRequest, Started};
use crate::model::policy::{AttemptError, Disposition, FailedAttempt, RetryPolicy};
use crate::model::queue::{DeleteAnswer, Receipt, Removed};

impl<P: RetryPolicy + ?Sized> World<'_, P> {
    /// The handler begins on the message in that slot.
    #[inline]
    pub fn begin(&mut self, line: usize, slot: SlotId) -> Outlook {
        let state = &mut self.lines[line];
        let Some(attempt) = state.fleet.work_mut(slot) else { return Outlook::Open };
        let delivery = attempt.delivery;
        if delivery.class == MessageClass::Poison {
            let consumer = state.fleet.consumer_of(slot);
            self.crash(line, consumer);
            return Outlook::Open;
        }
        if state.consumers.handler_time.is_zero() {
            return self.call(line, slot);
        }
        let mut draw = self.draws.handler.draw(delivery.id, delivery.receive_count.into());
        let work_us = state.handler_time.sample(&mut draw);
        self.call_after(line, slot, work_us);
        Outlook::Open
    }

    fn call_after(&mut self, line: usize, slot: SlotId, delay_us: u64) {
        let at_us = self.now_us + delay_us;
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.due = Due::Call(at_us);
            self.agenda.schedule(at_us, Event::HandlerCalls(Place { line, number: slot.0 }.pack()).pack());
        }
    }

    pub fn handler_calls(&mut self, Place { line, number: slot }: Place) {
        let slot = SlotId(slot);
        match self.lines[line].fleet.work_mut(slot) {
            Some(attempt) if attempt.due == Due::Call(self.now_us) => {
                attempt.due = Due::Nothing;
                self.call(line, slot);
            }
            _ => self.event_was_stale(),
        }
    }

    /// The handler calls the downstream.
    #[inline]
    fn call(&mut self, line: usize, slot: SlotId) -> Outlook {
        let Some(attempt) = self.lines[line].fleet.work_mut(slot) else { return Outlook::Open };
        attempt.tries += 1;
        let (message, key) = (attempt.delivery.id, attempt_key(attempt));
        let can_succeed = attempt.delivery.class == MessageClass::Valid;
        self.recorder.call(self.downstream.in_outage(self.now_us));
        let (draws, service_time, errors_happen) = (&self.draws, &self.service_time, self.errors_happen);
        let request = || CallRequest {
            caller: Place { line, number: slot.0 }.pack(),
            work_us: service_time.sample(&mut draws.service.draw(message, key)),
            error_roll: if errors_happen { draws.error.draw(message, key).unit() } else { 1.0 },
        };
        match self.downstream.call(self.now_us, request) {
            Answer::Started(started) => {
                self.server_started(started);
                if started.succeeds && can_succeed {
                    return Outlook::DeletedAt { at_us: started.done_us };
                }
            }
            Answer::Waiting { call, gives_up_us } => {
                if let Some(at_us) = gives_up_us {
                    self.agenda.schedule_in_lane(lane::PATIENCE, at_us, Event::PatienceEnds(call.0).pack());
                }
            }
            Answer::Fails { at_us, failure } => self.call_will_fail(Place { line, number: slot.0 }, at_us, failure),
        }
        Outlook::Open
    }

    #[inline]
    fn server_started(&mut self, started: Started) {
        self.agenda.schedule(started.done_us, Event::ServerDone(started.server).pack());
        if let Some((call, at_us)) = started.patience {
            self.agenda.schedule_in_lane(lane::PATIENCE, at_us, Event::PatienceEnds(call.0).pack());
        }
    }

    fn call_will_fail(&mut self, caller: Place, at_us: u64, failure: CallFailure) {
        if let Some(attempt) = self.lines[caller.line].fleet.work_mut(SlotId(caller.number)) {
            attempt.due = Due::Failure(at_us, failure);
            self.agenda.schedule_in_lane(lane::FAILURE, at_us, Event::CallFails(caller.pack()).pack());
        }
    }

    #[inline]
    pub fn server_done(&mut self, server: u32) {
        let mut refused = std::mem::take(&mut self.refused);
        let (finished, next) = self.downstream.server_done(self.now_us, server, &mut refused);
        for call in refused.drain(..) {
            self.call_will_fail(Place::unpack(call.caller), call.at_us, call.failure);
        }
        self.refused = refused;
        if let Some(started) = next {
            self.server_started(started);
        }
        if let Some(call) = finished {
            let Place { line, number } = Place::unpack(call.caller);
            if call.succeeded {
                self.call_worked(line, SlotId(number));
            } else {
                self.call_failed(line, SlotId(number), AttemptError::Errored);
            }
        }
    }

    pub fn patience_ends(&mut self, call: u32) {
        let (ended, clearing_up) = self.downstream.patience_ended(self.now_us, CallId(call));
        if let Some(started) = clearing_up {
            self.server_started(started);
        }
        match ended {
            Some((caller, failure)) => {
                let Place { line, number } = Place::unpack(caller);
                self.call_failed(line, SlotId(number), error_of(failure));
            }
            None => self.event_was_stale(),
        }
    }

    pub fn call_fails(&mut self, Place { line, number: slot }: Place) {
        let slot = SlotId(slot);
        match self.lines[line].fleet.work_mut(slot).map(|attempt| (attempt.due, attempt)) {
            Some((Due::Failure(at_us, failure), attempt)) if at_us == self.now_us => {
                attempt.due = Due::Nothing;
                self.call_failed(line, slot, error_of(failure));
            }
            _ => self.event_was_stale(),
        }
    }

    /// The downstream has done its work: a success, unless the message can have none.
    #[inline]
    fn call_worked(&mut self, line: usize, slot: SlotId) {
        let state = &mut self.lines[line];
        let Some(Attempt { delivery, .. }) = state.fleet.work_mut(slot) else { return };
        if delivery.class == MessageClass::Permanent {
            return self.call_failed(line, slot, AttemptError::Permanent);
        }
        let tag = state.queue.tag_mut(delivery.receipt);
        let first = !std::mem::replace(&mut tag.succeeded, true);
        let receipt = delivery.receipt;
        self.recorder.succeeded(first, self.now_us - delivery.enqueued_us);
        self.recorder.request();
        if let Some(removed) = self.delete(line, receipt) {
            self.record_left(line, removed.tag, Fate::Processed);
        }
        self.end(line, slot, Ok(()));
    }

    #[inline]
    fn call_failed(&mut self, line: usize, slot: SlotId, error: AttemptError) {
        let state = &mut self.lines[line];
        let Some(attempt) = state.fleet.work_mut(slot) else { return };
        let (tries, key) = (attempt.tries, attempt_key(attempt));
        let delivery = &attempt.delivery;
        self.recorder.failed(error == AttemptError::Permanent);
        let failed = FailedAttempt {
            receive_count: delivery.receive_count,
            tries,
            error,
            since_first_receive_us: self.now_us - delivery.first_received_us,
            lease_left_us: delivery.leased_until_us.saturating_sub(self.now_us),
            previous_delay_s: state.queue.tag_mut(delivery.receipt).previous_delay_s,
            retry_after_us: None,
            visibility_left_us: state.queue.visibility_left_us(self.now_us, delivery.receipt),
        };
        let receipt = delivery.receipt;
        let mut draw = self.draws.policy.draw(delivery.id, key);
        let disposition = state.policy.decide(&failed, &mut draw);
        self.dispose(line, slot, receipt, disposition, error);
    }

    /// Does what the policy has decided.
    fn dispose(&mut self, line: usize, slot: SlotId, receipt: Receipt, disposition: Disposition, error: AttemptError) {
        let queue = &mut self.lines[line].queue;
        match disposition {
            Disposition::RetryInProcess { after_us } => return self.call_after(line, slot, after_us),
            Disposition::LetLeaseExpire => {}
            Disposition::ChangeVisibility { delay_s } => {
                self.recorder.request();
                // A refused change leaves the lease as it was (rule Q5, twelve-hour ceiling): it runs out instead.
                let changed = queue.change_visibility(self.now_us, receipt, delay_s);
                if changed.is_ok() {
                    queue.tag_mut(receipt).previous_delay_s = Some(delay_s);
                }
                // The attempt ends first: a message that is visible at once may be received, and even crash its consumer.
                self.end(line, slot, Err(error));
                return changed.map_or((), |change| self.visibility_has_changed(line, receipt.slot(), change));
            }
            // A dead letter is where it belongs.
            Disposition::DeadLetter if line == self.dead_letter_line => {}
            Disposition::DeadLetter => {
                // Two requests: send to the dead-letter queue, then delete.
                self.recorder.request();
                self.recorder.request();
                if let Some(removed) = self.delete(line, receipt) {
                    self.send_to_dead_letter_queue(line, removed);
                }
            }
            Disposition::Delete => {
                self.recorder.request();
                if let Some(removed) = self.delete(line, receipt) {
                    self.record_left(line, removed.tag, fate_of_deleted(removed.tag.succeeded));
                }
            }
        }
        self.end(line, slot, Err(error));
    }

    /// A consumer deletes a message; returns it, if this delete has removed it.
    #[inline]
    fn delete(&mut self, line: usize, receipt: Receipt) -> Option<Removed> {
        let answer = self.lines[line].queue.delete(receipt);
        if line != self.dead_letter_line && answer != DeleteAnswer::Refused {
            self.recorder.deleted();
        }
        answer.removed()
    }

    /// The attempt is over: the slot goes on with a buffered message, or its consumer polls again.
    #[inline]
    fn end(&mut self, line: usize, slot: SlotId, result: Result<(), AttemptError>) {
        let state = &mut self.lines[line];
        let consumer = state.fleet.consumer_of(slot);
        let (ended, goes_on) = state.fleet.finish(slot);
        if let Some(attempt) = ended {
            state.queue.let_go(attempt.delivery.receipt);
            self.record_result(line, consumer, &attempt, result);
        }
        if goes_on {
            self.begin(line, slot);
        }
        self.poll(line, consumer);
        // A deleted message may have freed its group, or a place under the limit of messages in flight.
        self.serve_waiting(line);
    }

    /// A poison message has killed its consumer: what the process held stays leased, and nobody learns of its calls.
    fn crash(&mut self, line: usize, consumer: u32) {
        let state = &mut self.lines[line];
        let (held, poll) = state.fleet.crash(consumer);
        let fleet = &state.fleet;
        self.downstream.abandon_callers(|caller| {
            let caller = Place::unpack(caller);
            caller.line == line && fleet.consumer_of(SlotId(caller.number)) == consumer
        });
        let back_us = self.now_us + state.consumers.restart_us;
        self.agenda.schedule(back_us, Event::ConsumerRestarts(Place { line, number: consumer }.pack()).pack());
        // A probe among them fails and opens the breaker; only then is it known whether the poll was for one still.
        held.into_iter().for_each(|attempt| self.drop_attempt(line, consumer, attempt));
        if poll.is_some_and(|poll| poll.is_probe) {
            self.give_probe_back(line, consumer);
        }
    }

    /// A dying consumer takes an attempt down with it: for its breaker, a failure.
    pub fn drop_attempt(&mut self, line: usize, consumer: u32, attempt: Attempt) {
        self.lines[line].queue.let_go(attempt.delivery.receipt);
        self.record_result(line, consumer, &attempt, Err(AttemptError::Unknown));
    }

    pub fn consumer_restarts(&mut self, Place { line, number: consumer }: Place) {
        self.lines[line].fleet.restart(consumer);
        self.poll(line, consumer);
    }
}

/// Receive and try in one number: the key of an attempt's draws.
#[inline]
fn attempt_key(attempt: &Attempt) -> u64 {
    u64::from(attempt.delivery.receive_count) | u64::from(attempt.tries) << 32
}

fn error_of(failure: CallFailure) -> AttemptError {
    match failure {
        CallFailure::Refused => AttemptError::Refused,
        CallFailure::TimedOut => AttemptError::TimedOut,
        CallFailure::Errored => AttemptError::Errored,
    }
}

/// A message that a consumer deletes after a failure may have succeeded at an earlier receive.
fn fate_of_deleted(succeeded: bool) -> Fate {
    if succeeded { Fate::Processed } else { Fate::DeletedUnprocessed }
}
