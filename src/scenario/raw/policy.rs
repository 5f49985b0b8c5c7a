//! The retry policy as it is written.

use super::RawBreaker;
use crate::scenario::language::{OrNone, mapping, one_of};
use crate::scenario::value::{Duration, Number};

mapping! {
    /// What a consumer does with a message after a failed attempt.
    RawPolicy is "the policy" {
        /// The delay before the next attempt, applied by changing the message's visibility. Default: none, the lease
        /// expires.
        backoff: RawBackoff,
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
