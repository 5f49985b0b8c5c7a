//! `retrystorm run`: what it prints and what it writes.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::tool::{Desk, FILES, SMALL};

#[test]
fn a_run_writes_its_files_and_nothing_else_into_a_folder_named_after_the_scenario() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml"]).ended_with(0);
    assert_eq!(desk.names("."), ["output", "small.yaml"]);
    assert_eq!(desk.names("output"), ["small"]);
    assert_eq!(desk.names("output/small"), FILES, "and no temporary file");
    for file in FILES {
        assert!(!desk.read(&format!("output/small/{file}")).is_empty(), "{file}");
    }
    assert!(run.stderr().contains("15 files written to output/small"), "{}", run.stderr());
}

#[test]
fn the_folder_of_a_scenario_lies_in_the_current_folder_and_has_a_safe_name() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("deep")).expect("a folder");
    desk.put("deep/..my scenario & more.yaml", SMALL);
    desk.run(&["run", "deep/..my scenario & more.yaml", "--quiet"]).ended_with(0);
    assert_eq!(desk.names("output"), ["my-scenario-more"]);
    assert_eq!(desk.names("deep").len(), 1, "nothing beside the scenario");
}

#[test]
fn out_names_the_folder_and_makes_it() {
    let desk = Desk::new();
    desk.run(&["run", "small.yaml", "--out", "a/b c/d"]).ended_with(0);
    assert_eq!(desk.names("a/b c/d"), FILES);
    assert!(!desk.path("output").exists());
}

#[test]
fn a_second_run_replaces_the_files_of_the_first_and_leaves_others_alone() {
    let desk = Desk::new();
    desk.run(&["run", "small.yaml", "--out", "out", "--seed", "1"]).ended_with(0);
    desk.put("out/notes.txt", "mine");
    let before = desk.read("out/summary.csv");
    desk.run(&["run", "small.yaml", "--out", "out", "--seed", "2"]).ended_with(0);
    assert_ne!(before, desk.read("out/summary.csv"));
    assert_eq!(desk.names("out").len(), FILES.len() + 1);
    assert_eq!(desk.read("out/notes.txt"), b"mine");
}

#[test]
fn a_piped_run_prints_a_table_of_at_most_100_columns_without_progress_and_colours() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml"]).ended_with(0);
    assert!(!run.stdout().contains('\u{1b}') && !run.stderr().contains('\u{1b}'), "no colours");
    assert_eq!(run.stderr().lines().count(), 1, "no progress: {}", run.stderr());
    let widest = run.stdout().lines().map(UnicodeWidthStr::width).max();
    assert!(widest.is_some_and(|width| width <= 100), "{}", run.stdout());
    for words in ["small", "plain", "jitter", "messages enqueued", "1 of 1 met"] {
        assert!(run.stdout().contains(words), "{words} in\n{}", run.stdout());
    }
}

#[test]
fn quiet_prints_nothing_and_writes_all_the_same() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml", "--quiet", "--out", "out"]).ended_with(0);
    assert_eq!((run.stdout(), run.stderr()), ("", ""));
    assert_eq!(desk.names("out"), FILES);
}

#[test]
fn verbose_says_how_fast_it_went_and_how_much_memory_it_took() {
    let run = Desk::new().run(&["run", "small.yaml", "--verbose"]).ended_with(0);
    for words in ["events/s", "memory"] {
        assert!(run.stderr().contains(words), "{words} in\n{}", run.stderr());
    }
}

#[test]
fn format_json_prints_what_is_in_summary_json_and_nothing_else() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml", "--format", "json", "--out", "out"]).ended_with(0);
    assert_eq!(run.stdout().as_bytes(), desk.read("out/summary.json"));
    let summary: Value = serde_json::from_str(run.stdout()).expect("JSON");
    assert_eq!(summary["schema"], 1);
    assert_eq!(summary["scenario"]["file"], "small.yaml");
    assert_eq!(summary["scenario"]["seed"], 42);
    assert_eq!(summary["scenario"]["replications"], 2);
    assert_eq!(summary["scenario"]["duration_s"], 40.0);
    assert_eq!(summary["variants"][1]["name"], "jitter");
    let enqueued = &summary["variants"][0]["metrics"]["enqueued"];
    for key in ["mean", "lo", "hi", "min", "max"] {
        assert!(enqueued[key].is_number(), "{key} in {enqueued}");
    }
    assert_eq!(summary["expectations"][0]["met"], true);
    assert_eq!(summary["claims"], Value::Array(Vec::new()));
}

#[test]
fn seed_and_replications_of_the_command_line_go_before_those_of_the_scenario() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml", "--seed", "7", "--replications", "3", "--format", "json"]).ended_with(0);
    let summary: Value = serde_json::from_str(run.stdout()).expect("JSON");
    assert_eq!((&summary["scenario"]["seed"], &summary["scenario"]["replications"]), (&7.into(), &3.into()));
}

#[test]
fn only_runs_the_named_variants() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml", "--only", "jitter", "--format", "json"]).ended_with(0);
    let summary: Value = serde_json::from_str(run.stdout()).expect("JSON");
    let names: Vec<&Value> = summary["variants"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["jitter"]);
}

#[test]
fn a_missed_expectation_is_exit_code_3_with_every_file_written() {
    let desk = Desk::new();
    desk.put("missed.yaml", &SMALL.replace("above: 100", "above: 100000"));
    let run = desk.run(&["run", "missed.yaml"]).ended_with(3);
    assert!(run.stdout().contains("MISSED"), "{}", run.stdout());
    assert_eq!(desk.names("output/missed"), FILES);
}

#[test]
fn a_claim_that_is_not_reproduced_fails_nothing() {
    let desk = Desk::new();
    let claim = "claims: [ { variant: plain, metric: enqueued, figure: 5, says: five } ]";
    desk.put("claim.yaml", &format!("{SMALL}{claim}\n"));
    let run = desk.run(&["run", "claim.yaml"]).ended_with(0);
    assert!(run.stdout().contains("not reproduced"), "{}", run.stdout());
}

/// As `| head -1` does: the reader takes a line and goes.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    for arguments in [&["run", "small.yaml"][..], &["schema"], &["check", "small.yaml"], &["--help"]] {
        let mut child =
            desk.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // Gone before anything is printed: the hardest case.
        drop(child.stdout.take());
        let ended = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.contains("error"), "{arguments:?}: {stderr}");
    }
    assert_eq!(desk.names("output/small"), FILES);

    let mut child = desk.command(&["schema"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!((line.as_str(), child.wait().expect("it ends").code()), ("{\n", Some(0)));
}
