//! Two means of two studies against each other.

use super::student::student_quantile;

/// What is known of a quantity in one study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation between the replications.
    pub sd: f64,
    /// Replications in which it was defined.
    pub n: u32,
}

/// The difference of two means, new less old, with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Welch {
    /// The difference.
    pub difference: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Welch {
    /// After Welch (Biometrika 34, 1947): independent samples whose variances may differ. `level` is the probability
    /// that the interval leaves out the truth. `None` where a sample has fewer than two values.
    ///
    /// ```
    /// use retrystorm::study::{Sample, Welch};
    ///
    /// let old = Sample { mean: 20.0, sd: 4.0, n: 16 };
    /// let new = Sample { mean: 25.0, sd: 3.0, n: 9 };
    /// let found = Welch::of(old, new, 0.05).expect("two samples");
    /// // 5 ± 2.086 x sqrt(1 + 1), with 20.9 degrees of freedom
    /// assert!((found.lo - 2.058).abs() < 2e-3 && (found.hi - 7.942).abs() < 2e-3);
    /// ```
    pub fn of(old: Sample, new: Sample, level: f64) -> Option<Self> {
        if old.n < 2 || new.n < 2 {
            return None;
        }
        let difference = new.mean - old.mean;
        let [of_old, of_new] = [old, new].map(|sample| sample.sd * sample.sd / f64::from(sample.n));
        let variance = of_old + of_new;
        if variance == 0.0 {
            // Every run was alike, in both: what differs, differs.
            return Some(Self { difference, lo: difference, hi: difference });
        }
        let freedom =
            variance * variance / (of_old * of_old / f64::from(old.n - 1) + of_new * of_new / f64::from(new.n - 1));
        let half_width = student_quantile(1.0 - level / 2.0, freedom) * variance.sqrt();
        Some(Self { difference, lo: difference - half_width, hi: difference + half_width })
    }

    /// Whether the interval leaves out 0.
    pub fn is_shown(self) -> bool {
        self.lo > 0.0 || self.hi < 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_and_itself_do_not_differ() {
        for sd in [0.0, 3.0] {
            let sample = Sample { mean: 20.0, sd, n: 10 };
            assert!(!Welch::of(sample, sample, 0.05).unwrap().is_shown());
        }
    }

    #[test]
    fn constants_differ_or_do_not() {
        let constant = |mean| Sample { mean, sd: 0.0, n: 2 };
        assert!(Welch::of(constant(1.0), constant(2.0), 0.05).unwrap().is_shown());
        assert_eq!(Welch::of(constant(1.0), Sample { n: 1, ..constant(2.0) }, 0.05), None);
    }

    #[test]
    fn a_stricter_level_is_a_wider_interval() {
        let (old, new) = (Sample { mean: 10.0, sd: 2.0, n: 8 }, Sample { mean: 13.0, sd: 2.0, n: 8 });
        assert!(Welch::of(old, new, 0.05).unwrap().is_shown());
        assert!(!Welch::of(old, new, 0.05 / 100.0).unwrap().is_shown());
    }
}
