//! Distributions of durations.

use rand::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};

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

/// The 99th percentile of the standard normal distribution.
pub const NORMAL_P99: f64 = 2.326_347_874_040_840_8;

/// The largest ratio of 99th percentile to mean that a lognormal distribution can have: e^(z²/2), about 14.97.
pub fn largest_lognormal_p99_ratio() -> f64 {
    libm::exp(NORMAL_P99 * NORMAL_P99 / 2.0)
}

impl TimeDistribution {
    /// The mean, in microseconds.
    pub fn mean_us(&self) -> f64 {
        match *self {
            Self::Constant { value_us } => value_us as f64,
            Self::Exponential { mean_us } | Self::LogNormal { mean_us, .. } => mean_us,
        }
    }

    /// Whether every duration is zero.
    pub fn is_zero(&self) -> bool {
        *self == Self::Constant { value_us: 0 }
    }

    /// What is to be computed once, before many draws.
    pub fn sampler(&self) -> TimeSampler {
        match *self {
            Self::Constant { value_us } => TimeSampler::Constant { value_us },
            Self::Exponential { mean_us } => TimeSampler::Exponential { mean_us },
            Self::LogNormal { mean_us, p99_us } => {
                let (location, scale) = lognormal_parameters(mean_us, p99_us);
                TimeSampler::LogNormal { location, scale }
            }
        }
    }
}

/// A lognormal variable is e^(m + s Z). Its mean is e^(m + s²/2) and its 99th percentile e^(m + z s), so that
/// s² / 2 - z s + ln(p99 / mean) = 0; the smaller root is the one with the shorter tail.
fn lognormal_parameters(mean_us: f64, p99_us: f64) -> (f64, f64) {
    let log_ratio = libm::log(p99_us / mean_us);
    let scale = NORMAL_P99 - (NORMAL_P99 * NORMAL_P99 - 2.0 * log_ratio).max(0.0).sqrt();
    (libm::log(mean_us) - scale * scale / 2.0, scale)
}

/// A distribution, ready to be drawn from. Every drawn duration is turned into whole microseconds at once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeSampler {
    /// Always the same duration.
    Constant {
        /// The duration.
        value_us: u64,
    },
    /// Memoryless.
    Exponential {
        /// The mean.
        mean_us: f64,
    },
    /// e^(location + scale Z).
    LogNormal {
        /// Mean of the logarithm.
        location: f64,
        /// Standard deviation of the logarithm.
        scale: f64,
    },
}

impl TimeSampler {
    /// Draws a duration, in microseconds.
    #[inline]
    pub fn sample(&self, random: &mut impl Rng) -> u64 {
        match *self {
            Self::Constant { value_us } => value_us,
            Self::Exponential { mean_us } => {
                let unit: f64 = Exp1.sample(random);
                (unit * mean_us + 0.5) as u64
            }
            Self::LogNormal { location, scale } => {
                let normal: f64 = StandardNormal.sample(random);
                // libm, not the platform's: the same bits on every machine.
                (libm::exp(location + scale * normal) + 0.5) as u64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Streams;

    /// Mean and 99th percentile of many draws.
    fn drawn(distribution: TimeDistribution) -> (f64, f64) {
        let sampler = distribution.sampler();
        let mut random = Streams::new(11, 0).sequential("test", 0);
        let mut values: Vec<u64> = (0..400_000).map(|_| sampler.sample(&mut random)).collect();
        values.sort_unstable();
        (values.iter().sum::<u64>() as f64 / values.len() as f64, values[values.len() * 99 / 100] as f64)
    }

    #[test]
    fn an_exponential_has_its_mean_and_its_tail() {
        let (mean, p99) = drawn(TimeDistribution::Exponential { mean_us: 54_000.0 });
        approx::assert_relative_eq!(mean, 54_000.0, max_relative = 0.01);
        approx::assert_relative_eq!(p99, 54_000.0 * 100_f64.ln(), max_relative = 0.02);
    }

    #[test]
    fn a_lognormal_has_the_mean_and_the_p99_that_were_asked_for() {
        for (mean_us, p99_us) in [(20_000.0, 90_000.0), (1_000.0, 14_000.0), (50_000.0, 51_000.0)] {
            let (mean, p99) = drawn(TimeDistribution::LogNormal { mean_us, p99_us });
            approx::assert_relative_eq!(mean, mean_us, max_relative = 0.03);
            approx::assert_relative_eq!(p99, p99_us, max_relative = 0.04);
        }
    }

    /// Features of other crates can change the last bits of a draw; whole microseconds must not notice. A change of
    /// these numbers changes every published result.
    #[test]
    fn golden_fingerprint() {
        let streams = Streams::new(42, 0);
        let fingerprint = |distribution: TimeDistribution| {
            let sampler = distribution.sampler();
            (0..10_000).fold(0_u64, |hash, message| {
                let value = sampler.sample(&mut streams.keyed("fingerprint").draw(message, 1));
                (hash ^ value).wrapping_mul(0x0100_0000_01b3)
            })
        };
        assert_eq!(fingerprint(TimeDistribution::Exponential { mean_us: 1e6 }), 12_439_960_949_745_786_820);
        assert_eq!(fingerprint(TimeDistribution::LogNormal { mean_us: 1e6, p99_us: 5e6 }), 8_178_515_563_695_399_169);
    }
}
