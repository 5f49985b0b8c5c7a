//! Variants against a baseline, replication by replication: both had the same luck, so most of it cancels out.

use super::Estimate;
use crate::measure::Metric;

/// The metrics that variants are compared by.
pub const KEY_METRICS: [Metric; 7] = [
    Metric::DeadLetteredValid,
    Metric::DeletedUnprocessed,
    Metric::CallsWasted,
    Metric::CallsPeakPerS,
    Metric::BacklogClearedS,
    Metric::SoundAgainS,
    Metric::TimeToSuccessP99S,
];

/// What the interval of a difference says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceVerdict {
    /// The variant has less: the whole interval lies below 0.
    Less,
    /// The variant has more.
    More,
    /// The interval holds 0, or a single replication has none.
    NotShown,
}

/// A metric of a variant, less the same metric of the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Index of the variant.
    pub variant: usize,
    /// Index of the baseline.
    pub baseline: usize,
    /// What is compared.
    pub metric: Metric,
    /// The differences of the replications in which both define it.
    pub found: Estimate,
}

impl Difference {
    /// What the interval says.
    pub fn verdict(&self) -> DifferenceVerdict {
        match self.found {
            Estimate { n: 0 | 1, .. } => DifferenceVerdict::NotShown,
            Estimate { hi, .. } if hi < 0.0 => DifferenceVerdict::Less,
            Estimate { lo, .. } if lo > 0.0 => DifferenceVerdict::More,
            _ => DifferenceVerdict::NotShown,
        }
    }
}

/// The estimate of `value - times x other - plus` over the replications in which both are defined.
pub(super) fn paired(values: &[Option<f64>], others: &[Option<f64>], times: f64, plus: f64) -> Option<Estimate> {
    let pairs = values.iter().zip(others).filter_map(|(&value, &other)| Some(value? - times * other? - plus));
    Estimate::of(&pairs.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(values: &[Option<f64>], others: &[Option<f64>]) -> Option<DifferenceVerdict> {
        let found = paired(values, others, 1.0, 0.0)?;
        let difference = Difference { variant: 1, baseline: 0, metric: Metric::CallsWasted, found };
        Some(difference.verdict())
    }

    #[test]
    fn what_both_share_cancels_out() {
        // Far apart from replication to replication, and always one or two apart from each other.
        let baseline = [100.0, 900.0, 300.0, 700.0].map(Some);
        let variant = [99.0, 898.0, 299.0, 698.0].map(Some);
        let found = paired(&variant, &baseline, 1.0, 0.0).unwrap();
        assert_eq!((found.mean, found.n), (-1.5, 4));
        assert_eq!(verdict(&variant, &baseline), Some(DifferenceVerdict::Less));
        assert_eq!(verdict(&baseline, &variant), Some(DifferenceVerdict::More));
        assert_eq!(verdict(&baseline, &baseline), Some(DifferenceVerdict::NotShown));
    }

    #[test]
    fn a_replication_counts_where_both_define_the_metric() {
        let found = paired(&[Some(1.0), None, Some(3.0)], &[Some(0.0), Some(0.0), None], 1.0, 0.0).unwrap();
        assert_eq!((found.mean, found.n), (1.0, 1));
        assert_eq!(paired(&[None], &[Some(1.0)], 1.0, 0.0), None);
    }

    #[test]
    fn a_single_replication_shows_nothing() {
        assert_eq!(verdict(&[Some(5.0)], &[Some(1.0)]), Some(DifferenceVerdict::NotShown));
    }

    #[test]
    fn a_multiple_and_a_distance_may_be_taken_off() {
        let found = paired(&[Some(50.0)], &[Some(100.0)], 0.6, -5.0).unwrap();
        assert_eq!(found.mean, -5.0);
    }
}
