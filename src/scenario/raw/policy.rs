//! The retry policy as it is written.

use crate::model::policy::{BreakerCounts, BreakerScope, CeilingGuard, RetryAfter};
use crate::scenario::catalogue::{RawBackoff, RawClient};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration};

mapping! {
    /// What a consumer does with a message after a failed attempt.
    RawPolicy is "the policy" {
        /// The delay before the next attempt, applied by changing the message's visibility. Default: none, the lease
        /// expires.
        backoff: RawBackoff,
        /// No delay of the backoff is shorter. Default: 0s.
        floor: Duration,
        /// What a delay makes of the time that the downstream asks its caller to wait. Default: ignore.
        retry_after: RetryAfter,
        /// What is done about a delay that would pass the twelve hours of the queue (rule Q5). Default: none.
        ceiling_guard: CeilingGuard,
        /// What a client library does within one receive. Default: none, one try in each receive.
        client: RawClient,
        /// A circuit breaker that stops polling, or none. Default: none.
        breaker: OrNone<RawBreaker>,
    }
}

words! {
    RetryAfter is "what is done about a Retry-After" {
        "ignore" = Ignore, "The policy pays no heed to it.";
        "honour" = Honour, "A delay is at least as long as the downstream asks for, rounded up to whole seconds.";
    }
}

words! {
    CeilingGuard is "a guard of the ceiling" {
        "none" = None, "The queue refuses a delay beyond the twelve hours, and the lease runs on.";
        "remaining" = Remaining, "A delay is cut to what is left of the twelve hours, rounded down to whole seconds.";
    }
}

mapping! {
    /// A circuit breaker: opens after failures in a row, lets one probe through after the cooldown.
    RawBreaker is "a breaker" {
        /// Failures in a row that open it, at least 1. Has to be given.
        failures: Count [1 to 1_000_000],
        /// What counts as a failure. Default: messages.
        counts: BreakerCounts,
        /// Who shares it. Default: consumer.
        scope: BreakerScope,
        /// How long it stays open before one probe is let through. Has to be given.
        cooldown: Duration,
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
