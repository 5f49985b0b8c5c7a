//! Baselines, as many replications as it takes, reports, and what a gate makes of intervals.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use crate::tool::{Desk, FILES, SMALL};

fn summary(desk: &Desk, arguments: &[&str]) -> Value {
    let run = desk.run(&[&["run", "small.yaml", "--format", "json"], arguments].concat()).ended_with(0);
    serde_json::from_str(run.stdout()).expect("JSON")
}

#[test]
fn differences_are_held_against_the_first_variant_or_the_named_one() {
    let desk = Desk::new();
    let (first, named) = (summary(&desk, &[]), summary(&desk, &["--baseline", "jitter"]));
    let mean = |summary: &Value| summary["differences"][0]["difference"]["mean"].as_f64().expect("a number");
    assert_eq!(first["differences"][0]["baseline"], "plain");
    assert_eq!(named["differences"][0]["baseline"], "jitter");
    assert_eq!(mean(&first), -mean(&named));
    let refused = desk.run(&["run", "small.yaml", "--baseline", "jiter"]).ended_with(2);
    assert!(refused.stderr().contains("did you mean `jitter`?"), "{}", refused.stderr());
}

#[test]
fn until_ends_after_the_same_replications_on_any_number_of_threads() {
    let desk = Desk::new();
    let until = ["run", "small.yaml", "--quiet", "--until", "calls_wasted ±3%", "--at-most", "200"];
    let files = |arguments: &[&str]| -> Vec<Vec<u8>> {
        desk.run(&[arguments, &["--out", "out"]].concat()).ended_with(0);
        FILES.iter().map(|file| desk.read(&format!("out/{file}"))).collect()
    };
    let reference = files(&[&until[..], &["--threads", "1"]].concat());
    for threads in ["2", "8"] {
        assert!(files(&[&until[..], &["--threads", threads]].concat()) == reference, "{threads} threads");
    }
    let found: Value = serde_json::from_slice(&desk.read("out/summary.json")).expect("JSON");
    let replications = found["scenario"]["replications"].as_u64().expect("a number");
    assert!((20..200).contains(&replications) && replications.is_multiple_of(10), "{replications}");
    assert_eq!((&found["until"]["reached"], &found["until"]["asked"]), (&true.into(), &"calls_wasted ±3%".into()));
    for variant in found["variants"].as_array().expect("variants") {
        let wasted = &variant["metrics"]["calls_wasted"];
        let [mean, hi] = ["mean", "hi"].map(|key| wasted[key].as_f64().expect("a number"));
        assert!(hi - mean <= 0.03 * mean, "{wasted}");
    }
    let same = files(&["run", "small.yaml", "--quiet", "--replications", &replications.to_string()]);
    let csv = FILES.iter().position(|file| *file == "summary.csv").expect("a file");
    assert!(same[csv] == reference[csv], "the number that came out gives the same results");
}

/// Outages lose messages without backoff in every run, and with it in none; two runs do not show the second.
#[test]
fn a_fact_can_be_expected_and_is_judged_as_a_probability() {
    let desk = Desk::new();
    let (scenario, _) = SMALL.split_once("expect:").expect("it has expectations");
    let expect =
        |variant: &str, rule: &str| format!("  - {{ variant: {variant}, metric: loses_valid_messages, {rule} }}\n");
    let cases = [
        (expect("plain", "at_least: 90%, holds: mean"), 0, "met"),
        (expect("plain", "at_most: 5%"), 3, "2 of 2 runs"),
        (expect("plain", "at_least: 90%"), 3, "more replications"),
        (expect("plain", "at_least: 20%"), 0, "met"),
    ];
    for (rule, code, words) in cases {
        desk.put("fact.yaml", &format!("{scenario}expect:\n{rule}"));
        let run = desk.run(&["run", "fact.yaml"]).ended_with(code);
        let text = run.stdout().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words), "{rule}{}", run.stdout());
    }
}

#[test]
fn until_gives_up_at_the_most_and_says_so() {
    let desk = Desk::new();
    let found = summary(&desk, &["--until", "calls_wasted +-0.001", "--at-most", "25"]);
    assert_eq!((&found["scenario"]["replications"], &found["until"]["reached"]), (&25.into(), &false.into()));
    for (arguments, words) in [
        (&["--until", "calls"][..], "±"),
        (&["--until", "cals ±2%"], "did you mean `calls`?"),
        (&["--at-most", "9"], "--until"),
    ] {
        let refused = desk.run(&[&["run", "small.yaml"], arguments].concat()).ended_with(2);
        assert!(refused.stderr().contains(words), "{arguments:?}: {}", refused.stderr());
    }
}

#[test]
fn reports_go_to_files_or_are_printed() {
    let desk = Desk::new();
    desk.put("missed.yaml", &SMALL.replace("above: 100 }", "above: 100000, says: \"<&>\" }"));
    let run = desk.run(&["run", "missed.yaml", "--report", "junit=deep/results.xml", "--report", "markdown=job.md"]);
    let run = run.ended_with(3);
    assert!(run.stdout().contains("messages enqueued"), "the text is printed as ever: {}", run.stdout());
    let xml = String::from_utf8(desk.read("deep/results.xml")).expect("UTF-8");
    let mut reader = Reader::from_str(&xml);
    let mut failures = 0;
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(element) if element.name().as_ref() == "failure" => failures += 1,
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(failures, 1);
    assert!(String::from_utf8(desk.read("job.md")).expect("UTF-8").contains("**missed**"));

    let printed = desk.run(&["run", "small.yaml", "--quiet", "--report", "markdown"]).ended_with(0);
    assert!(printed.stdout().starts_with("## small\n"), "{}", printed.stdout());
    let silent = desk.run(&["run", "small.yaml", "--quiet", "--report", "text=small.txt"]).ended_with(0);
    assert_eq!(silent.stdout(), "");
    assert!(!desk.read("small.txt").is_empty());
}

#[test]
fn a_report_that_cannot_be_written_is_known_before_the_run() {
    let desk = Desk::new();
    for report in ["pdf", "junit=", "junit=.", "junit=small.yaml/results.xml"] {
        desk.run(&["run", "small.yaml", "--report", report]).ended_with(2);
        assert_eq!(desk.names("."), ["small.yaml"], "{report}");
    }
}

#[test]
fn an_interval_that_crosses_the_bound_is_a_miss_unless_the_mean_is_asked_for() {
    let desk = Desk::new();
    let mean = summary(&desk, &["--replications", "20"])["variants"][0]["metrics"]["enqueued"]["mean"].clone();
    let just_above = mean.as_f64().expect("a number") + 0.5;
    let gate = |more: &str, top: &str| {
        let expectation = format!("{{ variant: plain, metric: enqueued, below: {just_above}{more} }}");
        let (scenario, _) = SMALL.split_once("expect:").expect("a scenario with expectations");
        desk.put("gate.yaml", &format!("{scenario}{top}\nexpect: [ {expectation} ]\n"));
        desk.run(&["run", "gate.yaml", "--replications", "20"])
    };
    let missed = gate("", "").ended_with(3);
    assert!(missed.stdout().contains("the mean holds"), "{}", missed.stdout());
    gate(", holds: mean", "").ended_with(0);
    gate("", "holds: mean").ended_with(0);
    gate(", holds: interval", "holds: mean").ended_with(3);
}
