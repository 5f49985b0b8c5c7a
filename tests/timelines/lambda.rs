//! Lambda mappings, event by event. One poller, so that it is clear who reads what.

use retrystorm::measure::{Metric, Outcome, SeriesMetric};

use crate::support::{each_second, metric, outcome};

/// The seconds in which something happened, with how often.
fn happened(outcome: &Outcome, flow: SeriesMetric) -> Vec<(usize, u32)> {
    each_second(outcome, flow).into_iter().enumerate().filter(|&(_, count)| count > 0).collect()
}

fn numbers<const N: usize>(outcome: &Outcome, names: [Metric; N]) -> [f64; N] {
    names.map(|name| metric(outcome, name))
}

/// A valid, a bad and a valid message at 0 s, read into one batch until 2 s.
fn three_messages(bad: &str, service_time: &str, lambda: &str) -> Outcome {
    outcome(&format!(
        "
duration: 43s
queue: {{ visibility_timeout: 20s, redrive: {{ max_receive_count: 2 }} }}
producers: [ {{ burst: 1 }}, {{ burst: 1, classes: {{ {bad} }} }}, {{ burst: 1 }} ]
consumers: {{ lambda: {{ window: 2s, pollers: {{ initial: 1, most: 1 }}, {lambda} }} }}
downstream: {{ servers: 10, service_time: {service_time} }}
variants: {{ only: {{}} }}
"
    ))
}

/// Calls of 1 s: the first message works at 3 s, the second fails at 4 s, and that ends the function: the third is not tried.
/// Nothing is deleted, and nobody shortens the leases: all three come back at 20 s, and the same again until 24 s. At 40 s
/// they have been received twice and move, the third without ever having been handled.
///
/// Requests: 3 sends. Polls that begin at 0 s: three that bring a message each and a fourth that ends with the window. One
/// at 4 s, which brings the first message at 20 s, and three more there. One at 24 s, which waits until the end.
#[test]
fn one_failure_brings_the_whole_batch_back_after_its_lease() {
    let outcome = three_messages("permanent: 100%", "1s", "timeout: 10s");
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 3), (20, 3)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(2, 1), (3, 1), (22, 1), (23, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Successes), [(3, 1), (23, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Failures), [(4, 1), (24, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(40, 3)]);
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[..41], [[3; 40].as_slice(), &[0]].concat());
    let names = [Metric::Invocations, Metric::InvocationsFailed, Metric::Processed, Metric::Duplicates];
    assert_eq!(numbers(&outcome, names), [2.0, 2.0, 0.0, 1.0]);
    assert_eq!(metric(&outcome, Metric::SqsRequests), 3.0 + 4.0 + 1.0 + 3.0 + 1.0);
    // Twice 2 s, of an eighth of a GB each.
    assert_eq!(metric(&outcome, Metric::FunctionGbS), 0.5);
}

/// The third message is tried as well, at 4 s. At 5 s the answer lists the second: the others are deleted with one request.
/// The second comes back at 20 s, waits for the window until 22 s, fails at 23 s, and moves at 40 s.
#[test]
fn with_partial_responses_only_the_failed_message_comes_back() {
    let outcome = three_messages("permanent: 100%", "1s", "timeout: 10s, responses: failed_items");
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 3), (20, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(2, 1), (3, 1), (4, 1), (22, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Successes), [(3, 1), (5, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Failures), [(4, 1), (23, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(40, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[4..6], [3, 1], "deleted at 5 s");
    let names = [Metric::Invocations, Metric::InvocationsFailed, Metric::Processed, Metric::Duplicates];
    assert_eq!(numbers(&outcome, names), [2.0, 0.0, 2.0, 0.0]);
    // Four polls from 0 s on, one from 5 s, one from 20 s that ends with the window, one from 23 s on; one delete.
    assert_eq!(metric(&outcome, Metric::SqsRequests), 3.0 + 4.0 + 1.0 + 1.0 + 1.0 + 1.0);
}

/// All three at once, from 2 s to 3 s: the failed one brings all back, but none is left undone.
#[test]
fn messages_that_are_handled_at_once_do_not_wait_for_each_other() {
    let outcome = three_messages("permanent: 100%", "1s", "timeout: 10s, records: at_once");
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(2, 3), (22, 3)]);
    assert_eq!(happened(&outcome, SeriesMetric::Successes), [(3, 2), (23, 2)]);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(40, 3)]);
    assert_eq!(numbers(&outcome, [Metric::Processed, Metric::Duplicates]), [0.0, 2.0]);
}

