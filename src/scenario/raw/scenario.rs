//! The top level of a scenario.

use super::{RawClaim, RawConsumers, RawDownstream, RawExpectation, RawPolicy, RawProducer, RawQueue};
use crate::scenario::language::{Language, List, Located, Named, mapping};
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
        /// The arms of the comparison, 1 to 100, by name. Each overrides the common setup, key by key; lists are replaced
        /// whole.
        variants: Named<RawSetup> = required,
        /// What must hold; a miss fails the run.
        expect: List<RawExpectation>,
        /// Published figures to hold against the simulation; they never fail a run.
        claims: List<RawClaim>,
    }
}

mapping! {
    /// A variant: what it changes in the common setup.
    RawSetup is "a variant" {
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
        }
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
