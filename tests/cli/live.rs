//! What a terminal shows while a study runs.

use std::process::Command;

use crate::tool::Desk;

/// What `run` writes to a terminal of that kind; util-linux's `script` is the terminal.
fn on_terminal(kind: &str, arguments: &str) -> String {
    let desk = Desk::new();
    let command = format!("{} run small.yaml --out out {arguments}", env!("CARGO_BIN_EXE_retrystorm"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]).current_dir(desk.path(""));
    let output = script.env("TERM", kind).env_remove("NO_COLOR").output().expect("`script` runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_terminal_shows_load_and_backlog_of_each_variant_while_it_runs() {
    let shown = on_terminal("xterm-256color", "");
    let view = &shown[..shown.find("simulated, seed").expect("the table follows")];
    assert!(view.contains("calls a second") && view.contains("messages that wait"), "{view:?}");
    assert!(view.contains('▁') || view.contains('█'), "{view:?}");
}

#[test]
fn a_plain_terminal_shows_the_progress_alone_and_a_quiet_run_nothing() {
    let plain = on_terminal("dumb", "");
    assert!(!plain.contains("calls a second") && plain.contains("simulated, seed"), "{plain:?}");
    assert_eq!(on_terminal("xterm-256color", "--quiet"), "");
}
