//! What a consumer does with a message: the handler and its call.

use super::acknowledging::Acknowledging;
use super::event::{Event, Place, lane};
use super::identity::business_key;
use super::observing::{Happening, Observer};
use super::operating::MAIN_LINE;
use super::world::{Attempt, Due, Outlook, World};
use crate::model::MessageClass;
use crate::model::consumer::SlotId;
use crate::model::downstream::{Answer, CallFailure, CallId, CallRequest, Ended, Started};
use crate::model::policy::{AttemptError, RetryPolicy};

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The handler begins on the message in that slot.
    #[inline]
    pub fn begin(&mut self, line: usize, slot: SlotId) -> Outlook {
        self.tell_in(line, slot, |receive_count, _| Happening::HandlerBegan { receive_count });
        let state = &mut self.lines[line];
        let Some(attempt) = state.fleet.work_mut(slot) else { return Outlook::Open };
        let (id, receive_count) = (attempt.id, attempt.receive_count);
        if attempt.class == MessageClass::Poison {
            self.acknowledge_early(line, slot);
            let state = &mut self.lines[line];
            let consumer = state.fleet.consumer_of(slot);
            self.crash(line, consumer);
            return Outlook::Open;
        }
        if state.calls_at_once {
            return self.call_downstream(line, slot);
        }
        self.begin_work(line, slot, id, receive_count)
    }

    /// The handler has work of its own to do, or does not go unguarded.
    #[inline(never)]
    fn begin_work(&mut self, line: usize, slot: SlotId, id: u64, receive_count: u32) -> Outlook {
        self.watch_begins(line, slot);
        let lag_us = self.lines[line].acknowledging.as_ref().map(Acknowledging::lag_us);
        let is_removed = lag_us.is_some() && self.acknowledge_early(line, slot);
        let outlook = self.work(line, slot, id, receive_count);
        match (outlook, lag_us) {
            _ if is_removed => Outlook::DeletedAt { at_us: self.now_us },
            (Outlook::DeletedAt { at_us }, Some(lag_us)) => Outlook::DeletedAt { at_us: at_us + lag_us },
            (outlook, _) => outlook,
        }
    }

    #[inline]
    fn work(&mut self, line: usize, slot: SlotId, id: u64, receive_count: u32) -> Outlook {
        let state = &self.lines[line];
        if state.consumers.handler_time.is_zero() {
            return self.call(line, slot);
        }
        let listed_us = &state.consumers.handler_times_us;
        let work_us = if listed_us.is_empty() {
            state.handler_time.sample(&mut self.draws.handler.draw(id, receive_count.into()))
        } else {
            listed_us[(business_key(id) % listed_us.len() as u64) as usize]
        };
        self.call_after(line, slot, work_us);
        Outlook::Open
    }

    /// The handler sleeps or works, and then wants to call.
    pub fn call_after(&mut self, line: usize, slot: SlotId, delay_us: u64) {
        let at_us = self.now_us + delay_us;
        self.handler_goes_on(line, slot, at_us, Due::Call);
    }

    /// Something is due for the handler in that slot, unless the event is of one before it.
    pub fn handler_continues(&mut self, Place { line, number: slot }: Place) {
        let (slot, now_us) = (SlotId(slot), self.now_us);
        let deadline_us = self.deadline_us(line, slot);
        let Some(attempt) = self.lines[line].fleet.work_mut(slot) else { return self.event_was_stale() };
        if attempt.waits_for_permit() {
            return if deadline_us == now_us { self.kill_handler(line, slot) } else { self.event_was_stale() };
        }
        match attempt.due_at(now_us) {
            Due::Call => {
                attempt.expect_nothing();
                self.call(line, slot);
            }
            Due::AdmittedCall => {
                attempt.expect_nothing();
                self.call_downstream(line, slot);
            }
            Due::Skip => self.skip_call(line, slot),
            Due::Kill => self.kill_handler(line, slot),
            Due::Nothing | Due::Permit | Due::Failure(_) => self.event_was_stale(),
        }
    }

    /// The handler wants to call the downstream.
    #[inline]
    fn call(&mut self, line: usize, slot: SlotId) -> Outlook {
        if self.lines[line].gates.is_some() {
            return self.call_through_gates(line, slot);
        }
        self.call_downstream(line, slot)
    }

    /// The call goes out.
    #[inline]
    pub fn call_downstream(&mut self, line: usize, slot: SlotId) -> Outlook {
        let deadline_us = self.deadline_us(line, slot);
        let Some(attempt) = self.lines[line].fleet.work_mut(slot) else { return Outlook::Open };
        attempt.tries += 1;
        let (message, key, tenant) = (attempt.id, attempt_key(attempt), attempt.tenant);
        let can_succeed = attempt.class == MessageClass::Valid;
        let is_retry = attempt.receive_count > 1 || attempt.tries > 1;
        self.tell_in(line, slot, |receive_count, tries| Happening::CallBegan { receive_count, tries });
        self.recorder.call(is_retry, self.downstream.in_outage(self.now_us));
        let (draws, service_time, errors_happen) = (&self.draws, &self.service_time, self.errors_happen);
        let tenant_work = &self.setup.downstream.tenant_work;
        let request = || CallRequest {
            caller: Place { line, number: slot.0 }.pack(),
            work_us: work_of_tenant(tenant_work, tenant, service_time.sample(&mut draws.service.draw(message, key))),
            error_roll: if errors_happen { draws.error.draw(message, key).unit() } else { 1.0 },
            effect: can_succeed.then_some(message),
        };
        match self.downstream.call(self.now_us, tenant, deadline_us, request) {
            Answer::Started(started) => {
                self.server_started(started);
                if started.succeeds && can_succeed {
                    return Outlook::DeletedAt { at_us: started.done_us };
                }
            }
            Answer::Waiting { call, gives_up_us } => {
                self.tell(line, message, |_| Happening::CallWaits);
                if let Some(at_us) = gives_up_us {
                    self.agenda.schedule_in_lane(lane::PATIENCE, at_us, Event::PatienceEnds(call.0).pack());
                }
            }
            Answer::Fails { at_us, failure } => {
                self.call_will_fail(Place { line, number: slot.0 }, at_us, error_of(failure));
            }
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

    /// The caller will learn at that time that its call has failed.
    pub fn call_will_fail(&mut self, caller: Place, at_us: u64, error: AttemptError) {
        if let Some(attempt) = self.lines[caller.line].fleet.work_mut(SlotId(caller.number)) {
            attempt.expect(Due::Failure(error), at_us);
            self.agenda.schedule_in_lane(lane::FAILURE, at_us, Event::CallFails(caller.pack()).pack());
        }
    }

    #[inline]
    pub fn server_done(&mut self, server: u32) {
        let (ended, next) = self.downstream.server_done(self.now_us, server, &mut self.refused);
        if !self.refused.is_empty() {
            self.waiting_calls_will_fail();
        }
        if let Some(started) = next {
            self.server_started(started);
        }
        match ended {
            Some(Ended::Answered(call)) => {
                let Place { line, number } = Place::unpack(call.caller);
                if call.succeeded {
                    self.call_worked(line, SlotId(number));
                } else {
                    self.call_failed(line, SlotId(number), AttemptError::Errored);
                }
            }
            Some(Ended::Unheard { effect: message }) => {
                self.tell(MAIN_LINE, message, |_| Happening::WorkedUnheard);
                self.takes_effect(message);
            }
            None => {}
        }
    }

    /// Calls that waited in the line of a downstream that is down now.
    #[cold]
    fn waiting_calls_will_fail(&mut self) {
        let mut refused = std::mem::take(&mut self.refused);
        for call in refused.drain(..) {
            self.call_will_fail(Place::unpack(call.caller), call.at_us, error_of(call.failure));
        }
        self.refused = refused;
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
        match self.lines[line].fleet.work_mut(slot).map(|attempt| (attempt.due_at(self.now_us), attempt)) {
            Some((Due::Failure(error), attempt)) => {
                attempt.expect_nothing();
                self.call_failed(line, slot, error);
            }
            _ => self.event_was_stale(),
        }
    }

    /// The attempt is over: the slot goes on with a buffered message, or its consumer polls again.
    #[inline]
    pub fn end(&mut self, line: usize, slot: SlotId, result: Result<(), AttemptError>) {
        let state = &mut self.lines[line];
        if state.mapping.is_some() {
            return self.record_ends(line, slot, result);
        }
        if let Some(watch) = &mut state.watch {
            watch.end(slot);
        }
        let consumer = state.fleet.consumer_of(slot);
        let group = if state.groups_in_turn { self.group_in_turn(line, slot) } else { None };
        let state = &mut self.lines[line];
        let (ended, goes_on) = state.fleet.finish(slot);
        if let Some(attempt) = ended {
            state.queue.let_go(attempt.receipt);
            if state.breakers.is_some() {
                self.record_result(line, consumer, &attempt, result);
            }
        }
        if goes_on {
            self.begin_buffered(line, slot);
        }
        if let Some(group) = group {
            self.group_goes_on(line, consumer, group, result);
        }
        if self.lines[line].fleet.are_some_stopping() {
            self.may_have_finished(line, consumer);
        }
        self.poll(line, consumer);
        // A deleted message may have freed its group, or a place under the limit of messages in flight.
        self.serve_waiting(line);
    }

    /// Nobody waits any more for the calls of that consumer.
    pub fn abandon_calls(&mut self, line: usize, consumer: u32) {
        let fleet = &self.lines[line].fleet;
        self.downstream.abandon_callers(|caller| {
            let caller = Place::unpack(caller);
            caller.line == line && fleet.consumer_of(SlotId(caller.number)) == consumer
        });
    }

    /// A dying consumer takes an attempt down with it: for its breaker, a failure.
    pub fn drop_attempt(&mut self, line: usize, consumer: u32, attempt: Attempt) {
        self.recorder.attempt_died();
        self.tell(line, attempt.id, |_| Happening::ConsumerDied { receive_count: attempt.receive_count });
        self.lines[line].queue.let_go(attempt.receipt);
        self.leave_permit(line, consumer, &attempt);
        self.record_result(line, consumer, &attempt, Err(AttemptError::Unknown));
    }
}

/// Receive and try in one number: the key of an attempt's draws.
#[inline]
pub(super) fn attempt_key(attempt: &Attempt) -> u64 {
    u64::from(attempt.receive_count) | u64::from(attempt.tries) << 32
}

fn error_of(failure: CallFailure) -> AttemptError {
    match failure {
        CallFailure::Refused => AttemptError::Refused,
        CallFailure::TimedOut => AttemptError::TimedOut,
        CallFailure::Errored => AttemptError::Errored,
        CallFailure::Throttled => AttemptError::Throttled,
    }
}

/// Work of a call for a message of that tenant.
#[inline]
fn work_of_tenant(tenant_work: &[f64], tenant: u8, work_us: u64) -> u64 {
    match tenant_work.get(usize::from(tenant)) {
        Some(&factor) => (work_us as f64 * factor + 0.5) as u64,
        None => work_us,
    }
}
