//! Axes and their values, as reports see them.

use crate::scenario::value::{Duration, Rate, percent};
use serde::{Deserialize, Serialize};

/// What the numbers of an axis are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AxisUnit {
    /// Durations, in seconds.
    Seconds,
    /// Rates, a second.
    PerSecond,
    /// Shares, from 0 to 1.
    Share,
    /// Plain numbers.
    Number,
    /// No numbers: words or whole sections.
    Word,
}

/// A key that is varied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The way to the key, such as `policy.backoff.exponential.base`.
    pub path: String,
    /// What its values are.
    pub unit: AxisUnit,
    /// Whether the values stand in a constant ratio rather than at a constant distance.
    pub logarithmic: bool,
    /// The values, in the order of the author; at least one.
    pub values: Vec<AxisValue>,
}

/// A value of an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AxisValue {
    /// As it is written in a scenario.
    pub label: String,
    /// As a number in the axis' unit; `None` for a word.
    pub number: Option<f64>,
}

impl Axis {
    /// An axis of values as they are written.
    pub(super) fn of(path: &str, labels: Vec<String>, logarithmic: bool) -> Self {
        let units = [
            (AxisUnit::Seconds, seconds as fn(&str) -> Option<f64>),
            (AxisUnit::PerSecond, per_second),
            (AxisUnit::Share, percent),
            (AxisUnit::Number, plain),
        ];
        let numbers =
            |read: fn(&str) -> Option<f64>| labels.iter().map(|label| read(label)).collect::<Option<Vec<_>>>();
        let found = units.into_iter().find_map(|(unit, read)| Some((unit, numbers(read)?)));
        let (unit, numbers) = match found {
            Some((unit, numbers)) => (unit, numbers.into_iter().map(Some).collect()),
            None => (AxisUnit::Word, vec![None; labels.len()]),
        };
        let values = labels.into_iter().zip(numbers).map(|(label, number)| AxisValue { label, number }).collect();
        Self { path: path.to_owned(), unit, logarithmic, values }
    }
}

fn seconds(label: &str) -> Option<f64> {
    Duration::parse(label).map(|duration| crate::engine::time::seconds(duration.us))
}

fn per_second(label: &str) -> Option<f64> {
    Rate::parse(label).map(|rate| rate.per_s)
}

fn plain(label: &str) -> Option<f64> {
    label.parse().ok().filter(|number: &f64| number.is_finite())
}
