//! Scales for values: with equal distances, or where values lie decades apart with equal ratios.
//!
//! All small plots share one scale, since a comparison needs it. A variant that goes many times higher than all others
//! would press them flat on the axis, and a scale that is cut would hide how high it goes: where that is so, the scale is
//! logarithmic. Two or a few plots keep equal distances: there the contrast is the finding.

use super::axis::value_ticks;

/// Values whose greatest is this many times the least, or more, stand in ratios.
const WIDE: f64 = 30.0;
/// Share of a logarithmic scale below its least positive value, where there are zeros.
const ROOM_FOR_ZERO: f64 = 0.12;
/// Most decades that are shown; what is smaller stands near the lower end.
const MOST_DECADES: f64 = 6.0;
/// Plots that go higher than this many times the median dwarf the others.
const FAR_ABOVE: f64 = 3.0;
/// And higher than this many times the highest of the others.
const FAR_ABOVE_NEXT: f64 = 3.0;
/// With fewer plots the contrast is the finding.
const FEWEST: usize = 5;
/// A common logarithmic scale begins this far below the least of the plots' highest values.
const BELOW_LEAST: f64 = 3.0;

/// Where values stand between the ends of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    lowest: f64,
    highest: f64,
    /// Whether equal distances are equal ratios; the ends are then decimal logarithms.
    pub is_logarithmic: bool,
    /// Where the logarithms begin, as a share.
    starts_at: f64,
}

/// A scale and the round values to label on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueAxis {
    /// Where values stand.
    pub scale: Scale,
    /// Round values, from low to high.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// From zero to a value, with equal distances.
    pub const fn up_to(highest: f64) -> Self {
        Self { lowest: 0.0, highest, is_logarithmic: false, starts_at: 0.0 }
    }

    /// Where a value stands, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        if !self.is_logarithmic {
            return ((value - self.lowest) / (self.highest - self.lowest)).clamp(0.0, 1.0);
        }
        let least = libm::pow(10.0, self.lowest);
        if value < least {
            return self.starts_at * (value / least).max(0.0);
        }
        let share = ((libm::log10(value) - self.lowest) / (self.highest - self.lowest)).clamp(0.0, 1.0);
        self.starts_at + (1.0 - self.starts_at) * share
    }
}

impl ValueAxis {
    /// An axis on which all of these values have a place.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let positive = || values.iter().copied().filter(|value| *value > 0.0);
        let (least, most) = (positive().fold(f64::INFINITY, f64::min), positive().fold(0.0, f64::max));
        let has_negative = values.iter().any(|value| *value < 0.0);
        if !has_negative && most > 0.0 && most / least >= WIDE {
            return Self::logarithmic(least, most, values.contains(&0.0), &[1.0, 2.0, 5.0]);
        }
        let (lowest, highest) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
        if lowest.is_finite() { Self::linear(lowest, highest) } else { Self::linear(0.0, 1.0) }
    }

    /// From zero through about so many round values to the first that covers the highest.
    pub fn from_zero(highest: f64, about: usize) -> Self {
        Self::through(value_ticks(highest, about))
    }

    /// From zero through these values.
    pub fn through(ticks: Vec<f64>) -> Self {
        Self { scale: Scale::up_to(ticks.last().copied().unwrap_or(1.0)), ticks }
    }

    /// The axis that small plots share, with about so many ticks; `highs` are the highest values of each.
    pub fn common(highs: &[f64], about: usize) -> Self {
        let most = highs.iter().copied().fold(0.0, f64::max);
        if !are_dwarfed(highs) {
            return Self::from_zero(most, about);
        }
        let least = highs.iter().copied().filter(|high| *high > 0.0).fold(most, f64::min) / BELOW_LEAST;
        let mut axis = Self::logarithmic(least, most, true, &[1.0]);
        let decades = axis.ticks.len() - 1;
        let each = decades.div_ceil(about.max(2));
        // Counted from the top, so that the highest values are labelled.
        let mut number = 0..;
        axis.ticks.retain(|tick| {
            *tick == 0.0 || number.next().is_some_and(|n: usize| (decades - 1 - n).is_multiple_of(each))
        });
        axis
    }

    /// What a reader must know about it, for subtitles, with a blank at its end; empty where there is nothing to know.
    pub fn remark(&self) -> &'static str {
        if self.scale.is_logarithmic { "Logarithmic scale: equal steps upward are equal ratios. " } else { "" }
    }

    /// `steps` are the multiples of powers of ten to label where there are only a few of those.
    fn logarithmic(least: f64, most: f64, has_zero: bool, steps: &[f64]) -> Self {
        let highest = libm::log10(most);
        let lowest = libm::floor(libm::log10(least)).max(libm::floor(highest - MOST_DECADES));
        let power = |exponent: i32| libm::pow(10.0, f64::from(exponent));
        let decades = lowest as i32..=libm::ceil(highest) as i32;
        let steps = if highest - lowest <= 2.5 { steps } else { &[1.0] };
        let all = decades.flat_map(|exponent| steps.iter().map(move |step| step * power(exponent)));
        // The end is the first round value that covers the greatest, but no whole empty decade.
        let mut ticks: Vec<f64> = all.take_while(|tick| *tick <= most * 1.0001).collect();
        let highest = highest + 0.03 * (highest - lowest);
        if has_zero {
            ticks.insert(0, 0.0);
        }
        let starts_at = if has_zero { ROOM_FOR_ZERO } else { 0.0 };
        Self { scale: Scale { lowest, highest, is_logarithmic: true, starts_at }, ticks }
    }

    fn linear(lowest: f64, highest: f64) -> Self {
        // From zero, unless that would press all values into the upper half.
        let lowest = if lowest > 0.0 && lowest < highest / 2.0 { 0.0 } else { lowest };
        let span = if highest > lowest { highest - lowest } else { highest.abs().max(1.0) };
        let step = value_ticks(span, 6).get(1).copied().unwrap_or(1.0);
        let (below, above) = ((lowest / step).floor(), (highest / step).ceil());
        let above = if above > below { above } else { below + 1.0 };
        let ticks: Vec<f64> = (below as i64..=above as i64).map(|index| index as f64 * step).collect();
        let scale = Scale { lowest: below * step, highest: above * step, is_logarithmic: false, starts_at: 0.0 };
        Self { scale, ticks }
    }
}

