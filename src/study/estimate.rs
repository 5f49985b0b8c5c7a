//! Means with their intervals.

use statrs::distribution::{ContinuousCDF, StudentsT};

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
}

/// Probability below the upper end of a two-sided 95 % interval.
const UPPER_PROBABILITY: f64 = 0.975;

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
        let half_width = if values.len() < 2 { 0.0 } else { half_width(values, mean) };
        Some(Self {
            mean,
            lo: mean - half_width,
            hi: mean + half_width,
            min: values.iter().copied().fold(first, f64::min),
            max: values.iter().copied().fold(first, f64::max),
        })
    }
}

/// Half the width of the Student t interval of the mean.
fn half_width(values: &[f64], mean: f64) -> f64 {
    let freedom = (values.len() - 1) as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / freedom;
    let standard_error = (variance / values.len() as f64).sqrt();
    match StudentsT::new(0.0, 1.0, freedom) {
        // Rounded, so that the last bits of a machine's own logarithms do not reach the results.
        Ok(student) => standard_error * (student.inverse_cdf(UPPER_PROBABILITY) * 1e9).round() / 1e9,
        // Unreachable: two values and more have at least one degree of freedom.
        Err(_) => f64::INFINITY,
    }
}