/// One group on a FIFO queue: valid, valid, bad, valid. The first is received alone at 0 s and blocks the rest until it is
/// deleted at 1 s. The batch of 1 s has the other three: the second works at 2 s, the third fails at 3 s, and the function
/// stops there. It returns the third and the fourth; the second is deleted. Their leases end at 21 s: the third comes alone,
/// since the fourth is still hidden at that moment, and fails at 22 s. At 41 s it has been received twice and moves, and the
/// fourth is free: it works at 42 s.
#[test]
fn a_fifo_function_stops_at_the_first_failure_and_returns_all_after_it() {
    let outcome = outcome(
        "
duration: 43s
queue: { type: fifo, visibility_timeout: 20s, redrive: { max_receive_count: 2 } }
producers: [ { burst: 1 }, { burst: 1 }, { burst: 1, classes: { permanent: 100% } }, { burst: 1 } ]
consumers: { lambda: { timeout: 10s, responses: failed_items, pollers: { initial: 1, most: 1 } } }
downstream: { servers: 10, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 1), (1, 3), (21, 1), (41, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(0, 1), (1, 1), (2, 1), (21, 1), (41, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Successes), [(1, 1), (2, 1), (42, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Failures), [(3, 1), (22, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(41, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[..4], [1, 3, 3, 2], "deletes at 1 s and at 3 s");
    assert_eq!(numbers(&outcome, [Metric::Processed, Metric::Invocations]), [3.0, 4.0]);
}

/// Calls of 2 s and a timeout of 3 s. The first message works at 4 s; the call for the second is under way when the function
/// is ended at 5 s. Nobody hears how it ends, at 6 s; it has its effect all the same. All three come back, also where
/// failed items would be listed, since there is no answer. Both environments were cold: the first has been ended.
#[test]
fn a_timeout_ends_the_whole_invocation_and_nobody_hears_of_its_calls() {
    let outcome = three_messages("permanent: 0%", "2s", "timeout: 3s, responses: failed_items");
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 3), (20, 3)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(2, 1), (4, 1), (22, 1), (24, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Successes), [(4, 1), (24, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Failures), []);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(40, 3)]);
    let names = [Metric::Effects, Metric::DuplicateEffects, Metric::HandlersKilled, Metric::InvocationsFailed];
    assert_eq!(numbers(&outcome, names), [4.0, 2.0, 2.0, 2.0]);
    assert_eq!(numbers(&outcome, [Metric::ColdStarts, Metric::FunctionGbS]), [2.0, 0.75]);
}

/// Environments take 1 s to start, outside the timeout: the first message is called for at 3 s and works at 4 s, and the
/// second crashes the function. All three come back at 20 s, and a new environment starts from 22 s to 23 s.
#[test]
fn a_crash_brings_all_back_and_the_next_environment_starts_cold() {
    let outcome = three_messages("poison: 100%", "1s", "timeout: 2s, responses: failed_items, cold_start: 1s");
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(3, 1), (23, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 3), (20, 3)]);
    assert_eq!(happened(&outcome, SeriesMetric::DeadLettered), [(40, 3)]);
    let names = [Metric::Invocations, Metric::InvocationsFailed, Metric::ColdStarts, Metric::HandlersKilled];
    assert_eq!(numbers(&outcome, names), [2.0, 2.0, 2.0, 0.0]);
}

/// A message each second from 0 s to 7 s, batches of three, a window of 10 s, calls of 0.5 s.
///
/// The first batch is full at 2 s and done at 3.5 s. The second begins with the message of 3 s, is full at 5 s and done at
/// 6.5 s. The third begins with the message of 6 s, read at 6.5 s; that of 7 s is the last, and its window ends at 16.5 s.
#[test]
fn a_window_ends_when_the_batch_is_full_or_its_time_is_over() {
    let outcome = outcome(
        "
duration: 30s
producers: [ { rate: 1/s, arrivals: constant, until: 8s } ]
consumers: { lambda: { batch: 3, window: 10s, pollers: { initial: 1, most: 1 } } }
downstream: { servers: 10, service_time: 500ms }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Receives), (0..8).map(|second| (second, 1)).collect::<Vec<_>>());
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(2, 2), (3, 1), (5, 2), (6, 1), (16, 1), (17, 1)]);
    assert_eq!(numbers(&outcome, [Metric::Invocations, Metric::Processed]), [3.0, 8.0]);
}

/// The lease of the first message runs on while its batch fills: with a window of 10 s under a lease of 6 s it comes back at
/// 6 s, into the same batch. At 10 s the batch has it twice.
#[test]
fn a_window_longer_than_the_lease_reads_a_message_again() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 6s }
producers: [ { burst: 1 } ]
consumers: { lambda: { batch: 3, window: 10s, pollers: { initial: 1, most: 1 } } }
downstream: { servers: 10, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 1), (6, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(10, 1), (11, 1)]);
    let names = [Metric::Invocations, Metric::Processed, Metric::Duplicates];
    assert_eq!(numbers(&outcome, names), [1.0, 1.0, 1.0]);
}

