//! Same scenario, same seed, same bytes; and variants share their luck.

use crate::tool::{Desk, FILES, SMALL};

/// A scenario that draws from every stream: classes, handler, service, errors, jitter and order.
const LUCKY: &str = "
title: luck
duration: 40s
replications: 6
queue: { visibility_timeout: 4s, return_order: random, redrive: { max_receive_count: 4 } }
producers: [ { rate: 30/s, until: 30s, classes: { permanent: 5%, poison: 1% } } ]
consumers: { fleet: 3, concurrency: 10, handler_time: { lognormal: { mean: 20ms, p99: 90ms } } }
downstream:
  servers: 4
  service_time: { exponential: 60ms }
  error_rate: 10%
  max_waiting: 5
  failure_cost: 0.3
  outages: [ { at: 8s, for: 6s, mode: errors, share: 70% } ]
variants:
  plain: {}
  twin: {}
  jitter: { policy: { backoff: { exponential: { base: 1s, cap: 20s, jitter: full } } } }
";

fn bytes(desk: &Desk, arguments: &[&str]) -> Vec<Vec<u8>> {
    let out = ["--out", "out", "--quiet"];
    desk.run(&[arguments, &out[..]].concat()).ended_with(0);
    FILES.iter().map(|file| desk.read(&format!("out/{file}"))).collect()
}

/// The rows of a variant in a CSV file of the last run, without the variant's name.
fn rows(desk: &Desk, file: &str, variant: &str) -> Vec<String> {
    let text = String::from_utf8(desk.read(&format!("out/{file}"))).expect("UTF-8");
    let prefix = format!("{variant},");
    let rows: Vec<String> = text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect();
    assert!(!rows.is_empty(), "{variant} in {file}");
    rows
}

/// All numbers of a variant in the CSV files of the last run.
fn numbers(desk: &Desk, variant: &str) -> Vec<String> {
    ["summary.csv", "series.csv", "time_to_dlq.csv"].iter().flat_map(|file| rows(desk, file, variant)).collect()
}

#[test]
fn every_file_has_the_same_bytes_on_1_2_and_8_threads_and_again() {
    let desk = Desk::new();
    desk.put("luck.yaml", LUCKY);
    let reference = bytes(&desk, &["run", "luck.yaml", "--threads", "1"]);
    for arguments in [&["--threads", "2"][..], &["--threads", "8"], &["--threads", "8"], &[]] {
        let again = bytes(&desk, &[&["run", "luck.yaml"], arguments].concat());
        for ((file, expected), found) in FILES.iter().zip(&reference).zip(&again) {
            assert!(expected == found, "{file} differs with {arguments:?}");
        }
    }
}

#[test]
fn another_seed_gives_other_bytes() {
    let desk = Desk::new();
    let first = bytes(&desk, &["run", "small.yaml", "--seed", "1"]);
    let second = bytes(&desk, &["run", "small.yaml", "--seed", "2"]);
    // Two runs of two, whatever the seed: the probabilities have nothing finer to tell.
    for (number, file) in FILES.iter().enumerate().filter(|(_, file)| **file != "probabilities.csv") {
        assert!(first[number] != second[number], "{file}");
    }
    assert!(bytes(&desk, &["run", "small.yaml", "--seed", "1"]) == first);
}

#[test]
fn two_variants_with_the_same_setup_have_the_same_results() {
    let desk = Desk::new();
    desk.put("luck.yaml", LUCKY);
    bytes(&desk, &["run", "luck.yaml"]);
    assert_eq!(numbers(&desk, "plain"), numbers(&desk, "twin"));
    assert_ne!(numbers(&desk, "plain"), numbers(&desk, "jitter"));
}

#[test]
fn a_variants_results_do_not_depend_on_the_other_variants() {
    let desk = Desk::new();
    desk.put("luck.yaml", LUCKY);
    bytes(&desk, &["run", "luck.yaml"]);
    let among_three = numbers(&desk, "jitter");

    bytes(&desk, &["run", "luck.yaml", "--only", "jitter"]);
    assert_eq!(numbers(&desk, "jitter"), among_three, "alone");

    desk.put(
        "more.yaml",
        &LUCKY.replace(
            "  twin: {}",
            "  twin: { policy: { backoff: { fixed: { delay: 2s } } } }\n  more: { consumers: { fleet: 1 } }",
        ),
    );
    bytes(&desk, &["run", "more.yaml"]);
    assert_eq!(numbers(&desk, "jitter"), among_three, "among others");
}

#[test]
fn variants_meet_the_same_arrivals() {
    let desk = Desk::new();
    desk.put("luck.yaml", LUCKY);
    bytes(&desk, &["run", "luck.yaml"]);
    let enqueued = |variant| -> Vec<String> {
        let second_and_enqueued = |row: String| row.splitn(3, ',').take(2).collect::<Vec<_>>().join(",");
        rows(&desk, "series.csv", variant).into_iter().map(second_and_enqueued).collect()
    };
    assert_eq!(enqueued("plain"), enqueued("jitter"));
}

#[test]
fn the_place_of_the_scenario_leaves_no_trace_in_the_files() {
    let desk = Desk::new();
    let here = bytes(&desk, &["run", "small.yaml"]);
    std::fs::create_dir(desk.path("elsewhere")).expect("a folder");
    desk.put("elsewhere/small.yaml", SMALL);
    assert!(bytes(&desk, &["run", "elsewhere/small.yaml"]) == here);
}

/// Whoever watches changes nothing: with alarms there is a file more, a key more in the summary, marks on one chart,
/// and a part more of the page.
#[test]
fn alarms_change_nothing_else() {
    let desk = Desk::new();
    desk.put("luck.yaml", LUCKY);
    let without = bytes(&desk, &["run", "luck.yaml"]);
    let alarms = "{ deep: { metric: depth, above: 3, period: 5s }, dlq: { metric: dlq_depth, above: 0, period: 1s } }";
    desk.put("luck.yaml", &format!("{LUCKY}alarms: {alarms}\n"));
    let with = bytes(&desk, &["run", "luck.yaml"]);
    for (file, (without, with)) in FILES.iter().zip(without.iter().zip(&with)) {
        if *file == "summary.json" {
            let [without, mut with] =
                [without, with].map(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).expect("JSON"));
            for variant in with["variants"].as_array_mut().expect("variants") {
                let alarms = variant.as_object_mut().and_then(|variant| variant.remove("alarms")).expect("alarms");
                assert_eq!((&alarms["dlq"]["runs"], &alarms["deep"]["fired_runs"]), (&6.into(), &6.into()));
            }
            assert_eq!(without, with);
        } else if *file == "report.html" {
            let has_alarms = |page: &[u8]| String::from_utf8_lossy(page).contains("What the alarms did");
            assert!(has_alarms(with) && !has_alarms(without), "{file} tells of the alarms");
        } else if file.starts_with("backlog.") {
            assert!(without != with, "{file} marks when alarms first fire");
        } else {
            assert!(without == with, "{file}");
        }
    }
    let rows = String::from_utf8(desk.read("out/alarms.csv")).expect("UTF-8");
    assert_eq!(rows.lines().count(), 1 + 3 * 2 * 5, "three variants, two alarms, five figures");
}
