//! Conditions of the command line, such as `calls_peak_per_s < 2000`: a metric of a run against a number.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::checked::{Bound, Comparison};
use super::text::quoted;
use super::value::Amount;
use super::words::metric_named;
use crate::measure::Metric;

/// On which side of its bound a metric has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Strictly less.
    Below,
    /// Less or equal.
    AtMost,
    /// Strictly more.
    Above,
    /// More or equal.
    AtLeast,
}

impl Side {
    /// The longer signs first: `<=` begins with `<`.
    const SIGNS: [(&'static str, Self); 6] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("≤", Self::AtMost),
        ("≥", Self::AtLeast),
        ("<", Self::Below),
        (">", Self::Above),
    ];

    /// Its sign, as it is written on the command line.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Below => "<",
            Self::AtMost => "<=",
            Self::Above => ">",
            Self::AtLeast => ">=",
        }
    }

    /// The side on which it does not hold.
    pub fn opposite(self) -> Self {
        match self {
            Self::Below => Self::AtLeast,
            Self::AtMost => Self::Above,
            Self::Above => Self::AtMost,
            Self::AtLeast => Self::Below,
        }
    }

    /// Whether less is on this side.
    pub fn is_upper_bound(self) -> bool {
        matches!(self, Self::Below | Self::AtMost)
    }

    /// The comparison that an expectation would make.
    pub fn comparison(self, bound: f64) -> Comparison {
        let bound = Bound::Number(bound);
        match self {
            Self::Below => Comparison::Below(bound),
            Self::AtMost => Comparison::AtMost(bound),
            Self::Above => Comparison::Above(bound),
            Self::AtLeast => Comparison::AtLeast(bound),
        }
    }
}

/// What a metric has to keep to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Condition {
    /// The metric.
    pub metric: Metric,
    /// On which side of the bound it has to be.
    pub side: Side,
    /// The bound, in the metric's unit.
    pub bound: f64,
}

impl FromStr for Condition {
    type Err = String;

    /// Reads `calls_peak_per_s < 2000` or `backlog_cleared_s <= 5m`.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write a metric, one of <, <=, > and >=, and a value, such as `calls_peak_per_s < 2000`";
        let found = Side::SIGNS.iter().find_map(|(sign, side)| Some((text.split_once(sign)?, *side)));
        let ((name, value), side) = found.ok_or_else(|| format!("there is no comparison: {form}"))?;
        let (metric, value) = (metric_named(name.trim())?, value.trim());
        let amount = Amount::parse(value).ok_or_else(|| format!("{} is no value: {form}", quoted(value)))?;
        let unit = metric.unit();
        let bound = amount.in_unit(unit).ok_or_else(|| {
            format!("`{}` is in {unit}, so {} has to be a plain number", metric.name(), quoted(value))
        })?;
        Ok(Self { metric, side, bound })
    }
}

impl Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} {} {}", self.metric.name(), self.side.sign(), self.bound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_with_or_without_spaces() {
        let read = |text: &str| text.parse::<Condition>().unwrap();
        let peak = Condition { metric: Metric::CallsPeakPerS, side: Side::Below, bound: 2_000.0 };
        assert_eq!(read("calls_peak_per_s<2000"), peak);
        assert_eq!(read(" calls_peak_per_s  <  2000 "), peak);
        assert_eq!(peak.to_string(), "calls_peak_per_s < 2000");
        let cleared = read("backlog_cleared_s <= 5m");
        assert_eq!((cleared.side, cleared.bound), (Side::AtMost, 300.0));
        assert_eq!(read("processed>=7.5").side, Side::AtLeast);
        assert_eq!(read("processed > 7").side, Side::Above);
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let wrong = |text: &str| text.parse::<Condition>().unwrap_err();
        assert!(wrong("calls").contains("no comparison"));
        assert!(wrong("cals < 3").contains("did you mean `calls`?"));
        assert!(wrong("calls < many").contains("`many` is no value"));
        assert!(wrong("calls < inf").contains("no value"));
        assert!(wrong("calls < 90s").contains("`calls` is in calls"));
    }
}
