//! The retry policy as it is written.

use super::{RawBreaker, RawCallRateLimit, RawConcurrencyLimit, RawDispositions, RawMisreading};
use crate::scenario::language::{OrNone, mapping, one_of};
use crate::scenario::value::{Duration, Number, Share};

mapping! {
    /// What a consumer does with a message after a failed attempt.
    RawPolicy is "the policy" {
        /// The delay before the next attempt, applied by changing the message's visibility. Default: none, the lease
        /// expires.
        backoff: RawBackoff,
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

one_of! {
    /// The delay before the next attempt, in whole seconds of at most 12h (rule Q5).
    RawBackoff is "a backoff" {
        word "none" = None, "No backoff: the lease expires.";
        kind "fixed" = Fixed(RawFixed), "The same delay each time.";
        kind "linear" = Linear(RawLinear), "One step more each time.";
        kind "exponential" = Exponential(RawExponential), "A multiple each time.";
    }
}

mapping! {
    /// The same delay each time.
    RawFixed is "a fixed backoff" {
        /// The delay. Has to be given.
        delay: Duration,
        /// How the delay is randomised. Default: none.
        jitter: RawJitter,
    }
}

mapping! {
    /// One step more each time.
    RawLinear is "a linear backoff" {
        /// First delay and increment. Has to be given.
        step: Duration,
        /// Largest delay. Default: 12h, the limit of the queue.
        cap: Duration,
        /// How the delay is randomised. Default: none.
        jitter: RawJitter,
    }
}

mapping! {
    /// A multiple each time.
    RawExponential is "an exponential backoff" {
        /// First delay. Has to be given.
        base: Duration,
        /// Multiplier of each further attempt, at least 1. Default: 2.
        factor: Number [1 to 1_000_000],
        /// Largest delay. Default: 12h, the limit of the queue.
        cap: Duration,
        /// How the delay is randomised. Default: none.
        jitter: RawJitter,
    }
}

one_of! {
    /// How a delay is randomised.
    RawJitter is "a jitter" {
        word "none" = None, "Not at all.";
        word "full" = Full, "Uniform from 0 to the delay.";
        word "equal" = Equal, "Half the delay, plus uniform from 0 to the other half.";
        word "decorrelated" = Decorrelated, "Uniform from the base to three times the previous delay.";
        kind "floored_full" = FlooredFull(RawFlooredFull), "Full jitter, but never below a floor.";
    }
}

mapping! {
    /// Full jitter with a floor.
    RawFlooredFull is "floored full jitter" {
        /// The smallest delay.
        floor: Duration = required,
    }
}
