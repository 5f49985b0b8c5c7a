//! What a policy is configured with. Delays are whole seconds: a visibility timeout is a whole number of seconds.

use super::{
    BackoffSettings, BreakerSettings, CallRateLimit, ClientSettings, ConcurrencySettings, Dispositions, Misreading,
};

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
    /// What is done with the message, by the kind of error.
    pub dispositions: Dispositions,
    /// How often consumers take an error for another one.
    pub misreading: Misreading,
    /// Share of dead-letterings by a consumer, 0 to 1, that crash it after the message was sent to the dead-letter queue and
    /// before it was deleted.
    pub dead_letter_crash_share: f64,
    /// Circuit breaker, if any.
    pub breaker: Option<BreakerSettings>,
    /// Limit of calls a second, if any.
    pub rate_limit: Option<CallRateLimit>,
    /// Limit of calls at the same time, if any.
    pub concurrency_limit: Option<ConcurrencySettings>,
}
