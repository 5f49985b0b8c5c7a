//! What a policy is configured with. Delays are whole seconds: a visibility timeout is a whole number of seconds.

use super::{BackoffSettings, ClientSettings};

/// Whether a policy does what the downstream asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RetryAfter {
    /// It pays no heed.
    #[default]
    Ignore,
    /// It waits at least as long as it was asked to.
    Honour,
}

/// What a policy does about the limit of a visibility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CeilingGuard {
    /// Nothing: the queue refuses a change that goes too far, and the lease runs on (rule Q5, twelve-hour ceiling).
    #[default]
    None,
    /// It cuts the delay to what the queue still takes.
    Remaining,
}

/// What a circuit breaker counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BreakerCounts {
    /// Failed messages, one after the other.
    #[default]
    Messages,
    /// Receive batches in which every message failed, one after the other.
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

/// A circuit breaker that stops polling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerSettings {
    /// Consecutive failures that open it, at least 1.
    pub failures: u32,
    /// What counts as one.
    pub counts: BreakerCounts,
    /// Who shares it.
    pub scope: BreakerScope,
    /// How long it stays open before one probe is let through.
    pub cooldown_us: u64,
}

/// A whole policy. By default there is none: leases expire.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PolicySettings {
    /// Delay before the next attempt.
    pub backoff: BackoffSettings,
    /// No delay of the policy is shorter, in seconds.
    pub floor_s: u32,
    /// Whether a delay is as long as the downstream asks for.
    pub retry_after: RetryAfter,
    /// What is done about delays that the queue would refuse.
    pub ceiling_guard: CeilingGuard,
    /// Retries within one receive, if any.
    pub client: Option<ClientSettings>,
    /// Circuit breaker, if any.
    pub breaker: Option<BreakerSettings>,
}
