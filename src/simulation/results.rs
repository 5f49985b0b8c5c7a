//! What follows from the result of a call.

use super::handling::attempt_key;
use super::identity::{business_key, redriven};
use super::observing::{Happening, Observer};
use super::world::World;
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::model::consumer::SlotId;
use crate::model::policy::{AttemptError, Disposition, ErrorClass, FailedAttempt, RetryPolicy};
use crate::model::queue::{DeleteAnswer, MessageTag, NewMessage, Receipt, Removed};

/// What a consumer does with a message after an error, and whether only because it has misread it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decision {
    pub disposition: Disposition,
    pub error: AttemptError,
    pub by_mistake: bool,
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The downstream has done its work: a success, unless the message can have none.
    #[inline]
    pub fn call_worked(&mut self, line: usize, slot: SlotId) {
        let state = &mut self.lines[line];
        let Some(attempt) = state.fleet.work_mut(slot) else { return };
        if attempt.class == MessageClass::Permanent {
            return self.call_failed(line, slot, AttemptError::Permanent);
        }
        let (message, receipt, class, tenant) = (attempt.id, attempt.receipt, attempt.class, attempt.tenant);
        let (tries, last_error) = (attempt.tries, attempt.last_error);
        let held = state.queue.held(receipt);
        let (first, enqueued_us) = (!std::mem::replace(&mut held.tag.succeeded, true), held.enqueued_us);
        if let Some(gates) = &mut state.gates {
            gates.call_worked(self.now_us, state.fleet.consumer_of(slot), message, tries, last_error);
        }
        self.tell_in(line, slot, |receive_count, _| Happening::CallWorked { receive_count, is_first: first });
        self.recorder.succeeded(first, tenant, self.now_us - enqueued_us);
        self.takes_effect(message);
        self.end_call(line, slot, Some(true));
        self.acknowledge(line, slot, receipt, class);
    }

    /// A good call has its effect, unless the downstream knows that it has had it before.
    #[inline]
    pub fn takes_effect(&mut self, message: u64) {
        if self.constraint.is_none() || self.constraint_admits(message) {
            self.recorder.takes_effect(business_key(message));
        }
    }

    #[cold]
    fn constraint_admits(&mut self, message: u64) -> bool {
        let now_us = self.now_us;
        self.constraint.as_mut().is_none_or(|constraint| constraint.insert(now_us, message))
    }

    /// The message in that slot is done already, says the consumers' store: no call.
    pub fn skip_call(&mut self, line: usize, slot: SlotId) {
        let state = &mut self.lines[line];
        let Some(attempt) = state.fleet.work_mut(slot) else { return };
        let (receipt, class) = (attempt.receipt, attempt.class);
        state.queue.held(receipt).tag.succeeded = true;
        self.recorder.skipped();
        self.tell_in(line, slot, |receive_count, _| Happening::Skipped { receive_count });
        self.acknowledge(line, slot, receipt, class);
    }

    /// The consumer deletes the message, and the attempt is over.
    #[inline(always)]
    fn acknowledge(&mut self, line: usize, slot: SlotId, receipt: Receipt, class: MessageClass) {
        if self.lines[line].acknowledging.is_some() {
            return self.acknowledge_apart(line, slot, receipt, class);
        }
        // A mapping deletes its messages itself, once their invocation is over.
        if self.lines[line].mapping.is_none() {
            self.recorder.request();
            if self.delete(line, receipt) {
                self.record_left(line, class, Fate::Processed);
            }
        }
        self.end(line, slot, Ok(()));
    }

    /// A consumer deletes a message; says whether this delete has removed it.
    #[inline]
    pub fn delete(&mut self, line: usize, receipt: Receipt) -> bool {
        let answer = self.lines[line].queue.delete(receipt);
        self.tell_of(line, receipt, |_| Happening::Deleted { answer });
        if line != self.dead_letter_line && answer != DeleteAnswer::Refused {
            self.recorder.deleted();
        }
        answer.has_deleted()
    }

    /// A call has failed, or an attempt without one.
    #[inline]
    pub fn call_failed(&mut self, line: usize, slot: SlotId, error: AttemptError) {
        self.tell_in(line, slot, |receive_count, _| Happening::CallFailed { receive_count, error });
        if error != AttemptError::Rejected {
            self.recorder.failed(error);
        }
        if self.lines[line].is_unguarded || !self.guards_take_over(line, slot, error) {
            self.give_back(line, slot, error);
        }
    }

    /// A guarded call has failed; says whether that is all: its handler is killed, or its client library tries again.
    #[cold]
    fn guards_take_over(&mut self, line: usize, slot: SlotId, error: AttemptError) -> bool {
        let by_downstream = matches!(error.class(), ErrorClass::Transient | ErrorClass::Throttled);
        self.end_call(line, slot, (error != AttemptError::Rejected && by_downstream).then_some(false));
        if self.now_us >= self.deadline_us(line, slot) {
            self.kill_handler(line, slot);
            return true;
        }
        let after_us = self.client_retry_us(line, slot, error);
        if let Some(after_us) = after_us {
            self.tell_in(line, slot, |_, _| Happening::ClientRetries { after_us });
            self.call_after(line, slot, after_us);
        }
        after_us.is_some()
    }

    /// The attempt has failed for good: the policy decides about its message.
    #[inline]
    fn give_back(&mut self, line: usize, slot: SlotId, error: AttemptError) {
        let Some((receipt, decision)) = self.decide(line, slot, error) else { return };
        if !self.dispose_of_deleted(line, slot, receipt, decision) {
            self.dispose(line, slot, receipt, decision);
        }
    }

    /// Asks the policy.
    #[inline]
    fn decide(&mut self, line: usize, slot: SlotId, error: AttemptError) -> Option<(Receipt, Decision)> {
        let seen = self.seen_error(line, slot, error)?;
        let state = &mut self.lines[line];
        let attempt = state.fleet.work_mut(slot)?;
        let (key, receipt) = (attempt_key(attempt), attempt.receipt);
        let held = state.queue.held(receipt);
        let retry_after_us = match error {
            AttemptError::Throttled => self.setup.downstream.rate_limit.and_then(|limit| limit.retry_after_us),
            _ => None,
        };
        let failed = FailedAttempt {
            receive_count: attempt.receive_count,
            tries: attempt.tries,
            error: seen,
            since_first_receive_us: self.now_us - held.first_received_us,
            lease_left_us: attempt.leased_until_us.saturating_sub(self.now_us),
            previous_delay_s: held.tag.previous_delay_s.map(u32::from),
            retry_after_us,
            visibility_left_us: state.queue.visibility_left_us(self.now_us, receipt),
        };
        let disposition = state.policy.decide(&failed, &mut self.draws.policy.draw(attempt.id, key));
        self.tell_in(line, slot, |receive_count, _| Happening::Decided { receive_count, error, seen, disposition });
        let by_mistake = seen == AttemptError::Permanent && error != AttemptError::Permanent;
        Some((receipt, Decision { disposition, error, by_mistake }))
    }

    /// The error as the consumer reads it.
    #[inline]
    fn seen_error(&mut self, line: usize, slot: SlotId, error: AttemptError) -> Option<AttemptError> {
        let state = &mut self.lines[line];
        if error == AttemptError::Rejected || !state.misreads {
            return Some(error);
        }
        let misreading = &state.settings.misreading;
        let attempt = state.fleet.work_mut(slot)?;
        // The same message fails with the same words each time; a failing downstream may say something else each time.
        let of_message = self.draws.misreading.draw(attempt.id, 0).unit();
        let mut of_attempt = self.draws.misreading.draw(attempt.id, attempt_key(attempt));
        Some(match error.class() {
            ErrorClass::Throttled | ErrorClass::Unknown => error,
            ErrorClass::Permanent if of_message < misreading.permanent_as_transient => AttemptError::Errored,
            ErrorClass::Transient if of_attempt.unit() < misreading.transient_as_permanent => AttemptError::Permanent,
            ErrorClass::Permanent | ErrorClass::Transient if of_attempt.unit() < misreading.unknown => {
                AttemptError::Unknown
            }
            ErrorClass::Permanent | ErrorClass::Transient => error,
        })
    }

    /// Does what the policy has decided.
    fn dispose(&mut self, line: usize, slot: SlotId, receipt: Receipt, decision: Decision) {
        if self.lines[line].mapping.is_some() {
            self.note_disposed(line, slot, decision.disposition);
        }
        match decision.disposition {
            Disposition::RetryInProcess { after_us } => return self.call_after(line, slot, after_us),
            Disposition::LetLeaseExpire => {}
            Disposition::ChangeVisibility { delay_s } => {
                return self.change_visibility(line, slot, receipt, delay_s, decision.error);
            }
            // A dead letter is where it belongs.
            Disposition::DeadLetter if line == self.dead_letter_line => {}
            Disposition::DeadLetter => return self.dead_letter_now(line, slot, receipt, decision),
            Disposition::Resend if line == self.dead_letter_line => {}
            Disposition::Resend => return self.resend(line, slot, receipt, decision.error),
            Disposition::Delete => self.delete_unprocessed(line, receipt, decision.by_mistake),
            Disposition::RecordAndDelete => {
                self.recorder.written_down();
                self.delete_unprocessed(line, receipt, decision.by_mistake);
            }
        }
        self.end(line, slot, Err(decision.error));
    }

    fn change_visibility(&mut self, line: usize, slot: SlotId, receipt: Receipt, delay_s: u32, error: AttemptError) {
        self.recorder.request();
        let queue = &mut self.lines[line].queue;
        // A refused change leaves the lease as it was (rule Q5, twelve-hour ceiling): it runs out instead.
        let changed = queue.change_visibility(self.now_us, receipt, delay_s);
        match changed {
            Ok(_) => queue.held(receipt).tag.previous_delay_s = u16::try_from(delay_s).ok(),
            Err(_) => self.recorder.change_refused(),
        }
        self.tell_of(line, receipt, |world| {
            let changed = world.changed(line, receipt.slot(), changed);
            Happening::VisibilityChanged { delay_s, changed }
        });
        // The attempt ends first: a message that is visible at once may be received, and even crash its consumer.
        self.end(line, slot, Err(error));
        if let Ok(change) = changed {
            self.visibility_has_changed(line, receipt.slot(), change);
        }
    }

    /// The consumer deletes a message that it has not processed. An earlier receive may have.
    fn delete_unprocessed(&mut self, line: usize, receipt: Receipt, by_mistake: bool) {
        self.recorder.request();
        if self.delete(line, receipt) {
            let MessageTag { class, succeeded, .. } = *self.lines[line].queue.held(receipt).tag;
            self.recorder.given_up(by_mistake && !succeeded);
            self.record_left(line, class, if succeeded { Fate::Processed } else { Fate::DeletedUnprocessed });
        }
    }

    /// The consumer sends a copy of the message to its queue, then deletes it: two requests. Where its lease is over the
    /// delete may do nothing, and the queue has both.
    fn resend(&mut self, line: usize, slot: SlotId, receipt: Receipt, error: AttemptError) {
        let copied = self.lines[line].queue.copy_of(receipt);
        self.recorder.request();
        self.recorder.request();
        let is_gone = self.delete(line, receipt);
        if is_gone {
            self.record_left(line, copied.tag.class, Fate::Redriven);
        }
        self.send_copy(line, copied, is_gone);
        self.end(line, slot, Err(error));
    }

    /// A consumer sends a message anew: another message, which no redrive has brought back, instead of the one that is gone
    /// or beside it.
    pub fn send_copy(&mut self, line: usize, copied: Removed, is_gone: bool) {
        self.recorder.resent(copied.tag.class);
        self.tell(line, copied.id, |_| Happening::Resent);
        let tag = MessageTag { previous_delay_s: None, redriven: false, ..copied.tag };
        let id = redriven(if is_gone { copied.id } else { self.extra_copies.next_of(copied.id) });
        self.enqueue(line, NewMessage { group: copied.group, ..NewMessage::new(id, tag) });
    }

    /// The consumer sends the message to the dead-letter queue, then deletes it: two requests, and it may crash between them.
    fn dead_letter_now(&mut self, line: usize, slot: SlotId, receipt: Receipt, decision: Decision) {
        self.recorder.request();
        if self.crashes_between(line, slot) {
            self.copy_to_dead_letter_queue(line, receipt);
            let consumer = self.lines[line].fleet.consumer_of(slot);
            return self.crash(line, consumer);
        }
        self.recorder.request();
        if self.delete(line, receipt) {
            let removed = self.lines[line].queue.copy_of(receipt);
            self.recorder.given_up(decision.by_mistake && !removed.tag.succeeded);
            self.send_to_dead_letter_queue(line, removed);
        } else {
            self.copy_to_dead_letter_queue(line, receipt);
        }
        self.end(line, slot, Err(decision.error));
    }

    fn crashes_between(&mut self, line: usize, slot: SlotId) -> bool {
        let state = &mut self.lines[line];
        let share = state.settings.dead_letter_crash_share;
        let Some(attempt) = state.fleet.work_mut(slot).filter(|_| share > 0.0) else { return false };
        self.draws.dead_letter_crash.draw(attempt.id, attempt_key(attempt)).unit() < share
    }
}
