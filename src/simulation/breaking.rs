//! What results do to breakers, and breakers to polls.

use super::breakers::{BatchId, Breakers};
use super::event::{Event, Place};
use super::observing::Observer;
use super::world::{Attempt, World};
use crate::model::policy::{AttemptError, BreakerChange, CallOutcome, Probe, RetryPolicy};

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// An attempt has ended.
    #[inline]
    pub fn record_result(&mut self, line: usize, consumer: u32, attempt: &Attempt, result: Result<(), AttemptError>) {
        let Some(breakers) = &self.lines[line].breakers else { return };
        let outcome = breakers.outcome_of(result);
        self.record_outcome(line, consumer, attempt.batch, outcome, attempt.probe);
    }

    /// An attempt has ended before it began, and says nothing.
    pub fn record_nothing(&mut self, line: usize, consumer: u32, attempt: &Attempt) {
        self.record_outcome(line, consumer, attempt.batch, None, attempt.probe);
    }

    /// The receive call of a batch is over. Where all of its messages have gone down with their consumer already, the
    /// batch has failed.
    pub fn batch_is_complete(&mut self, line: usize, consumer: u32, batch: BatchId, probe: Option<Probe>) {
        self.record_outcome(line, consumer, Some(batch), None, probe);
    }

    fn record_outcome(
        &mut self,
        line: usize,
        consumer: u32,
        batch: Option<BatchId>,
        outcome: Option<CallOutcome>,
        probe: Option<Probe>,
    ) {
        let state = &mut self.lines[line];
        let Some(breakers) = &mut state.breakers else { return };
        let number = breakers.number_of(consumer) as u32;
        match breakers.record(self.now_us, consumer, batch, outcome, probe) {
            BreakerChange::Unchanged => {}
            BreakerChange::Opened { until_us } => {
                for stopped in breakers.consumers_of(number) {
                    state.fleet.stop_waiting(stopped);
                }
                self.schedule_breaker(line, number, Some(until_us));
            }
            BreakerChange::Closed { grows_us } => {
                self.schedule_breaker(line, number, grows_us);
                self.poll_all_of(line, number);
            }
            BreakerChange::ProbeGivenBack => self.poll_all_of(line, number),
        }
    }

    /// A cooldown has ended, and the next polls are probes; or consumers may hold one more message than before.
    pub fn breaker_timer(&mut self, Place { line, number: breaker }: Place) {
        let now_us = self.now_us;
        let Some(breakers) = &mut self.lines[line].breakers else { return };
        if breakers.cooled_down(now_us, breaker) {
            self.poll_all_of(line, breaker);
        } else if let Some(growth) = breakers.ramp_grows(now_us, breaker) {
            self.schedule_breaker(line, breaker, growth.next_us);
            self.poll_all_of(line, breaker);
        } else {
            self.event_was_stale();
        }
    }

    fn schedule_breaker(&mut self, line: usize, breaker: u32, at_us: Option<u64>) {
        if let Some(at_us) = at_us {
            self.agenda.schedule(at_us, Event::BreakerTimer(Place { line, number: breaker }.pack()).pack());
        }
    }

    fn poll_all_of(&mut self, line: usize, breaker: u32) {
        let breakers = &self.lines[line].breakers;
        let consumers = breakers.as_ref().map_or(0..0, |breakers| breakers.consumers_of(breaker));
        consumers.for_each(|consumer| self.poll(line, consumer));
    }

    /// A probe's poll has ended without a message: whoever has room may poll for it.
    pub fn give_probe_back(&mut self, line: usize, consumer: u32) {
        if let Some(breakers) = &mut self.lines[line].breakers {
            breakers.probe_given_back(consumer);
            let number = breakers.number_of(consumer) as u32;
            self.poll_all_of(line, number);
        }
    }

    /// The name of the probe that a consumer's poll is for.
    pub fn probe_of(&self, line: usize, consumer: u32) -> Option<Probe> {
        self.lines[line].breakers.as_ref().and_then(|breakers| breakers.probe(consumer))
    }

    #[inline]
    pub fn with_breakers(&mut self, line: usize, act: impl FnOnce(&mut Breakers)) {
        if let Some(breakers) = &mut self.lines[line].breakers {
            act(breakers);
        }
    }
}
