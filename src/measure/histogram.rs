//! A distribution of durations: exact count, mean and extremes; quantiles to 0.1 %.

use hdrhistogram::Histogram;

/// A distribution of durations, recorded in microseconds.
#[derive(Debug, Clone)]
pub struct TimeHistogram {
    /// Buckets in milliseconds; three significant digits.
    buckets_ms: Histogram<u64>,
    sum_us: u128,
    min_us: u64,
    max_us: u64,
}

impl Default for TimeHistogram {
    fn default() -> Self {
        Self {
            buckets_ms: Histogram::new(3).expect("three significant digits are within the library's range"),
            sum_us: 0,
            min_us: u64::MAX,
            max_us: 0,
        }
    }
}

impl TimeHistogram {
    /// Records one duration.
    pub fn record(&mut self, duration_us: u64) {
        // Not the saturating call: that one clamps to the current range instead of growing.
        self.buckets_ms.record(duration_us / 1_000).expect("an automatically growing histogram takes any value");
        self.sum_us += u128::from(duration_us);
        self.min_us = self.min_us.min(duration_us);
        self.max_us = self.max_us.max(duration_us);
    }

    /// Adds all that another one holds.
    pub fn merge(&mut self, other: &Self) {
        self.buckets_ms.add(&other.buckets_ms).expect("an automatically growing histogram takes any other");
        self.sum_us += other.sum_us;
        self.min_us = self.min_us.min(other.min_us);
        self.max_us = self.max_us.max(other.max_us);
    }

    /// Number of recorded durations.
    pub fn count(&self) -> u64 {
        self.buckets_ms.len()
    }

    /// Exact mean, in seconds; `None` where nothing was recorded.
    pub fn mean_s(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum_us as f64 / self.count() as f64 / 1e6)
    }

    /// Exact largest duration, in seconds.
    pub fn max_s(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.max_us as f64 / 1e6)
    }

    /// The duration that a share `quantile` (0 to 1) of the durations does not exceed, in seconds, to 0.1 %.
    pub fn quantile_s(&self, quantile: f64) -> Option<f64> {
        (self.count() > 0).then(|| {
            let value_us = self.buckets_ms.value_at_quantile(quantile) * 1_000;
            value_us.clamp(self.min_us, self.max_us) as f64 / 1e6
        })
    }

    /// The recorded durations as steps in ascending order: upper bound in seconds, and how many durations end there.
    pub fn steps(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.buckets_ms.iter_recorded().map(|step| (step.value_iterated_to() as f64 / 1e3, step.count_at_value()))
    }
}
