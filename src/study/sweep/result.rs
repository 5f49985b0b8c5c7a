//! What the runs of a sweep say together.

use rayon::prelude::*;

use super::{RunValues, SweepFacts};
use crate::measure::Metric;
use crate::study::Estimate;

/// The metrics of every variant at every point.
#[derive(Debug, Clone)]
pub struct SweepResult {
    /// What was run.
    pub facts: SweepFacts,
    /// A value for each of [`Metric::ALL`] of each variant at each point; the variants of a point follow each other.
    cells: Vec<Vec<Option<Estimate>>>,
}

impl SweepResult {
    /// The result of runs that have all ended.
    pub fn of(facts: SweepFacts, values: &RunValues) -> Self {
        let replications = u64::from(facts.replications);
        let cells = facts.points() * facts.variants.len();
        let cell = |cell: usize| {
            let first = cell as u64 * replications;
            let rows: Vec<&[f64]> = (first..first + replications).filter_map(|run| values.get(run)).collect();
            Metric::ALL
                .iter()
                .map(|&metric| {
                    let values = rows.iter().map(|row| row[metric as usize]).filter(|value| !value.is_nan());
                    Estimate::of(&values.collect::<Vec<f64>>())
                })
                .collect()
        };
        let cells = (0..cells).into_par_iter().map(cell).collect();
        Self { facts, cells }
    }

    /// A metric of a variant at a point; `None` where no replication defines it.
    pub fn metric(&self, point: usize, variant: usize, metric: Metric) -> Option<Estimate> {
        self.cells[point * self.facts.variants.len() + variant][metric as usize]
    }
}
