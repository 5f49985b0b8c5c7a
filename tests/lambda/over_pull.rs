//! A mapping that reads more than its function may run: ten messages at once, one invocation of 5 s at a time.

use retrystorm::measure::{Metric, Outcome};

use crate::support::{metric, outcome};

fn over_pull(queue: &str, lambda: &str, most: u32) -> Outcome {
    outcome(&format!(
        "
duration: 15m
queue: {queue}
producers: [ {{ burst: 10 }} ]
consumers: {{ lambda: {{ batch: 1, timeout: 10s, pollers: {{ most: {most} }}, {lambda} }} }}
downstream: {{ servers: 100, service_time: 5s }}
variants: {{ only: {{}} }}
"
    ))
}

/// Dead-lettered messages; nothing may have failed, and each message is processed or dead-lettered. Where the last
/// invocation ends with its lease, its message is both: done, and moved before it could be deleted.
fn dead_lettered_with(queue: &str, lambda: &str, most: u32) -> f64 {
    let outcome = over_pull(queue, lambda, most);
    let [processed, dead_lettered] = [Metric::Processed, Metric::DeadLettered].map(|name| metric(&outcome, name));
    assert_eq!(processed + dead_lettered, 10.0);
    assert_eq!([Metric::CallsFailed, Metric::InvocationsFailed].map(|name| metric(&outcome, name)), [0.0, 0.0]);
    dead_lettered
}

/// The same with the five pollers of the start, and no more.
fn dead_lettered(queue: &str, lambda: &str) -> f64 {
    dead_lettered_with(queue, lambda, 5)
}

const ONE_RECEIVE: &str = "{ visibility_timeout: 30s, redrive: { max_receive_count: 1 } }";
const FIVE_LONG_RECEIVES: &str = "{ visibility_timeout: 180s, redrive: { max_receive_count: 5 } }";

/// Five pollers read five messages. The first is invoked at 0 s; whenever an invocation ends, its poller reads and invokes
/// at once, before the others offer theirs again. So messages 6 to 10 run until 30 s, when the leases of 2 to 5 end.
#[test]
fn batches_that_are_offered_again_starve_beside_the_poller_that_is_served() {
    assert_eq!(dead_lettered(ONE_RECEIVE, "reserved_concurrency: 1, throttled: reoffer"), 4.0);
}

/// All ten are read at 0 s. One runs every 5 s; the sixth ends with its lease, and the lease comes first.
#[test]
fn batches_that_wait_in_line_are_served_in_turn_until_their_leases_end() {
    assert_eq!(dead_lettered(ONE_RECEIVE, "reserved_concurrency: 1, throttled: prefetch"), 5.0);
}

/// Only the first message ever runs.
#[test]
fn batches_that_are_dropped_are_lost_at_once() {
    assert_eq!(dead_lettered(ONE_RECEIVE, "reserved_concurrency: 1, throttled: drop"), 9.0);
}

#[test]
fn long_leases_and_five_receives_save_them_all() {
    for way in ["reoffer", "prefetch"] {
        let lambda = format!("reserved_concurrency: 1, throttled: {way}");
        assert_eq!(dead_lettered(FIVE_LONG_RECEIVES, &lambda), 0.0, "{way}");
    }
}

/// A cap on the reading throttles nothing, in every way.
#[test]
fn a_maximum_concurrency_reads_no_more_than_the_function_may_run() {
    for way in ["reoffer", "prefetch", "drop"] {
        let lambda = format!("reserved_concurrency: 2, maximum_concurrency: 2, throttled: {way}");
        assert_eq!(dead_lettered(ONE_RECEIVE, &lambda), 0.0, "{way}");
        assert_eq!(metric(&over_pull(ONE_RECEIVE, &lambda, 1_250), Metric::InvocationsThrottled), 0.0, "{way}");
    }
}

/// After 1 s there are five pollers more, which read the rest: the counts are the same.
#[test]
fn growing_pollers_save_nobody() {
    let lost =
        |way: &str| dead_lettered_with(ONE_RECEIVE, &format!("reserved_concurrency: 1, throttled: {way}"), 1_250);
    assert_eq!(["reoffer", "prefetch", "drop"].map(lost), [4.0, 5.0, 9.0]);
}

/// With a millisecond more for each message nothing falls on one moment, and the counts of five pollers stay.
#[test]
fn the_counts_do_not_hang_on_what_falls_on_one_moment() {
    let lost = |way: &str| {
        let lambda =
            format!("batch: 1, timeout: 10s, pollers: {{ most: 5 }}, reserved_concurrency: 1, throttled: {way}");
        let text = format!(
            "
duration: 15m
queue: {ONE_RECEIVE}
producers: [ {{ burst: 10 }} ]
consumers: {{ lambda: {{ {lambda} }}, handler_time: 5s }}
downstream: {{ servers: 100, service_time: 1ms }}
variants: {{ only: {{}} }}
"
        );
        metric(&outcome(&text), Metric::DeadLettered)
    };
    assert_eq!(["reoffer", "prefetch", "drop"].map(lost), [4.0, 5.0, 9.0]);
}
