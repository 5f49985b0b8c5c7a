//! What the arithmetic of retries says is what the simulation does.

mod support;

use retrystorm::budget::{Budget, BudgetSettings, RetentionVerdict, RideOutVerdict};
use retrystorm::model::policy::catalogue::Settings;
use retrystorm::model::policy::{BACKOFFS, BackoffSettings};
use retrystorm::scenario::{self, Scenario};
use retrystorm::study::run_study;

use support::outcome_of;

/// Messages that fail for ever and are received as soon as they are visible: polls always wait, slots are always free.
fn hopeless(backoff: &str, receives: u32, handler: &str) -> Scenario {
    support::scenario(&format!(
        "
duration: 14d
replications: 1
queue: {{ visibility_timeout: 30s, retention: 14d, redrive: {{ max_receive_count: {receives} }} }}
producers: [ {{ burst: 3000, classes: {{ permanent: 100% }} }} ]
consumers: {{ fleet: 100, concurrency: 1000 }}
downstream: {{ servers: 100000, service_time: {handler} }}
policy: {{ backoff: {backoff} }}
variants: {{ only: {{}} }}
"
    ))
}

fn budget(scenario: &Scenario, handler_s: f64) -> Budget {
    let settings = BudgetSettings::of_setup(&scenario.variants[0].setup).expect("arithmetic has an answer");
    Budget::of(&BudgetSettings { handler_s, ..settings }).expect("arithmetic has an answer")
}

/// A backoff of the catalogue with its example, in braces where it has parameters.
fn written(settings: &BackoffSettings) -> String {
    let written = settings.written();
    if written.contains(':') { format!("{{ {written} }}") } else { written }
}

#[test]
fn every_backoff_agrees_with_the_simulation() {
    let mut kinds = Vec::new();
    for kind in BACKOFFS {
        kinds.push(written(&Settings::of_example(kind)));
    }
    for jitter in [
        "none",
        "full",
        "equal",
        "half",
        "decorrelated",
        "{ floored_full: { floor: 5s } }",
        "{ bounded: { share: 30% } }",
    ] {
        kinds.push(format!("{{ exponential: {{ base: 10s, cap: 5m, jitter: {jitter} }} }}"));
        if jitter != "decorrelated" {
            kinds.push(format!("{{ linear: {{ step: 9s, cap: 30s, jitter: {jitter} }} }}"));
        }
    }
    for backoff in kinds {
        for (receives, handler, handler_s) in [(5, "1ms", 0.001), (3, "2s", 2.0)] {
            let scenario = hopeless(&backoff, receives, handler);
            let outcome = outcome_of(&scenario, 0, 0);
            let found = &outcome.time_to_dlq;
            let expected = budget(&scenario, handler_s).to_dead_letter_queue;
            assert_eq!(found.count(), 3_000, "{backoff}");
            let mean_s = found.mean_s().expect("there are dead letters");
            let squares = found.steps().map(|(at_s, count)| (at_s - mean_s).powi(2) * count as f64);
            // 4 standard errors, since there are many comparisons; the simulated moves wait for events of the same moment.
            let within_s = 4.0 * (squares.sum::<f64>() / 3_000.0 / 3_000.0).sqrt() + 0.02;
            assert!((mean_s - expected.mean_s).abs() <= within_s, "{backoff}: {mean_s} s, expected {expected:?}");
            // The histogram keeps three digits.
            for (share, expected_s) in [(0.5, expected.p50_s), (0.95, expected.p95_s), (0.99, expected.p99_s)] {
                let found_s = found.quantile_s(share).expect("there are dead letters");
                let within_s = 0.035 * expected_s + 0.1 * (expected.high_s - expected.low_s).min(20.0) + 0.1;
                assert!(
                    (found_s - expected_s).abs() <= within_s,
                    "{backoff} {share}: {found_s} s, expected {expected_s} s"
                );
            }
            let longest_s = found.max_s().expect("there are dead letters");
            assert!(longest_s <= expected.high_s + 0.1, "{backoff}: {longest_s} s, expected {expected:?}");
        }
    }
}

