//! Grids, their mistakes and what they change.

use super::{Arguments, Limits};
use crate::scenario::read::parse_plan;
use crate::scenario::{AxisUnit, Plan, ScenarioError, Sweep};
use std::path::Path;

const COMMON: &str = "duration: 20m
producers: [ { rate: 800/s } ]
downstream: { servers: 10, service_time: 5ms, outages: [ { at: 0s, for: 90s, mode: refuse } ] }
variants:
  lease: { policy: { backoff: none } }
  jitter: {}
policy: { backoff: { exponential: { base: 10s, cap: 5m } } }
";

fn read(section: &str, vary: &[&str]) -> Result<Plan, ScenarioError> {
    let vary: Vec<String> = vary.iter().map(|&one| one.to_owned()).collect();
    read_text(&format!("{COMMON}{section}"), &vary)
}

fn read_text(text: &str, axes: &[String]) -> Result<Plan, ScenarioError> {
    parse_plan(text, "s.yaml", Path::new(""), Arguments { option: "--vary", axes }, Limits::AllAreRun)
}

fn sweep(section: &str) -> Sweep {
    read(section, &[]).unwrap_or_else(|error| panic!("{error}")).sweep.expect("a sweep")
}

fn labels(section: &str) -> Vec<String> {
    sweep(section).axes[0].values.iter().map(|value| value.label.clone()).collect()
}

fn refused(section: &str, vary: &[&str]) -> String {
    read(section, vary).expect_err("it is refused").to_string()
}

#[test]
fn the_values_of_the_last_axis_follow_each_other() {
    let sweep = sweep("sweep: { downstream.servers: [10, 20], downstream.outages.0.for: [60s, 90s, 120s] }\n");
    assert_eq!(sweep.points.len(), 6);
    let seen: Vec<(u32, u64)> = sweep
        .points
        .iter()
        .map(|point| &point.variants[0].setup.downstream)
        .map(|downstream| (downstream.servers, downstream.outages[0].until_us / 1_000_000))
        .collect();
    assert_eq!(seen, [(10, 60), (10, 90), (10, 120), (20, 60), (20, 90), (20, 120)]);
    assert_eq!(sweep.axes.iter().map(|axis| axis.unit).collect::<Vec<_>>(), [AxisUnit::Number, AxisUnit::Seconds]);
}

#[test]
fn a_key_that_the_file_leaves_to_its_default_can_be_varied() {
    let sweep = sweep("sweep: { queue.redrive.max_receive_count: [3, 5] }\n");
    let counts: Vec<_> = sweep.points.iter().map(|point| point.variants[0].setup.queue.max_receive_count).collect();
    assert_eq!(counts, [Some(3), Some(5)]);
}

#[test]
fn ranges_are_written_as_people_would() {
    assert_eq!(
        labels("sweep: { policy.backoff.exponential.base: { from: 10s, to: 5m, steps: 4, scale: logarithmic } }"),
        ["10s", "31s", "1m37s", "5m"]
    );
    assert_eq!(
        labels("sweep: { downstream.failure_cost: { from: 0.4, to: 0.46, steps: 4 } }"),
        ["0.4", "0.42", "0.44", "0.46"]
    );
    assert_eq!(labels("sweep: { downstream.servers: { from: 10, to: 30, steps: 3 } }"), ["10", "20", "30"]);
    assert_eq!(labels("sweep: { downstream.failure_cost: { from: 0, to: 1, steps: 3 } }"), ["0", "0.5", "1"]);
    assert_eq!(
        labels("sweep: { producers.0.rate: { from: 100/s, to: 200/s, steps: 3 } }"),
        ["100/s", "150/s", "200/s"]
    );
    assert_eq!(labels("sweep: { downstream.error_rate: { from: 0%, to: 1%, steps: 3 } }"), ["0%", "0.5%", "1%"]);
}

#[test]
fn arguments_add_axes_and_replace_them() {
    let section = "sweep: { downstream.servers: [10, 20] }\n";
    let vary = ["downstream.servers=30,40,50", "policy.backoff=none,{exponential: {base: 1s}}"];
    let sweep = read(section, &vary).unwrap_or_else(|error| panic!("{error}")).sweep.expect("a sweep");
    assert_eq!(sweep.points.len(), 6);
    assert_eq!(sweep.points[5].variants[0].setup.downstream.servers, 50);
    assert_eq!(sweep.axes[1].values[1].label, "{exponential: {base: 1s}}");
    assert_eq!(sweep.axes[1].unit, AxisUnit::Word);
}

