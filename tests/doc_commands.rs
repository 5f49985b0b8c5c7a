//! Every command in the documents is run as it stands there, and what the documents show of its output is what it prints.
#![cfg(unix)]

#[path = "support/markdown.rs"]
#[allow(dead_code, reason = "other tests need the rest of it")]
mod markdown;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use markdown::{Block, blocks, documents, root};

/// Stands in front of the binary: the commands on the large scenarios are about studies of many runs, and what is asked here
/// is whether they are right. A missed expectation is no mistake of a command.
const FRONT: &str = r#"#!/bin/bash
extra=()
if [[ " $* " == *" --until "* ]]; then
    [[ " $* " == *" --at-most "* ]] || extra=(--at-most 4)
elif [[ $1 == run && $2 == scenarios/* ]]; then
    extra=(--replications 1)
elif [[ $1 == tune && $2 == scenarios/* ]]; then
    extra=(--replications 2)
fi
"$RETRYSTORM" "$@" "${extra[@]}"
code=$?
[[ $code == 3 ]] && exit 0
exit $code
"#;

/// The documents begin with a checkout, where `cargo run` is the binary; what builds and tests it is what runs this.
const CARGO: &str = r#"#!/bin/bash
case "$*" in
    "run --release -- "*) shift 3; exec retrystorm "$@" ;;
    "test" | "build --release" | "install --path ." | "install --path . --locked") ;;
    *) echo "cargo $*: not known to this test" >&2; exit 1 ;;
esac
"#;

/// What users have when a document speaks of their files.
const USERS_FILES: [(&str, &str); 2] = [
    (
        "scenario.yaml",
        "
duration: 2m
producers: [ { rate: 5/s } ]
downstream: { servers: 2, service_time: 20ms }
variants: { plain: {}, jitter: { policy: { backoff: { exponential: { base: 1s, cap: 20s, jitter: full } } } } }
",
    ),
    (
        "sweep.yaml",
        "
duration: 1m
replications: 2
producers: [ { rate: 5/s } ]
downstream: { servers: 2, service_time: 20ms }
variants: { plain: {} }
sweep: { queue.visibility_timeout: [10s, 20s, 30s] }
",
    ),
];

/// A folder like a checkout, in which the commands of one document are run one after the other.
struct Session {
    folder: tempfile::TempDir,
}

impl Session {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let session = Self { folder };
        for name in ["scenarios", "docs"] {
            symlink(root().join(name), session.path(name)).expect("a link");
        }
        for (name, text) in USERS_FILES {
            fs::write(session.path(name), text).expect("a file");
        }
        fs::create_dir(session.path("bin")).expect("a folder");
        for (name, text) in [("bin/retrystorm", FRONT), ("bin/cargo", CARGO)] {
            fs::write(session.path(name), text).expect("a script");
            fs::set_permissions(session.path(name), fs::Permissions::from_mode(0o755)).expect("an executable");
        }
        session
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, commands: &str) -> Output {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut paths = vec![self.path("bin")];
        paths.extend(std::env::split_paths(&path));
        let mut command = Command::new("bash");
        command.args(["-euo", "pipefail", "-c", commands]).current_dir(self.folder.path());
        command.env("PATH", std::env::join_paths(paths).expect("a search path"));
        command.env("RETRYSTORM", env!("CARGO_BIN_EXE_retrystorm"));
        command.output().expect("bash runs")
    }
}

/// Runs the blocks of a document in their order. Returns how many commands there were.
fn follow(document: &str) -> usize {
    let session = Session::new();
    let mut printed = String::new();
    let mut runs = 0;
    for block in blocks(document) {
        if let Some((_, name)) = block.info.split_once(" as ") {
            fs::write(session.path(name), &block.text).expect("a file");
        }
        match block.kind() {
            "sh" => {
                let output = session.run(&block.text);
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{}: {}\n{errors}", block.place, output.status);
                // Digits are grouped by spaces that do not break, which nobody writes into a document.
                printed = String::from_utf8_lossy(&output.stdout).replace('\u{a0}', " ");
                runs += 1;
            }
            "text output" => shows(&block, &printed),
            _ => {}
        }
    }
    runs
}

/// Holds that every line of a block was printed.
fn shows(block: &Block, printed: &str) {
    for line in block.text.lines().map(str::trim_end).filter(|line| !line.is_empty() && *line != "…") {
        let is_printed = printed.lines().any(|found| found.trim_end() == line);
        assert!(is_printed, "{}: no line\n{line}\nin\n{printed}", block.place);
    }
}

#[test]
fn the_commands_of_every_document_work() {
    let runs: usize = std::thread::scope(|scope| {
        let followed: Vec<_> = documents().into_iter().map(|document| scope.spawn(move || follow(&document))).collect();
        followed.into_iter().map(|thread| thread.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause))).sum()
    });
    assert!(runs >= 10, "{runs} blocks of commands");
}

#[test]
fn a_command_that_fails_is_found() {
    let session = Session::new();
    assert!(session.run("retrystorm check scenario.yaml").status.success());
    assert!(!session.run("retrystorm chekc scenario.yaml").status.success());
    assert!(!session.run("cargo run -- check scenario.yaml").status.success());
    assert!(!session.run("retrystorm check nothing.yaml\ntrue").status.success());
}

#[test]
fn no_command_stands_where_nothing_runs_it() {
    for document in documents().into_iter().filter(|document| document != "CONTRIBUTING.md") {
        let text = fs::read_to_string(Path::new(root()).join(&document)).expect("a document");
        for line in text.lines() {
            let is_command = line.starts_with("    retrystorm ") || line.starts_with("    cargo run");
            assert!(!is_command, "{document}: {line}: put it into a fence, ```sh");
        }
    }
}
