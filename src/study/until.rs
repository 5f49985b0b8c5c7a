//! As many replications as it takes to know a metric well enough.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::Estimate;
use crate::measure::Metric;
use crate::scenario::metric_named;

/// Replications of a batch; after each batch it is looked at whether there are enough. Fixed, so that the number of
/// threads has no say in where a study ends.
pub(super) const BATCH: u32 = 10;
/// Fewest replications: who looks at the first few and stops where they happen to agree would stop too early.
pub(super) const FEWEST_RUNS: u32 = 20;

/// How wide an interval may be, to either side of its mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Width {
    /// A share of the mean.
    Share(f64),
    /// So much in the metric's unit.
    Absolute(f64),
}

/// When there are replications enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Until {
    /// The metric that has to be known.
    pub metric: Metric,
    /// How well, for every variant that defines it.
    pub within: Width,
    /// Replications after which it ends, known or not.
    pub at_most: u32,
}

/// How a study went on until there were enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UntilResult {
    /// What was asked for.
    pub until: Until,
    /// Whether every interval is that narrow.
    pub reached: bool,
}

/// Replications at most, where nothing else is said.
const AT_MOST: u32 = 1_000;

impl Until {
    /// Whether a variant's values are known well enough. A variant that never defines the metric has nothing to know.
    pub(super) fn is_reached(&self, values: &[Option<f64>]) -> bool {
        let values: Vec<f64> = values.iter().flatten().copied().collect();
        match Estimate::of(&values) {
            None => true,
            Some(Estimate { n: 1, .. }) => false,
            Some(Estimate { mean, hi, .. }) => match self.within {
                Width::Share(share) => hi - mean <= share * mean.abs(),
                Width::Absolute(width) => hi - mean <= width,
            },
        }
    }
}

impl FromStr for Until {
    type Err = String;

    /// Reads `dead_lettered.valid ±2%` or `backlog_cleared_s ±5`; `+-` does for `±`.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write a metric and a width, such as `dead_lettered.valid ±2%` or `backlog_cleared_s ±5`";
        let (name, width) =
            text.split_once('±').or_else(|| text.split_once("+-")).ok_or_else(|| format!("there is no `±`: {form}"))?;
        let name = name.trim();
        let metric = metric_named(name)?;
        let width = width.trim();
        let (number, is_share) = width.strip_suffix('%').map_or((width, false), |number| (number.trim_end(), true));
        let number: f64 = number.parse().map_err(|_| format!("`{width}` is no width: {form}"))?;
        if !(number.is_finite() && number > 0.0) {
            return Err(format!("the width is {width}, but has to be above 0"));
        }
        let within = if is_share { Width::Share(number / 100.0) } else { Width::Absolute(number) };
        Ok(Self { metric, within, at_most: AT_MOST })
    }
}

impl Display for Until {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.within {
            Width::Share(share) => write!(out, "{} ±{}%", self.metric.name(), (share * 1e4).round() / 1e2),
            Width::Absolute(width) => write!(out, "{} ±{width}", self.metric.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_widths_are_read_and_written() {
        let share: Until = "dead_lettered.valid ±2%".parse().unwrap();
        assert_eq!((share.metric, share.within), (Metric::DeadLetteredValid, Width::Share(0.02)));
        assert_eq!(share.to_string(), "dead_lettered.valid ±2%");
        let absolute: Until = "backlog_cleared_s+-50".parse().unwrap();
        assert_eq!(absolute.within, Width::Absolute(50.0));
        assert_eq!(absolute.to_string(), "backlog_cleared_s ±50");
    }

    #[test]
    fn what_cannot_be_read_is_explained() {
        let wrong = |text: &str| text.parse::<Until>().unwrap_err();
        assert!(wrong("calls").contains("`±`"));
        assert!(wrong("cals ±1%").contains("did you mean `calls`?"), "{}", wrong("cals ±1%"));
        assert!(wrong("calls ±x").contains("no width"));
        assert!(wrong("calls ±inf%").contains("above 0"));
        assert!(wrong("calls ±-3").contains("above 0"));
    }

    #[test]
    fn enough_is_a_narrow_interval() {
        let until = |text: &str| text.parse::<Until>().unwrap();
        // 10 with an interval from 2.5 to 17.5.
        let values = [7.0, 10.0, 13.0].map(Some);
        assert!(until("calls ±80%").is_reached(&values));
        assert!(!until("calls ±70%").is_reached(&values));
        assert!(until("calls ±7.5").is_reached(&values));
        assert!(!until("calls ±7").is_reached(&values));
        assert!(until("calls ±1%").is_reached(&[None, None]), "nothing to know");
        assert!(!until("calls ±1%").is_reached(&[None, Some(3.0)]), "one value has no interval");
        assert!(until("calls ±1%").is_reached(&[Some(0.0), Some(0.0)]));
    }
}
