//! Invocations of a Lambda function: how they begin, go through their batch and end.

use super::mapping::{BatchFate, Invocation, InvocationEnd, Phase, Record};
use super::observing::{Happening, Observer};
use super::watching::NEVER;
use super::world::World;
use crate::engine::time::MILLISECOND_US;
use crate::measure::Fate;
use crate::model::consumer::{SlotId, Started};
use crate::model::policy::{AttemptError, Disposition, RetryPolicy};
use crate::model::queue::Receipt;

/// How long it takes until a mapping knows that an environment has died. Were it no time, poison messages without a lease
/// could do it infinitely often at one moment.
const DEATH_KNOWN_AFTER_US: u64 = MILLISECOND_US;
/// Most messages of one request that deletes them.
const DELETES_A_REQUEST: usize = 10;

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The function takes a poller's first batch.
    pub fn invoke(&mut self, line: usize, poller: u32, started: Started) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let Some(batch) = mapping.poller(poller).batches.pop_front() else { return };
        let Some(first) = batch.attempts.first() else { return };
        if O::WATCHES {
            let (is_cold, size) = (started.is_cold, batch.attempts.len());
            for attempt in &batch.attempts {
                self.tell(line, attempt.id, |_| Happening::Invoked { is_cold, batch: size });
            }
        }
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let mut draw = self.draws.invocation.draw(first.id, first.receive_count.into());
        let mut invocation = mapping.invocation(now_us, batch.attempts, &mut draw);
        let start_up_us = if started.is_cold { mapping.cold_start.sample(&mut draw) } else { 0 };
        invocation.due_us = now_us + start_up_us;
        let state = mapping.poller(poller);
        state.offer_due_us = NEVER;
        state.invocation = Some(invocation);
        self.recorder.invocation_begins(started.is_cold);
        if start_up_us == 0 {
            self.handlers_begin(line, poller);
        } else {
            self.schedule_poller(line, poller, now_us + start_up_us);
        }
    }

    /// The environment has started, the time is over, or its death becomes known.
    pub fn invocation_goes_on(&mut self, line: usize, poller: u32) {
        match self.invocation(line, poller).map(|invocation| &invocation.phase) {
            None => {}
            Some(Phase::Starting(_)) => self.handlers_begin(line, poller),
            Some(Phase::Running) => self.invocation_times_out(line, poller),
            Some(Phase::Died) => self.settle(line, poller, InvocationEnd::Crashed),
        }
    }

    fn invocation(&mut self, line: usize, poller: u32) -> Option<&mut Invocation> {
        self.lines[line].mapping.as_deref_mut()?.poller(poller).invocation.as_mut()
    }

    /// The handler begins on its batch: with as many messages as it works on at the same time.
    fn handlers_begin(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let due_us = now_us + mapping.settings.timeout_us;
        let Some(invocation) = &mut mapping.poller(poller).invocation else { return };
        invocation.due_us = due_us;
        let Phase::Starting(attempts) = std::mem::replace(&mut invocation.phase, Phase::Running) else { return };
        // Before anything of the handler, so that what ends at the very moment comes too late.
        self.schedule_poller(line, poller, due_us);
        let fleet = &mut self.lines[line].fleet;
        let slots: Vec<SlotId> = attempts.into_iter().filter_map(|attempt| fleet.take(poller, attempt)).collect();
        for slot in slots {
            if !self.is_running(line, poller) {
                return;
            }
            self.begin(line, slot);
        }
    }

    /// Whether no message of the batch has killed the environment yet.
    fn is_running(&mut self, line: usize, poller: u32) -> bool {
        self.invocation(line, poller).is_some_and(|invocation| matches!(invocation.phase, Phase::Running))
    }

    /// A handler is about to end a message with an error, and has seen to it itself: for the mapping it is done.
    pub fn note_disposed(&mut self, line: usize, slot: SlotId, disposition: Disposition) {
        let disposes = match disposition {
            Disposition::Delete | Disposition::RecordAndDelete => true,
            // A dead letter is where it belongs.
            Disposition::DeadLetter => line != self.dead_letter_line,
            _ => false,
        };
        let poller = self.lines[line].fleet.consumer_of(slot);
        if let Some(invocation) = self.invocation(line, poller) {
            invocation.has_disposed = disposes;
        }
    }

    /// The function is through with the message in that slot: it goes on to the next, or leaves.
    pub fn record_ends(&mut self, line: usize, slot: SlotId, result: Result<(), AttemptError>) {
        let state = &mut self.lines[line];
        let poller = state.fleet.consumer_of(slot);
        let (ended, goes_on) = state.fleet.finish(slot);
        let (Some(attempt), Some(invocation)) = (ended, self.invocation(line, poller)) else { return };
        let has_failed = result.is_err() && !std::mem::take(&mut invocation.has_disposed);
        invocation.any_failed |= has_failed;
        invocation.records.push(Record { attempt, has_failed });
        if has_failed && invocation.stops_at_failure {
            self.leave_rest(line, poller);
            self.settle(line, poller, InvocationEnd::Returned);
        } else if goes_on {
            self.begin(line, slot);
        } else if self.lines[line].fleet.busy_slots(poller) == 0 {
            self.settle(line, poller, InvocationEnd::Returned);
        }
    }

    /// What the function still holds, it will not come to.
    fn leave_rest(&mut self, line: usize, poller: u32) {
        let rest = self.lines[line].fleet.empty(poller);
        rest.iter().for_each(|attempt| self.leave_permit(line, poller, attempt));
        if let Some(invocation) = self.invocation(line, poller) {
            let records = rest.into_iter().map(|attempt| Record { attempt, has_failed: true });
            invocation.records.extend(records);
        }
    }

    /// The function's time is over: nobody learns how its calls end, and all comes back (rule L4, batch failures).
    fn invocation_times_out(&mut self, line: usize, poller: u32) {
        let busy = self.lines[line].fleet.busy_slots(poller);
        (0..busy).for_each(|_| self.recorder.handler_killed());
        self.abandon_calls(line, poller);
        self.leave_rest(line, poller);
        self.settle(line, poller, InvocationEnd::TimedOut);
    }

    /// A message has crashed the function's process. Its poller lives on.
    #[cold]
    pub fn environment_dies(&mut self, line: usize, poller: u32) {
        let known_us = self.now_us + DEATH_KNOWN_AFTER_US;
        self.abandon_calls(line, poller);
        (0..self.lines[line].fleet.held(poller)).for_each(|_| self.recorder.attempt_died());
        self.leave_rest(line, poller);
        if let Some(gates) = &mut self.lines[line].gates {
            gates.consumer_died(poller);
        }
        if let Some(invocation) = self.invocation(line, poller) {
            invocation.phase = Phase::Died;
            invocation.due_us = known_us;
        }
        self.schedule_poller(line, poller, known_us);
    }

    /// An invocation is over: what it has done is deleted, and its poller is free (rule L4, batch failures).
    fn settle(&mut self, line: usize, poller: u32, end: InvocationEnd) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let Some(invocation) = mapping.poller(poller).invocation.take() else { return };
        let (fate, has_failed) = mapping.fate(&invocation, end);
        mapping.environments.end(now_us, end == InvocationEnd::Returned);
        if has_failed {
            mapping.ramp.invocation_failed();
        }
        let memory_mb = mapping.settings.memory_mb;
        self.recorder.invocation_ends(has_failed, memory_mb, now_us - invocation.began_us);
        self.delete_settled(line, &invocation.records, fate);
        for record in invocation.records.iter().filter(|record| !is_deleted(record, fate)) {
            let (receive_count, has_failed) = (record.attempt.receive_count, record.has_failed);
            self.tell(line, record.attempt.id, |_| Happening::CameBackWithBatch { receive_count, has_failed });
        }
        for record in &invocation.records {
            self.lines[line].queue.let_go(record.attempt.receipt);
        }
        self.offer_next_of(line, poller);
        self.offer_waiting(line);
        self.poll(line, poller);
        // A deleted message may have freed its group, or a place under the limit of messages in flight.
        self.serve_waiting(line);
    }

    /// The mapping deletes what is done, ten messages a request.
    fn delete_settled(&mut self, line: usize, records: &[Record], fate: BatchFate) {
        let receipts: Vec<Receipt> =
            records.iter().filter(|record| is_deleted(record, fate)).map(|record| record.attempt.receipt).collect();
        for request in receipts.chunks(DELETES_A_REQUEST) {
            self.recorder.request();
            request.iter().for_each(|&receipt| self.delete_one(line, receipt));
        }
    }

    /// A message that is deleted without a success was lost in an answer that hid it.
    fn delete_one(&mut self, line: usize, receipt: Receipt) {
        if self.delete(line, receipt) {
            let tag = *self.lines[line].queue.held(receipt).tag;
            let fate = if tag.succeeded { Fate::Processed } else { Fate::DeletedUnprocessed };
            self.record_left(line, tag.class, fate);
        }
    }
}

/// Whether a mapping deletes that message of a batch (rule L4, batch failures).
fn is_deleted(record: &Record, fate: BatchFate) -> bool {
    match fate {
        BatchFate::Deleted => true,
        BatchFate::FailedComeBack => !record.has_failed,
        BatchFate::ComesBack => false,
    }
}
