//! What limits of a consumer's calls are configured with.

/// Who shares a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LimitScope {
    /// Each consumer has its own.
    #[default]
    Consumer,
    /// One for the whole fleet, as a shared counter gives it.
    Fleet,
}

/// A token bucket in front of the calls: a handler waits for its token, and holds its message meanwhile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallRateLimit {
    /// Calls a second, above 0.
    pub rate_per_s: f64,
    /// Calls that may go out at once after a rest, at least 1.
    pub burst: u32,
    /// Who shares it.
    pub scope: LimitScope,
    /// Whether each tenant has its own.
    pub per_tenant: bool,
}

/// What happens to a call that finds a limit of concurrent calls reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenFull {
    /// Its handler waits, first come first served, and holds its message meanwhile.
    #[default]
    Wait,
    /// It fails at once, without having gone out.
    Reject,
}

/// A limit of calls at the same time: a semaphore; by tenant, a bulkhead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConcurrencySettings {
    /// Calls at the same time, at least 1; where it adapts, at first.
    pub calls: u32,
    /// Who shares it.
    pub scope: LimitScope,
    /// Whether each tenant has its own.
    pub per_tenant: bool,
    /// What a call does that finds it reached.
    pub when_full: WhenFull,
    /// How it adapts, if it does.
    pub adaptive: Option<AdaptiveSettings>,
}

/// Additive increase, multiplicative decrease: the limit grows by `increase` for each limit's worth of successes, and
/// shrinks to a share at a failure of the downstream, at most once for each limit's worth of calls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveSettings {
    /// Smallest limit, at least 1.
    pub least: u32,
    /// Largest limit.
    pub most: u32,
    /// Growth for as many successes as the limit is, above 0.
    pub increase: f64,
    /// What a failure leaves of the limit, above 0 and below 1.
    pub decrease_to: f64,
}
