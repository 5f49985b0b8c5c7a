//! What a downstream is configured with.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::MILLISECOND_US;
use crate::model::KeySettings;

/// How the downstream fails during an outage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutageMode {
    /// Every call is refused.
    Refuse {
        /// Time from the call to its refusal.
        after_us: u64,
    },
    /// Calls get no answer until the caller's timeout.
    Hang,
    /// A share of the calls ends in an error after the work was done.
    Errors {
        /// Share of failing calls, 0 to 1.
        share: f64,
    },
    /// Calls take longer.
    Slow {
        /// Factor on the service time, at least 1.
        factor: f64,
    },
}

/// A cold start after an outage: service is slower at first and speeds up evenly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// How long the warm-up lasts.
    pub for_us: u64,
    /// Factor on the service time at its start, at least 1; falls linearly to 1.
    pub factor: f64,
}

/// One outage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outage {
    /// When it begins.
    pub from_us: u64,
    /// When it ends (exclusive).
    pub until_us: u64,
    /// What it does.
    pub mode: OutageMode,
    /// What follows it.
    pub warm_up: Option<WarmUp>,
}

/// Who shares a limit of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RateLimitScope {
    /// All callers.
    #[default]
    Fleet,
    /// The calls for messages of one tenant: each tenant has a limit of its own.
    Tenant,
}

/// A limit of calls a second, as third parties have it: a call over it is answered at once with "too many requests".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateLimit {
    /// Calls a second.
    pub rate_per_s: f64,
    /// Calls that may come at once after a rest, at least 1.
    pub burst: u32,
    /// Who shares it.
    pub scope: RateLimitScope,
    /// Time from a call to such an answer.
    pub answer_after_us: u64,
    /// How long that answer asks the caller to wait; `None`: it does not say.
    pub retry_after_us: Option<u64>,
    /// Whether calls over the limit count against it too.
    pub counts_throttled: bool,
}

/// A pool of servers with a bounded wait.
#[derive(Debug, Clone, PartialEq)]
pub struct DownstreamSettings {
    /// Calls that are worked on at the same time, at least 1.
    pub servers: u32,
    /// Work of one call.
    pub service_time: TimeDistribution,
    /// Calls that may wait for a free server; `None`: any number.
    pub max_waiting: Option<u32>,
    /// How long a call waits for a free server before it fails; `None`: as long as it takes.
    pub acquire_timeout_us: Option<u64>,
    /// How long a call that finds the line full is held before it fails.
    pub refuse_after_us: u64,
    /// How long the caller waits for an answer in all; `None`: as long as it takes.
    pub call_timeout_us: Option<u64>,
    /// A limit of calls a second, if there is one.
    pub rate_limit: Option<RateLimit>,
    /// Factors on the work of a tenant's calls, by tenant; those beyond the end have 1.
    pub tenant_work: Vec<f64>,
    /// Keys that are checked and written together with the effect of a call, so that none takes effect twice; `None`: every
    /// good call takes effect.
    pub unique_constraint: Option<KeySettings>,
    /// Share of calls that fail at all times, 0 to 1.
    pub error_rate: f64,
    /// Work that a refused or timed-out call leaves to the servers, as a share of a good call's work.
    pub failure_cost: f64,
    /// Outages in order of time, not overlapping.
    pub outages: Vec<Outage>,
}

impl DownstreamSettings {
    /// A downstream that never fails, with so many servers and so much work a call.
    pub fn new(servers: u32, service_time: TimeDistribution) -> Self {
        Self {
            servers,
            service_time,
            max_waiting: None,
            acquire_timeout_us: None,
            refuse_after_us: MILLISECOND_US,
            call_timeout_us: None,
            rate_limit: None,
            tenant_work: Vec::new(),
            unique_constraint: None,
            error_rate: 0.0,
            failure_cost: 0.0,
            outages: Vec::new(),
        }
    }
}
