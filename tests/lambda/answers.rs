//! What a function says of its batch, and what becomes of it: a hundred messages in batches of ten.

use retrystorm::measure::{Metric, Outcome};

use crate::support::{metric, outcome};

const BATCH: f64 = 10.0;

/// A hundred messages lie in the queue when polling begins, so that each batch is full.
fn batches(lambda: &str, downstream: &str) -> Outcome {
    outcome(&format!(
        "
duration: 10m
queue: {{ visibility_timeout: 60s, redrive: {{ max_receive_count: 3 }} }}
producers: [ {{ burst: 100, from: 1s }} ]
consumers: {{ lambda: {{ timeout: 10s, pollers: {{ most: 5 }}, {lambda} }} }}
downstream: {{ servers: 100, service_time: 100ms, {downstream} }}
operations: [ {{ at: 0s, polling: pause }}, {{ at: 2s, polling: resume }} ]
variants: {{ only: {{}} }}
"
    ))
}

const DOWN: &str = "outages: [ { at: 0s, for: 10m, mode: refuse } ]";

fn numbers<const N: usize>(outcome: &Outcome, names: [Metric; N]) -> [f64; N] {
    names.map(|name| metric(outcome, name))
}

const FATES: [Metric; 3] = [Metric::Processed, Metric::DeletedUnprocessed, Metric::DeadLettered];

/// The incident: on an unhandled error the function answers with an empty list. Each error takes a whole batch with it, and
/// nothing tells of it: no failed invocation, no dead letter.
#[test]
fn an_answer_that_hides_the_failure_loses_its_batch() {
    let outcome = batches("responses: failed_items, hides_failures: 100%", DOWN);
    let [invocations, failed] = numbers(&outcome, [Metric::Invocations, Metric::InvocationsFailed]);
    assert_eq!((invocations, failed), (10.0, 0.0));
    assert_eq!(numbers(&outcome, FATES), [0.0, BATCH * invocations, 0.0]);
    assert_eq!(metric(&outcome, Metric::CallsFailed), invocations, "the first error of each batch is its last");
}

/// Where the answer names the messages, or all of them come back, nothing is lost without a trace.
#[test]
fn an_answer_that_names_the_messages_loses_nothing() {
    for lambda in
        ["responses: failed_items", "responses: whole_batch", "responses: failed_items, unreadable_answers: 100%"]
    {
        assert_eq!(numbers(&batches(lambda, DOWN), FATES), [0.0, 0.0, 100.0], "{lambda}");
    }
}

/// A share of hidden failures is a share of whole batches.
#[test]
fn hidden_failures_are_lost_batch_by_batch() {
    let outcome = batches("responses: failed_items, hides_failures: 30%", DOWN);
    let [processed, lost, dead_lettered] = numbers(&outcome, FATES);
    assert!(lost > 0.0 && dead_lettered > 0.0, "{lost} {dead_lettered}");
    assert_eq!((processed, lost + dead_lettered), (0.0, 100.0));
}

/// The work is done three times, and every message dead-lettered all the same.
#[test]
fn an_unreadable_answer_brings_back_what_is_done() {
    let outcome = batches("responses: failed_items, unreadable_answers: 100%", "max_waiting: none");
    assert_eq!(numbers(&outcome, FATES), [0.0, 0.0, 100.0]);
    assert_eq!(metric(&outcome, Metric::Duplicates), 200.0);
    assert_eq!(metric(&outcome, Metric::InvocationsFailed), metric(&outcome, Metric::Invocations));
}

/// A tenth of the calls fails. With whole batches one failure repeats the successes before it; a list of the failed ones
/// repeats none.
#[test]
fn only_whole_batches_repeat_what_has_worked() {
    let repeated =
        |lambda: &str| numbers(&batches(lambda, "error_rate: 10%"), [Metric::Duplicates, Metric::InvocationsFailed]);
    let [duplicates, failed] = repeated("responses: whole_batch");
    assert!(duplicates > 0.0 && failed > 0.0, "{duplicates} {failed}");
    assert_eq!(repeated("responses: failed_items"), [0.0, 0.0]);
}

/// What a handler sees to itself is done for the mapping: a permanent message that it dead-letters holds up no other.
#[test]
fn a_message_that_the_handler_dead_letters_is_no_failure_of_its_batch() {
    let outcome = outcome(
        "
duration: 10m
queue: { visibility_timeout: 60s, redrive: { max_receive_count: 3 } }
producers: [ { burst: 90, from: 1s }, { burst: 10, from: 1s, classes: { permanent: 100% } } ]
consumers: { lambda: { timeout: 10s } }
downstream: { servers: 100, service_time: 100ms }
policy: { dispositions: { permanent: dead_letter } }
variants: { only: {} }
",
    );
    assert_eq!(numbers(&outcome, FATES), [90.0, 0.0, 10.0]);
    assert_eq!(numbers(&outcome, [Metric::Receives, Metric::InvocationsFailed]), [100.0, 0.0]);
}

/// A minute of 10 messages/s with calls of 1 s, one by one: ten invocations at a time. 128 MB are an eighth of a GB.
#[test]
fn the_bill_is_memory_times_time() {
    let outcome = outcome(
        "
duration: 5m
producers: [ { rate: 10/s, arrivals: constant, until: 1m } ]
consumers: { lambda: { batch: 1 } }
downstream: { servers: 100, service_time: 1s }
variants: { only: {} }
",
    );
    let names = [Metric::Processed, Metric::Invocations, Metric::FunctionGbS];
    assert_eq!(numbers(&outcome, names), [600.0, 600.0, 600.0 / 8.0]);
}
