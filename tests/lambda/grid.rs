//! The two axes of the advice: what a longer lease and more receives do for healthy messages of a throttled function.

use retrystorm::measure::Metric;

use crate::support::{metric, outcome_of, scenario};

const TIMEOUT_S: u64 = 10;
const LEASES: [u64; 4] = [1, 2, 3, 6];
const RECEIVES: [u32; 5] = [1, 2, 3, 5, 10];
const REPLICATIONS: u32 = 5;

/// Bursts of messages that need 5 s each, two at a time: the function could just do them all, but its mapping reads more than
/// that.
fn dead_lettered(lease: u64, receives: u32, throttled: &str) -> f64 {
    let lease_s = lease * TIMEOUT_S;
    let scenario = scenario(&format!(
        "
duration: 30m
queue: {{ visibility_timeout: {lease_s}s, redrive: {{ max_receive_count: {receives} }} }}
producers: [ {{ burst: 20, every: 60s, until: 10m }}, {{ rate: 1/m, until: 10m }} ]
consumers:
  lambda: {{ batch: 1, timeout: {TIMEOUT_S}s, reserved_concurrency: 2, throttled: {throttled} }}
downstream: {{ servers: 100, service_time: {{ lognormal: {{ mean: 5s, p99: 9s }} }} }}
variants: {{ only: {{}} }}
"
    ));
    let of_run = |replication| metric(&outcome_of(&scenario, 0, replication), Metric::DeadLetteredValid);
    (0..REPLICATIONS).map(of_run).sum()
}

fn grid(throttled: &str) -> [[f64; RECEIVES.len()]; LEASES.len()] {
    LEASES.map(|lease| RECEIVES.map(|receives| dead_lettered(lease, receives, throttled)))
}

/// Whether no step along a row, to more receives, loses more.
fn falls_with_receives(grid: &[[f64; RECEIVES.len()]]) -> bool {
    grid.iter().all(|row| row.is_sorted_by(|fewer, more| fewer >= more))
}

/// Whether no step along a column, to a longer lease, loses more.
fn falls_with_leases(grid: &[[f64; RECEIVES.len()]]) -> bool {
    (0..RECEIVES.len()).all(|column| grid.is_sorted_by(|short, long| short[column] >= long[column]))
}

#[test]
fn with_batches_offered_again_longer_leases_and_more_receives_never_lose_more() {
    let grid = grid("reoffer");
    assert!(falls_with_receives(&grid) && falls_with_leases(&grid), "{grid:?}");
    assert!(grid[0][0] > 500.0 && grid[3][3] == 0.0, "the careless lose, the advice does not: {grid:?}");
}

/// Not along the other axis: where the lease is no longer than the timeout, batches from the line run when their leases
/// are nearly over, and are done once more. More receives bring more of such work.
#[test]
fn with_batches_in_line_longer_leases_never_lose_more() {
    let grid = grid("prefetch");
    assert!(falls_with_leases(&grid), "{grid:?}");
    assert!(!falls_with_receives(&grid), "this has changed, and the documents with it: {grid:?}");
}

/// Not along the other axis: a longer lease only means that there are fewer chances while the function has room.
#[test]
fn with_batches_dropped_more_receives_never_lose_more() {
    let grid = grid("drop");
    assert!(falls_with_receives(&grid), "{grid:?}");
    assert!(!falls_with_leases(&grid), "this has changed, and the documents with it: {grid:?}");
}
