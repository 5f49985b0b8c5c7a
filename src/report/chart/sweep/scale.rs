//! Where the values of an axis stand.

use crate::scenario::Axis;

/// Positions from 0 to 1 of the values of an axis, in their order: as numbers, in a ratio, or at equal distances.
pub fn positions(axis: &Axis) -> Vec<f64> {
    let numbers: Option<Vec<f64>> = axis.values.iter().map(|value| value.number).collect();
    let count = axis.values.len();
    let equal = || (0..count).map(|index| (index as f64 + 0.5) / count as f64).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > 1 && is_ascending(numbers)) else { return equal() };
    let placed = if is_logarithmic(axis, &numbers) {
        numbers.iter().map(|number| libm::log(*number)).collect()
    } else {
        numbers
    };
    let (first, last) = (placed[0], placed[count - 1]);
    placed.iter().map(|place| (place - first) / (last - first)).collect()
}

fn is_ascending(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[0] < pair[1])
}

/// Whether a ratio tells the values apart better than a distance: that is what the author says, or what a list looks like.
fn is_logarithmic(axis: &Axis, numbers: &[f64]) -> bool {
    const WIDE: f64 = 20.0;
    let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
    first > 0.0 && (axis.logarithmic || (numbers.len() > 2 && last / first >= WIDE && is_bunched(numbers)))
}

/// Whether the middle value stands nearer to the first than a third of the way.
fn is_bunched(numbers: &[f64]) -> bool {
    let middle = numbers[numbers.len() / 2];
    (middle - numbers[0]) / (numbers[numbers.len() - 1] - numbers[0]) < 1.0 / 3.0
}

/// Which of labels with these middles and widths can be written without touching each other; the first always, and the
/// last in favour of the one before.
pub fn labelled(middles: &[f64], widths: &[f64], gap: f64) -> Vec<bool> {
    let mut shown = vec![false; middles.len()];
    let Some(last) = middles.len().checked_sub(1) else { return shown };
    let mut free_from = f64::NEG_INFINITY;
    let last_starts = middles[last] - widths[last] / 2.0;
    for index in 0..last {
        let (start, end) = (middles[index] - widths[index] / 2.0, middles[index] + widths[index] / 2.0);
        if start >= free_from && (end + gap <= last_starts || index == 0) {
            shown[index] = true;
            free_from = end + gap;
        }
    }
    shown[last] = last == 0 || last_starts >= free_from;
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{AxisUnit, AxisValue};

    fn axis(numbers: &[f64], logarithmic: bool) -> Axis {
        let values = numbers.iter().map(|number| AxisValue { label: number.to_string(), number: Some(*number) });
        Axis { path: "a.b".to_owned(), unit: AxisUnit::Number, logarithmic, values: values.collect() }
    }

    #[test]
    fn numbers_stand_where_they_belong() {
        assert_eq!(positions(&axis(&[0.0, 1.0, 4.0], false)), [0.0, 0.25, 1.0]);
        assert_eq!(positions(&axis(&[1.0, 10.0, 100.0], false)), [0.0, 0.5, 1.0]);
        assert_eq!(positions(&axis(&[1.0, 2.0, 4.0], true)), [0.0, 0.5, 1.0]);
        assert_eq!(positions(&axis(&[3.0, 1.0], false)), [0.25, 0.75], "not in order: at equal distances");
        assert_eq!(positions(&axis(&[3.0], false)), [0.5]);
    }

    #[test]
    fn labels_that_would_touch_are_left_out() {
        assert_eq!(labelled(&[0.0, 5.0, 30.0, 60.0], &[10.0; 4], 4.0), [true, false, true, true]);
        assert_eq!(labelled(&[0.0], &[10.0], 4.0), [true]);
        assert_eq!(labelled(&[], &[], 4.0), [false; 0]);
    }
}
