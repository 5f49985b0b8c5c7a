//! What the tests share: scenarios from text, and runs of them.

use std::path::Path;

use retrystorm::measure::{Metric, Outcome, SeriesMetric};
use retrystorm::scenario::{self, Scenario};
use retrystorm::simulation::{Run, simulate};

/// The scenario of a text; panics with the diagnostics where it is refused.
pub fn scenario(text: &str) -> Scenario {
    scenario::parse(text, "test.yaml", Path::new(".")).unwrap_or_else(|error| panic!("{error}"))
}

/// One replication of a variant.
pub fn outcome_of(scenario: &Scenario, variant: usize, replication: u32) -> Outcome {
    simulate(&scenario.variants[variant].setup, run(scenario, replication)).expect("the ledger balances")
}

/// Names a replication of a scenario.
pub fn run(scenario: &Scenario, replication: u32) -> Run {
    Run { seed: scenario.seed, replication, duration_us: scenario.duration_us }
}

/// The first replication of the first variant.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn outcome(text: &str) -> Outcome {
    outcome_of(&scenario(text), 0, 0)
}

/// A metric that the run defines.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn metric(outcome: &Outcome, metric: Metric) -> f64 {
    outcome.metric(metric).unwrap_or_else(|| panic!("the run does not define {}", metric.name()))
}

/// A flow or level in each second.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn each_second(outcome: &Outcome, metric: SeriesMetric) -> Vec<u32> {
    outcome.series(metric).collect()
}
