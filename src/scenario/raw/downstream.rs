//! The downstream as it is written.

use super::{RawDistribution, RawKeys};
use crate::model::downstream::RateLimitScope;
use crate::scenario::language::{List, OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Number, Rate, Share};

mapping! {
    /// What handlers call: a pool of servers with a bounded wait, and its outages.
    RawDownstream is "the downstream" {
        /// Calls that are worked on at the same time, at least 1. Has to be given.
        servers: Count [1 to 1_000_000],
        /// Work of one call, at least 1us. Has to be given.
        service_time: RawDistribution,
        /// Calls that may wait for a free server, or none for any number. Default: none.
        max_waiting: OrNone<Count>,
        /// How long a call waits for a free server before it fails, at least 1ms, or none. Default: none.
        acquire_timeout: OrNone<Duration>,
        /// How long a call that finds the line full is held before it fails, at least 1ms. Default: 1ms.
        refuse_after: Duration,
        /// How long the caller waits for an answer in all, at least 1ms, or none. Default: none.
        call_timeout: OrNone<Duration>,
        /// A limit of calls a second, as third parties have it, or none. Default: none.
        rate_limit: OrNone<RawRateLimit>,
        /// Tenants whose calls take longer. Default: none.
        slow_tenants: List<RawSlowTenant>,
        /// Keys that are checked and written together with the effect of a call, so that none takes effect twice, or none.
        /// Default: none.
        unique_constraint: OrNone<RawKeys>,
        /// Share of calls that fail at all times. Default: 0%.
        error_rate: Share,
        /// Work that a refused or timed-out call leaves to the servers, as a share of a good call's work, 0 to 100.
        /// Default: 0.
        failure_cost: Number [0 to 100],
        /// Outages; they may not overlap. Default: none.
        outages: List<RawOutage>,
    }
}

mapping! {
    /// A limit of calls a second: a call over it is answered at once with "too many requests".
    RawRateLimit is "a rate limit" {
        /// Calls per time, such as 500/s. Has to be given.
        rate: Rate,
        /// Calls that may come at once after a rest, at least 1. Default: one second's worth.
        burst: Count [1 to 1_000_000],
        /// Who shares it. Default: fleet.
        per: RateLimitScope,
        /// Time from a call over the limit to its answer, at least 1ms. Default: 1ms.
        answer_after: Duration,
        /// How long that answer asks the caller to wait, at least 1ms, or none. Default: none.
        retry_after: OrNone<Duration>,
        /// Whether calls over the limit count against it too. Default: false.
        counts_throttled: bool,
    }
}

words! {
    RateLimitScope is "who shares a rate limit" {
        "fleet" = Fleet, "All callers.";
        "tenant" = Tenant, "The calls for messages of one tenant.";
    }
}

mapping! {
    /// A tenant whose calls take longer, or less long.
    RawSlowTenant is "a slow tenant" {
        /// Its name, as producers give it.
        tenant: String = required,
        /// Factor on the service time, above 0.
        factor: Number [0 to 1_000_000] = required,
    }
}

mapping! {
    /// One outage. `after` belongs to refuse, `share` to errors, `factor` to slow.
    RawOutage is "an outage" {
        /// When it begins.
        at: Duration = required,
        /// How long it lasts; it has to end within the run.
        lasting as "for": Duration = required,
        /// How the downstream fails.
        mode: OutageKind = required,
        /// With refuse: time from a call to its refusal, at least 1ms. Default: 1ms.
        after: Duration,
        /// With errors: share of failing calls.
        share: Share,
        /// With slow: factor on the service time, at least 1.
        factor: Number [1 to 1_000_000],
        /// What follows the outage. Default: full speed at once.
        warm_up: RawWarmUp,
    }
}

mapping! {
    /// A cold start: service is slower at first and speeds up evenly.
    RawWarmUp is "a warm-up" {
        /// How long it lasts.
        lasting as "for": Duration = required,
        /// Factor on the service time at its start, at least 1.
        factor: Number [1 to 1_000_000] = required,
    }
}

/// How the downstream fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum OutageKind {
    Refuse,
    Hang,
    Errors,
    Slow,
}

words! {
    OutageKind is "an outage mode" {
        "refuse" = Refuse, "Every call is refused.";
        "hang" = Hang, "Calls get no answer until the caller's call_timeout.";
        "errors" = Errors, "A share of the calls ends in an error after the work was done.";
        "slow" = Slow, "Calls take longer.";
    }
}
