//! What a consumer does with a message: the handler, its call, and what follows from the result.

use super::breakers::{BatchId, Breakers};
use super::event::{Event, lane};
use super::world::{Attempt, Due, Outlook, World};
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::model::consumer::SlotId;
use crate::model::downstream::{Answer, CallFailure, CallId, CallRequest, Started};
use crate::model::policy::{AttemptError, BreakerChange, Disposition, FailedAttempt, RetryPolicy};
use crate::model::queue::Receipt;

impl<P: RetryPolicy + ?Sized> World<'_, P> {
    /// The handler begins on the message in that slot.
    #[inline]
    pub fn begin(&mut self, slot: SlotId) -> Outlook {
        let Some(attempt) = self.fleet.work_mut(slot) else { return Outlook::Open };
        let delivery = attempt.delivery;
        if delivery.class == MessageClass::Poison {
            self.crash(self.fleet.consumer_of(slot));
            return Outlook::Open;
        }
        if self.setup.consumers.handler_time.is_zero() {
            return self.call(slot);
        }
        let mut draw = self.draws.handler.draw(delivery.id, delivery.receive_count.into());
        let work_us = self.handler_time.sample(&mut draw);
        self.call_after(slot, work_us);
        Outlook::Open
    }

    fn call_after(&mut self, slot: SlotId, delay_us: u64) {
        let at_us = self.now_us + delay_us;
        if let Some(attempt) = self.fleet.work_mut(slot) {
            attempt.due = Due::Call(at_us);
            self.agenda.schedule(at_us, Event::HandlerCalls(slot.0).pack());
        }
    }

    pub fn handler_calls(&mut self, slot: u32) {
        let slot = SlotId(slot);
        match self.fleet.work_mut(slot) {
            Some(attempt) if attempt.due == Due::Call(self.now_us) => {
                attempt.due = Due::Nothing;
                self.call(slot);
            }
            _ => self.event_was_stale(),
        }
    }

    /// The handler calls the downstream.
    #[inline]
    fn call(&mut self, slot: SlotId) -> Outlook {
        let Some(attempt) = self.fleet.work_mut(slot) else { return Outlook::Open };
        attempt.tries += 1;
        let (message, key) = (attempt.delivery.id, attempt_key(attempt));
        let can_succeed = attempt.delivery.class == MessageClass::Valid;
        self.recorder.call(self.downstream.in_outage(self.now_us));
        let (draws, service_time, errors_happen) = (&self.draws, &self.service_time, self.errors_happen);
        let request = || CallRequest {
            caller: slot.0,
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
            Answer::Fails { at_us, failure } => self.call_will_fail(slot, at_us, failure),
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

    fn call_will_fail(&mut self, slot: SlotId, at_us: u64, failure: CallFailure) {
        if let Some(attempt) = self.fleet.work_mut(slot) {
            attempt.due = Due::Failure(at_us, failure);
            self.agenda.schedule_in_lane(lane::FAILURE, at_us, Event::CallFails(slot.0).pack());
        }
    }

    #[inline]
    pub fn server_done(&mut self, server: u32) {
        let mut refused = std::mem::take(&mut self.refused);
        let (finished, next) = self.downstream.server_done(self.now_us, server, &mut refused);
        for call in refused.drain(..) {
            self.call_will_fail(SlotId(call.caller), call.at_us, call.failure);
        }
        self.refused = refused;
        if let Some(started) = next {
            self.server_started(started);
        }
        if let Some(call) = finished {
            let slot = SlotId(call.caller);
            if call.succeeded { self.call_worked(slot) } else { self.call_failed(slot, AttemptError::Errored) }
        }
    }

    pub fn patience_ends(&mut self, call: u32) {
        let (ended, clearing_up) = self.downstream.patience_ended(self.now_us, CallId(call));
        if let Some(started) = clearing_up {
            self.server_started(started);
        }
        match ended {
            Some((caller, failure)) => self.call_failed(SlotId(caller), error_of(failure)),
            None => self.event_was_stale(),
        }
    }

    pub fn call_fails(&mut self, slot: u32) {
        let slot = SlotId(slot);
        match self.fleet.work_mut(slot).map(|attempt| (attempt.due, attempt)) {
            Some((Due::Failure(at_us, failure), attempt)) if at_us == self.now_us => {
                attempt.due = Due::Nothing;
                self.call_failed(slot, error_of(failure));
            }
            _ => self.event_was_stale(),
        }
    }

    /// The downstream has done its work: a success, unless the message can have none.
    #[inline]
    fn call_worked(&mut self, slot: SlotId) {
        let Some(Attempt { delivery, .. }) = self.fleet.work_mut(slot) else { return };
        if delivery.class == MessageClass::Permanent {
            return self.call_failed(slot, AttemptError::Permanent);
        }
        let tag = self.queue.tag_mut(delivery.receipt);
        let first = !std::mem::replace(&mut tag.succeeded, true);
        let receipt = delivery.receipt;
        self.recorder.succeeded(first, self.now_us - delivery.enqueued_us);
        self.recorder.request();
        if let Some(removed) = self.queue.delete(receipt).removed() {
            self.recorder.left(removed.tag.class, Fate::Processed);
        }
        self.end(slot, true);
    }

    #[inline]
    fn call_failed(&mut self, slot: SlotId, error: AttemptError) {
        let Some(attempt) = self.fleet.work_mut(slot) else { return };
        let (tries, key) = (attempt.tries, attempt_key(attempt));
        let delivery = &attempt.delivery;
        self.recorder.failed(error == AttemptError::Permanent);
        let failed = FailedAttempt {
            receive_count: delivery.receive_count,
            tries,
            error,
            since_first_receive_us: self.now_us - delivery.first_received_us,
            lease_left_us: delivery.leased_until_us.saturating_sub(self.now_us),
            previous_delay_s: self.queue.tag_mut(delivery.receipt).previous_delay_s,
        };
        let receipt = delivery.receipt;
        let mut draw = self.draws.policy.draw(delivery.id, key);
        let disposition = self.policy.decide(&failed, &mut draw);
        self.dispose(slot, receipt, disposition);
    }

    /// Does what the policy has decided.
    fn dispose(&mut self, slot: SlotId, receipt: Receipt, disposition: Disposition) {
        match disposition {
            Disposition::RetryInProcess { after_us } => return self.call_after(slot, after_us),
            Disposition::LetLeaseExpire => {}
            Disposition::ChangeVisibility { delay_s } => {
                self.queue.tag_mut(receipt).previous_delay_s = Some(delay_s);
                self.recorder.request();
                // A refused change leaves the lease as it was (rule Q5, twelve-hour ceiling): it runs out instead.
                if let Ok(change) = self.queue.change_visibility(self.now_us, receipt, delay_s) {
                    self.visibility_has_changed(receipt.slot(), change);
                }
            }
            Disposition::DeadLetter => {
                // Two requests: send to the dead-letter queue, then delete.
                self.recorder.request();
                self.recorder.request();
                if let Some(removed) = self.queue.delete(receipt).removed() {
                    self.record_dead_letter(removed);
                }
            }
            Disposition::Delete => {
                self.recorder.request();
                if let Some(removed) = self.queue.delete(receipt).removed() {
                    self.recorder.left(removed.tag.class, fate_of_deleted(removed.tag.succeeded));
                }
            }
        }
        self.end(slot, false);
    }

    /// The attempt is over: the slot goes on with a buffered message, or its consumer polls again.
    #[inline]
    fn end(&mut self, slot: SlotId, succeeded: bool) {
        let consumer = self.fleet.consumer_of(slot);
        let (ended, goes_on) = self.fleet.finish(slot);
        if let Some(attempt) = ended {
            self.queue.let_go(attempt.delivery.receipt);
            self.record_result(consumer, attempt.batch, succeeded, attempt.is_probe);
        }
        if goes_on {
            self.begin(slot);
        }
        self.poll(consumer);
    }

    /// The receive call of a batch is over. Where all of its messages have gone down with their consumer already, the
    /// batch has failed.
    pub fn batch_is_complete(&mut self, consumer: u32, batch: BatchId, is_probe: bool) {
        self.record_result(consumer, Some(batch), false, is_probe);
    }

    fn record_result(&mut self, consumer: u32, batch: Option<BatchId>, succeeded: bool, is_probe: bool) {
        let Some(breakers) = &mut self.breakers else { return };
        let number = breakers.number_of(consumer) as u32;
        match breakers.record(self.now_us, consumer, batch, succeeded, is_probe) {
            BreakerChange::Unchanged => {}
            BreakerChange::Opened { until_us } => {
                for stopped in breakers.consumers_of(number) {
                    self.fleet.stop_waiting(stopped);
                }
                self.agenda.schedule(until_us, Event::BreakerCooled(number).pack());
            }
            BreakerChange::Closed => self.poll_all_of(number),
        }
    }

    pub fn breaker_cooled(&mut self, breaker: u32) {
        let counts = self.breakers.as_mut().is_some_and(|breakers| breakers.cooled_down(self.now_us, breaker));
        if counts { self.poll_all_of(breaker) } else { self.event_was_stale() }
    }

    fn poll_all_of(&mut self, breaker: u32) {
        let consumers = self.breakers.as_ref().map_or(0..0, |breakers| breakers.consumers_of(breaker));
        consumers.for_each(|consumer| self.poll(consumer));
    }

    #[inline]
    pub fn with_breakers(&mut self, act: impl FnOnce(&mut Breakers)) {
        if let Some(breakers) = &mut self.breakers {
            act(breakers);
        }
    }

    /// A poison message has killed its consumer: what the process held stays leased, and nobody learns of its calls.
    fn crash(&mut self, consumer: u32) {
        let (held, poll) = self.fleet.crash(consumer);
        let concurrency = self.setup.consumers.concurrency;
        self.downstream.abandon_callers(|caller| caller / concurrency == consumer);
        let probe_is_in_hand = held.iter().any(|attempt| attempt.is_probe);
        if poll.is_some_and(|poll| poll.is_probe) && !probe_is_in_hand {
            self.with_breakers(|breakers| breakers.probe_given_back(consumer));
        }
        held.into_iter().for_each(|attempt| self.drop_attempt(consumer, attempt));
        let back_us = self.now_us + self.setup.consumers.restart_us;
        self.agenda.schedule(back_us, Event::ConsumerRestarts(consumer).pack());
    }

    /// A dying consumer takes an attempt down with it: for its breaker, a failure.
    pub fn drop_attempt(&mut self, consumer: u32, attempt: Attempt) {
        self.queue.let_go(attempt.delivery.receipt);
        self.record_result(consumer, attempt.batch, false, attempt.is_probe);
    }

    pub fn consumer_restarts(&mut self, consumer: u32) {
        self.fleet.restart(consumer);
        self.poll(consumer);
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
