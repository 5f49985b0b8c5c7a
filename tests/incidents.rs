//! What the scenarios of public incidents show beyond their own expectations.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use retrystorm::measure::{Metric, Outcome, SeriesMetric};
use retrystorm::scenario::{self, Scenario};
use retrystorm::study;
use support::{each_second, metric, outcome_of};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/incidents")
}

fn incident(name: &str) -> Scenario {
    scenario::read_file(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the incidents");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect()
}

fn counts<const N: usize>(outcome: &Outcome, names: [Metric; N]) -> [f64; N] {
    names.map(|name| metric(outcome, name))
}

/// Those that run for long are left to the main job of the checks, which runs every scenario.
#[test]
fn every_quick_incident_is_reproduced() {
    let mut judged = 0;
    for name in names() {
        let scenario = incident(&name);
        if scenario::estimate(&scenario).events > 1e7 {
            continue;
        }
        let result = study::run_study(&scenario, |_| ()).expect("the ledger balances");
        assert!(!result.expectations.is_empty(), "{name} says what must hold");
        for found in &result.expectations {
            assert!(found.met, "{name}: {found:?}");
            judged += 1;
        }
    }
    assert!(judged > 40, "{judged}");
}

#[test]
fn the_page_tells_every_incident_and_no_other() {
    let page = fs::read_to_string(folder().join("../../docs/incidents.md")).expect("the page");
    let mut told: Vec<String> =
        page.lines().filter_map(|line| line.strip_prefix("## ")).map(|name| format!("{name}.yaml")).collect();
    let mut there = names();
    told.sort();
    there.sort();
    assert_eq!(told, there);
}

/// In each replication: whatever the kills hit, and nothing else. Were a handler to fail, or a killed message to come back,
/// the two would differ.
#[test]
fn dead_letters_of_deploys_are_what_was_in_work_at_the_kills() {
    let scenario = incident("deploys-fill-the-dlq.yaml");
    for replication in 0..3 {
        let killed = outcome_of(&scenario, 0, replication);
        let [died, dead_lettered, failed] =
            counts(&killed, [Metric::AttemptsDied, Metric::DeadLettered, Metric::CallsFailed]);
        assert!(died > 0.0);
        assert_eq!((dead_lettered, failed), (died, 0.0));
    }
}

/// Leases end at 30, 60, 90 and 120 s, so chains begin at 0, 30, 60, 90 s; the tries of each are 35 s apart. The first try
/// after 100 s that succeeds is that of the second chain, at 100 s, whose receipt is old by then.
#[test]
fn chains_of_in_memory_retries_overlap() {
    let scenario = incident("in-memory-retry-longer-than-the-lease.yaml");
    let seconds = |variant| {
        let calls = each_second(&outcome_of(&scenario, variant, 0), SeriesMetric::Calls);
        (0..100).filter(|&second| calls[second] > 0).collect::<Vec<usize>>()
    };
    assert_eq!(seconds(0), [0, 30, 35, 60, 65, 70, 90, 95]);
    assert_eq!(seconds(1), [0, 35, 70]);
}

/// The last plan of the refund queue.
#[test]
fn a_visibility_timeout_of_24_hours_is_refused_with_the_limit() {
    let text = fs::read_to_string(folder().join("retention-equals-retry-budget.yaml")).expect("the scenario");
    let planned = text.replacen("visibility_timeout: 12h", "visibility_timeout: 24h", 1);
    let error = scenario::parse(&planned, "planned.yaml", &folder()).expect_err("more than the service takes");
    assert!(error.to_string().contains("12h"), "{error}");
}
