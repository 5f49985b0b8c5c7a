//! All runs of a scenario, and what follows from them.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::batch::{Batches, Ended, StudyError};
use super::difference::paired;
use super::judge::{Values, judge_claim, judge_expectation};
use super::result::{RunStatistics, StudyResult};
use super::tally::Tally;
use super::until::{BATCH, FEWEST_RUNS, Until, UntilResult};
use super::{Difference, KEY_METRICS, Quantity};
use crate::scenario::Scenario;

/// What of a study is not the scenario's business.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyOptions {
    /// Index of the variant that the others are held against.
    pub baseline: usize,
    /// When there are replications enough; without it there are as many as the scenario says.
    pub until: Option<Until>,
}

/// Runs every variant as often as the scenario says, in parallel on the current rayon pool, and judges its expectations
/// and claims. The result does not depend on the number of threads or on the order in which runs end.
///
/// `watch` is told of every run that ends.
///
/// # Errors
/// Where a run does not balance; the first one in the order of variants and replications.
pub fn run_study(scenario: &Scenario, watch: impl Fn(Ended<'_>) + Sync) -> Result<StudyResult, StudyError> {
    run_study_with(scenario, &StudyOptions::default(), watch)
}

/// The same, with another baseline, or with as many replications as it takes. The result names the number of
/// replications that were run.
///
/// # Errors
/// As those of [`run_study`].
pub fn run_study_with(
    scenario: &Scenario,
    options: &StudyOptions,
    watch: impl Fn(Ended<'_>) + Sync,
) -> Result<StudyResult, StudyError> {
    let started = Instant::now();
    let quantities: Vec<Vec<Quantity>> =
        (0..scenario.variants.len()).map(|variant| quantities_of(scenario, variant)).collect();
    let batches = Batches::new(scenario, &quantities);
    let (replications, until) = match &options.until {
        None => {
            batches.run(0..scenario.replications, &watch)?;
            (scenario.replications, None)
        }
        Some(until) => run_until(scenario, until, &batches, &watch)?,
    };
    let statistics = RunStatistics {
        events: batches.events.load(Ordering::Relaxed),
        busy_s: batches.busy_us.load(Ordering::Relaxed) as f64 / 1e6,
        wall_s: started.elapsed().as_secs_f64(),
    };
    let scenario = Scenario { replications, ..scenario.clone() };
    let tallies = batches.into_tallies();
    let differences = differences(&tallies, options.baseline);
    let result = conclude(scenario, tallies, &quantities, statistics);
    Ok(StudyResult { differences, until, ..result })
}

/// Runs batch after batch of a fixed size until every variant is known well enough. Nothing else decides, so that it
/// ends after the same run on any machine.
fn run_until(
    scenario: &Scenario,
    until: &Until,
    batches: &Batches<'_>,
    watch: &(impl Fn(Ended<'_>) + Sync),
) -> Result<(u32, Option<UntilResult>), StudyError> {
    let mut done = 0;
    let mut next = scenario.replications.max(FEWEST_RUNS).min(until.at_most);
    loop {
        batches.run(done..next, watch)?;
        done = next;
        let reached = batches.all(|tally| until.is_reached(&tally.metric(until.metric)));
        if reached || done >= until.at_most {
            return Ok((done, Some(UntilResult { until: *until, reached })));
        }
        next = done.saturating_add(BATCH).min(until.at_most);
    }
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

/// Every variant against the baseline.
fn differences(tallies: &[Tally], baseline: usize) -> Vec<Difference> {
    let Some(base) = tallies.get(baseline) else { return Vec::new() };
    let others = tallies.iter().enumerate().filter(|(variant, _)| *variant != baseline);
    let of_variant = |(variant, tally): (usize, &Tally)| {
        let difference = |&metric| {
            let found = paired(&tally.metric(metric), &base.metric(metric), 1.0, 0.0)?;
            Some(Difference { variant, baseline, metric, found })
        };
        KEY_METRICS.iter().filter_map(difference).collect::<Vec<_>>()
    };
    others.flat_map(of_variant).collect()
}

fn conclude(
    scenario: Scenario,
    tallies: Vec<Tally>,
    quantities: &[Vec<Quantity>],
    statistics: RunStatistics,
) -> StudyResult {
    let values = |variant: usize, quantity: Quantity| -> Values {
        let position = quantities[variant].iter().position(|&known| known == quantity);
        position.map_or_else(Vec::new, |position| tallies[variant].quantity(position))
    };
    let expectations = scenario.expectations.iter().map(|expectation| {
        let other = expectation.comparison.other_variant().map(|variant| values(variant, expectation.quantity));
        judge_expectation(expectation, &values(expectation.variant, expectation.quantity), other.as_deref())
    });
    let claims = scenario.claims.iter().map(|claim| judge_claim(claim, &values(claim.variant, claim.quantity)));
    let (expectations, claims) = (expectations.collect(), claims.collect());
    let names = scenario.variants.iter().map(|variant| variant.name.clone());
    StudyResult {
        variants: names.zip(tallies).map(|(name, tally)| tally.result(name)).collect(),
        scenario,
        differences: Vec::new(),
        until: None,
        expectations,
        claims,
        statistics,
    }
}
