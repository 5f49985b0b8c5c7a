//! The distribution that means of few values follow.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Probability below the upper end of a two-sided 95 % interval.
pub(super) const UPPER_PROBABILITY: f64 = 0.975;

/// The value that a Student t of so many degrees of freedom stays below with a probability.
///
/// Rounded, so that the last bits of a machine's own logarithms do not reach the results.
pub(super) fn student_quantile(probability: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) => (student.inverse_cdf(probability) * 1e9).round() / 1e9,
        // No degree of freedom: nothing is known.
        Err(_) => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected) in [(1.0, 12.706), (4.0, 2.776), (19.0, 2.093), (120.0, 1.980)] {
            let found = student_quantile(UPPER_PROBABILITY, freedom);
            assert!((found - expected).abs() < 5e-4, "{freedom}: {found}");
        }
        assert_eq!(student_quantile(UPPER_PROBABILITY, 0.0), f64::INFINITY);
    }
}
