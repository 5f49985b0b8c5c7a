//! Runs of a sweep, on all processors.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::SweepFacts;
use crate::scenario::Scenario;
use crate::simulation::{Run, simulate};
use crate::study::{RunStatistics, StudyError};

/// Carries out the runs with these numbers, in parallel on the current rayon pool. `keep` gets the number of each run that
/// ends, its metrics and its events, in any order and from any thread; nothing else of a run is kept.
///
/// All points share their luck: a replication has the same seed at each of them.
///
/// # Errors
/// Where a run does not balance; the first one in the order of the numbers.
pub fn run_sweep(
    points: &[Scenario],
    facts: &SweepFacts,
    runs: &[u64],
    keep: impl Fn(u64, &[Option<f64>], u64) + Sync,
) -> Result<RunStatistics, StudyError> {
    let started = Instant::now();
    let (events, busy_us) = (AtomicU64::new(0), AtomicU64::new(0));
    let failure = runs
        .par_iter()
        // Runs may differ a thousandfold in length: no thread may be left with many long ones.
        .with_max_len(1)
        .filter_map(|&number| {
            let place = facts.place(number);
            let point = &points[place.point];
            let run_started = Instant::now();
            let run = Run { seed: point.seed, replication: place.replication, duration_us: point.duration_us };
            match simulate(&point.variants[place.variant].setup, run) {
                Ok(outcome) => {
                    keep(number, &outcome.metrics, outcome.events);
                    events.fetch_add(outcome.events, Ordering::Relaxed);
                    busy_us.fetch_add(run_started.elapsed().as_micros() as u64, Ordering::Relaxed);
                    None
                }
                Err(source) => {
                    let variant = facts.variants[place.variant].clone();
                    Some(StudyError::Unbalanced { variant, replication: place.replication, source })
                }
            }
        })
        .collect::<Vec<_>>()
        .into_iter()
        .next();
    match failure {
        Some(failure) => Err(failure),
        None => Ok(RunStatistics {
            events: events.into_inner(),
            busy_s: busy_us.into_inner() as f64 / 1e6,
            wall_s: started.elapsed().as_secs_f64(),
        }),
    }
}
