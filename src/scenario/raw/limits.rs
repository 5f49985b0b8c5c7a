//! Limits of a consumer's calls as they are written.

use crate::model::policy::{LimitScope, WhenFull};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Number, Rate, Share};

mapping! {
    /// A token bucket in front of the calls: a handler waits for its token and holds its message meanwhile.
    RawCallRateLimit is "a rate limit of calls" {
        /// Calls per time, such as 450/s. Has to be given.
        rate: Rate,
        /// Calls that may go out at once after a rest, at least 1. Default: one second's worth.
        burst: Count [1 to 1_000_000],
        /// Who shares it. Default: consumer.
        scope: LimitScope,
        /// Whether each tenant has its own. Default: false.
        per_tenant: bool,
    }
}

mapping! {
    /// A limit of calls at the same time.
    RawConcurrencyLimit is "a limit of concurrent calls" {
        /// Calls at the same time, at least 1; where it adapts, at first. Has to be given.
        calls: Count [1 to 1_000_000],
        /// Who shares it. Default: consumer.
        scope: LimitScope,
        /// Whether each tenant has its own: a bulkhead. Default: false.
        per_tenant: bool,
        /// What a call does that finds it reached. Default: wait.
        when_full: WhenFull,
        /// How it adapts, or none. Default: none.
        adaptive: OrNone<RawAdaptive>,
    }
}

mapping! {
    /// Additive increase, multiplicative decrease.
    RawAdaptive is "an adaptive limit" {
        /// Smallest limit, at least 1. Default: 1.
        least: Count [1 to 1_000_000],
        /// Largest limit. Default: 1000.
        most: Count [1 to 1_000_000],
        /// Growth for as many successes as the limit is, above 0 to 1000. Default: 1.
        increase: Number [0 to 1_000],
        /// What a failure of the downstream leaves of the limit, 1% to 99%. Default: 50%.
        decrease_to: Share,
    }
}

words! {
    LimitScope is "the scope of a limit" {
        "consumer" = Consumer, "Each consumer has its own.";
        "fleet" = Fleet, "One for the whole fleet.";
    }
}

words! {
    WhenFull is "what happens at a limit" {
        "wait" = Wait, "The handler waits, first come first served.";
        "reject" = Reject, "The call fails at once, without having gone out.";
    }
}
