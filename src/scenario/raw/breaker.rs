//! A circuit breaker as it is written.

use crate::model::policy::{BreakerCounts, BreakerScope};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Share};

mapping! {
    /// A circuit breaker: stops polling after failures, lets probes through after the cooldown. At least one of failures,
    /// failure_rate and throttling opens it.
    RawBreaker is "a breaker" {
        /// Failures in a row that open it, at least 1, or none.
        failures: OrNone<Count> [1 to 1_000_000],
        /// A share of failures that opens it, or none.
        failure_rate: OrNone<RawFailureRate>,
        /// Throttling that goes on opens it, or none.
        throttling: OrNone<RawThrottling>,
        /// Whether errors that are the message's own fault say nothing. Default: false, they are failures.
        ignores_permanent: bool,
        /// What counts as a failure. Default: messages.
        counts: BreakerCounts,
        /// Who shares it. Default: consumer.
        scope: BreakerScope,
        /// How long it stays open before probes are let through. Has to be given.
        cooldown: Duration,
        /// Messages that are let through as probes, all of which have to succeed, 1 to 10000. Default: 1.
        probes: Count [1 to 10_000],
        /// How admission grows after it has closed, or none. Default: none, all slots at once.
        ramp_up: OrNone<RawRampUp>,
    }
}

mapping! {
    /// Opens at a share of failures among the latest results: exactly one of window and calls.
    RawFailureRate is "a failure rate" {
        /// Failed share that opens the breaker, above 0%. Has to be given.
        share: Share,
        /// The results of the last so long, whole seconds from 1s to 1h, or none.
        window: OrNone<Duration>,
        /// The last so many results, 1 to 10000, or none.
        calls: OrNone<Count> [1 to 10_000],
        /// With fewer results it does not open, at least 1. Default: 20, or all of `calls` if they are fewer.
        minimum: Count [1 to 1_000_000],
    }
}

mapping! {
    /// Opens at a share of throttled results that has gone on for a time.
    RawThrottling is "throttling" {
        /// Throttled share that opens the breaker, above 0%. Has to be given.
        share: Share,
        /// For how long, whole seconds from 1s to 1h. Has to be given.
        lasting as "for": Duration,
        /// With fewer results in that time it does not open, at least 1. Default: 20.
        minimum: Count [1 to 1_000_000],
    }
}

mapping! {
    /// After the breaker has closed, consumers hold more and more messages until all slots are in use.
    RawRampUp is "a ramp-up" {
        /// How long it takes, 1ms to 1d. Has to be given.
        lasting as "for": Duration,
        /// Share of the slots at its start; one slot at least. Default: 0%.
        from: Share,
    }
}

words! {
    BreakerCounts is "what a breaker counts" {
        "messages" = Messages, "Failed messages, one after the other.";
        "batches" = Batches, "Receive batches in which every message failed, one after the other.";
    }
}

words! {
    BreakerScope is "the scope of a breaker" {
        "consumer" = Consumer, "Each consumer has its own.";
        "fleet" = Fleet, "One for the whole fleet.";
    }
}
