//! The top level of a scenario.

use super::{
    RawAlarm, RawClaim, RawConsumers, RawDownstream, RawExpectation, RawOperation, RawPolicy, RawProducer, RawQueue,
};
use crate::scenario::checked::Holds;
use crate::scenario::language::{Language, List, Located, Named, mapping};
use crate::scenario::sweep::RawSweep;
use crate::scenario::text::Place;
use crate::scenario::value::{Count, Duration};

mapping! {
    /// A scenario: a common setup, and the variants of it that are compared.
    RawScenario is "the scenario" {
        /// One line that says what is compared. Default: the name of the file.
        title: String,
        /// The seed of all random streams; the same seed gives the same results. Default: 42.
        seed: Count,
        /// Simulated time of each run, in whole seconds.
        duration: Duration = required,
        /// How long each run warms up, whole seconds from 0s and less than the duration: metrics and alarms count from then
        /// on. Default: 0s.
        warm_up: Duration,
        /// Independent runs of each variant, 1 to 100000. Default: 1.
        replications: Count [1 to 100_000],
        /// The queue.
        queue: RawQueue,
        /// Who sends messages.
        producers: List<RawProducer>,
        /// Who receives messages.
        consumers: RawConsumers,
        /// What the handlers of messages call.
        downstream: RawDownstream,
        /// What happens to a message after a failed attempt. Default: nothing, its lease expires.
        policy: RawPolicy,
        /// More source queues by name, at most 6, with the same downstream and dead-letter queue. What one does not say is
        /// as in the scenario's own `queue`, `consumers` and `policy`.
        other_queues: Named<RawOtherQueue>,
        /// What an operator does meanwhile to the scenario's own queue and fleet.
        operations: List<RawOperation>,
        /// The arms of the comparison, 1 to 100, by name. Each overrides the common setup, key by key; lists are replaced
        /// whole.
        variants: Named<RawSetup> = required,
        /// Alarms by name, at most 20, that watch every variant and change nothing.
        alarms: Named<RawAlarm>,
        /// What of an expectation has to hold: the whole 95 % interval of the mean, or the mean alone. Default: interval.
        holds: Holds,
        /// What must hold; a miss fails the run.
        expect: List<RawExpectation>,
        /// Keys that are varied, by their dotted paths, each with its values: the scenario is run at every point of the grid.
        sweep: RawSweep,
        /// Published figures to hold against the simulation; they never fail a run.
        claims: List<RawClaim>,
    }
}

mapping! {
    /// A variant: what it changes in the common setup.
    RawSetup is "a variant" in "the variants, by their names" {
        /// Changes of the queue.
        queue: RawQueue,
        /// Who sends messages, instead of the common producers.
        producers: List<RawProducer>,
        /// Changes of the consumers.
        consumers: RawConsumers,
        /// Changes of the downstream.
        downstream: RawDownstream,
        /// Changes of the policy.
        policy: RawPolicy,
        /// Other source queues, instead of the common ones.
        other_queues: Named<RawOtherQueue>,
        /// What an operator does, instead of the common operations.
        operations: List<RawOperation>,
    }
}

mapping! {
    /// One more source queue.
    RawOtherQueue is "another queue" in "the other queues, by their names" {
        /// How it differs from the scenario's own queue.
        queue: RawQueue,
        /// Who sends to it.
        producers: List<RawProducer> = required,
        /// How its consumers differ from the scenario's own.
        consumers: RawConsumers,
        /// How its policy differs from the scenario's own.
        policy: RawPolicy,
    }
}

impl RawScenario {
    /// What all variants have in common.
    pub fn common(&self) -> RawSetup {
        RawSetup {
            queue: self.queue.clone(),
            producers: self.producers.clone(),
            consumers: self.consumers.clone(),
            downstream: self.downstream.clone(),
            policy: self.policy.clone(),
            other_queues: self.other_queues.clone(),
            operations: self.operations.clone(),
        }
    }
}

impl RawOtherQueue {
    /// This queue's differences laid over the setup's own queue, as a setup of its own.
    pub fn over(&self, own: &RawSetup) -> RawSetup {
        own.with(&RawSetup {
            queue: self.queue.clone(),
            producers: self.producers.clone(),
            consumers: self.consumers.clone(),
            policy: self.policy.clone(),
            ..RawSetup::default()
        })
    }
}

impl RawSetup {
    /// This setup with a variant's changes.
    pub fn with(&self, changes: &Self) -> Self {
        let located = |setup: &Self| Located { value: setup.clone(), place: Place::default() };
        let mut merged = located(self);
        Self::overlay(&mut merged, &located(changes));
        merged.value
    }
}
