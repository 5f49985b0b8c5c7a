//! Memory follows what is outstanding, not what has ever been sent.

#![cfg(target_os = "linux")]

use std::process::Command;

/// 20 000 messages a second into a fleet that keeps up, for as long as the test says; one call in a hundred fails, so
/// that leases end and messages come back all the time.
fn steady(duration_s: u32) -> String {
    format!(
        "
duration: {duration_s}s
queue: {{ retention: 60s, redrive: {{ max_receive_count: 10 }} }}
producers: [ {{ rate: 20000/s }} ]
consumers: {{ fleet: 60, concurrency: 50 }}
downstream: {{ servers: 2000, service_time: {{ exponential: 50ms }}, error_rate: 1% }}
variants: {{ only: {{}} }}
"
    )
}

/// The peak of memory in MB that the binary reports of itself, the highest size of its resident set.
fn peak_mb(scenario: &str) -> f64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("steady.yaml"), scenario).expect("a file of the test");
    let run = Command::new(assert_cmd::cargo::cargo_bin!("retrystorm"))
        .current_dir(folder.path())
        .args(["run", "steady.yaml", "--quiet", "--verbose", "--threads", "1"])
        .output()
        .expect("the binary starts");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{stderr}");
    let (before, _) = stderr.split_once(" MB of memory").unwrap_or_else(|| panic!("no memory in {stderr}"));
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("no number in {stderr}"))
}

#[test]
fn ten_times_the_messages_need_no_more_memory() {
    let (short_mb, long_mb) = (peak_mb(&steady(10)), peak_mb(&steady(100)));
    // The 200 000 messages of the short run, all kept, would take some 25 MB; the 2 000 000 of the long one ten times that.
    assert!(long_mb < short_mb + 20.0, "{short_mb} MB for 200 000 messages, {long_mb} MB for 2 000 000");
}

#[test]
#[ignore = "half a minute with optimisation, minutes without: run it with `cargo test --release --test memory -- --ignored`"]
fn fifty_million_messages_stay_under_200_mb() {
    let peak_mb = peak_mb(&steady(2_500));
    assert!(peak_mb < 200.0, "{peak_mb} MB");
}

/// A sweep of 10 000 runs keeps the metrics of each, and neither their series nor their distributions.
#[test]
fn ten_thousand_runs_of_a_sweep_stay_under_500_mb() {
    let scenario = "
duration: 10m
replications: 10
producers: [ { rate: 1/m } ]
downstream: { servers: 1, service_time: 50ms }
variants: { only: {} }
sweep:
  downstream.servers: { from: 1, to: 50, steps: 50 }
  queue.visibility_timeout: { from: 1s, to: 20s, steps: 20 }
";
    let peak_mb = peak_mb(scenario);
    assert!(peak_mb < 500.0, "{peak_mb} MB");
}
