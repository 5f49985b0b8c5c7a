//! A distribution of whole numbers of steps, and what is added to it.

use std::ops::Range;

use super::distribution::Distribution;
use super::grid;
use crate::model::policy::Spread;

/// The chances of the seconds `first_s`, `first_s + grid_s`, and so on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chances {
    /// Length of a step, in seconds.
    pub grid_s: u64,
    /// The smallest number of seconds.
    pub first_s: u64,
    /// Its chance, and that of each further step.
    pub chances: Vec<f64>,
}

impl Chances {
    /// Nothing, for sure.
    pub fn nothing(grid_s: u64) -> Self {
        Self { grid_s, first_s: 0, chances: vec![1.0] }
    }

    /// The distribution of the sum with a number of seconds that is drawn evenly, where nothing counts as less than a floor.
    pub fn plus(&self, spread: Spread, floor_s: u32) -> Self {
        let [low_s, high_s] = [spread.low, spread.high()].map(|end_s| u64::from(end_s.max(floor_s)));
        let first_s = self.first_s + low_s;
        let (most, draws) = (high_s - low_s, f64::from(spread.more) + 1.0);
        if most == 0 {
            return Self { first_s, ..self.clone() };
        }
        let at_floor = low_s - u64::from(spread.low);
        let even = grid::evenly(self.grid_s, most, 1.0 / draws);
        let mut points = even.points;
        points[0].1 += at_floor as f64 / draws;
        let mut chances = self.slid_over(&even.plateau, even.plateau_chance, grid::points(self.grid_s, most));
        for (point, share) in points.into_iter().filter(|(_, share)| *share != 0.0) {
            chances[point..].iter_mut().zip(&self.chances).for_each(|(sum, chance)| *sum += chance * share);
        }
        Self { first_s, chances, ..*self }
    }

    /// The sum with each number of a range at the same chance: a window of that length slides over the chances.
    fn slid_over(&self, range: &Range<usize>, chance: f64, points: usize) -> Vec<f64> {
        let own = |number: usize| self.chances.get(number).copied().unwrap_or(0.0);
        let mut window = 0.0;
        let sums = (0..self.chances.len() + points - 1).map(|number| {
            if number >= range.start && range.start < range.end {
                window += own(number - range.start);
            }
            if number >= range.end && range.start < range.end {
                window -= own(number - range.end);
            }
            f64::max(window, 0.0) * chance
        });
        sums.collect()
    }

    /// The same without its grid.
    pub fn distribution(&self) -> Distribution {
        let steps = (self.first_s..).step_by(self.grid_s as usize);
        Distribution {
            grid_s: self.grid_s,
            cases: steps.map(|at_s| at_s as f64).zip(self.chances.iter().copied()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plus(sum: &Chances, low: u32, high: u32, floor_s: u32) -> Chances {
        sum.plus(Spread { low, more: high - low }, floor_s)
    }

    fn mean_s(chances: &Chances) -> f64 {
        chances.distribution().cases.iter().map(|(at_s, chance)| at_s * chance).sum()
    }

    #[test]
    fn two_dice_are_two_dice() {
        let dice = plus(&plus(&Chances::nothing(1), 1, 6, 0), 1, 6, 0);
        let expected: Vec<f64> = [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1].iter().map(|ways| f64::from(*ways) / 36.0).collect();
        assert_eq!(dice.first_s, 2);
        for (found, expected) in dice.chances.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12, "{:?}", dice.chances);
        }
        assert_eq!(dice.chances.len(), expected.len());
        let quantile_s = |share| dice.distribution().quantile_s(share);
        assert_eq!([0.5, 21.0 / 36.0, 1.0].map(quantile_s), [7.0, 7.0, 12.0]);
    }

    #[test]
    fn what_is_below_a_floor_falls_on_it() {
        // The floor of docs/model.md: of the 61 values of U{0..60}, 31 are at most 30.
        let floored = plus(&Chances::nothing(1), 0, 60, 30);
        assert_eq!((floored.first_s, floored.chances.len()), (30, 31));
        assert!((floored.chances[0] - 31.0 / 61.0).abs() < 1e-12);
        assert!((floored.chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for (floor_s, first_s) in [(30, 30), (90, 90)] {
            let expected = Chances { grid_s: 1, first_s, chances: vec![1.0] };
            assert_eq!(plus(&Chances::nothing(1), 0, 30, floor_s), expected);
        }
    }

    #[test]
    fn chances_add_up_after_many_draws_and_means_are_the_same_on_any_grid() {
        let mean_s = 200.0 * (2.0 * 3.0 + (3..=300).sum::<u32>() as f64) / 301.0;
        for grid_s in [1, 2, 7, 60, 1_000] {
            let sum = (0..200).fold(Chances::nothing(grid_s), |sum, _| plus(&sum, 0, 300, 2));
            assert!((sum.chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((super::tests::mean_s(&sum) - mean_s).abs() < 1e-6, "{grid_s}: {mean_s}");
        }
    }
}
