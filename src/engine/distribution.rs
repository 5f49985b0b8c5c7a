//! Distributions of durations.

/// How long something takes: a distribution over durations, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeDistribution {
    /// Always the same duration.
    Constant {
        /// The duration.
        value_us: u64,
    },
    /// Memoryless: many short ones, a few long ones.
    Exponential {
        /// The mean.
        mean_us: f64,
    },
    /// The usual shape of measured latencies, given as people measure it.
    LogNormal {
        /// The mean.
        mean_us: f64,
        /// The 99th percentile; above the mean, and within what a lognormal of that mean can reach.
        p99_us: f64,
    },
}
