//! `retrystorm run --watch`.

use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt::{await_handler, interrupt};
use crate::tool::{Desk, SMALL};

/// How long a run may take to notice a change and to end.
const IN_TIME: Duration = Duration::from_secs(60);

fn start(desk: &Desk, scenario: &str) -> Child {
    let errors = std::fs::File::create(desk.path("errors")).expect("a file of the test");
    let mut command = desk.command(&["run", scenario, "--watch", "--quiet", "--replications", "1", "--out", "out"]);
    let child = command.stdout(Stdio::null()).stderr(errors).spawn().expect("it starts");
    await_handler(&child);
    child
}

/// Waits until a condition holds; where it does not in time the process is ended first.
#[track_caller]
fn await_that(child: &mut Child, what: &str, holds: impl Fn() -> bool) {
    let asked = Instant::now();
    while !holds() {
        if asked.elapsed() > IN_TIME || child.try_wait().expect("it can be waited for").is_some() {
            let _ = child.kill();
            panic!("never seen: {what}");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn text(desk: &Desk, name: &str) -> String {
    std::fs::read_to_string(desk.path(name)).unwrap_or_default()
}

fn runs(desk: &Desk) -> usize {
    text(desk, "errors").matches("watching ").count()
}

#[test]
fn what_is_saved_is_run_again_and_mistakes_are_told_until_an_interrupt() {
    let desk = Desk::new();
    let mut child = start(&desk, "small.yaml");
    await_that(&mut child, "the first run", || runs(&desk) == 1);
    assert!(text(&desk, "out/summary.json").contains("\"small\""), "{}", text(&desk, "out/summary.json"));

    desk.put("small.yaml", &SMALL.replace("title: small", "title: another"));
    await_that(&mut child, "the second run", || runs(&desk) == 2);
    assert!(text(&desk, "out/summary.json").contains("\"another\""));

    desk.put("small.yaml", &SMALL.replace("replications", "replicatoins"));
    await_that(&mut child, "a mistake", || runs(&desk) == 3);
    assert!(text(&desk, "errors").contains("replicatoins"), "{}", text(&desk, "errors"));

    desk.put("small.yaml", &SMALL.replace("title: small", "title: mended"));
    await_that(&mut child, "a run after the mistake", || runs(&desk) == 4);
    assert!(text(&desk, "out/summary.json").contains("\"mended\""));
    assert_eq!(interrupt(child, Duration::ZERO), Some(130));
}

#[test]
fn a_profile_is_watched_too() {
    let desk = Desk::new();
    desk.put("arrivals.csv", "time,messages\n0s,100\n10s,0\n");
    desk.put(
        "small.yaml",
        &SMALL.replace("rate: 20/s, until: 30s", "profile: arrivals.csv").replace("above: 100", "above: 0"),
    );
    let mut child = start(&desk, "small.yaml");
    await_that(&mut child, "the first run", || runs(&desk) == 1);
    let before = text(&desk, "out/summary.json");
    assert!(!before.is_empty(), "{}", text(&desk, "errors"));
    desk.put("arrivals.csv", "time,messages\n0s,250\n10s,0\n");
    await_that(&mut child, "the run with the new profile", || runs(&desk) == 2);
    assert_ne!(text(&desk, "out/summary.json"), before);
    assert_eq!(interrupt(child, Duration::ZERO), Some(130));
}

#[test]
fn a_file_that_is_not_there_is_an_error_at_once() {
    let run = Desk::new().run(&["run", "missing.yaml", "--watch"]).ended_with(2);
    assert!(run.stderr().contains("there is no file missing.yaml"), "{}", run.stderr());
}
