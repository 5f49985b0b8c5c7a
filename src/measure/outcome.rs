//! What a run has found: numbers only.

use super::{AlarmOutcome, Ledger, Metric, SeriesMetric, TimeHistogram};

/// One step of the series: flows are counts within the step, levels are taken at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    /// Values in the order of [`SeriesMetric::ALL`].
    pub values: [u32; SeriesMetric::ALL.len()],
}

/// All that a run has found.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// A value for each of [`Metric::ALL`]; `None` where the run does not define it.
    pub metrics: Vec<Option<f64>>,
    /// What became of every message.
    pub ledger: Ledger,
    /// Length of a step of the series, in seconds.
    pub step_s: u64,
    /// The series.
    pub steps: Vec<Step>,
    /// Circuit breakers in the run; the series counts the open ones.
    pub breakers: u32,
    /// What each alarm did, in the order of the setup.
    pub alarms: Vec<AlarmOutcome>,
    /// Time from first receive to the dead-letter queue.
    pub time_to_dlq: TimeHistogram,
    /// Time from enqueue to first success.
    pub time_to_success: TimeHistogram,
    /// Events handled.
    pub events: u64,
}

impl Outcome {
    /// One metric.
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        self.metrics[metric as usize]
    }

    /// The course of one metric: a count a step, or a level at the end of each step.
    pub fn series(&self, metric: SeriesMetric) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().map(move |step| step.values[metric as usize])
    }
}
