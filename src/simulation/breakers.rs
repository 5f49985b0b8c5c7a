//! The circuit breakers of a fleet: one a consumer, or one for all.

use std::num::NonZeroU32;
use std::ops::Range;

use slab::Slab;

use crate::model::consumer::ConsumerSettings;
use crate::model::policy::{
    Admission, AttemptError, Breaker, BreakerChange, BreakerCounts, BreakerScope, BreakerSettings, CallOutcome, Growth,
    Probe,
};

/// Names a batch whose messages are still in hand: one more than its place, so that "no batch" needs no room of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchId(NonZeroU32);

impl BatchId {
    fn of_place(place: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(place as u32))
    }

    fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

#[derive(Debug)]
struct Batch {
    messages_in_hand: u32,
    /// What its messages say together so far.
    outcome: Option<CallOutcome>,
}

/// All breakers, and the batches that they count.
#[derive(Debug)]
pub(super) struct Breakers {
    settings: BreakerSettings,
    breakers: Vec<Breaker>,
    batches: Slab<Batch>,
    fleet: u32,
    /// Slots of each consumer.
    slots: u32,
    /// Breakers that are not closed.
    pub open_count: u32,
}

impl Breakers {
    pub fn new(settings: BreakerSettings, consumers: &ConsumerSettings) -> Self {
        let count = breaker_count(&settings, consumers.fleet);
        let (fleet, slots) = (consumers.fleet, consumers.concurrency);
        let breakers = (0..count).map(|_| Breaker::new(settings, slots)).collect();
        Self { settings, breakers, batches: Slab::new(), fleet, slots, open_count: 0 }
    }

    /// The fleet has that many consumers now. Breakers of dismissed ones stay for what those still hold.
    pub fn grow(&mut self, fleet: u32) {
        self.fleet = self.fleet.max(fleet);
        if self.settings.scope == BreakerScope::Consumer {
            let count = self.breakers.len().max(fleet as usize);
            self.breakers.resize_with(count, || Breaker::new(self.settings, self.slots));
        }
    }

    #[inline]
    pub fn admission(&self, now_us: u64, consumer: u32) -> Admission {
        self.breakers[self.number_of(consumer)].admission(now_us)
    }

    /// The name of the probe that a consumer's breaker has let through.
    pub fn probe(&self, consumer: u32) -> Option<Probe> {
        self.breakers[self.number_of(consumer)].probe()
    }

    /// The consumers that a breaker stops.
    pub fn consumers_of(&self, breaker: u32) -> Range<u32> {
        match self.settings.scope {
            BreakerScope::Consumer => breaker..breaker + 1,
            BreakerScope::Fleet => 0..self.fleet,
        }
    }

    #[inline]
    pub fn number_of(&self, consumer: u32) -> usize {
        match self.settings.scope {
            BreakerScope::Consumer => consumer as usize,
            BreakerScope::Fleet => 0,
        }
    }

    pub fn probe_taken(&mut self, consumer: u32) {
        let number = self.number_of(consumer);
        self.breakers[number].probe_taken();
    }

    pub fn probe_given_back(&mut self, consumer: u32) {
        let number = self.number_of(consumer);
        self.breakers[number].probe_given_back();
    }

    pub fn cooled_down(&mut self, now_us: u64, breaker: u32) -> bool {
        self.breakers[breaker as usize].cooled_down(now_us)
    }

    /// The limit of a breaker's ramp-up may have grown.
    pub fn ramp_grows(&mut self, now_us: u64, breaker: u32) -> Option<Growth> {
        self.breakers[breaker as usize].ramp_grows(now_us)
    }

    /// A receive call returns one more message. With the first a batch begins, which has the call itself as a member, so
    /// that it cannot end before all messages are in. `None` where single messages are counted.
    #[inline]
    pub fn batch_with_one_more(&mut self, batch: Option<BatchId>) -> Option<BatchId> {
        if self.settings.counts != BreakerCounts::Batches {
            return None;
        }
        let opened = || BatchId::of_place(self.batches.insert(Batch { messages_in_hand: 1, outcome: None }));
        let batch = batch.unwrap_or_else(opened);
        self.batches[batch.place()].messages_in_hand += 1;
        Some(batch)
    }

    /// How an attempt went, as breakers see it; `None` where it says nothing.
    #[inline]
    pub fn outcome_of(&self, result: Result<(), AttemptError>) -> Option<CallOutcome> {
        match result {
            Ok(()) => Some(CallOutcome::Success),
            // The downstream has not even heard of such a call.
            Err(AttemptError::Rejected) => None,
            Err(AttemptError::Permanent) if self.settings.ignores_permanent => None,
            Err(AttemptError::Throttled) => Some(CallOutcome::Throttled),
            Err(_) => Some(CallOutcome::Failure),
        }
    }

    /// The attempt at a message has ended, or the receive call of a batch is over, which says nothing itself.
    #[inline]
    pub fn record(
        &mut self,
        now_us: u64,
        consumer: u32,
        batch: Option<BatchId>,
        outcome: Option<CallOutcome>,
        probe: Option<Probe>,
    ) -> BreakerChange {
        let outcome = match batch {
            None => outcome,
            Some(batch) => match self.close_one(batch, outcome) {
                Some(of_batch) => of_batch,
                None => return BreakerChange::Unchanged,
            },
        };
        let number = self.number_of(consumer);
        let breaker = &mut self.breakers[number];
        let Some(outcome) = outcome else { return breaker.ignore(probe) };
        let was_open = breaker.is_open();
        let change = breaker.record(now_us, outcome, probe);
        match change {
            BreakerChange::Opened { .. } if !was_open => self.open_count += 1,
            BreakerChange::Closed { .. } => self.open_count -= 1,
            _ => {}
        }
        change
    }

    /// One message of a batch is done: what the batch says, if it was the last.
    fn close_one(&mut self, id: BatchId, outcome: Option<CallOutcome>) -> Option<Option<CallOutcome>> {
        let batch = &mut self.batches[id.place()];
        batch.outcome = together(batch.outcome, outcome);
        batch.messages_in_hand -= 1;
        (batch.messages_in_hand == 0).then(|| self.batches.remove(id.place()).outcome)
    }
}

/// What two messages of a batch say together: one success saves it, and it is throttled where all of them are.
fn together(one: Option<CallOutcome>, other: Option<CallOutcome>) -> Option<CallOutcome> {
    match (one, other) {
        (None, only) | (only, None) => only,
        (Some(CallOutcome::Success), _) | (_, Some(CallOutcome::Success)) => Some(CallOutcome::Success),
        (Some(CallOutcome::Throttled), Some(CallOutcome::Throttled)) => Some(CallOutcome::Throttled),
        _ => Some(CallOutcome::Failure),
    }
}

/// Breakers that such a fleet has.
pub(super) fn breaker_count(settings: &BreakerSettings, fleet: u32) -> u32 {
    match settings.scope {
        BreakerScope::Consumer => fleet,
        BreakerScope::Fleet => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CallOutcome::{Failure, Success, Throttled};

    #[test]
    fn a_batch_is_as_good_as_its_best_message() {
        let outcomes = [None, Some(Throttled), Some(Failure), Some(Success)];
        let table = outcomes.map(|one| outcomes.map(|other| together(one, other)));
        let (t, f, s) = (Some(Throttled), Some(Failure), Some(Success));
        assert_eq!(table, [[None, t, f, s], [t, t, f, s], [f, f, f, s], [s, s, s, s]]);
    }
}
