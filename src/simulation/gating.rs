//! The way of a call through the gates in front of it, and of what it holds there back to others.

use super::event::{Event, Place};
use super::handling::attempt_key;
use super::line::Line;
use super::observing::Observer;
use super::world::{Attempt, Due, Outlook, World};
use crate::engine::time::MILLISECOND_US;
use crate::model::consumer::SlotId;
use crate::model::policy::{Admitted, AttemptError, RetryPolicy};

/// How long a call takes that is rejected on the spot. Were it no time, a consumer could fail infinitely often at one moment.
const REJECTED_AFTER_US: u64 = MILLISECOND_US;

/// How long an attempt takes whose message is done already. Were it no time, a consumer could go through a whole backlog at
/// one moment.
const SKIPPED_AFTER_US: u64 = MILLISECOND_US;

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The handler in that slot wants to call, and has gates to pass.
    #[cold]
    pub fn call_through_gates(&mut self, line: usize, slot: SlotId) -> Outlook {
        let state = &mut self.lines[line];
        let (Some(gates), Some(attempt)) = (&mut state.gates, state.fleet.work_mut(slot)) else { return Outlook::Open };
        let (message, tenant) = (attempt.id, attempt.tenant);
        if gates.is_done(self.now_us, message) {
            let at_us = self.now_us + SKIPPED_AFTER_US;
            self.handler_goes_on(line, slot, at_us, Due::Skip);
            return Outlook::Open;
        }
        let consumer = state.fleet.consumer_of(slot);
        let Some(semaphore) = gates.semaphore(consumer, tenant) else { return self.call_at_its_rate(line, slot) };
        match semaphore.limit.ask() {
            Admitted::Go => self.call_with_permit(line, slot),
            Admitted::Wait => {
                let wait = semaphore.join(slot);
                self.wait_for_permit(line, slot, wait);
                Outlook::Open
            }
            Admitted::Rejected => {
                self.reject_call(line, slot);
                Outlook::Open
            }
        }
    }

    /// The handler waits for others' calls to end; it may be killed meanwhile.
    fn wait_for_permit(&mut self, line: usize, slot: SlotId, wait: u64) {
        let deadline_us = self.deadline_us(line, slot);
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.expect(Due::Permit, wait);
        }
        if deadline_us < self.duration_us {
            let event = Event::HandlerGoesOn(Place { line, number: slot.0 }.pack());
            self.agenda.schedule(deadline_us, event.pack());
        }
    }

    fn call_with_permit(&mut self, line: usize, slot: SlotId) -> Outlook {
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.holds_permit = true;
        }
        self.call_at_its_rate(line, slot)
    }

    fn call_at_its_rate(&mut self, line: usize, slot: SlotId) -> Outlook {
        let state = &mut self.lines[line];
        let consumer = state.fleet.consumer_of(slot);
        let (Some(gates), Some(attempt)) = (&mut state.gates, state.fleet.work_mut(slot)) else { return Outlook::Open };
        let draw = self.draws.admission.draw(attempt.id, attempt_key(attempt));
        match gates.reserve(self.now_us, consumer, attempt.tenant, draw) {
            Some(at_us) if at_us == self.now_us => return self.call_downstream(line, slot),
            Some(at_us) => self.handler_goes_on(line, slot, at_us, Due::AdmittedCall),
            None => self.reject_call(line, slot),
        }
        Outlook::Open
    }

    /// Whether the client library of that slot's consumer makes the failed call again, and after how long.
    pub fn client_retry_us(&mut self, line: usize, slot: SlotId, error: AttemptError) -> Option<u64> {
        let state = &mut self.lines[line];
        let gates = state.gates.as_mut()?;
        let consumer = state.fleet.consumer_of(slot);
        let attempt = state.fleet.work_mut(slot)?;
        attempt.last_error = Some(error);
        let draw = self.draws.client.draw(attempt.id, attempt_key(attempt));
        gates.client_retry_us(self.now_us, consumer, error, attempt.tries, draw)
    }

    /// The call does not go out.
    fn reject_call(&mut self, line: usize, slot: SlotId) {
        self.recorder.rejected();
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.tries += 1;
        }
        let at_us = self.now_us + REJECTED_AFTER_US;
        self.call_will_fail(Place { line, number: slot.0 }, at_us, AttemptError::Rejected);
    }

    /// The call of that slot has ended, well, badly by the downstream's fault, or otherwise: its place under the limit goes
    /// to the next.
    #[inline]
    pub fn end_call(&mut self, line: usize, slot: SlotId, worked: Option<bool>) {
        let state = &mut self.lines[line];
        if state.gates.is_none() {
            return;
        }
        let consumer = state.fleet.consumer_of(slot);
        if let Some(attempt) = state.fleet.work_mut(slot)
            && std::mem::take(&mut attempt.holds_permit)
        {
            let tenant = attempt.tenant;
            self.return_permit(line, consumer, tenant, worked);
        }
    }

    /// An attempt that ends without its call gives back its place under the limit, if it has one.
    pub fn leave_permit(&mut self, line: usize, consumer: u32, attempt: &Attempt) {
        if attempt.holds_permit {
            self.return_permit(line, consumer, attempt.tenant, None);
        }
    }

    /// A place under the limit is free.
    fn return_permit(&mut self, line: usize, consumer: u32, tenant: u8, worked: Option<bool>) {
        if let Some(semaphore) = self.lines[line].gates.as_mut().and_then(|gates| gates.semaphore(consumer, tenant)) {
            semaphore.limit.ended(worked);
        }
        while let Some(slot) = self.next_permitted(line, consumer, tenant) {
            self.call_with_permit(line, slot);
        }
    }

    /// The handler that has waited longest, if there is room for its call. Waits of handlers that are gone are passed over.
    fn next_permitted(&mut self, line: usize, consumer: u32, tenant: u8) -> Option<SlotId> {
        let Line { gates, fleet, .. } = &mut self.lines[line];
        let semaphore = gates.as_mut()?.semaphore(consumer, tenant)?;
        while semaphore.limit.has_room() {
            let (slot, wait) = semaphore.waiting.pop_front()?;
            if fleet.work_mut(slot).is_some_and(|attempt| attempt.due_at(wait) == Due::Permit) {
                semaphore.limit.ask();
                return Some(slot);
            }
        }
        None
    }
}
