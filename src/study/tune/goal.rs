//! What a search is for.

use crate::measure::{Direction, Metric};
use crate::scenario::Condition;

/// What is traded against the objective where nothing else is asked for, in this order of preference.
const AGAINST: [Metric; 2] = [Metric::CallsPeakPerS, Metric::DeadLetteredValid];

/// What is wanted of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    /// The metric that shall be as good as it can be.
    pub objective: Metric,
    /// Whether it shall be low or high; never neutral.
    pub wants: Direction,
    /// What has to hold all the same.
    pub conditions: Vec<Condition>,
    /// The metric that the objective is traded against.
    pub against: Metric,
    /// Whether that had better be low or high; never neutral.
    pub against_wants: Direction,
}

impl Goal {
    /// A goal. `wants` is for metrics of which neither less nor more is better in general; without `against` the objective
    /// is traded against the metric of the first condition, or without one against the busiest second of calls.
    ///
    /// # Errors
    /// Where the metric has no better direction and none is asked for, or where the other one is asked for; where the
    /// objective would be traded against itself.
    pub fn new(
        objective: Metric,
        wants: Option<Direction>,
        conditions: Vec<Condition>,
        against: Option<Metric>,
    ) -> Result<Self, String> {
        let wants = direction(objective, wants)?;
        if against == Some(objective) {
            return Err(format!("`{}` is the objective: it cannot be traded against itself", objective.name()));
        }
        let of_condition = conditions.iter().map(|condition| condition.metric).find(|metric| *metric != objective);
        let by_default = || AGAINST.into_iter().find(|metric| *metric != objective).unwrap_or(Metric::CallsPeakPerS);
        let against = against.or(of_condition).unwrap_or_else(by_default);
        let against_wants = against_direction(against, &conditions);
        Ok(Self { objective, wants, conditions, against, against_wants })
    }

    /// The metrics that it looks at, each once: the objective, those of the conditions, what is traded.
    pub fn metrics(&self) -> Vec<Metric> {
        let mut metrics = vec![self.objective];
        let others = self.conditions.iter().map(|condition| condition.metric).chain([self.against]);
        for metric in others {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        }
        metrics
    }
}

fn direction(objective: Metric, asked: Option<Direction>) -> Result<Direction, String> {
    let name = objective.name();
    match (objective.better(), asked) {
        (Direction::Neutral, None) => {
            Err(format!("neither less nor more of `{name}` is better in general: say --minimize or --maximize"))
        }
        (Direction::Neutral, Some(asked)) => Ok(asked),
        (better, None) => Ok(better),
        (better, Some(asked)) if better == asked => Ok(better),
        (Direction::Higher, Some(_)) => Err(format!("more of `{name}` is better: it cannot be minimized")),
        (_, Some(_)) => Err(format!("less of `{name}` is better: it cannot be maximized")),
    }
}

/// The way that a condition on the metric points to, else its own better way, else down.
fn against_direction(against: Metric, conditions: &[Condition]) -> Direction {
    let condition = conditions.iter().find(|condition| condition.metric == against);
    match (condition.map(|condition| condition.side.is_upper_bound()), against.better()) {
        (Some(true), _) => Direction::Lower,
        (Some(false), _) | (None, Direction::Higher) => Direction::Higher,
        (None, _) => Direction::Lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(objective: Metric, wants: Option<Direction>, condition: Option<&str>) -> Result<Goal, String> {
        let conditions = condition.into_iter().map(|text| text.parse().unwrap()).collect();
        Goal::new(objective, wants, conditions, None)
    }

    #[test]
    fn the_direction_is_the_metrics_own_or_has_to_be_said() {
        assert_eq!(goal(Metric::DeadLetteredValid, None, None).unwrap().wants, Direction::Lower);
        assert_eq!(goal(Metric::Processed, None, None).unwrap().wants, Direction::Higher);
        assert!(goal(Metric::Calls, None, None).unwrap_err().contains("--minimize or --maximize"));
        assert_eq!(goal(Metric::Calls, Some(Direction::Lower), None).unwrap().wants, Direction::Lower);
        assert!(goal(Metric::Processed, Some(Direction::Lower), None).unwrap_err().contains("cannot be minimized"));
        assert!(goal(Metric::Pending, Some(Direction::Higher), None).unwrap_err().contains("cannot be maximized"));
    }

    #[test]
    fn what_is_traded_is_the_first_condition_or_the_load() {
        let traded = |objective, condition| {
            let goal = goal(objective, None, condition).unwrap();
            (goal.against, goal.against_wants)
        };
        let (lost, peak) = (Metric::DeadLetteredValid, Metric::CallsPeakPerS);
        assert_eq!(traded(lost, Some("processed > 5")), (Metric::Processed, Direction::Higher));
        assert_eq!(traded(lost, Some("dead_lettered.valid < 5")), (peak, Direction::Lower));
        assert_eq!(traded(peak, None), (lost, Direction::Lower));
        assert!(Goal::new(lost, None, Vec::new(), Some(lost)).unwrap_err().contains("against itself"));
    }

    #[test]
    fn a_metric_is_looked_at_once() {
        let conditions = ["calls_peak_per_s < 5", "calls_peak_per_s > 1", "pending < 3"];
        let conditions = conditions.map(|text| text.parse().unwrap()).to_vec();
        let goal = Goal::new(Metric::DeadLetteredValid, None, conditions, None).unwrap();
        assert_eq!(goal.metrics(), [Metric::DeadLetteredValid, Metric::CallsPeakPerS, Metric::Pending]);
    }
}
