//! Means with their intervals.

use super::Proportion;
use super::student::{UPPER_PROBABILITY, student_quantile};

/// A quantity over the replications: its mean with a 95 % interval, and the extremes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Mean over the replications in which the quantity is defined.
    pub mean: f64,
    /// Lower end of the 95 % interval of the mean (Student t); equal to the mean for a single replication.
    pub lo: f64,
    /// Upper end of the interval.
    pub hi: f64,
    /// Smallest value of any replication.
    pub min: f64,
    /// Largest value of any replication.
    pub max: f64,
    /// Standard deviation between the replications; 0 for a single one.
    pub sd: f64,
    /// Replications in which the quantity is defined.
    pub n: u32,
}

impl Estimate {
    /// The estimate from independent values, one a replication; `None` where there is no value.
    ///
    /// ```
    /// use retrystorm::study::Estimate;
    ///
    /// let estimate = Estimate::of(&[2.0, 4.0, 6.0]).expect("three values");
    /// assert_eq!((estimate.mean, estimate.min, estimate.max), (4.0, 2.0, 6.0));
    /// // 4.303 standard errors of 2 / sqrt(3) to either side
    /// assert!((estimate.hi - 8.968).abs() < 1e-3);
    /// assert_eq!(Estimate::of(&[]), None);
    /// ```
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let (&first, _) = values.split_first()?;
        let mean = values.iter().sum::<f64>() / count;
        let sd = standard_deviation(values, mean);
        // One value has no spread that could be told.
        let half_width =
            if values.len() < 2 { 0.0 } else { sd / count.sqrt() * student_quantile(UPPER_PROBABILITY, count - 1.0) };
        Some(Self {
            mean,
            lo: mean - half_width,
            hi: mean + half_width,
            min: values.iter().copied().fold(first, f64::min),
            max: values.iter().copied().fold(first, f64::max),
            sd,
            n: values.len() as u32,
        })
    }

    /// Of values that are 1 where something was so and else 0: in how many it was.
    pub(crate) fn proportion(self) -> Proportion {
        Proportion::of((self.mean * f64::from(self.n)).round() as u32, self.n)
    }
}

/// The standard deviation of a population that the values are a sample of; 0 for fewer than two.
pub(super) fn standard_deviation(values: &[f64], mean: f64) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}
