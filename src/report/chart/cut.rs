//! Where a common scale ends when one variant dwarfs the others.
//!
//! All small plots share one scale, since a comparison needs it. A variant that goes many times higher than all others
//! would press them flat on the axis, and nothing could be compared at all. A logarithmic scale would show them, but an
//! area below a curve means nothing on it, and zero has no place. So the scale is cut above the others: the plots that
//! go beyond it say so at their edge, and say how far.

/// Plots that go higher than this many times the median may be cut.
const FAR_ABOVE: f64 = 3.0;
/// A cut must give the others at least this many times their height.
const WORTH_IT: f64 = 2.0;
/// With fewer plots the contrast is the finding.
const FEWEST: usize = 5;

/// The highest value that the scale must hold, where it is cut; `highs` are the highest values of each plot.
pub fn scale_end(highs: &[f64]) -> Option<f64> {
    let mut ordered = highs.to_vec();
    ordered.sort_by(f64::total_cmp);
    let median = *ordered.get(ordered.len() / 2)?;
    let kept = ordered.iter().copied().filter(|high| *high <= median * FAR_ABOVE).fold(0.0, f64::max);
    let most = *ordered.last()?;
    (highs.len() >= FEWEST && kept > 0.0 && most >= kept * WORTH_IT).then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_dwarfs_the_others_is_cut() {
        let third_party = [5_093.0, 1_812.0, 2_876.0, 498.0, 510.0, 18_650.0, 5_080.0, 498.0, 3_489.0];
        assert_eq!(scale_end(&third_party), Some(5_093.0));
    }

    #[test]
    fn what_can_be_compared_is_not_cut() {
        assert_eq!(scale_end(&[168.0, 402.0, 403.0, 402.0, 469.0, 608.0, 270.0]), None);
        assert_eq!(scale_end(&[10.0, 1_000.0]), None, "with two the contrast is the finding");
        assert_eq!(scale_end(&[0.0, 0.0, 0.0, 0.0, 0.0, 9.0]), None, "nothing to compare with");
        assert_eq!(scale_end(&[]), None);
    }
}
