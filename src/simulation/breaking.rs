//! What results do to breakers, and breakers to polls.

use super::breakers::{BatchId, Breakers};
use super::event::{Event, Place};
use super::world::{Attempt, World};
use crate::model::policy::{AttemptError, BreakerChange, CallOutcome, Probe, RetryPolicy};

impl<P: RetryPolicy + ?Sized> World<'_, P> {
    /// An attempt has ended.
    #[inline]
    pub fn record_result(&mut self, line: usize, consumer: u32, attempt: &Attempt, result: Result<(), AttemptError>) {
        let Some(breakers) = &self.lines[line].breakers else { return };
        let outcome = breakers.outcome_of(result);
        self.record_outcome(line, consumer, attempt.batch, outcome, attempt.probe);
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
                self.agenda.schedule(until_us, Event::BreakerCooled(Place { line, number }.pack()).pack());
            }
            BreakerChange::Closed { grows_us } => {
                self.schedule_growth(line, number, grows_us);
                self.poll_all_of(line, number);
            }
            BreakerChange::ProbeGivenBack => self.poll_all_of(line, number),
        }
    }

    pub fn breaker_cooled(&mut self, Place { line, number: breaker }: Place) {
        let breakers = &mut self.lines[line].breakers;
        let counts = breakers.as_mut().is_some_and(|breakers| breakers.cooled_down(self.now_us, breaker));
        if counts { self.poll_all_of(line, breaker) } else { self.event_was_stale() }
    }

    fn schedule_growth(&mut self, line: usize, breaker: u32, grows_us: Option<u64>) {
        if let Some(at_us) = grows_us {
            self.agenda.schedule(at_us, Event::AdmissionGrows(Place { line, number: breaker }.pack()).pack());
        }
    }

    /// A consumer may hold one more message than before.
    pub fn admission_grows(&mut self, Place { line, number: breaker }: Place) {
        let breakers = &mut self.lines[line].breakers;
        match breakers.as_mut().and_then(|breakers| breakers.ramp_grows(self.now_us, breaker)) {
            Some(growth) => {
                self.schedule_growth(line, breaker, growth.next_us);
                self.poll_all_of(line, breaker);
            }
            None => self.event_was_stale(),
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
