//! What a policy is configured with. Delays are whole seconds: a visibility timeout is a whole number of seconds.

use super::{BreakerSettings, CallRateLimit, ConcurrencySettings, Dispositions, Misreading};

/// How a computed delay is randomised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jitter {
    /// Not at all.
    #[default]
    None,
    /// Uniform from 0 to the delay.
    Full,
    /// Half the delay, plus uniform from 0 to the other half.
    Equal,
    /// Uniform from the base to three times the previous delay.
    Decorrelated,
    /// Full jitter, but never below a floor.
    FlooredFull {
        /// The floor, in seconds.
        floor_s: u32,
    },
}

/// The delay before the next attempt, applied through ChangeMessageVisibility.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum BackoffSettings {
    /// No backoff: the lease expires.
    #[default]
    None,
    /// The same delay each time.
    Fixed {
        /// The delay, in seconds.
        delay_s: u32,
        /// Its jitter.
        jitter: Jitter,
    },
    /// One step more each time.
    Linear {
        /// First delay and increment, in seconds.
        step_s: u32,
        /// Largest delay, in seconds.
        cap_s: u32,
        /// Its jitter.
        jitter: Jitter,
    },
    /// A multiple each time.
    Exponential {
        /// First delay, in seconds.
        base_s: u32,
        /// Multiplier of each further attempt, at least 1.
        factor: f64,
        /// Largest delay, in seconds.
        cap_s: u32,
        /// Its jitter.
        jitter: Jitter,
    },
}

/// A whole policy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PolicySettings {
    /// Delay before the next attempt.
    pub backoff: BackoffSettings,
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
