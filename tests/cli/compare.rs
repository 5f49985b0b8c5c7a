//! `retrystorm compare`

use crate::tool::{Desk, SMALL};

/// A desk with the results of the small scenario, and of the same one with an outage that is longer.
fn desk_with_results() -> Desk {
    let desk = Desk::new();
    desk.put("longer.yaml", &SMALL.replace("for: 12s", "for: 20s"));
    for scenario in ["small", "longer"] {
        let file = format!("{scenario}.yaml");
        desk.run(&["run", &file, "--quiet", "--replications", "10", "--out", scenario]).ended_with(0);
    }
    desk
}

#[test]
fn a_result_and_itself_do_not_differ() {
    let desk = desk_with_results();
    let same = ["compare", "small/summary.json", "small/summary.json", "--fail-on", "worse"];
    let run = desk.run(&same).ended_with(0);
    assert!(run.stdout().contains("No difference shown."), "{}", run.stdout());
}

#[test]
fn worse_is_exit_code_3_if_asked_for_and_better_is_not() {
    let desk = desk_with_results();
    let (small, longer) = ("small/summary.json", "longer/summary.json");
    let run = desk.run(&["compare", small, longer, "--fail-on", "worse"]).ended_with(3);
    assert!(run.stdout().contains("calls_during_outage") && run.stdout().contains("worse"), "{}", run.stdout());
    desk.run(&["compare", small, longer]).ended_with(0);
    let better = desk.run(&["compare", longer, small, "--format", "markdown"]).ended_with(0);
    assert!(better.stdout().contains("| better |"), "{}", better.stdout());
}

#[test]
fn what_cannot_be_compared_is_named() {
    let desk = desk_with_results();
    let summary = String::from_utf8(desk.read("small/summary.json")).expect("UTF-8");
    desk.put("other.json", &summary.replace("\"plain\"", "\"p\"").replace("\"jitter\"", "\"j\""));
    desk.put("earlier.json", &summary.replace("\"sd\"", "\"s\""));
    for (file, words) in [
        ("missing.json", "cannot read missing.json"),
        ("small.yaml", "small.yaml: not JSON"),
        ("earlier.json", "earlier version"),
        ("other.json", "no variant in common"),
    ] {
        let run = desk.run(&["compare", "small/summary.json", file]).ended_with(2);
        assert!(run.stderr().contains(words), "{file}: {}", run.stderr());
    }
}
