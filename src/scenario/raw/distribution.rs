//! Distributions of durations as they are written.

use crate::scenario::language::{mapping, one_of};
use crate::scenario::value::Duration;

one_of! {
    /// How long something takes: always the same duration, or a distribution.
    RawDistribution is "a duration or a distribution" {
        plain Constant(Duration), "50ms";
        kind "exponential" = Exponential(Duration), "Memoryless, with the given mean: many short ones, a few long ones.";
        kind "lognormal" = Lognormal(RawLognormal), "The usual shape of measured latencies.";
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
