//! What a sweep is, as far as its results need to know.

use serde::{Deserialize, Serialize};

use crate::engine::time::seconds;
use crate::measure::Metric;
use crate::scenario::{Axis, Sweep};

/// A sweep in names and numbers: enough to tell what each run is and to write all results, without the scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepFacts {
    /// Title of the scenario.
    pub title: String,
    /// Name of its file, without the folder.
    pub file: String,
    /// The seed of all points.
    pub seed: u64,
    /// Runs of each variant at each point.
    pub replications: u32,
    /// Simulated time of a run in seconds; `None` where it is varied.
    pub duration_s: Option<f64>,
    /// What is varied.
    pub axes: Vec<Axis>,
    /// The names of the variants.
    pub variants: Vec<String>,
    /// The metrics that charts and tables show.
    pub shown: Vec<String>,
}

/// Which run a number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunPlace {
    /// Index of the point.
    pub point: usize,
    /// Index of the variant.
    pub variant: usize,
    /// The replication, from 0.
    pub replication: u32,
}

impl SweepFacts {
    /// The facts of a sweep; `file` is the scenario's file name without its folder.
    pub fn of(sweep: &Sweep, file: &str, shown: &[Metric]) -> Self {
        let first = sweep.points.first();
        let duration_us = first.map(|first| first.duration_us);
        let is_varied = sweep.points.iter().any(|point| Some(point.duration_us) != duration_us);
        Self {
            title: first.map_or(String::new(), |first| first.title.clone()),
            file: file.to_owned(),
            seed: first.map_or(0, |first| first.seed),
            replications: first.map_or(0, |first| first.replications),
            duration_s: duration_us.filter(|_| !is_varied).map(seconds),
            axes: sweep.axes.clone(),
            variants: first
                .map_or_else(Vec::new, |first| first.variants.iter().map(|variant| variant.name.clone()).collect()),
            shown: shown.iter().map(|metric| metric.name().to_owned()).collect(),
        }
    }

    /// The number of points; saturates where a file that was tampered with claims too many.
    pub fn points(&self) -> usize {
        self.axes.iter().fold(1, |points: usize, axis| points.saturating_mul(axis.values.len()))
    }

    /// The number of runs.
    pub fn runs(&self) -> u64 {
        (self.points() as u64).saturating_mul(self.variants.len() as u64).saturating_mul(self.replications.into())
    }

    /// Which run a number stands for: the replications of a variant at a point follow each other.
    pub fn place(&self, run: u64) -> RunPlace {
        let replications = u64::from(self.replications.max(1));
        let (cell, replication) = (run / replications, run % replications);
        let variants = self.variants.len().max(1) as u64;
        RunPlace {
            point: (cell / variants) as usize,
            variant: (cell % variants) as usize,
            replication: replication as u32,
        }
    }

    /// The index of the value that each axis has at a point.
    pub fn coordinates(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut indices: Vec<usize> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let count = axis.values.len().max(1);
                let index = rest % count;
                rest /= count;
                index
            })
            .collect();
        indices.reverse();
        indices
    }

    /// The labels of a point's values, an axis each.
    pub fn labels(&self, point: usize) -> impl Iterator<Item = &str> {
        let indices = self.coordinates(point);
        self.axes.iter().zip(indices).map(|(axis, index)| axis.values[index].label.as_str())
    }

    /// The metrics that charts and tables show.
    pub fn shown_metrics(&self) -> Vec<Metric> {
        self.shown.iter().filter_map(|name| Metric::from_name(name)).collect()
    }
}