/// Whether some of several plots go so much higher than the others that nothing could be compared on a common scale.
fn are_dwarfed(highs: &[f64]) -> bool {
    let mut ordered = highs.to_vec();
    ordered.sort_by(f64::total_cmp);
    let (Some(median), Some(most)) = (ordered.get(ordered.len() / 2), ordered.last()) else { return false };
    let others = ordered.iter().copied().filter(|high| *high <= median * FAR_ABOVE).fold(0.0, f64::max);
    highs.len() >= FEWEST && others > 0.0 && *most >= others * FAR_ABOVE_NEXT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_close_together_stand_at_distances() {
        let axis = ValueAxis::of([180.0, 240.0, 200.0].into_iter());
        assert_eq!(axis.ticks, [180.0, 190.0, 200.0, 210.0, 220.0, 230.0, 240.0]);
        assert_eq!((axis.scale.share(180.0), axis.scale.share(210.0), axis.scale.share(240.0)), (0.0, 0.5, 1.0));
        assert_eq!(ValueAxis::of([1.0, 4.0].into_iter()).ticks, [0.0, 1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn values_decades_apart_stand_in_ratios_and_zero_has_its_place() {
        let axis = ValueAxis::of([0.0, 1.0, 9_000.0].into_iter());
        assert_eq!(axis.ticks, [0.0, 1.0, 10.0, 100.0, 1_000.0]);
        assert_eq!(axis.scale.share(0.0), 0.0);
        assert!(axis.scale.share(1.0) >= ROOM_FOR_ZERO && axis.scale.share(9_000.0) < 1.0);
        let steps = [10.0, 100.0, 1_000.0].map(|value| axis.scale.share(value));
        assert!((steps[1] - steps[0] - (steps[2] - steps[1])).abs() < 1e-9);
    }

    #[test]
    fn odd_values_have_a_scale_too() {
        for values in [vec![], vec![0.0], vec![5.0, 5.0], vec![-3.0, 100.0], vec![f64::NAN], vec![1e-9, 1e12]] {
            let axis = ValueAxis::of(values.iter().copied());
            assert!(axis.ticks.len() >= 2, "{values:?}: {axis:?}");
            assert!(
                values
                    .iter()
                    .filter(|value| value.is_finite())
                    .all(|value| (0.0..=1.0).contains(&axis.scale.share(*value)))
            );
        }
    }

    #[test]
    fn one_that_dwarfs_the_others_makes_the_scale_logarithmic_and_is_not_cut() {
        let third_party = [5_093.0, 1_812.0, 2_876.0, 498.0, 510.0, 18_650.0, 5_080.0, 498.0, 3_489.0];
        let axis = ValueAxis::common(&third_party, 4);
        assert!(axis.scale.is_logarithmic);
        assert_eq!(axis.ticks, [0.0, 100.0, 1_000.0, 10_000.0]);
        assert!(axis.scale.share(18_650.0) < 1.0 && axis.scale.share(498.0) > 0.25);
        assert_eq!(ValueAxis::common(&third_party, 2).ticks, [0.0, 100.0, 10_000.0]);
    }

    #[test]
    fn what_can_be_compared_keeps_equal_distances() {
        let is_logarithmic = |highs: &[f64]| ValueAxis::common(highs, 4).scale.is_logarithmic;
        assert!(!is_logarithmic(&[168.0, 402.0, 403.0, 402.0, 469.0, 608.0, 270.0]));
        assert!(!is_logarithmic(&[10.0, 1_000.0]), "with two the contrast is the finding");
        assert!(!is_logarithmic(&[0.0, 0.0, 0.0, 0.0, 0.0, 9.0]), "nothing to compare with");
        assert!(!is_logarithmic(&[]));
    }
}
