//! How candidates stand to conditions, judged as expectations are.

use crate::scenario::{Comparison, Condition, Expectation, Holds, Quantity};
use crate::study::judge::judge_expectation;

/// How a candidate stands to a condition, or to all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The whole 95 % interval is on the right side.
    Holds,
    /// Some of the interval is on either side, or no run defines the metric.
    NotShown,
    /// The whole interval is on the wrong side.
    Breaks,
}

impl Standing {
    /// How values of the condition's metric, one a replication, stand to it.
    pub(super) fn of(condition: &Condition, values: &[Option<f64>]) -> Self {
        if judged(condition, condition.side.comparison(condition.bound), values).0 {
            Self::Holds
        } else if judged(condition, condition.side.opposite().comparison(condition.bound), values).0 {
            Self::Breaks
        } else {
            Self::NotShown
        }
    }

    /// The worst of several; without any, nothing can break.
    pub(super) fn of_all(standings: impl IntoIterator<Item = Self>) -> Self {
        standings.into_iter().max().unwrap_or(Self::Holds)
    }

    /// Its name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::NotShown => "not shown",
            Self::Breaks => "breaks",
        }
    }
}

/// How far the mean is on the wrong side: 0 on the right one, else its distance from the bound as a share of the bound (of
/// a bound near 0, in its unit); infinite where no run defines the metric.
pub(super) fn excess(condition: &Condition, values: &[Option<f64>]) -> f64 {
    if judged(condition, condition.side.comparison(condition.bound), values).1 {
        return 0.0;
    }
    let defined: Vec<f64> = values.iter().flatten().copied().collect();
    if defined.is_empty() {
        return f64::INFINITY;
    }
    let mean = defined.iter().sum::<f64>() / defined.len() as f64;
    // A mean right on the bound of a strict condition breaks it too, by less than any other.
    ((mean - condition.bound).abs() / condition.bound.abs().max(1.0)).max(f64::MIN_POSITIVE)
}

/// Whether the whole interval stands as it should, and whether the mean does.
fn judged(condition: &Condition, comparison: Comparison, values: &[Option<f64>]) -> (bool, bool) {
    let quantity = Quantity::Metric(condition.metric);
    let expectation = Expectation { variant: 0, quantity, comparison, holds: Holds::Interval, says: String::new() };
    let found = judge_expectation(&expectation, values, None);
    (found.met, found.mean_holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(text: &str) -> Condition {
        text.parse().unwrap()
    }

    #[test]
    fn the_whole_interval_decides() {
        // 10 with an interval from 2.5 to 17.5.
        let values = [7.0, 10.0, 13.0].map(Some);
        let standing = |text: &str| Standing::of(&condition(text), &values);
        assert_eq!(standing("calls < 18"), Standing::Holds);
        assert_eq!(standing("calls < 17"), Standing::NotShown);
        assert_eq!(standing("calls < 3"), Standing::NotShown);
        assert_eq!(standing("calls < 2"), Standing::Breaks);
        assert_eq!(standing("calls > 2"), Standing::Holds);
        assert_eq!(standing("calls >= 18"), Standing::Breaks);
        assert_eq!(Standing::of(&condition("calls < 3"), &[None]), Standing::NotShown, "nothing is known");
        assert_eq!(Standing::of_all([Standing::Holds, Standing::Breaks, Standing::NotShown]), Standing::Breaks);
        assert_eq!(Standing::of_all([]), Standing::Holds);
    }

    #[test]
    fn the_excess_is_a_share_of_the_bound() {
        let of = |text: &str, mean: f64| excess(&condition(text), &[Some(mean)]);
        assert_eq!(of("calls < 100", 99.0), 0.0);
        assert_eq!(of("calls < 100", 150.0), 0.5);
        assert_eq!(of("calls > 100", 50.0), 0.5);
        assert_eq!(of("calls <= 0", 3.0), 3.0);
        assert!(of("calls < 100", 100.0) > 0.0, "the bound itself is out");
        assert_eq!(excess(&condition("calls < 100"), &[None]), f64::INFINITY);
    }
}
