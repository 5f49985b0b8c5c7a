//! All runs of a scenario, on all processors.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::Quantity;
use super::judge::{judge_claim, judge_expectation};
use super::result::{RunStatistics, StudyResult};
use super::tally::Tally;
use crate::measure::Unbalanced;
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
    /// Runs in all.
    pub total: u64,
    /// Events handled so far.
    pub events: u64,
}

/// Runs every variant as often as the scenario says, in parallel on the current rayon pool, and judges its expectations
/// and claims. The result does not depend on the number of threads or on the order in which runs end.
///
/// `watch` is told of every run that ends.
///
/// # Errors
/// Where a run does not balance; the first one in the order of variants and replications.
pub fn run_study(scenario: &Scenario, watch: impl Fn(Progress) + Sync) -> Result<StudyResult, StudyError> {
    let started = Instant::now();
    let quantities: Vec<Vec<Quantity>> =
        (0..scenario.variants.len()).map(|variant| quantities_of(scenario, variant)).collect();
    let tallies: Vec<Mutex<Tally>> =
        scenario.variants.iter().map(|_| Mutex::new(Tally::new(scenario.replications))).collect();
    let total = scenario.variants.len() as u64 * u64::from(scenario.replications);
    let (done, events, busy_us) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));

    // Replication by replication, so that what is known after a part of the time is known of every variant.
    let failures: Vec<Option<StudyError>> = (0..total)
        .into_par_iter()
        .map(|number| {
            let (replication, variant) = replication_and_variant(number, scenario.variants.len());
            let run_started = Instant::now();
            let run = Run { seed: scenario.seed, replication, duration_us: scenario.duration_us };
            let outcome = match simulate(&scenario.variants[variant].setup, run) {
                Ok(outcome) => outcome,
                Err(source) => {
                    let variant = scenario.variants[variant].name.clone();
                    return Some(StudyError::Unbalanced { variant, replication, source });
                }
            };
            lock(&tallies[variant]).add(replication, &outcome, &quantities[variant]);
            busy_us.fetch_add(run_started.elapsed().as_micros() as u64, Ordering::Relaxed);
            watch(Progress {
                done: done.fetch_add(1, Ordering::Relaxed) + 1,
                total,
                events: events.fetch_add(outcome.events, Ordering::Relaxed) + outcome.events,
            });
            None
        })
        .collect();
    if let Some(failure) = failures.into_iter().flatten().next() {
        return Err(failure);
    }

    let tallies: Vec<Tally> = tallies.into_iter().map(into_inner).collect();
    let statistics = RunStatistics {
        events: events.into_inner(),
        busy_s: busy_us.into_inner() as f64 / 1e6,
        wall_s: started.elapsed().as_secs_f64(),
    };
    Ok(conclude(scenario, tallies, &quantities, statistics))
}

fn replication_and_variant(number: u64, variants: usize) -> (u32, usize) {
    ((number / variants as u64) as u32, (number % variants as u64) as usize)
}

/// A run that panicked has ended the study already: whatever a lock then holds is of no use to anybody.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// All quantities that expectations and claims read off a variant.
fn quantities_of(scenario: &Scenario, variant: usize) -> Vec<Quantity> {
    let of_expectations = scenario.expectations.iter().filter(|expectation| {
        expectation.variant == variant || expectation.comparison.other_variant() == Some(variant)
    });
    let of_claims = scenario.claims.iter().filter(|claim| claim.variant == variant);
    let mut quantities: Vec<Quantity> = of_expectations.map(|expectation| expectation.quantity).collect();
    quantities.extend(of_claims.map(|claim| claim.quantity));
    quantities
}

fn conclude(
    scenario: &Scenario,
    tallies: Vec<Tally>,
    quantities: &[Vec<Quantity>],
    statistics: RunStatistics,
) -> StudyResult {
    let found = |variant: usize, quantity: Quantity| {
        let position = quantities[variant].iter().position(|&known| known == quantity)?;
        tallies[variant].quantity(position)
    };
    let expectations = scenario.expectations.iter().map(|expectation| {
        let other = expectation.comparison.other_variant().and_then(|variant| found(variant, expectation.quantity));
        judge_expectation(expectation, found(expectation.variant, expectation.quantity), other)
    });
    let claims = scenario.claims.iter().map(|claim| judge_claim(claim, found(claim.variant, claim.quantity)));
    let (expectations, claims) = (expectations.collect(), claims.collect());
    let names = scenario.variants.iter().map(|variant| variant.name.clone());
    StudyResult {
        variants: names.zip(tallies).map(|(name, tally)| tally.result(name)).collect(),
        scenario: scenario.clone(),
        expectations,
        claims,
        statistics,
    }
}
