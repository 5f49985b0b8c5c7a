//! The arithmetic of backoff and jitter, in whole seconds: a visibility timeout is a whole number of seconds.
//!
//! A backoff is one file that declares its [`BackoffKind`], and one line in [`BACKOFFS`].

mod celery;
mod decorrelated;
mod delays;
mod exponential;
mod fixed;
mod intervals;
mod linear;
mod masstransit;
mod masstransit_incremental;
mod none;
mod shoryuken;
mod sidekiq;
mod spring_exponential;
mod spring_linear;
#[cfg(test)]
mod tests;

pub use delays::{Backoff, DelayLaw, Range};

use super::catalogue::{JitterChoice, Kind, Parameter, ParameterKind, Settings, Value, find};
use super::jitter::Jitter;

/// A backoff of the catalogue; what it builds is `None` where the lease is left to expire.
pub type BackoffKind = Kind<Option<Backoff>>;

/// Which backoff, and with what parameters.
pub type BackoffSettings = Settings<Option<Backoff>>;

/// All backoffs: our own, then those of libraries. One line each.
pub static BACKOFFS: &[&BackoffKind] = &[
    &none::KIND,
    &fixed::KIND,
    &linear::KIND,
    &exponential::KIND,
    &intervals::KIND,
    &spring_exponential::KIND,
    &spring_linear::KIND,
    &shoryuken::KIND,
    &celery::KIND,
    &masstransit::KIND,
    &masstransit_incremental::KIND,
    &sidekiq::KIND,
];

/// The queue refuses to hide a message any longer (rule Q5, twelve-hour ceiling).
pub const LONGEST_S: u32 = 43_200;

/// A backoff by its name.
///
/// ```
/// use retrystorm::model::policy::catalogue::{Settings, Value};
/// use retrystorm::model::policy::{Jitter, backoff};
///
/// let kind = backoff("exponential").expect("it is in the catalogue");
/// let given = [("base", Value::seconds(10)), ("cap", Value::seconds(300)), ("jitter", Value::Jitter(Jitter::Full))];
/// let settings = Settings::new(kind, &given)?;
/// assert!(settings.build().is_some_and(|backoff| backoff.range(6).high_s == 300));
/// # Ok::<(), retrystorm::model::policy::catalogue::Refusal>(())
/// ```
pub fn backoff(name: &str) -> Option<&'static BackoffKind> {
    find(BACKOFFS, name)
}

impl Default for BackoffSettings {
    /// No backoff: the lease expires.
    fn default() -> Self {
        Self::of_example(&none::KIND)
    }
}

/// A delay of whole seconds that the queue takes; has to be given.
const fn delay(name: &'static str, meaning: &'static str, from_s: u32) -> Parameter {
    Parameter { name, meaning, kind: ParameterKind::Seconds { from_s, to_s: LONGEST_S }, default: None }
}

/// A delay of at least 1 s that a library has a default for.
const fn usual_delay(name: &'static str, meaning: &'static str, default_s: u32) -> Parameter {
    Parameter {
        name,
        meaning,
        kind: ParameterKind::Seconds { from_s: 1, to_s: LONGEST_S },
        default: Some(Value::seconds(default_s)),
    }
}

/// How the delay is randomised; by default not at all.
const fn jitter(choice: JitterChoice, limit: Option<&'static str>) -> Parameter {
    Parameter {
        name: "jitter",
        meaning: "How the delay is randomised.",
        kind: ParameterKind::Jitter { choice, limit },
        default: Some(Value::Jitter(Jitter::None)),
    }
}

/// The largest delay; by default what the queue takes.
const CAP: Parameter = Parameter {
    name: "cap",
    meaning: "Largest delay.",
    kind: ParameterKind::Seconds { from_s: 1, to_s: LONGEST_S },
    default: Some(Value::seconds(LONGEST_S)),
};

/// What each further attempt multiplies the delay with.
const fn factor(name: &'static str) -> Parameter {
    Parameter {
        name,
        meaning: "Multiplier of each further attempt, at least 1.",
        kind: ParameterKind::Number { from: 1.0, to: 1_000_000.0 },
        default: Some(Value::Number(2.0)),
    }
}
