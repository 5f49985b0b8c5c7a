//! A scale for values that may lie close together or decades apart.

use crate::report::chart::axis::value_ticks;

/// Values whose greatest is this many times the least, or more, stand in ratios.
const WIDE: f64 = 30.0;
/// Share of a logarithmic scale below its least positive value, where there are zeros.
const ROOM_FOR_ZERO: f64 = 0.12;
/// Most decades that are shown; what is smaller stands at the lower end.
const MOST_DECADES: f64 = 6.0;

/// A scale with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    lowest: f64,
    highest: f64,
    is_logarithmic: bool,
    /// Where the positive values begin, as a share.
    starts_at: f64,
    /// Round values for the axis.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// A scale on which all of these values have a place.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let positive = || values.iter().copied().filter(|value| *value > 0.0);
        let (least, most) = (positive().fold(f64::INFINITY, f64::min), positive().fold(0.0, f64::max));
        let has_negative = values.iter().any(|value| *value < 0.0);
        if !has_negative && most > 0.0 && most / least >= WIDE {
            return Self::logarithmic(least, most, values.contains(&0.0));
        }
        let (lowest, highest) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(*value), high.max(*value)));
        if lowest.is_finite() { Self::linear(lowest, highest) } else { Self::linear(0.0, 1.0) }
    }

    fn logarithmic(least: f64, most: f64, has_zero: bool) -> Self {
        let highest = libm::log10(most);
        let lowest = libm::floor(libm::log10(least)).max(libm::floor(highest - MOST_DECADES));
        let power = |exponent: i32| libm::pow(10.0, f64::from(exponent));
        let decades = lowest as i32..=libm::ceil(highest) as i32;
        let steps: &[f64] = if highest - lowest <= 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let all = decades.flat_map(|exponent| steps.iter().map(move |step| step * power(exponent)));
        // The end is the first round value that covers the greatest, but no whole empty decade.
        let mut ticks: Vec<f64> = all.take_while(|tick| *tick <= most * 1.0001).collect();
        let highest = highest + 0.03 * (highest - lowest);
        if has_zero {
            ticks.insert(0, 0.0);
        }
        Self { lowest, highest, is_logarithmic: true, starts_at: if has_zero { ROOM_FOR_ZERO } else { 0.0 }, ticks }
    }

    fn linear(lowest: f64, highest: f64) -> Self {
        // From zero, unless that would press all values into the upper half.
        let lowest = if lowest > 0.0 && lowest < highest / 2.0 { 0.0 } else { lowest };
        let span = if highest > lowest { highest - lowest } else { highest.abs().max(1.0) };
        let step = value_ticks(span, 6).get(1).copied().unwrap_or(1.0);
        let (below, above) = ((lowest / step).floor(), (highest / step).ceil());
        let above = if above > below { above } else { below + 1.0 };
        let ticks: Vec<f64> = (below as i64..=above as i64).map(|index| index as f64 * step).collect();
        Self { lowest: below * step, highest: above * step, is_logarithmic: false, starts_at: 0.0, ticks }
    }

    /// Where a value stands, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        if self.is_logarithmic && value <= 0.0 {
            return 0.0;
        }
        let value = if self.is_logarithmic { libm::log10(value) } else { value };
        let share = ((value - self.lowest) / (self.highest - self.lowest)).clamp(0.0, 1.0);
        self.starts_at + (1.0 - self.starts_at) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_close_together_stand_at_distances() {
        let scale = Scale::of([180.0, 240.0, 200.0].into_iter());
        assert_eq!(scale.ticks, [180.0, 190.0, 200.0, 210.0, 220.0, 230.0, 240.0]);
        assert_eq!((scale.share(180.0), scale.share(210.0), scale.share(240.0)), (0.0, 0.5, 1.0));
        assert_eq!(Scale::of([1.0, 4.0].into_iter()).ticks, [0.0, 1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn values_decades_apart_stand_in_ratios_and_zero_has_its_place() {
        let scale = Scale::of([0.0, 1.0, 9_000.0].into_iter());
        assert_eq!(scale.ticks, [0.0, 1.0, 10.0, 100.0, 1_000.0]);
        assert_eq!(scale.share(0.0), 0.0);
        assert!(scale.share(1.0) >= ROOM_FOR_ZERO && scale.share(9_000.0) < 1.0);
        let steps = [10.0, 100.0, 1_000.0].map(|value| scale.share(value));
        assert!((steps[1] - steps[0] - (steps[2] - steps[1])).abs() < 1e-9);
    }

    #[test]
    fn odd_values_have_a_scale_too() {
        for values in [vec![], vec![0.0], vec![5.0, 5.0], vec![-3.0, 100.0], vec![f64::NAN], vec![1e-9, 1e12]] {
            let scale = Scale::of(values.iter().copied());
            assert!(scale.ticks.len() >= 2, "{values:?}: {scale:?}");
            assert!(
                values.iter().filter(|value| value.is_finite()).all(|value| (0.0..=1.0).contains(&scale.share(*value)))
            );
        }
    }
}
