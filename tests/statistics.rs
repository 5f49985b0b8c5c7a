//! The statistics hold what they promise, on runs of the simulator itself.

mod support;

use rayon::prelude::*;
use retrystorm::measure::Metric;
use retrystorm::scenario::Scenario;
use retrystorm::study::Estimate;
use support::{metric, outcome_of, scenario};

/// A queue with one server, half busy: a message takes 0.2 s from enqueue to success in the mean.
const HALF_BUSY: &str = "
duration: 410s
queue: { visibility_timeout: 12h, retention: 14d }
producers: [ { rate: 5/s, until: 400s } ]
consumers: { fleet: 1, concurrency: 1000, batch: 1 }
downstream: { servers: 1, service_time: { exponential: 100ms } }
variants: { only: {} }
";
const EXACT_S: f64 = 0.2;
const STUDIES: u64 = 500;
const REPLICATIONS: u32 = 10;

/// The interval of one study of ten replications.
fn study(seed: u64) -> Estimate {
    let scenario = Scenario { seed, ..scenario(HALF_BUSY) };
    let means: Vec<f64> = (0..REPLICATIONS)
        .map(|replication| outcome_of(&scenario, 0, replication).time_to_success.mean_s().expect("successes"))
        .collect();
    Estimate::of(&means).expect("replications")
}

#[test]
fn intervals_of_95_percent_hold_the_truth_in_95_percent_of_the_studies() {
    let holds = |found: &Estimate| (found.lo..=found.hi).contains(&EXACT_S);
    let held = (0..STUDIES).into_par_iter().map(|number| study(1_000 + number)).filter(holds).count();
    let share = held as f64 / STUDIES as f64;
    println!("{held} of {STUDIES} intervals hold the exact mean: {:.1} %", share * 100.0);
    assert!((0.93..=0.97).contains(&share), "{share}");
}

/// An outage of 20 s, ten percent of errors, and a policy to vary.
const OUTAGE: &str = "
duration: 150s
queue: { visibility_timeout: 6s, redrive: { max_receive_count: 4 } }
producers: [ { rate: 40/s, until: 100s } ]
consumers: { fleet: 4, concurrency: 20 }
downstream:
  servers: 6
  service_time: { exponential: 100ms }
  error_rate: 5%
  outages: [ { at: 20s, for: 20s, mode: errors, share: 80% } ]
variants:
  plain: {}
  longer-lease: { queue: { visibility_timeout: 8s } }
  full-jitter: { policy: { backoff: { exponential: { base: 4s, cap: 60s, jitter: full } } } }
  equal-jitter: { policy: { backoff: { exponential: { base: 4s, cap: 60s, jitter: equal } } } }
  five-receives: { queue: { redrive: { max_receive_count: 5 } } }
  seven-servers: { downstream: { servers: 7 } }
";

/// The variance of the differences between one variant and another, run by run.
fn variance_of_differences(values: &[f64], others: &[f64]) -> f64 {
    let differences: Vec<f64> = values.iter().zip(others).map(|(value, other)| value - other).collect();
    Estimate::of(&differences).expect("replications").sd.powi(2)
}

#[test]
fn shared_luck_makes_differences_far_less_uncertain() {
    const RUNS: u32 = 60;
    let base = scenario(OUTAGE);
    let values = |seed: u64, name: &str, of: Metric| -> Vec<f64> {
        let variant = base.variant(name).expect("a variant");
        let scenario = Scenario { seed, ..base.clone() };
        let run = |replication| metric(&outcome_of(&scenario, variant, replication), of);
        (0..RUNS).into_par_iter().map(run).collect()
    };
    let comparisons = [
        ("plain", "longer-lease", Metric::CallsWasted),
        ("plain", "five-receives", Metric::DeadLetteredValid),
        ("plain", "seven-servers", Metric::TimeToSuccessP99S),
        ("full-jitter", "equal-jitter", Metric::CallsWasted),
        ("plain", "full-jitter", Metric::DeadLetteredValid),
    ];
    let mut ratios = Vec::new();
    for (one, other, of) in comparisons {
        let values_of_one = values(1, one, of);
        let with = variance_of_differences(&values_of_one, &values(1, other, of));
        let without = variance_of_differences(&values_of_one, &values(2, other, of));
        println!("{one} and {other}, {}: {with:.3} with, {without:.3} without, ratio {:.1}", of.name(), without / with);
        ratios.push(without / with);
    }
    assert!(ratios.iter().all(|ratio| *ratio > 1.0), "{ratios:?}");
    assert!(ratios.iter().filter(|ratio| **ratio > 3.0).count() >= 2, "{ratios:?}");
}
