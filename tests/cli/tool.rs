//! The binary and a folder to run it in.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A small scenario with two variants: half a minute of traffic, and failures enough for every kind of result.
pub const SMALL: &str = "
title: small
duration: 40s
replications: 2
queue: { visibility_timeout: 4s, redrive: { max_receive_count: 3 } }
producers: [ { rate: 20/s, until: 30s } ]
consumers: { fleet: 2, concurrency: 20 }
downstream:
  servers: 10
  service_time: { exponential: 20ms }
  outages: [ { at: 5s, for: 12s, mode: refuse, after: 50ms } ]
variants:
  plain: {}
  jitter: { policy: { backoff: { exponential: { base: 1s, cap: 20s, jitter: full } } } }
expect:
  - { variant: jitter, metric: enqueued, above: 100 }
";

/// The names of all files that a run writes.
pub const FILES: [&str; 15] = [
    "backlog.png",
    "backlog.svg",
    "differences.csv",
    "load.png",
    "load.svg",
    "loss.png",
    "loss.svg",
    "probabilities.csv",
    "report.html",
    "series.csv",
    "summary.csv",
    "summary.json",
    "time-to-dlq.png",
    "time-to-dlq.svg",
    "time_to_dlq.csv",
];

/// A folder of its own for a test.
pub struct Desk {
    folder: TempDir,
}

impl Desk {
    /// With `small.yaml` in it.
    pub fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        desk.put("small.yaml", SMALL);
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file of the test");
    }

    /// The command, to be run in the folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("retrystorm"));
        command.current_dir(self.folder.path()).args(arguments);
        // What the environment says of colours is not what is tested.
        for variable in ["CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR"] {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished(self.command(arguments).output().expect("the binary starts"))
    }

    /// Names of what lies in a folder, sorted; nothing where it does not exist.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let path: &Path = &self.path(name);
        fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

/// What a command prints for people, within 80 columns.
pub fn printed(arguments: &[&str]) -> String {
    let run = Desk::new().run(arguments).ended_with(0);
    assert_eq!(run.stderr(), "");
    for line in run.stdout().lines() {
        assert!(line.chars().count() <= 80, "wider than 80 columns: {line}");
        assert_eq!(line.trim_end(), line);
    }
    run.stdout().to_owned()
}

/// What a command has left behind.
pub struct Finished(Output);

impl Finished {
    pub fn of(output: Output) -> Self {
        Self(output)
    }

    pub fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).expect("UTF-8")
    }

    pub fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).expect("UTF-8")
    }

    /// Panics with what was printed unless the exit code is this one.
    #[track_caller]
    pub fn ended_with(self, code: i32) -> Self {
        assert_eq!(self.code(), Some(code), "\n{}\n{}", self.stdout(), self.stderr());
        assert!(!self.stderr().contains("panicked"), "{}", self.stderr());
        self
    }
}
