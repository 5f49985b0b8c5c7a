//! Runs that warm up: what counts from then on, and what was before.

mod support;

use retrystorm::measure::{Fate, Metric, SeriesMetric};
use retrystorm::simulation::{Run, simulate};
use support::{outcome_of, scenario};

/// Ten messages at 0 s that fail once a minute until their third lease ends, ten more at 100 s.
const TWO_BURSTS: &str = "
queue: { visibility_timeout: 60s, redrive: { max_receive_count: 3 } }
producers:
  - { burst: 10, classes: { permanent: 100% } }
  - { burst: 10, from: 100s, classes: { permanent: 100% } }
downstream: { servers: 10, service_time: 20ms }
variants: { only: {} }
";

fn with_warm_up(warm_up: &str) -> retrystorm::measure::Outcome {
    outcome_of(&scenario(&format!("duration: 10m\nwarm_up: {warm_up}{TWO_BURSTS}")), 0, 0)
}

#[test]
fn what_is_outstanding_counts_as_sent_when_the_warm_up_ends() {
    let all = with_warm_up("0s");
    assert_eq!(all.metric(Metric::Enqueued), Some(20.0));
    assert_eq!(all.metric(Metric::Receives), Some(60.0));

    // At 90 s the first ten have been received at 0 s and at 60 s, and are leased.
    let counted = with_warm_up("90s");
    assert_eq!(counted.metric(Metric::Enqueued), Some(20.0));
    assert_eq!(counted.metric(Metric::Receives), Some(40.0));
    assert_eq!(counted.metric(Metric::DeadLettered), Some(20.0));
    assert_eq!(
        counted.metric(Metric::TimeToDlqMeanS),
        Some(180.0),
        "since the first receive, before the warm-up or not"
    );

    // At 180 s they are dead letters.
    let late = with_warm_up("181s");
    assert_eq!(late.metric(Metric::Enqueued), Some(10.0));
    assert_eq!(late.metric(Metric::DeadLettered), Some(10.0));
    assert_eq!(late.metric(Metric::Receives), Some(10.0), "at 220 s");
    assert_eq!(late.ledger.total(Fate::DeadLettered), 10);
}

#[test]
fn the_series_shows_the_whole_run() {
    let (all, counted) = (with_warm_up("0s"), with_warm_up("90s"));
    let receives = |outcome: &retrystorm::measure::Outcome| -> Vec<u32> {
        outcome.steps.iter().map(|step| step.values[SeriesMetric::Receives as usize]).collect()
    };
    assert_eq!(receives(&all), receives(&counted));
    assert_eq!(receives(&all).iter().sum::<u32>(), 60);
}

/// One server at 80 %: the mean time in the system is 5 s in the long run, and less while the line is still short.
#[test]
fn a_steady_state_needs_a_warm_up() {
    let mean_s = |warm_up_s: u32| {
        let scenario = scenario(&format!(
            "
duration: {}s
warm_up: {warm_up_s}s
queue: {{ visibility_timeout: 12h, retention: 14d }}
producers: [ {{ rate: 0.8/s }} ]
consumers: {{ concurrency: 5000, batch: 1 }}
downstream: {{ servers: 1, service_time: {{ exponential: 1s }} }}
variants: {{ only: {{}} }}
",
            warm_up_s + 60
        ));
        let setup = &scenario.variants[0].setup;
        let mean_of = |replication| {
            let run = Run { seed: 42, replication, duration_us: scenario.duration_us };
            simulate(setup, run).expect("a balance").time_to_success.mean_s().expect("successes")
        };
        let means: Vec<f64> = (0..400).map(mean_of).collect();
        retrystorm::study::Estimate::of(&means).expect("replications")
    };
    let (cold, warm) = (mean_s(0), mean_s(1_000));
    assert!(cold.hi < 4.5, "{cold:?}");
    assert!((warm.lo..=warm.hi).contains(&5.0), "{warm:?}");
}

#[test]
fn a_warm_up_leaves_something_to_count_and_comes_before_the_outages() {
    let rest = "
producers: [ { rate: 1/s } ]
variants: { only: {} }
";
    for (scenario, problem) in [
        (
            "duration: 5m\nwarm_up: 5m\ndownstream: { servers: 1, service_time: 1s }",
            "`warm_up` is 5m, and the run lasts 5m",
        ),
        ("duration: 5m\nwarm_up: 90500ms\ndownstream: { servers: 1, service_time: 1s }", "whole number of seconds"),
        (
            "duration: 5m\nwarm_up: 1m\ndownstream: { servers: 1, service_time: 1s, outages: [ { at: 59s, for: 10s } ] }",
            "this outage begins at 59s, within the `warm_up` of 1m",
        ),
    ] {
        let text = format!("{scenario}{rest}");
        let error = retrystorm::scenario::parse(&text, "test.yaml", std::path::Path::new(".")).expect_err(problem);
        assert!(error.to_string().contains(problem), "{error}");
    }
}
