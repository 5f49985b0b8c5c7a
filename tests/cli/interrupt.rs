//! Ctrl-C ends a run at once and leaves whole files or none.

use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::tool::{Desk, FILES, SMALL};

/// How long an interrupted run may take to end.
const AT_ONCE: Duration = Duration::from_secs(2);

fn start(desk: &Desk, scenario: &str) -> Child {
    let mut command = desk.command(&["run", scenario, "--out", "out"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    await_handler(&child);
    child
}

/// Waits until the process catches interrupts. Before that it ends as any process does, without a code.
pub fn await_handler(child: &Child) {
    const SIGINT: u64 = 2;
    let deadline = Instant::now() + Duration::from_secs(10);
    while Instant::now() < deadline {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) else {
            // No such file on this system.
            return thread::sleep(Duration::from_millis(500));
        };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        if mask & 1 << (SIGINT - 1) != 0 {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
    panic!("the process does not catch interrupts");
}

/// Interrupts a run after a delay; returns its exit code.
pub fn interrupt(mut child: Child, delay: Duration) -> Option<i32> {
    thread::sleep(delay);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).stderr(Stdio::null()).status();
    sent.expect("`kill` is there");
    let asked = Instant::now();
    while asked.elapsed() < AT_ONCE {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it is still there");
    child.wait().expect("it ends now");
    panic!("still there {} s after the interrupt", AT_ONCE.as_secs());
}

/// Panics where a result file lacks its end, or anything lies beside the result files.
fn assert_whole(desk: &Desk) {
    let names = desk.names("out");
    assert!(names.is_empty() || names == FILES, "all files or none: {names:?}");
    for name in names {
        let bytes = desk.read(&format!("out/{name}"));
        let text = || std::str::from_utf8(&bytes).expect("UTF-8");
        let whole = match name.rsplit('.').next() {
            Some("json") => serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(),
            // The last row of the last variant, and its end.
            Some("csv") => {
                text().ends_with('\n') && text().lines().last().is_some_and(|row| row.starts_with("jitter,"))
            }
            Some("png") => bytes.ends_with(b"IEND\xae\x42\x60\x82"),
            Some("html") => text().ends_with("</html>"),
            Some("svg") => text().trim_end().ends_with("</svg>"),
            _ => false,
        };
        assert!(whole, "{name} is not whole");
    }
}

#[test]
fn an_interrupted_run_ends_at_once_with_code_130_and_leaves_nothing() {
    let desk = Desk::new();
    // Minutes of work at the very least.
    desk.put("long.yaml", &SMALL.replace("replications: 2", "replications: 5000").replace("20/s", "2000/s"));
    for delay_ms in [0, 100, 400, 1_500] {
        assert_eq!(interrupt(start(&desk, "long.yaml"), Duration::from_millis(delay_ms)), Some(130), "{delay_ms} ms");
        assert_eq!(desk.names("."), ["long.yaml", "small.yaml"], "after {delay_ms} ms");
    }
}

/// Whenever the interrupt comes, while simulating, drawing or writing, all files are there or none.
#[test]
fn an_interrupt_at_any_moment_leaves_all_files_or_none() {
    let desk = Desk::new();
    let started = Instant::now();
    start(&desk, "small.yaml").wait().expect("it ends");
    let whole_run = started.elapsed();
    std::fs::remove_dir_all(desk.path("out")).expect("it was written");

    const STEPS: u32 = 40;
    let mut interrupted = 0;
    for step in 0..STEPS {
        // Some come too late: those runs end well.
        let code = interrupt(start(&desk, "small.yaml"), whole_run * step * 5 / (STEPS * 4));
        assert!(matches!(code, Some(0 | 130)), "{code:?}");
        interrupted += u32::from(code == Some(130));
        assert_whole(&desk);
        if code == Some(0) {
            assert_eq!(desk.names("out"), FILES);
        }
        if desk.path("out").exists() {
            std::fs::remove_dir_all(desk.path("out")).expect("it is there");
        }
    }
    assert!(interrupted > STEPS / 8, "{interrupted} of {STEPS}: the delays miss the run");
}
