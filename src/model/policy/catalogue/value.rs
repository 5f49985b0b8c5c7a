//! Values of parameters.

use super::About;
use crate::engine::time::{SECOND_US, written};
use crate::model::policy::Jitter;
use std::borrow::Cow;

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A duration.
    Duration {
        /// The duration in microseconds.
        us: u64,
    },
    /// A whole number.
    Count(u64),
    /// A number.
    Number(f64),
    /// How often something happens.
    Rate {
        /// Times a second.
        per_s: f64,
    },
    /// A share, from 0 to 1.
    Share(f64),
    /// Yes or no.
    Switch(bool),
    /// A list of durations in microseconds.
    Durations(Cow<'static, [u64]>),
    /// How a delay is randomised.
    Jitter(Jitter),
}

impl Value {
    /// A duration of whole seconds.
    pub const fn seconds(seconds: u32) -> Self {
        Self::Duration { us: seconds as u64 * SECOND_US }
    }

    /// A duration of whole milliseconds.
    pub const fn milliseconds(milliseconds: u32) -> Self {
        Self::Duration { us: milliseconds as u64 * 1_000 }
    }

    /// A list of durations of whole seconds.
    pub fn list_of_seconds(seconds: impl IntoIterator<Item = u32>) -> Self {
        Self::Durations(seconds.into_iter().map(|seconds| u64::from(seconds) * SECOND_US).collect())
    }

    /// The value as a scenario writes it.
    pub fn written(&self) -> String {
        match self {
            Self::Duration { us } => written(*us),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Rate { per_s } => format!("{per_s}/s"),
            Self::Share(share) => format!("{}%", share * 100.0),
            Self::Switch(switch) => switch.to_string(),
            Self::Durations(list) => {
                let items: Vec<String> = list.iter().map(|us| written(*us)).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Jitter(jitter) => jitter.written(),
        }
    }
}

/// The checked values of all parameters of a kind.
#[derive(Debug, Clone)]
pub struct Values {
    about: &'static About,
    /// In the order of the kind's parameters.
    values: Vec<Value>,
}

/// What a kind asks for is what it declares; a test builds every kind.
const DECLARED: &str = "a kind reads the parameters that it declares, as what it declares them";

impl Values {
    pub(super) fn new(about: &'static About, values: Vec<Value>) -> Self {
        Self { about, values }
    }

    /// A value by the name of its parameter.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let place = self.about.parameters.iter().position(|parameter| parameter.name == name)?;
        self.values.get(place)
    }

    /// A duration in microseconds.
    pub fn us(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(Value::Duration { us }) => *us,
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }

    /// A duration in whole seconds.
    pub fn seconds(&self, name: &str) -> u32 {
        u32::try_from(self.us(name) / SECOND_US).unwrap_or(u32::MAX)
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> u64 {
        match self.get(name) {
            Some(Value::Count(count)) => *count,
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }

    /// A number or a share.
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Some(Value::Number(number) | Value::Share(number)) => *number,
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }

    /// Yes or no.
    pub fn switch(&self, name: &str) -> bool {
        match self.get(name) {
            Some(Value::Switch(switch)) => *switch,
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }

    /// A list of durations in whole seconds; never empty.
    pub fn list_of_seconds(&self, name: &str) -> Vec<u32> {
        match self.get(name) {
            Some(Value::Durations(list)) => {
                list.iter().map(|us| u32::try_from(us / SECOND_US).unwrap_or(u32::MAX)).collect()
            }
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }

    /// How a delay is randomised.
    pub fn jitter(&self, name: &str) -> Jitter {
        match self.get(name) {
            Some(Value::Jitter(jitter)) => *jitter,
            _ => unreachable!("{name}: {DECLARED}"),
        }
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.about.name == other.about.name && self.values == other.values
    }
}
