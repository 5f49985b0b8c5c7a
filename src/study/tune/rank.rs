//! Which of two candidates is the better one.

use std::cmp::Ordering;

use super::goal::Goal;
use super::standing::{Standing, excess};
use crate::measure::{Direction, Metric};

/// What has to hold of a condition for a candidate to go before others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The mean: of a few runs the interval says little.
    Mean,
    /// The whole interval.
    Interval,
}

/// What a candidate is ranked by; the least is the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rank {
    standing: Standing,
    /// How far the means are beyond the bounds.
    excess: f64,
    /// The mean of the objective, such that less is better.
    objective: f64,
    /// The mean of what it is traded against, likewise: it decides between equals.
    against: f64,
}

impl Rank {
    /// The rank of a candidate; `values` gives those of a metric, one a replication.
    pub fn of(goal: &Goal, by: By, values: impl Fn(Metric) -> Vec<Option<f64>>) -> Self {
        let each = || goal.conditions.iter().map(|condition| (condition, values(condition.metric)));
        let standing = match by {
            By::Mean => Standing::Holds,
            By::Interval => Standing::of_all(each().map(|(condition, values)| Standing::of(condition, &values))),
        };
        let cost = |metric, wants| {
            let defined: Vec<f64> = values(metric).into_iter().flatten().collect();
            let mean = defined.iter().sum::<f64>() / defined.len() as f64;
            match (defined.is_empty(), wants) {
                // What is never seen can recommend nobody.
                (true, _) => f64::INFINITY,
                (false, Direction::Higher) => -mean,
                (false, _) => mean,
            }
        };
        Self {
            standing,
            excess: each().map(|(condition, values)| excess(condition, &values)).sum(),
            objective: cost(goal.objective, goal.wants),
            against: cost(goal.against, goal.against_wants),
        }
    }

    /// Better ones first.
    pub fn compare(&self, other: &Self) -> Ordering {
        let numbers = |rank: &Self| [rank.excess, rank.objective, rank.against];
        let pairs = numbers(self).into_iter().zip(numbers(other));
        let by_numbers = pairs.map(|(one, other)| one.total_cmp(&other)).find(|order| order.is_ne());
        self.standing.cmp(&other.standing).then(by_numbers.unwrap_or(Ordering::Equal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(by: By, lost: &[f64], peak: &[f64]) -> Rank {
        let condition = "calls_peak_per_s < 100".parse().unwrap();
        let goal = Goal::new(Metric::DeadLetteredValid, None, vec![condition], None).unwrap();
        Rank::of(&goal, by, |metric| {
            let values = if metric == Metric::CallsPeakPerS { peak } else { lost };
            values.iter().copied().map(Some).collect()
        })
    }

    #[test]
    fn conditions_go_before_the_objective_and_what_is_traded_decides_between_equals() {
        let order = |by| {
            let ranks = [
                rank(by, &[1.0, 1.0], &[500.0, 500.0]),
                rank(by, &[9.0, 9.0], &[90.0, 90.0]),
                rank(by, &[9.0, 9.0], &[50.0, 50.0]),
                rank(by, &[2.0, 2.0], &[95.0, 99.0]),
                rank(by, &[0.0, 0.0], &[200.0, 200.0]),
            ];
            let mut order: Vec<usize> = (0..ranks.len()).collect();
            order.sort_by(|a, b| ranks[*a].compare(&ranks[*b]));
            order
        };
        assert_eq!(order(By::Mean), [3, 2, 1, 4, 0]);
        assert_eq!(order(By::Interval), [2, 1, 3, 4, 0], "95 and 99 do not show that it is below 100");
    }

    #[test]
    fn what_is_never_seen_comes_last() {
        assert_eq!(rank(By::Mean, &[], &[1.0]).compare(&rank(By::Mean, &[1e9], &[1.0])), Ordering::Greater);
    }
}
