//! Round numbers for axes.

use crate::report::number;

/// Steps at which people read clocks, in seconds.
const TIME_STEPS: [f64; 24] = [
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    60.0,
    120.0,
    300.0,
    600.0,
    900.0,
    1_800.0,
    3_600.0,
    7_200.0,
    21_600.0,
    43_200.0,
    86_400.0,
    172_800.0,
    432_000.0,
    864_000.0,
    1_728_000.0,
    4_320_000.0,
    8_640_000.0,
    17_280_000.0,
];

/// The distance of time ticks: the shortest round one that gives at most `most` ticks after zero.
pub fn time_step(end_s: f64, most: usize) -> f64 {
    let few_enough = |step: &f64| end_s / step <= most as f64;
    let crosses_a_unit = |step: f64| (step == 30.0 && end_s > 150.0) || (step == 1_800.0 && end_s > 9_000.0);
    let round = TIME_STEPS.into_iter().filter(few_enough).find(|step| !crosses_a_unit(*step));
    round.unwrap_or_else(|| end_s / most as f64)
}

/// The ticks of a time axis with their labels.
pub fn time_ticks(end_s: f64, most: usize) -> Vec<(f64, String)> {
    let step = time_step(end_s, most);
    // A hair of tolerance keeps the last tick where division leaves it a hair short.
    let last = (end_s / step + 1e-9).floor() as usize;
    (0..=last).map(|index| index as f64 * step).map(|time_s| (time_s, time_label(time_s, step))).collect()
}

fn time_label(time_s: f64, step: f64) -> String {
    let (unit, length) = match step {
        step if step >= 86_400.0 => ("d", 86_400.0),
        step if step >= 3_600.0 => ("h", 3_600.0),
        step if step >= 60.0 => ("min", 60.0),
        _ => ("s", 1.0),
    };
    if time_s == 0.0 { "0".to_owned() } else { format!("{}{}{unit}", number::human(time_s / length), number::NO_BREAK) }
}

/// The ticks of a value axis from zero to the first round value that covers `highest`: of the steps that give no more
/// than `most` of them, the one that leaves the least empty room above.
pub fn value_ticks(highest: f64, most: usize) -> Vec<f64> {
    if !highest.is_finite() || highest <= 0.0 {
        return vec![0.0, 1.0];
    }
    let magnitude = libm::pow(10.0, libm::floor(libm::log10(highest / most as f64)));
    let intervals = |step: f64| (highest / step - 1e-9).ceil().max(1.0);
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0, 20.0].into_iter().map(|factor| factor * magnitude);
    let few_enough = steps.filter(|step| intervals(*step) <= most as f64);
    let top = |step: &f64| step * intervals(*step);
    let least_empty = few_enough.min_by(|a, b| top(a).total_cmp(&top(b)));
    let step = least_empty.unwrap_or(highest);
    (0..=intervals(step) as usize).map(|index| index as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(end_s: f64, most: usize) -> String {
        let labels: Vec<String> = time_ticks(end_s, most).into_iter().map(|(_, label)| label).collect();
        labels.join(", ").replace(number::NO_BREAK, " ")
    }

    #[test]
    fn time_ticks_are_round() {
        assert_eq!(labels(90.0, 8), "0, 15 s, 30 s, 45 s, 60 s, 75 s, 90 s");
        assert_eq!(labels(1_200.0, 8), "0, 5 min, 10 min, 15 min, 20 min");
        assert_eq!(labels(200.0, 8), "0, 1 min, 2 min, 3 min");
        assert_eq!(labels(7_200.0, 8), "0, 15 min, 30 min, 45 min, 60 min, 75 min, 90 min, 105 min, 120 min");
        assert_eq!(labels(172_800.0, 8), "0, 6 h, 12 h, 18 h, 24 h, 30 h, 36 h, 42 h, 48 h");
        assert_eq!(labels(1.0, 8), "0, 1 s");
        assert_eq!(time_ticks(1e12, 8).len(), 9);
    }

    #[test]
    fn value_ticks_cover_the_highest() {
        assert_eq!(value_ticks(3_900.0, 5), [0.0, 1_000.0, 2_000.0, 3_000.0, 4_000.0]);
        assert_eq!(value_ticks(4_060.0, 5), [0.0, 1_000.0, 2_000.0, 3_000.0, 4_000.0, 5_000.0]);
        assert_eq!(value_ticks(4_060.0, 2), [0.0, 2_500.0, 5_000.0]);
        assert_eq!(value_ticks(0.0, 5), [0.0, 1.0]);
        assert_eq!(value_ticks(f64::NAN, 4).last(), Some(&1.0));
        assert_eq!(value_ticks(400.0, 5), [0.0, 100.0, 200.0, 300.0, 400.0]);
    }
}
