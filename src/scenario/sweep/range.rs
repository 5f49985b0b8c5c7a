//! Ranges: values from one to another, rounded to what people would write.

use super::schema::{RawSweepRange, Scale};
use crate::engine::time::{SECOND_US, written};
use crate::scenario::language::{Language, Located};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::tree::{Node, Value};
use crate::scenario::value::{Duration, Rate, percent};

/// Fewest and most values of a range.
const STEPS: std::ops::RangeInclusive<u64> = 2..=10_000;
/// Digits that a number of a range keeps.
const DIGITS: i32 = 6;

/// What an end of a range is.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Duration {
        us: u64,
    },
    /// The number before the unit, and the unit with its slash.
    Rate {
        number: f64,
        unit: String,
    },
    Percent {
        number: f64,
    },
    Whole {
        number: f64,
    },
    Number {
        number: f64,
    },
}

/// The values of a range, and whether they stand in a constant ratio; `None` if something is wrong, which is reported.
pub(super) fn values(node: &Node, problems: &mut Problems) -> Option<(Vec<Node>, bool)> {
    let raw = RawSweepRange::read(node, problems)?;
    let is_logarithmic = raw.scale.value() == Some(&Scale::Logarithmic);
    let steps = raw.steps.given()?;
    if !STEPS.contains(&steps.value.value) {
        let title = format!("`steps` is {}, outside {} to {}", steps.value.value, STEPS.start(), STEPS.end());
        problems.report(Finding::new(steps.place, title, "not a number of values"));
        return None;
    }
    let (from, to) = (raw.from.given()?, raw.to.given()?);
    let (first, last) = (end(&from.value.node, problems)?, end(&to.value.node, problems)?);
    let mut wrong = |at: &Located<_>, title: &str, label: &str, help: &str| {
        let mut finding = Finding::new(at.place, title, label);
        finding.help = Some(help.to_owned()).filter(|help| !help.is_empty());
        problems.report(finding);
        None
    };
    let Some((low, high)) = numbers(&first, &last) else {
        return wrong(to, "`from` and `to` are not of the same kind", "another kind than `from`", SAME_KIND);
    };
    if low >= high {
        return wrong(to, "`to` is not above `from`", "has to be above `from`", "");
    }
    if is_logarithmic && low <= 0.0 {
        return wrong(
            from,
            "a logarithmic range begins above zero",
            "there is no ratio to zero",
            "write `scale: linear`",
        );
    }
    let raw_values = spaced(low, high, steps.value.value, is_logarithmic);
    let values = written_values(&first, &last, &raw_values);
    let nodes = values.into_iter().map(|value| Node { place: node.place, value }).collect::<Vec<_>>();
    if nodes.windows(2).any(|pair| pair[0].value == pair[1].value) {
        let help = "choose fewer steps, or list the values";
        return wrong(from, "the values of the range repeat when they are rounded", "too many steps from here", help);
    }
    Some((nodes, is_logarithmic))
}

const SAME_KIND: &str = "both are durations, or rates with the same unit, or percentages, or plain numbers";

fn end(node: &Node, problems: &mut Problems) -> Option<End> {
    let found = match &node.value {
        Value::Integer(number) => Some(End::Whole { number: *number as f64 }),
        Value::Float(number) if number.is_finite() => Some(End::Number { number: *number }),
        Value::Text(text) => end_of_text(text),
        _ => None,
    };
    if found.is_none() {
        crate::scenario::language::report_type(node, "an end of a range", SAME_KIND, None, problems);
    }
    found
}

fn end_of_text(text: &str) -> Option<End> {
    if let Some(duration) = Duration::parse(text) {
        return Some(End::Duration { us: duration.us });
    }
    if let Some(share) = percent(text) {
        return Some(End::Percent { number: share * 100.0 });
    }
    Rate::parse(text)?;
    let (number, unit) = text.split_once('/')?;
    Some(End::Rate { number: number.parse().ok()?, unit: format!("/{unit}") })
}

/// Both ends as numbers, if they are of the same kind.
fn numbers(first: &End, last: &End) -> Option<(f64, f64)> {
    match (first, last) {
        (End::Duration { us: low }, End::Duration { us: high }) => Some((*low as f64, *high as f64)),
        (End::Rate { number: low, unit }, End::Rate { number: high, unit: other }) => {
            (unit == other).then_some((*low, *high))
        }
        (End::Percent { number: low }, End::Percent { number: high }) => Some((*low, *high)),
        (
            End::Whole { number: low } | End::Number { number: low },
            End::Whole { number: high } | End::Number { number: high },
        ) => Some((*low, *high)),
        _ => None,
    }
}

/// So many numbers from one to another. Both ends are exact.
fn spaced(low: f64, high: f64, steps: u64, is_logarithmic: bool) -> Vec<f64> {
    let at = |step: u64| {
        let share = step as f64 / (steps - 1) as f64;
        match step {
            0 => low,
            last if last == steps - 1 => high,
            _ if is_logarithmic => low * libm::pow(high / low, share),
            _ => low + (high - low) * share,
        }
    };
    (0..steps).map(at).collect()
}

fn written_values(first: &End, last: &End, numbers: &[f64]) -> Vec<Value> {
    match (first, last) {
        (End::Duration { us: low }, End::Duration { us: high }) => {
            let unit_us = coarsest_unit_us(*low, *high) as f64;
            let round = |us: &f64| (us / unit_us).round() * unit_us;
            numbers.iter().map(|us| Value::Text(written(round(us) as u64))).collect()
        }
        (End::Rate { unit, .. }, _) => {
            numbers.iter().map(|number| Value::Text(format!("{}{unit}", rounded(*number)))).collect()
        }
        (End::Percent { .. }, _) => {
            numbers.iter().map(|number| Value::Text(format!("{}%", rounded(*number)))).collect()
        }
        (End::Whole { .. }, End::Whole { .. }) => whole_or_not(numbers),
        _ => numbers.iter().map(|number| Value::Float(rounded(*number))).collect(),
    }
}

/// The coarsest of second, millisecond and microsecond that both ends are whole multiples of.
fn coarsest_unit_us(low_us: u64, high_us: u64) -> u64 {
    let fits = |unit_us: &u64| low_us.is_multiple_of(*unit_us) && high_us.is_multiple_of(*unit_us);
    [SECOND_US, SECOND_US / 1_000].into_iter().find(fits).unwrap_or(1)
}

/// Whole numbers between whole ends, unless they would repeat.
fn whole_or_not(numbers: &[f64]) -> Vec<Value> {
    let whole: Vec<i128> = numbers.iter().map(|number| number.round() as i128).collect();
    if whole.windows(2).all(|pair| pair[0] < pair[1]) {
        return whole.into_iter().map(Value::Integer).collect();
    }
    numbers.iter().map(|number| Value::Float(rounded(*number))).collect()
}

/// A number with a few digits, the nearest that can be written so.
fn rounded(number: f64) -> f64 {
    if number == 0.0 {
        return 0.0;
    }
    // Through text, so that the result is the number that the text stands for.
    format!("{number:.*e}", (DIGITS - 1) as usize).parse().unwrap_or(number)
}
