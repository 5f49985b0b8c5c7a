//! Retry policies: what a consumer does with a message after a failed attempt.
//!
//! A policy decides, it does not act: [`RetryPolicy`] turns a [`FailedAttempt`] into a [`Disposition`].

mod backoff;
mod backoff_policy;
mod breaker;
pub mod catalogue;
mod client;
mod concurrency;
mod dispositions;
mod jitter;
mod limits;
mod load_controls;
mod settings;
mod spread;

pub use backoff::{BACKOFFS, Backoff, BackoffKind, BackoffSettings, DelayLaw, LONGEST_S, Range, backoff};
pub use backoff_policy::BackoffPolicy;
pub use breaker::{
    Admission, Breaker, BreakerChange, BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, CallOutcome,
    FailureRate, Growth, Probe, RampUp, RateWindow, Throttling,
};
pub use client::{CLIENTS, CallAdmission, Client, ClientKind, ClientRules, ClientSettings, client};
pub use concurrency::{Admitted, ConcurrencyLimit};
pub use dispositions::{ClassDisposition, Dispositions, Misreading, PolicyOf};
pub use jitter::{JITTERS, Jitter, JitterKind};
pub use limits::{AdaptiveSettings, CallRateLimit, ConcurrencySettings, LimitScope, WhenFull};
pub use load_controls::LOAD_CONTROLS;
pub use settings::{CeilingGuard, PolicySettings, RetryAfter};
pub use spread::Spread;

use crate::engine::random::KeyedDraw;

/// Why an attempt failed, as the consumer sees it. A consumer that misreads an error sees another one than there was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptError {
    /// The downstream did not take the call: it is down, or has no place left.
    Refused,
    /// No answer within the caller's patience.
    TimedOut,
    /// The downstream worked on the call and answered with an error.
    Errored,
    /// The downstream has a limit of calls, and this one was over it.
    Throttled,
    /// The consumer's own client did not let the call out.
    Rejected,
    /// The message itself is at fault: no attempt will ever succeed.
    Permanent,
    /// An error that the consumer can make nothing of.
    Unknown,
}

impl AttemptError {
    /// The kind that consumers tell apart.
    #[inline]
    pub fn class(self) -> ErrorClass {
        match self {
            Self::Refused | Self::TimedOut | Self::Errored | Self::Rejected => ErrorClass::Transient,
            Self::Throttled => ErrorClass::Throttled,
            Self::Permanent => ErrorClass::Permanent,
            Self::Unknown => ErrorClass::Unknown,
        }
    }
}

/// The kinds of errors that consumers tell apart, to do something else with the message for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// Likely to go away by itself.
    Transient,
    /// Too many calls: likely to go away with fewer.
    Throttled,
    /// Will never go away.
    Permanent,
    /// The consumer cannot say.
    Unknown,
}

/// What a policy knows of a failed attempt. A real consumer knows the same: all of it comes with the message or from
/// the consumer's own clock, but for `previous_delay_s`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Receives of the message so far, this one included; the first has 1 (rule Q6, receive count).
    pub receive_count: u32,
    /// Tries within this receive so far, this one included; the first has 1.
    pub tries: u32,
    /// What went wrong.
    pub error: AttemptError,
    /// Time since the message's first receive.
    pub since_first_receive_us: u64,
    /// Time until this receive's lease ends; 0 where it has ended already.
    pub lease_left_us: u64,
    /// The visibility that this policy set at the message's previous failure. A queue does not carry it: a real consumer
    /// needs a store of its own for it.
    pub previous_delay_s: Option<u32>,
    /// How long the downstream has asked its caller to wait, if it did.
    pub retry_after_us: Option<u64>,
    /// The longest visibility that the queue still takes for this receive (rule Q5, twelve-hour ceiling).
    pub visibility_left_us: u64,
}

/// What is to be done with a message after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// Nothing: the lease runs out and the message comes back (rule Q1, expired lease).
    LetLeaseExpire,
    /// Change the message's visibility: it comes back after that many seconds from now (rule Q4, change replaces).
    ChangeVisibility {
        /// The new visibility timeout, in seconds.
        delay_s: u32,
    },
    /// Send it to the dead-letter queue and delete it.
    DeadLetter,
    /// Delete it, unprocessed.
    Delete,
    /// Write it down somewhere else, and delete it.
    RecordAndDelete,
    /// Send a copy of it to its queue, and delete it: a new message, whose receive count and age begin anew.
    Resend,
    /// Keep the slot and the message, and try again.
    RetryInProcess {
        /// Sleep before the next try.
        after_us: u64,
    },
}

/// The extension point: a policy of one's own.
///
/// A policy must not keep state: it is asked by many consumers, in any order, and two runs with the same seed must get
/// the same answers. What it may use is the attempt and the random draw, which belongs to the message and the attempt.
///
/// # Example
/// A policy that knows the vendor's maintenance habit: a short wait at first, then one long one, and no third chance
/// for messages that the downstream has called invalid.
///
/// ```
/// use retrystorm::engine::random::{KeyedDraw, Streams};
/// use retrystorm::model::policy::{AttemptError, Disposition, FailedAttempt, RetryPolicy};
///
/// struct TwoSteps;
///
/// impl RetryPolicy for TwoSteps {
///     fn decide(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition {
///         match (attempt.error, attempt.receive_count) {
///             (AttemptError::Permanent, _) => Disposition::DeadLetter,
///             (_, 1) => Disposition::ChangeVisibility { delay_s: 5 + draw.up_to(5) },
///             _ => Disposition::ChangeVisibility { delay_s: 600 },
///         }
///     }
/// }
///
/// let attempt = FailedAttempt {
///     receive_count: 1,
///     tries: 1,
///     error: AttemptError::Refused,
///     since_first_receive_us: 0,
///     lease_left_us: 30_000_000,
///     previous_delay_s: None,
///     retry_after_us: None,
///     visibility_left_us: 43_200_000_000,
/// };
/// let mut draw = Streams::new(42, 0).keyed("jitter").draw(0, 1);
/// let Disposition::ChangeVisibility { delay_s } = TwoSteps.decide(&attempt, &mut draw) else { panic!() };
/// assert!((5..=10).contains(&delay_s));
/// ```
///
/// [`simulate_with`](crate::simulation::simulate_with) runs it.
pub trait RetryPolicy: Send + Sync {
    /// Decides what happens after a failed attempt.
    fn decide(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition;
}
