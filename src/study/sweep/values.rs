//! The metrics of many runs, in little room.

use crate::measure::Metric;

/// A value for each of [`Metric::ALL`] of every run; a run that has not ended has none.
#[derive(Debug, Clone, PartialEq)]
pub struct RunValues {
    /// Not a number where a run does not define a metric.
    values: Vec<f64>,
    is_there: Vec<bool>,
}

impl RunValues {
    /// For so many runs, of which none has ended.
    pub fn new(runs: u64) -> Self {
        let runs = runs as usize;
        Self { values: vec![f64::NAN; runs * Metric::ALL.len()], is_there: vec![false; runs] }
    }

    /// Takes the metrics of a run; nothing where there is no such run.
    pub fn set(&mut self, run: u64, metrics: &[Option<f64>]) {
        let Some(is_there) = self.is_there.get_mut(run as usize) else { return };
        *is_there = true;
        let start = run as usize * Metric::ALL.len();
        let row = &mut self.values[start..start + Metric::ALL.len()];
        row.iter_mut().zip(metrics).for_each(|(value, metric)| *value = metric.unwrap_or(f64::NAN));
    }

    /// The metrics of a run that has ended; not a number where one is undefined.
    pub fn get(&self, run: u64) -> Option<&[f64]> {
        let is_there = *self.is_there.get(run as usize)?;
        let start = run as usize * Metric::ALL.len();
        is_there.then(|| &self.values[start..start + Metric::ALL.len()])
    }

    /// The number of all runs.
    pub fn runs(&self) -> u64 {
        self.is_there.len() as u64
    }

    /// The number of runs that have ended.
    pub fn ended(&self) -> u64 {
        self.is_there.iter().filter(|is_there| **is_there).count() as u64
    }

    /// Whether a run has ended.
    pub fn has(&self, run: u64) -> bool {
        self.is_there.get(run as usize).copied().unwrap_or(false)
    }
}
