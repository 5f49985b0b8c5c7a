//! The result of a search: numbers only, ready for reports.

use super::goal::Goal;
use super::rungs::{Rung, Search};
use super::standing::Standing;
use crate::measure::Metric;
use crate::scenario::Pasted;
use crate::study::{Difference, Estimate, SweepFacts, TwoGroups};

/// What the search has found of a candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateResult {
    /// Index of its point.
    pub point: usize,
    /// Index of its variant.
    pub variant: usize,
    /// The axes that do not change its variant, by their numbers.
    pub idle_axes: Vec<usize>,
    /// The last rung that it was on, from 1.
    pub rung: usize,
    /// Its runs in the search.
    pub runs: u32,
    /// A value for each of the goal's metrics; `None` where no run defines it.
    pub metrics: Vec<Option<Estimate>>,
    /// How it stands to the conditions, by the runs of the search.
    pub standing: Standing,
}

impl CandidateResult {
    /// Its values, an axis each; a dash where the axis does not change its variant.
    pub fn values<'a>(&'a self, facts: &'a SweepFacts) -> Vec<&'a str> {
        values(facts, self.point, &self.idle_axes)
    }
}

/// The values of a point, an axis each; a dash for the idle ones.
pub(super) fn values<'a>(facts: &'a SweepFacts, point: usize, idle_axes: &[usize]) -> Vec<&'a str> {
    let labels = facts.labels(point).enumerate();
    labels.map(|(axis, label)| if idle_axes.contains(&axis) { "–" } else { label }).collect()
}

/// One of the best few.
#[derive(Debug, Clone, PartialEq)]
pub struct Finalist {
    /// Index of the candidate.
    pub candidate: usize,
    /// The runs behind its numbers: fresh ones, but for a search that was interrupted.
    pub runs: u32,
    /// A value for each of the goal's metrics; `None` where no run defines it.
    pub metrics: Vec<Option<Estimate>>,
    /// How it stands to each condition.
    pub standings: Vec<Standing>,
    /// How it stands to all of them.
    pub standing: Standing,
    /// The two groups that its values of the objective fall into, if they do.
    pub groups: Option<TwoGroups>,
    /// Its objective against that of the first of the best, with the same luck; none for the first itself.
    pub difference: Option<Difference>,
    /// What to paste into the scenario's file.
    pub pasted: Pasted,
}

/// All that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneResult {
    /// What was searched; the replications are those of the last rung.
    pub facts: SweepFacts,
    /// What was wanted.
    pub goal: Goal,
    /// How it was searched.
    pub search: Search,
    /// The steps of the search.
    pub rungs: Vec<Rung>,
    /// One entry a candidate.
    pub candidates: Vec<CandidateResult>,
    /// The best few, the best one first.
    pub best: Vec<Finalist>,
    /// The candidates that no other beats in the objective and in what it is traded against, in the order of the latter.
    pub front: Vec<usize>,
    /// Runs in all, fresh ones included.
    pub runs: u64,
    /// Whether it ran to its end.
    pub is_finished: bool,
}

impl TuneResult {
    /// Whether the first of the best is shown to keep to every condition.
    pub fn holds(&self) -> bool {
        self.best.first().is_some_and(|best| best.standing == Standing::Holds)
    }

    /// What was found of a metric, among the values of a candidate or of one of the best.
    pub fn found(&self, metrics: &[Option<Estimate>], metric: Metric) -> Option<Estimate> {
        let place = self.goal.metrics().iter().position(|known| *known == metric)?;
        metrics.get(place).copied().flatten()
    }
}
