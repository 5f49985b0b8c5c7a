//! Probabilities, from runs that were one way or the other.

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// In how many of all runs something was so, and the probability that this speaks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportion {
    /// Runs in which it was so.
    pub k: u32,
    /// All runs.
    pub n: u32,
    /// Lower end of the 95 % interval of the probability (Wilson).
    pub lo: f64,
    /// Upper end of the interval.
    pub hi: f64,
}

impl Proportion {
    /// From `k` of `n` runs. Of no runs nothing is known: the interval is from 0 to 1.
    ///
    /// ```
    /// use retrystorm::study::Proportion;
    ///
    /// // None of 20 does not mean never.
    /// let none = Proportion::of(0, 20);
    /// assert_eq!(none.lo, 0.0);
    /// assert!((none.hi - 0.161).abs() < 1e-3);
    /// ```
    pub fn of(k: u32, n: u32) -> Self {
        if n == 0 {
            return Self { k: 0, n: 0, lo: 0.0, hi: 1.0 };
        }
        let k = k.min(n);
        let (count, share) = (f64::from(n), f64::from(k) / f64::from(n));
        let z_squared = Z * Z;
        let centre = (share + z_squared / (2.0 * count)) / (1.0 + z_squared / count);
        let variance = share * (1.0 - share) / count + z_squared / (4.0 * count * count);
        let half_width = Z * variance.sqrt() / (1.0 + z_squared / count);
        // The ends are exact where rounding would miss them by a hair.
        let lo = if k == 0 { 0.0 } else { (centre - half_width).max(0.0) };
        let hi = if k == n { 1.0 } else { (centre + half_width).min(1.0) };
        Self { k, n, lo, hi }
    }

    /// The share of the runs; 0 of no runs.
    pub fn share(self) -> f64 {
        if self.n == 0 { 0.0 } else { f64::from(self.k) / f64::from(self.n) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, Statistics in Medicine 17 (1998), table I, method 3, and two ends by hand.
    #[test]
    fn intervals_are_those_that_were_published() {
        let cases =
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)];
        for (k, n, lo, hi) in cases {
            let found = Proportion::of(k, n);
            assert!((found.lo - lo).abs() < 6e-5 && (found.hi - hi).abs() < 6e-5, "{k} of {n}: {found:?}");
            let turned = Proportion::of(n - k, n);
            assert!((turned.lo - (1.0 - found.hi)).abs() < 1e-12, "as often so as not so");
        }
    }

    #[test]
    fn all_and_none_have_one_certain_end() {
        assert_eq!(Proportion::of(0, 3).lo, 0.0);
        assert_eq!(Proportion::of(3, 3).hi, 1.0);
        assert_eq!((Proportion::of(0, 0).lo, Proportion::of(0, 0).hi), (0.0, 1.0));
    }
}
