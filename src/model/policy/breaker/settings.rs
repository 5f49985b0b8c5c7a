//! What a circuit breaker is configured with.

/// What a circuit breaker counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BreakerCounts {
    /// Failed messages.
    #[default]
    Messages,
    /// Receive batches in which every message failed.
    Batches,
}

/// Who shares a circuit breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BreakerScope {
    /// Each consumer has its own.
    #[default]
    Consumer,
    /// One for the whole fleet.
    Fleet,
}

/// Which results a share is taken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateWindow {
    /// The results of the last so long.
    Time {
        /// Length of the window, above 0.
        length_us: u64,
    },
    /// The last so many results.
    Results {
        /// How many, at least 1.
        count: u32,
    },
}

/// Opens on a share of failures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FailureRate {
    /// Smallest failed share that opens it, above 0 and at most 1.
    pub share: f64,
    /// Which results it is the share of.
    pub window: RateWindow,
    /// With fewer results in the window it does not open, at least 1.
    pub minimum: u32,
}

/// Opens on throttling that goes on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Throttling {
    /// Smallest throttled share that opens it, above 0 and at most 1.
    pub share: f64,
    /// For how long, above 0.
    pub for_us: u64,
    /// With fewer results in that time it does not open, at least 1.
    pub minimum: u32,
}

/// What opens a breaker: any of these; one at least.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BreakerTrips {
    /// Failures one after the other, at least 1.
    pub failures: Option<u32>,
    /// A share of failures.
    pub failure_rate: Option<FailureRate>,
    /// A share of throttled calls.
    pub throttling: Option<Throttling>,
}

/// How admission grows after a breaker has closed, in a straight line up to all slots.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RampUp {
    /// How long it takes, above 0.
    pub for_us: u64,
    /// The share of a consumer's slots at its start, from 0 to 1; one slot at least.
    pub from: f64,
}

/// A circuit breaker that stops polling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BreakerSettings {
    /// What opens it.
    pub trips: BreakerTrips,
    /// What counts as one result.
    pub counts: BreakerCounts,
    /// Whether errors that are the message's own fault say nothing, rather than count as failures.
    pub ignores_permanent: bool,
    /// Who shares it.
    pub scope: BreakerScope,
    /// How long it stays open before probes are let through.
    pub cooldown_us: u64,
    /// Messages that are let through as probes, at least 1; all have to succeed.
    pub probes: u32,
    /// What follows when it has closed; `None`: all slots at once.
    pub ramp_up: Option<RampUp>,
}
