//! The commands besides `run`.

use std::path::Path;

use crate::tool::{Desk, SMALL};

#[test]
fn check_names_the_variants_and_writes_nothing() {
    let desk = Desk::new();
    let check = desk.run(&["check", "small.yaml"]).ended_with(0);
    for words in ["small.yaml is sound", "2 variants", "plain", "jitter", "2 replications"] {
        assert!(check.stdout().contains(words), "{words} in {}", check.stdout());
    }
    assert_eq!(desk.names("."), ["small.yaml"]);
}

#[test]
fn check_does_not_run_and_so_misses_no_expectation() {
    let desk = Desk::new();
    desk.put("missed.yaml", &SMALL.replace("above: 100", "above: 100000"));
    desk.run(&["check", "missed.yaml"]).ended_with(0);
}

#[test]
fn schema_prints_the_schema_that_is_in_the_tree() {
    let in_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/scenario.schema.json");
    let in_tree = std::fs::read_to_string(in_tree).expect("the schema is in the tree");
    let desk = Desk::new();
    let schema = desk.run(&["schema"]).ended_with(0);
    assert!(schema.stdout() == in_tree, "run `retrystorm schema > scenarios/scenario.schema.json`");
    assert_eq!(schema.stderr(), "");
}

#[test]
fn help_tells_the_commands_and_the_exit_codes() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]).ended_with(0);
    for words in ["run", "trace", "check", "policies", "schema", "an expectation is missed", "130"] {
        assert!(help.stdout().contains(words), "{words} in {}", help.stdout());
    }
    let version = desk.run(&["--version"]).ended_with(0);
    assert_eq!(version.stdout(), format!("retrystorm {}\n", env!("CARGO_PKG_VERSION")));
}