/// Two pollers, one invocation at a time, calls of 2 s. The second message is throttled at 0, 0.7 and 1.4 s and gets its
/// place at 2.1 s, not at 2 s: nobody tells its poller. It is done at 4.1 s.
#[test]
fn a_throttled_batch_is_offered_again_after_a_time() {
    let outcome = outcome(
        "
duration: 30s
producers: [ { burst: 2 } ]
consumers:
  lambda: { batch: 1, reserved_concurrency: 1, reoffer_after: 700ms, pollers: { initial: 2, most: 2 } }
downstream: { servers: 10, service_time: 2s }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(0, 1), (2, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[..6], [2, 2, 1, 1, 0, 0]);
    let names = [Metric::InvocationsThrottled, Metric::Invocations, Metric::BatchesDropped];
    assert_eq!(numbers(&outcome, names), [3.0, 2.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::TimeToSuccessP99S), 4.1);
}

/// Leases and timeout of 5 s, calls of 4.5 s. The second message is throttled at 0, 1, 2, 3 and 4 s. At 5 s its lease ends,
/// and its poller gives it up. The first poller, free since 4.5 s, gets it at that moment, for the second time, and is done
/// with it at 9.5 s.
#[test]
fn a_throttled_batch_is_dropped_when_its_lease_ends() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 5s }
producers: [ { burst: 2 } ]
consumers: { lambda: { batch: 1, timeout: 5s, reserved_concurrency: 1, pollers: { initial: 2, most: 2 } } }
downstream: { servers: 10, service_time: 4500ms }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 2), (5, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(0, 1), (5, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[3..11], [2, 1, 1, 1, 1, 1, 0, 0]);
    let names = [Metric::InvocationsThrottled, Metric::BatchesDropped, Metric::Invocations, Metric::Processed];
    assert_eq!(numbers(&outcome, names), [5.0, 1.0, 2.0, 2.0]);
    assert_eq!(metric(&outcome, Metric::TimeToSuccessP99S), 9.5);
}

/// Three pollers, one invocation at a time. The first message runs; the other two are given up at once, and their pollers
/// rest for 1 s. At 20 s their leases end, and the poller that has waited longest, the first, gets one of them, the next the
/// other: that one is given up again, and done at 40 s.
#[test]
fn a_throttled_batch_that_is_dropped_at_once_comes_back_after_its_lease() {
    let outcome = outcome(
        "
duration: 1m
queue: { visibility_timeout: 20s }
producers: [ { burst: 3 } ]
consumers:
  lambda: { batch: 1, reserved_concurrency: 1, throttled: drop, pollers: { initial: 3, most: 3 } }
downstream: { servers: 10, service_time: 500ms }
variants: { only: {} }
",
    );
    assert_eq!(happened(&outcome, SeriesMetric::Receives), [(0, 3), (20, 2), (40, 1)]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(0, 1), (20, 1), (40, 1)]);
    let names = [Metric::InvocationsThrottled, Metric::BatchesDropped, Metric::Processed];
    assert_eq!(numbers(&outcome, names), [3.0, 3.0, 3.0]);
}

/// A backlog brings five pollers a second, and when it is gone they go again. Each has one message for 100 s.
#[test]
fn pollers_come_while_messages_wait_and_go_when_it_is_quiet() {
    let outcome = outcome(
        "
duration: 4m
queue: { visibility_timeout: 5m }
producers: [ { burst: 22 } ]
consumers: { lambda: { batch: 1, timeout: 2m } }
downstream: { servers: 100, service_time: 100s }
variants: { only: {} }
",
    );
    let fleet = each_second(&outcome, SeriesMetric::Fleet);
    // What happens at the end of a second is read with the next.
    assert_eq!(fleet[..6], [5, 10, 15, 20, 25, 25]);
    assert_eq!(happened(&outcome, SeriesMetric::Calls), [(0, 5), (1, 5), (2, 5), (3, 5), (4, 2)]);
    // Three have nothing to do. Work ends at 100 s, 101 s and so on; at 101 s 13 of the 25 are idle, and from then on more.
    assert_eq!(fleet[100..105], [25, 20, 15, 10, 5]);
}

/// A thousand messages wait, and every call fails. A failed batch of whole batches holds the number of pollers down; where
/// failed items are reported, or errors are not heeded, it grows with the backlog.
#[test]
fn errors_keep_the_number_of_pollers_down_but_not_with_partial_responses() {
    let peak = |lambda: &str| {
        let outcome = outcome(&format!(
            "
duration: 1m
queue: {{ visibility_timeout: 2m }}
producers: [ {{ burst: 1000 }} ]
consumers: {{ lambda: {{ timeout: 1m, {lambda} }} }}
downstream: {{ servers: 10, service_time: 1s, outages: [ {{ at: 0s, for: 1m, mode: refuse, after: 500ms }} ] }}
variants: {{ only: {{}} }}
"
        ));
        metric(&outcome, Metric::FleetPeak)
    };
    assert_eq!(peak("responses: whole_batch"), 5.0);
    assert!(peak("responses: failed_items") > 50.0);
    assert!(peak("backs_off_on_errors: false") > 20.0);
}
