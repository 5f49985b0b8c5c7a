//! Outcomes that fall into two groups: a mean between them is a run that never happens.

use super::Proportion;
use super::estimate::standard_deviation;
use crate::measure::Metric;

/// Fewest runs that are looked at.
const FEWEST_RUNS: usize = 10;
/// Fewest runs of a group.
const FEWEST_IN_A_GROUP: usize = 2;
/// The gap between the groups over the spread within them, at least.
const GAP_OVER_SPREAD: f64 = 6.0;

/// Two well separated groups of runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoGroups {
    /// Runs in the upper group.
    pub upper: Proportion,
    /// Mean of the lower group.
    pub lower_mean: f64,
    /// Mean of the upper group.
    pub upper_mean: f64,
}

impl TwoGroups {
    /// Parts the values of a metric at the largest gap between two neighbours that leaves at least two on either side.
    /// They are two groups if there are at least ten values, and the gap is at least as wide as either group and at least
    /// six times the spread within the groups (the pooled standard deviation). A count is taken to spread at least as
    /// a Poisson count does, a time by at least a second.
    pub fn of(metric: Metric, values: &[f64]) -> Option<Self> {
        if values.len() < FEWEST_RUNS {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let places = FEWEST_IN_A_GROUP..=sorted.len() - FEWEST_IN_A_GROUP;
        let gap_at = |place: usize| sorted[place] - sorted[place - 1];
        let place = places.max_by(|&one, &other| gap_at(one).total_cmp(&gap_at(other)))?;
        let (lower, upper) = sorted.split_at(place);
        let (lower_mean, upper_mean) = (mean(lower), mean(upper));
        let spread = pooled_spread(lower, upper).max(least_spread(metric, upper_mean));
        let is_wide = gap_at(place) >= width(lower).max(width(upper)) && gap_at(place) >= GAP_OVER_SPREAD * spread;
        let share = Proportion::of(upper.len() as u32, sorted.len() as u32);
        is_wide.then_some(Self { upper: share, lower_mean, upper_mean })
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn width(sorted: &[f64]) -> f64 {
    match sorted {
        [first, .., last] => last - first,
        _ => 0.0,
    }
}

fn pooled_spread(lower: &[f64], upper: &[f64]) -> f64 {
    let squares = |values: &[f64]| standard_deviation(values, mean(values)).powi(2) * (values.len() - 1) as f64;
    ((squares(lower) + squares(upper)) / (lower.len() + upper.len() - 2) as f64).sqrt()
}

/// What chance alone does to a metric: without it, two runs with one dead letter beside eight with none would be a
/// group of their own.
fn least_spread(metric: Metric, upper_mean: f64) -> f64 {
    if metric.unit() == "s" { 1.0 } else { upper_mean.max(1.0).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::{KeyedDraw, Streams};

    #[test]
    fn a_collapse_in_some_runs_is_seen() {
        let values: Vec<f64> =
            (0..20).map(|run| f64::from(if run % 3 == 0 { 6_900 + run } else { 400 + run })).collect();
        let found = TwoGroups::of(Metric::DeadLetteredValid, &values).expect("two groups");
        assert_eq!((found.upper.k, found.upper.n), (7, 20));
        assert!((found.lower_mean - 409.7).abs() < 1.0 && (found.upper_mean - 6_909.0).abs() < 1.0, "{found:?}");
    }

    #[test]
    fn too_few_runs_a_single_outlier_and_equal_values_are_no_groups() {
        let of = |values: &[f64]| TwoGroups::of(Metric::DeadLetteredValid, values);
        assert_eq!(of(&[0.0, 0.0, 0.0, 900.0, 900.0, 900.0]), None);
        assert_eq!(of(&[&[0.0; 19][..], &[900.0]].concat()), None);
        assert_eq!(of(&[3.0; 20]), None);
        assert_eq!(of(&[]), None);
    }

    /// A draw of a distribution with one hump.
    type Draw = fn(&mut KeyedDraw) -> f64;

    fn normal(draw: &mut KeyedDraw) -> f64 {
        let (radius, angle) = ((-2.0 * libm::log(1.0 - draw.unit())).sqrt(), std::f64::consts::TAU * draw.unit());
        1_000.0 + 100.0 * radius * libm::cos(angle)
    }

    fn exponential(draw: &mut KeyedDraw) -> f64 {
        -1_000.0 * libm::log(1.0 - draw.unit())
    }

    fn poisson(mean: f64, draw: &mut KeyedDraw) -> f64 {
        let (limit, mut product, mut count) = (libm::exp(-mean), draw.unit(), 0.0);
        while product > limit {
            product *= draw.unit();
            count += 1.0;
        }
        count
    }

    #[test]
    fn samples_with_one_hump_are_hardly_ever_taken_for_two_groups() {
        const SAMPLES: u64 = 2_000;
        let cases: [(&str, Metric, Draw); 5] = [
            ("normal", Metric::TimeToSuccessP99S, normal),
            ("exponential", Metric::TimeToSuccessP99S, exponential),
            ("Poisson 0.1", Metric::DeadLetteredValid, |draw| poisson(0.1, draw)),
            ("Poisson 1", Metric::DeadLetteredValid, |draw| poisson(1.0, draw)),
            ("Poisson 30", Metric::DeadLetteredValid, |draw| poisson(30.0, draw)),
        ];
        for (name, metric, draw) in cases {
            for size in [10, 20, 50, 200] {
                let stream = Streams::new(7, size as u32).keyed(name);
                let is_taken = |sample: &u64| {
                    let mut random = stream.draw(*sample, 0);
                    let values: Vec<f64> = (0..size).map(|_| draw(&mut random)).collect();
                    TwoGroups::of(metric, &values).is_some()
                };
                let taken = (0..SAMPLES).filter(is_taken).count();
                assert!(taken <= SAMPLES as usize / 50, "{name}, samples of {size}: {taken} of {SAMPLES}");
            }
        }
    }
}
