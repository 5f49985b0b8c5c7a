//! What a kind is configured with.

use super::Value;
use crate::engine::time::{SECOND_US, written};

/// A parameter of a kind.
#[derive(Debug)]
pub struct Parameter {
    /// Its key in a scenario.
    pub name: &'static str,
    /// What it says, in one line.
    pub meaning: &'static str,
    /// What it holds.
    pub kind: ParameterKind,
    /// The value where none is given; without one it has to be given.
    pub default: Option<Value>,
}

impl Parameter {
    /// The default as a scenario writes it.
    pub fn default_written(&self) -> Option<String> {
        self.default.as_ref().map(Value::written)
    }
}

/// What a parameter holds, and within which range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterKind {
    /// A duration that a queue takes: whole seconds.
    Seconds {
        /// The smallest.
        from_s: u32,
        /// The largest.
        to_s: u32,
    },
    /// Any duration.
    Duration {
        /// The smallest.
        from_us: u64,
        /// The largest.
        to_us: u64,
    },
    /// A whole number.
    Count {
        /// The smallest.
        from: u64,
        /// The largest.
        to: u64,
    },
    /// A number.
    Number {
        /// The smallest.
        from: f64,
        /// The largest.
        to: f64,
    },
    /// How often something happens: above 0.
    Rate,
    /// A share, from 0 to 1.
    Share,
    /// Yes or no.
    Switch,
    /// A list of durations that a queue takes, with at least one item.
    SecondsList {
        /// The smallest item.
        from_s: u32,
        /// The largest item.
        to_s: u32,
        /// Most items.
        most: usize,
    },
    /// How the delay is randomised.
    Jitter {
        /// Which jitters.
        choice: JitterChoice,
        /// The parameter that a floor of the jitter must not be above.
        limit: Option<&'static str>,
    },
}

/// Which jitters a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JitterChoice {
    /// All of them.
    Any,
    /// All but the one that grows from delay to delay: there is no cap to stop it.
    Steady,
    /// These.
    Only(&'static [&'static str]),
}

impl ParameterKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seconds { .. } => "whole seconds",
            Self::Duration { .. } => "duration",
            Self::Count { .. } => "count",
            Self::Number { .. } => "number",
            Self::Rate => "rate",
            Self::Share => "share",
            Self::Switch => "switch",
            Self::SecondsList { .. } => "list of whole seconds",
            Self::Jitter { .. } => "jitter",
        }
    }

    /// The range in words.
    pub fn allowed(self) -> String {
        let seconds = |from_s: u32, to_s: u32| {
            format!("{} to {}", written(u64::from(from_s) * SECOND_US), written(u64::from(to_s) * SECOND_US))
        };
        match self {
            Self::Seconds { from_s, to_s } => seconds(from_s, to_s),
            Self::Duration { from_us, to_us } => format!("{} to {}", written(from_us), written(to_us)),
            Self::Count { from, to } => format!("{from} to {to}"),
            Self::Number { from, to } => format!("{from} to {to}"),
            Self::Rate => "above 0".to_owned(),
            Self::Share => "0% to 100%".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::SecondsList { from_s, to_s, most } => format!("1 to {most} items of {}", seconds(from_s, to_s)),
            Self::Jitter { choice: JitterChoice::Any, .. } => "any jitter".to_owned(),
            Self::Jitter { choice: JitterChoice::Steady, .. } => "any jitter but decorrelated".to_owned(),
            Self::Jitter { choice: JitterChoice::Only(names), .. } => names.join(", "),
        }
    }
}
