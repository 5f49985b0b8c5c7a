//! What is known of the candidates so far.

use std::ops::Range;

use super::goal::Goal;
use super::rank::{By, Rank};
use crate::measure::Metric;

/// The values of every candidate that has run, and who is still in.
#[derive(Debug)]
pub(super) struct Board {
    metrics: Vec<Metric>,
    /// Values by candidate, replication and metric; `None` where a run has not ended.
    values: Vec<Vec<Option<Vec<Option<f64>>>>>,
    /// The last rung that each candidate was on, from 1; 0 before the first.
    pub rungs: Vec<usize>,
    /// Runs that have ended.
    pub runs: u64,
}

impl Board {
    /// Nothing yet.
    pub fn new(goal: &Goal, candidates: usize) -> Self {
        Self { metrics: goal.metrics(), values: vec![Vec::new(); candidates], rungs: vec![0; candidates], runs: 0 }
    }

    /// Takes the metrics of a run, in the order of [`Metric::ALL`].
    pub fn put(&mut self, candidate: usize, replication: u32, metrics: &[Option<f64>]) {
        let of = |metric: &Metric| metrics.get(*metric as usize).copied().flatten();
        let values = self.metrics.iter().map(of).collect();
        let row = &mut self.values[candidate];
        let place = replication as usize;
        if row.len() <= place {
            row.resize_with(place + 1, || None);
        }
        row[place] = Some(values);
        self.runs += 1;
    }

    /// The values of a metric in these replications; none in those that have not ended or do not define it.
    pub fn values(&self, candidate: usize, metric: Metric, replications: Range<u32>) -> Vec<Option<f64>> {
        let place = self.metrics.iter().position(|known| *known == metric);
        let of = |replication: u32| {
            let run = self.values[candidate].get(replication as usize)?.as_ref()?;
            run[place?]
        };
        replications.map(of).collect()
    }

    /// How many of these replications have ended.
    pub fn ended(&self, candidate: usize, replications: Range<u32>) -> u32 {
        let has_ended =
            |replication: &u32| self.values[candidate].get(*replication as usize).is_some_and(Option::is_some);
        replications.filter(has_ended).count() as u32
    }

    /// The candidates by what these replications say, better ones first; of equals the first.
    pub fn better_first(&self, goal: &Goal, by: By, candidates: &[usize], replications: Range<u32>) -> Vec<usize> {
        let rank = |candidate: usize| Rank::of(goal, by, |metric| self.values(candidate, metric, replications.clone()));
        let mut ranked: Vec<(usize, Rank)> = candidates.iter().map(|&candidate| (candidate, rank(candidate))).collect();
        ranked.sort_by(|one, other| one.1.compare(&other.1).then(one.0.cmp(&other.0)));
        ranked.into_iter().map(|(candidate, _)| candidate).collect()
    }
}
