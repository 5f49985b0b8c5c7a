//! The runs of a study, in batches on all processors.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use rayon::prelude::*;

use super::Quantity;
use super::tally::Tally;
use crate::engine::time::seconds;
use crate::measure::{Outcome, Unbalanced};
use crate::scenario::Scenario;
use crate::simulation::{Run, simulate};

/// Why a study came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// A run's ledger does not balance.
    #[error("variant `{variant}`, replication {replication}: {source}")]
    Unbalanced {
        /// The variant.
        variant: String,
        /// The replication, from 0.
        replication: u32,
        /// What does not balance.
        source: Unbalanced,
    },
}

/// How far a study has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Runs that have ended.
    pub done: u64,
    /// Runs in all, as far as is known.
    pub total: u64,
    /// Events handled so far.
    pub events: u64,
}

/// A run that has just ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// How far the study has come with it.
    pub progress: Progress,
    /// Index of its variant.
    pub variant: usize,
    /// What came of it.
    pub outcome: &'a Outcome,
}

/// The runs of all variants so far.
pub(super) struct Batches<'a> {
    scenario: &'a Scenario,
    quantities: &'a [Vec<Quantity>],
    tallies: Vec<Mutex<Tally>>,
    done: AtomicU64,
    /// Events of all runs.
    pub events: AtomicU64,
    /// Time that all runs took, added up.
    pub busy_us: AtomicU64,
}

impl<'a> Batches<'a> {
    /// None yet. `quantities` are those that are read off each variant.
    pub fn new(scenario: &'a Scenario, quantities: &'a [Vec<Quantity>]) -> Self {
        let tally = || Mutex::new(Tally::new(seconds(scenario.duration_us)));
        let tallies = scenario.variants.iter().map(|_| tally()).collect();
        let [done, events, busy_us] = [(); 3].map(|()| AtomicU64::new(0));
        Self { scenario, quantities, tallies, done, events, busy_us }
    }

    /// Runs these replications of every variant, in parallel on the current rayon pool.
    ///
    /// # Errors
    /// Where a run does not balance; the first one in the order of variants and replications.
    pub fn run(&self, replications: Range<u32>, watch: &(impl Fn(Ended<'_>) + Sync)) -> Result<(), StudyError> {
        let variants = self.scenario.variants.len() as u64;
        let [first, end] = [replications.start, replications.end].map(|number| u64::from(number) * variants);
        // Replication by replication, so that what is known after a part of the time is known of every variant.
        let failures: Vec<Option<StudyError>> = (first..end)
            .into_par_iter()
            .map(|number| {
                let (replication, variant) = ((number / variants) as u32, (number % variants) as usize);
                let outcome = match self.run_one(replication, variant) {
                    Ok(outcome) => outcome,
                    Err(failure) => return Some(failure),
                };
                let progress = Progress {
                    done: self.done.fetch_add(1, Ordering::Relaxed) + 1,
                    total: end,
                    events: self.events.fetch_add(outcome.events, Ordering::Relaxed) + outcome.events,
                };
                watch(Ended { progress, variant, outcome: &outcome });
                None
            })
            .collect();
        failures.into_iter().flatten().next().map_or(Ok(()), Err)
    }

    fn run_one(&self, replication: u32, variant: usize) -> Result<Outcome, StudyError> {
        let started = Instant::now();
        let of = &self.scenario.variants[variant];
        let run = Run { seed: self.scenario.seed, replication, duration_us: self.scenario.duration_us };
        let unbalanced = |source| StudyError::Unbalanced { variant: of.name.clone(), replication, source };
        let outcome = simulate(&of.setup, run).map_err(unbalanced)?;
        lock(&self.tallies[variant]).add(replication, &outcome, &self.quantities[variant]);
        self.busy_us.fetch_add(started.elapsed().as_micros() as u64, Ordering::Relaxed);
        Ok(outcome)
    }

    /// Whether something is so of the runs of every variant.
    pub fn all(&self, is_so: impl Fn(&Tally) -> bool) -> bool {
        self.tallies.iter().all(|tally| is_so(&lock(tally)))
    }

    /// What was added up, variant by variant.
    pub fn into_tallies(self) -> Vec<Tally> {
        let into_inner = |tally: Mutex<Tally>| tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.tallies.into_iter().map(into_inner).collect()
    }
}

/// A run that panicked has ended the study already: whatever a lock then holds is of no use to anybody.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