#[test]
fn the_numbers_of_the_model_come_out() {
    let mean_s =
        |backoff: &str, receives: u32| budget(&hopeless(backoff, receives, "1ms"), 0.0).to_dead_letter_queue.mean_s;
    assert_eq!(mean_s("{ exponential: { base: 10s, cap: 300s, jitter: full } }", 6), 305.0);
    assert_eq!(mean_s("none", 5), 150.0);
    assert_eq!(mean_s("{ exponential: { base: 30s, cap: 15m } }", 5), 930.0);
}

#[test]
fn both_rows_of_the_scenario_without_and_with_backoff_come_out() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/naive-vs-exponential.yaml");
    let scenario = scenario::read_file(&path).expect("a sound scenario");
    let budgets = scenario.variants.iter().map(|variant| {
        let settings = BudgetSettings::of_setup(&variant.setup).expect("arithmetic has an answer");
        Budget::of(&settings).expect("arithmetic has an answer").to_dead_letter_queue.mean_s
    });
    assert_eq!(budgets.collect::<Vec<_>>(), [150.0, 930.0]);
}

#[test]
fn what_an_outage_costs_is_what_the_model_says_and_the_simulation_loses() {
    // docs/model.md, messages lost to an outage: rate x (length - sum of the first waits).
    for (backoff, receives, outage_s, lost_s) in [
        ("none", 3, 90.0, 30.0),
        ("{ exponential: { base: 10s, cap: 300s, jitter: full } }", 3, 90.0, 75.0),
        ("{ exponential: { base: 10s, cap: 300s, jitter: full } }", 4, 90.0, 55.0),
        ("none", 10, 480.0, 210.0),
    ] {
        let scenario = hopeless(backoff, receives, "1ms");
        let settings = BudgetSettings::of_setup(&scenario.variants[0].setup).expect("arithmetic has an answer");
        let settings = BudgetSettings { outage_s: Some(outage_s), ..settings };
        let found = Budget::of(&settings).expect("arithmetic has an answer").ride_out.expect("an outage was asked for");
        assert!((found.lost_s - lost_s).abs() < 1e-9, "{backoff} {receives}: {found:?}");
        assert_eq!(found.verdict, RideOutVerdict::Never, "{backoff} {receives}");
    }
    // Where the waits may be longer than the outage the law above does not hold any more; the chances do.
    let text = "
duration: 20m
replications: 5
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 5 } }
producers: [ { rate: 100/s, until: 15m } ]
consumers: { fleet: 50, concurrency: 1000 }
downstream: { servers: 50000, service_time: 1ms, outages: [ { at: 5m, for: 90s, mode: refuse } ] }
policy: { backoff: { exponential: { base: 10s, cap: 300s, jitter: full } } }
variants: { only: {} }
";
    let scenario = support::scenario(text);
    let settings = BudgetSettings::of_setup(&scenario.variants[0].setup).expect("arithmetic has an answer");
    let settings = BudgetSettings { outage_s: Some(90.0), handler_s: 0.001, ..settings };
    let found = Budget::of(&settings).expect("arithmetic has an answer").ride_out.expect("an outage was asked for");
    assert_eq!(found.verdict, RideOutVerdict::Sometimes);
    let study = run_study(&scenario, |_| ()).expect("the ledger balances");
    let dead = study.variants[0].metric(retrystorm::measure::Metric::DeadLetteredValid).expect("a metric");
    let (low, high) = (dead.lo, dead.hi);
    let expected = 100.0 * found.lost_s;
    assert!(low <= expected && expected <= high, "{expected} is not in [{low}, {high}]");
}

#[test]
fn retention_is_reached_exactly_where_the_model_says() {
    let verdict = |receives: u32| {
        let settings = BudgetSettings {
            visibility_timeout_s: 1_200.0,
            retention_s: 43_200.0,
            max_receive_count: receives,
            ..BudgetSettings::default()
        };
        Budget::of(&settings).expect("arithmetic has an answer").retention.verdict
    };
    assert_eq!(verdict(36), RetentionVerdict::Unreachable);
    assert_eq!(verdict(35), RetentionVerdict::Close);
    assert_eq!(verdict(18), RetentionVerdict::Ample);
}
