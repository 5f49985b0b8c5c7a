//! Distributions of durations as they are written.

use crate::scenario::language::{List, mapping, one_of};
use crate::scenario::value::Duration;

one_of! {
    /// How long something takes: always the same duration, or a distribution.
    RawDistribution is "a duration or a distribution" {
        plain Constant(Duration), "50ms";
        kind "exponential" = Exponential(Duration), "Memoryless, with the given mean: many short ones, a few long ones.";
        kind "lognormal" = Lognormal(RawLognormal), "The usual shape of measured latencies.";
    }
}

one_of! {
    /// How long a handler works on a message: a distribution as elsewhere, or durations listed message by message.
    RawHandlerTime is "a duration, a distribution or a list" {
        plain Constant(Duration), "50ms";
        kind "exponential" = Exponential(Duration), "Memoryless, with the given mean: many short ones, a few long ones.";
        kind "lognormal" = Lognormal(RawLognormal), "The usual shape of measured latencies.";
        kind "in_turn" = InTurn(List<Duration>), "The first message takes the first of them, and so on; then from the front again.";
    }
}

impl RawHandlerTime {
    /// The distribution that it is, if it is one.
    pub fn distribution(&self) -> Option<RawDistribution> {
        match self {
            Self::Constant(value) => Some(RawDistribution::Constant(value.clone())),
            Self::Exponential(mean) => Some(RawDistribution::Exponential(mean.clone())),
            Self::Lognormal(raw) => Some(RawDistribution::Lognormal(raw.clone())),
            Self::InTurn(_) => None,
        }
    }
}

mapping! {
    /// A lognormal distribution, given as people measure it.
    RawLognormal is "a lognormal distribution" {
        /// The mean.
        mean: Duration = required,
        /// The 99th percentile; above the mean, and at most about 15 times the mean.
        p99: Duration = required,
    }
}