#[test]
fn a_variant_that_an_axis_does_not_change_is_noted() {
    let sweep = sweep("sweep: { policy.backoff.exponential.base: [1s, 2s] }\n");
    assert!(sweep.notes[0].contains("does not change `lease`"), "{:?}", sweep.notes);
    assert_eq!(sweep.runs(), 4);
}

#[test]
fn an_axis_that_changes_nothing_is_refused() {
    let own =
        COMMON.replace("  jitter: {}", "  jitter: { policy: { floor: 3s } }").replace("backoff: none", "floor: 2s");
    let text = format!("{own}sweep: {{ policy.floor: [1s, 2s] }}\n");
    let error = read_text(&text, &[]).expect_err("it is refused").to_string();
    insta::assert_snapshot!(error);
}

#[test]
fn mistakes_point_at_the_axis() {
    insta::assert_snapshot!(refused("sweep: { queue.visibilty_timeout: [1s] }\n", &[]));
    insta::assert_snapshot!(refused("sweep: { queue.visibility_timeout: [30s, 13h, 1.5s] }\n", &[]));
    insta::assert_snapshot!(refused("", &["queue.visibility_timeout=30s,13h", "variants.jiter.policy.floor=1s"]));
    insta::assert_snapshot!(refused("sweep: { downstream.outages.1.for: [1s], seed: [1], downstream: 3 }\n", &[]));
    insta::assert_snapshot!(refused("", &["downstream.outages.2.for=1s,2s"]));
    insta::assert_snapshot!(refused("", &["downstream.servers"]));
    insta::assert_snapshot!(refused("", &["downstream.servers=[1", "downstream.service_time.exponential=1s"]));
}

#[test]
fn sweeps_that_would_run_away_are_refused() {
    let many = "sweep: { downstream.servers: { from: 1, to: 200, steps: 200 }, queue.visibility_timeout: { from: 1s, to: 100s, steps: 100 } }\n";
    assert!(refused(many, &[]).contains("200 x 100 points, more than 10000"));
    let events = "sweep: { downstream.servers: { from: 10, to: 10000, steps: 8000 } }\n";
    assert!(refused(events, &[]).contains("too large to run"), "{}", refused(events, &[]));
}

/// A variant at a point, pasted into the file without its sweep and read again.
fn pasted(section: &str, point: usize, variant: usize) -> (String, bool) {
    let sweep = sweep(section);
    let pasted = sweep.paste(point, variant, Path::new(""));
    let text = if pasted.is_whole {
        pasted.yaml.clone()
    } else {
        COMMON.replace("variants:\n", &format!("variants:\n{}", pasted.yaml))
    };
    let scenario = read_text(&text, &[]).unwrap_or_else(|error| panic!("{error}")).scenario;
    let wanted = &sweep.points[point];
    assert_eq!(scenario.variants[0].setup, wanted.variants[variant].setup, "{text}");
    assert_eq!(scenario.duration_us, wanted.duration_us);
    (pasted.yaml, pasted.is_whole)
}

#[test]
fn a_point_is_written_as_a_variant_that_runs_the_same() {
    let section = "sweep: { policy.backoff.exponential.base: [1s, 20s], downstream.outages.0.for: [60s, 90s] }\n";
    let (jitter, is_whole) = pasted(section, 2, 1);
    assert!(!is_whole);
    assert_eq!(
        jitter,
        "  jitter-tuned:\n    policy: { backoff: { exponential: { base: 20s } } }\n    \
         downstream: { outages: [ { at: 0s, for: 60s, mode: refuse } ] }\n"
    );
    let (lease, _) = pasted(section, 2, 0);
    assert!(!lease.contains("base"), "its own backoff goes before the axis: {lease}");
    let (own, _) = pasted("sweep: { variants.jitter.policy.backoff.exponential.cap: [1m, 2m] }\n", 1, 1);
    assert!(own.contains("cap: 2m") && !own.contains("base"), "{own}");
}

#[test]
fn what_no_variant_can_say_becomes_a_scenario() {
    let (yaml, is_whole) = pasted("sweep: { duration: [10m, 15m] }\n", 1, 1);
    assert!(is_whole && yaml.contains("duration: 15m\n"), "{yaml}");
}

#[test]
fn a_sweep_knows_which_axes_leave_a_variant_as_it_is() {
    let sweep = sweep("sweep: { policy.backoff.exponential.base: [1s, 20s], downstream.servers: [5, 6] }\n");
    assert_eq!((sweep.idle_axes(0), sweep.idle_axes(1)), (vec![0], vec![]));
}
