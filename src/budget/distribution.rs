//! A distribution of times, however it was found.

use super::Moment;
use super::sums::Wait;

/// Times in ascending order, and their chances.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Distribution {
    /// How fine it is: 1 where it is exact.
    pub grid_s: u64,
    /// Times in seconds, and their chances.
    pub cases: Vec<(f64, f64)>,
}

impl Distribution {
    /// One time, for sure.
    pub fn exactly(at_s: f64) -> Self {
        Self { grid_s: 1, cases: vec![(at_s, 1.0)] }
    }

    /// The smallest time that at least this share of the cases does not exceed.
    pub fn quantile_s(&self, share: f64) -> f64 {
        /// What rounding may have taken from a sum of chances.
        const ROUNDED: f64 = 1e-9;
        let mut sum = 0.0;
        let reached = self.cases.iter().find(|(_, chance)| {
            sum += chance;
            sum >= share - ROUNDED
        });
        reached.or(self.cases.last()).map_or(0.0, |(at_s, _)| *at_s)
    }

    /// When that is, with a constant time on top; mean and ends are known.
    pub fn moment(&self, constant_s: f64, Wait { mean_s, low_s, high_s }: Wait) -> Moment {
        let quantile_s = |share| (self.quantile_s(share) + constant_s).clamp(low_s, high_s);
        Moment { mean_s, low_s, p50_s: quantile_s(0.5), p95_s: quantile_s(0.95), p99_s: quantile_s(0.99), high_s }
    }
}
