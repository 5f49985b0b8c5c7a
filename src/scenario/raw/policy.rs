//! The retry policy as it is written.

use super::{RawBreaker, RawCallRateLimit, RawConcurrencyLimit, RawDispositions, RawMisreading};
use crate::model::policy::{CeilingGuard, RetryAfter};
use crate::scenario::catalogue::{RawBackoff, RawClient};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Duration, Share};

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
        /// What is done with the message, by the kind of error. Default: back_off for all.
        dispositions: RawDispositions,
        /// How often consumers take an error for one of another kind. Default: never.
        misreading: RawMisreading,
        /// Share of the times that a consumer dead-letters a message in which it crashes after the send and before the
        /// delete. Default: 0%.
        dead_letter_crash: Share,
        /// A token bucket in front of the calls, or none. Default: none.
        rate_limit: OrNone<RawCallRateLimit>,
        /// A limit of calls at the same time, or none. Default: none.
        concurrency_limit: OrNone<RawConcurrencyLimit>,
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
