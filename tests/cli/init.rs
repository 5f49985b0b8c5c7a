//! `retrystorm init`.

use crate::tool::{Desk, Finished};

const TEMPLATES: [&str; 4] = ["failover", "lambda", "spring", "third-party"];

#[test]
fn every_template_is_sound_runs_and_says_what_to_change() {
    for template in TEMPLATES {
        let desk = Desk::new();
        desk.run(&["init", "--template", template, "mine.yaml"]).ended_with(0);
        desk.run(&["check", "mine.yaml"]).ended_with(0);
        let run = desk.run(&["run", "mine.yaml", "--replications", "1"]).ended_with(0);
        assert!(run.stdout().contains("Expectations: "), "{template} expects nothing:\n{}", run.stdout());
        let text = String::from_utf8(desk.read("mine.yaml")).expect("text");
        for key in ["rate:", "visibility_timeout:", "max_receive_count:", "- { "] {
            let is_marked = |line: &str| line.contains(key) && line.contains("CHANGE");
            let lines: Vec<&str> = text.lines().collect();
            let is_said = lines.windows(2).any(|pair| is_marked(pair[1]) || is_marked(&(pair[0].to_owned() + pair[1])));
            assert!(is_said, "{template} does not say that `{key}` is to be changed");
        }
        for line in text.lines() {
            assert!(line.chars().count() <= 125, "{template}: {line}");
        }
    }
}

#[test]
fn the_templates_are_those_of_the_folder_and_of_the_help() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/init/templates");
    let entries = std::fs::read_dir(folder).expect("the templates");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, TEMPLATES.map(|template| format!("{template}.yaml")));
    let run = Desk::new().run(&["init", "--template", "lamda"]).ended_with(2);
    assert!(TEMPLATES.iter().all(|template| run.stderr().contains(template)), "{}", run.stderr());
    assert!(run.stderr().contains("'lambda'"), "the nearest one: {}", run.stderr());
}

#[test]
fn what_comes_next_is_said_and_works() {
    let desk = Desk::new();
    let run = desk.run(&["init"]).ended_with(0);
    insta::assert_snapshot!(run.stdout(), @"
    scenario.yaml is written. Change what is marked with CHANGE in it, and go on with
      retrystorm check scenario.yaml
      retrystorm run scenario.yaml
    ");
    assert_eq!(desk.names("."), ["scenario.yaml", "small.yaml"]);
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let desk = Desk::new();
    let before = desk.read("small.yaml");
    let run: Finished = desk.run(&["init", "small.yaml"]).ended_with(2);
    for words in ["`small.yaml` is there already", "retrystorm init mine.yaml", "retrystorm init -"] {
        assert!(run.stderr().contains(words), "{words} in {}", run.stderr());
    }
    assert_eq!((desk.read("small.yaml"), run.stdout()), (before, ""));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let run = Desk::new().run(&["init", "nowhere/mine.yaml"]).ended_with(2);
    assert!(run.stderr().contains("cannot write `nowhere/mine.yaml`"), "{}", run.stderr());
}

#[test]
fn a_hyphen_prints_what_would_be_written() {
    let desk = Desk::new();
    let printed = desk.run(&["init", "-"]).ended_with(0);
    assert_eq!(desk.names("."), ["small.yaml"]);
    desk.run(&["init"]).ended_with(0);
    assert_eq!(desk.read("scenario.yaml"), printed.stdout().as_bytes());
}
