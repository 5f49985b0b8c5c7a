//! The circuit breakers of a fleet: one a consumer, or one for all.

use std::ops::Range;

use slab::Slab;

use crate::model::consumer::ConsumerSettings;
use crate::model::policy::{Admission, Breaker, BreakerChange, BreakerCounts, BreakerScope, BreakerSettings};

/// Names a batch whose messages are still in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchId(u32);

#[derive(Debug)]
struct Batch {
    messages_in_hand: u32,
    any_succeeded: bool,
}

/// All breakers, and the batches that they count.
#[derive(Debug)]
pub(super) struct Breakers {
    settings: BreakerSettings,
    breakers: Vec<Breaker>,
    batches: Slab<Batch>,
    fleet: u32,
    /// Breakers that are not closed.
    pub open_count: u32,
}

impl Breakers {
    pub fn new(settings: BreakerSettings, consumers: &ConsumerSettings) -> Self {
        let count = breaker_count(&settings, consumers);
        let breakers = (0..count).map(|_| Breaker::new(settings)).collect();
        Self { settings, breakers, batches: Slab::new(), fleet: consumers.fleet, open_count: 0 }
    }

    /// The fleet has that many consumers now. Breakers of dismissed ones stay for what those still hold.
    pub fn grow(&mut self, fleet: u32) {
        self.fleet = self.fleet.max(fleet);
        if self.settings.scope == BreakerScope::Consumer {
            let count = self.breakers.len().max(fleet as usize);
            self.breakers.resize_with(count, || Breaker::new(self.settings));
        }
    }

    #[inline]
    pub fn admission(&self, consumer: u32) -> Admission {
        self.breakers[self.number_of(consumer)].admission()
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

    /// A receive call returns messages: a batch begins, with the call itself as its first member, so that it cannot end
    /// before all messages are in. `None` where single messages are counted.
    #[inline]
    pub fn open_batch(&mut self) -> Option<BatchId> {
        (self.settings.counts == BreakerCounts::Batches)
            .then(|| BatchId(self.batches.insert(Batch { messages_in_hand: 1, any_succeeded: false }) as u32))
    }

    /// One more message of the receive call.
    pub fn add_to_batch(&mut self, batch: BatchId) {
        self.batches[batch.0 as usize].messages_in_hand += 1;
    }

    /// The attempt at a message has ended.
    #[inline]
    pub fn record(
        &mut self,
        now_us: u64,
        consumer: u32,
        batch: Option<BatchId>,
        succeeded: bool,
        is_probe: bool,
    ) -> BreakerChange {
        let result = match batch {
            None => succeeded,
            Some(batch) => match self.close_one(batch, succeeded) {
                Some(result) => result,
                None => return BreakerChange::Unchanged,
            },
        };
        let number = self.number_of(consumer);
        let was_open = self.breakers[number].is_open();
        let change = self.breakers[number].record(now_us, result, is_probe);
        match change {
            BreakerChange::Opened { .. } if !was_open => self.open_count += 1,
            BreakerChange::Closed => self.open_count -= 1,
            _ => {}
        }
        change
    }

    /// One message of a batch is done: the batch's result, if it was the last.
    fn close_one(&mut self, id: BatchId, succeeded: bool) -> Option<bool> {
        let batch = &mut self.batches[id.0 as usize];
        batch.any_succeeded |= succeeded;
        batch.messages_in_hand -= 1;
        (batch.messages_in_hand == 0).then(|| self.batches.remove(id.0 as usize).any_succeeded)
    }
}

/// Breakers that such a fleet has.
pub(super) fn breaker_count(settings: &BreakerSettings, consumers: &ConsumerSettings) -> u32 {
    match settings.scope {
        BreakerScope::Consumer => consumers.fleet,
        BreakerScope::Fleet => 1,
    }
}
