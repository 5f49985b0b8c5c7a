//! The result of a study: numbers only, ready for reports.

use super::until::UntilResult;
use super::{Difference, Estimate, Proportion, TwoGroups};
#[cfg(doc)]
use crate::measure::Fact;
use crate::measure::{AlarmFigure, Fate, Metric, SeriesMetric, TimeHistogram};
use crate::model::MessageClass;
use crate::scenario::{Claim, Expectation, Scenario};

/// The course of a variant over time, step by step, over all replications.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Length of a step, in seconds; 1 except for very long runs.
    pub step_s: u64,
    /// Mean of each metric in each step, in the order of [`SeriesMetric::ALL`]; flows are per second.
    pub mean: Vec<Vec<f64>>,
    /// Lowest calls per second of any replication, a value a step.
    pub calls_lowest: Vec<f64>,
    /// Highest calls per second of any replication, a value a step.
    pub calls_highest: Vec<f64>,
}

impl Series {
    /// The course of one metric.
    pub fn of(&self, metric: SeriesMetric) -> &[f64] {
        &self.mean[metric as usize]
    }
}

/// What the runs of one variant say together.
#[derive(Debug, Clone)]
pub struct VariantResult {
    /// Its name.
    pub name: String,
    /// A value for each of [`Metric::ALL`]; `None` where no replication defines it.
    pub metrics: Vec<Option<Estimate>>,
    /// Mean messages by fate and class: `[fate][class]`, in the order of [`Fate::ALL`] and [`MessageClass::ALL`].
    pub fates: [[f64; MessageClass::ALL.len()]; Fate::ALL.len()],
    /// Its course.
    pub series: Series,
    /// In how many of its runs each of [`Fact::ALL`] was so.
    pub facts: Vec<Proportion>,
    /// The key metrics whose values fall into two groups.
    pub groups: Vec<(Metric, TwoGroups)>,
    /// What each alarm of the scenario did, in its order.
    pub alarms: Vec<AlarmResult>,
    /// Time from first receive to the dead-letter queue, of all messages of all replications.
    pub time_to_dlq: TimeHistogram,
}

impl VariantResult {
    /// One metric.
    pub fn metric(&self, metric: Metric) -> Option<Estimate> {
        self.metrics[metric as usize]
    }

    /// The two groups that a metric's values fall into, if they do.
    pub fn groups(&self, metric: Metric) -> Option<TwoGroups> {
        self.groups.iter().find(|(of, _)| *of == metric).map(|(_, groups)| *groups)
    }
}

/// What an alarm did in the runs of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct AlarmResult {
    /// All runs.
    pub runs: u32,
    /// Runs in which it fired.
    pub fired_runs: u32,
    /// A value for each of [`AlarmFigure::ALL`]; `None` where no replication defines it.
    pub figures: Vec<Option<Estimate>>,
}

impl AlarmResult {
    /// One figure.
    pub fn figure(&self, figure: AlarmFigure) -> Option<Estimate> {
        self.figures[figure as usize]
    }
}

/// An expectation and how it stands.
#[derive(Debug, Clone)]
pub struct ExpectationResult {
    /// What was expected.
    pub expectation: Expectation,
    /// What was found; `None` where no replication defines it.
    pub found: Option<Estimate>,
    /// The bound in numbers (for `between`, both ends), for reports.
    pub bound: Vec<f64>,
    /// Whether it holds.
    pub met: bool,
    /// Whether it holds on the mean, whatever was asked for.
    pub mean_holds: bool,
}

/// How a claim came out, judged by the bounds that the scenario states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within the first bound.
    Reproduced,
    /// Within the second.
    Close,
    /// Beyond both, or never observed.
    NotReproduced,
}

/// A claim and how it came out.
#[derive(Debug, Clone)]
pub struct ClaimResult {
    /// What was claimed.
    pub claim: Claim,
    /// What was found; `None` where no replication defines it.
    pub found: Option<Estimate>,
    /// The verdict.
    pub verdict: Verdict,
}

/// What the study itself did; never part of files that must be the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunStatistics {
    /// Events handled in all runs together.
    pub events: u64,
    /// Processor time of all runs together, in seconds (the sum over the runs of each one's own duration).
    pub busy_s: f64,
    /// Wall-clock time of the study, in seconds.
    pub wall_s: f64,
}

/// All that a study found.
#[derive(Debug, Clone)]
pub struct StudyResult {
    /// What was run; seed and replications as they were used.
    pub scenario: Scenario,
    /// One entry a variant, in the order of the scenario.
    pub variants: Vec<VariantResult>,
    /// Each variant but the baseline against it: every one of [`KEY_METRICS`](super::KEY_METRICS) that both define.
    pub differences: Vec<Difference>,
    /// How long it went on, where the number of replications was left to the study.
    pub until: Option<UntilResult>,
    /// One entry an expectation whose variants were run.
    pub expectations: Vec<ExpectationResult>,
    /// One entry a claim whose variant was run.
    pub claims: Vec<ClaimResult>,
    /// What the study itself did.
    pub statistics: RunStatistics,
}
