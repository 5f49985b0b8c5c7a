//! What consumers do by the kind of error, and what it costs when they misread one.

use retrystorm::measure::{Metric, Outcome};

use crate::support::{metric, outcome};

fn counts<const N: usize>(outcome: &Outcome, names: [Metric; N]) -> [f64; N] {
    names.map(|name| metric(outcome, name))
}

/// 50 good messages and 50 malformed ones, N = 5, leases of 1 s; the downstream is sound, or down for the first 3 s.
fn run(policy: &str, outages: &str) -> Outcome {
    outcome(&format!(
        "
duration: 1m
queue: {{ visibility_timeout: 1s, redrive: {{ max_receive_count: 5 }} }}
producers: [ {{ burst: 50 }}, {{ burst: 50, classes: {{ permanent: 100% }} }} ]
consumers: {{ fleet: 10 }}
downstream: {{ servers: 100, service_time: 10ms, outages: [ {outages} ] }}
variants: {{ only: {{ policy: {policy} }} }}
"
    ))
}

const OUTAGE: &str = "{ at: 0s, for: 2500ms, mode: refuse, after: 10ms }";

#[test]
fn malformed_messages_cost_n_calls_each_or_one() {
    let names = [Metric::CallsFailedPermanent, Metric::DeadLetteredPermanent, Metric::DeletedUnprocessed];
    assert_eq!(counts(&run("{}", ""), names), [250.0, 50.0, 0.0]);
    assert_eq!(counts(&run("{ dispositions: { permanent: dead_letter } }", ""), names), [50.0, 50.0, 0.0]);
    let recorded = run("{ dispositions: { permanent: record_and_delete } }", "");
    assert_eq!(counts(&recorded, names), [50.0, 0.0, 50.0]);
    assert_eq!(metric(&recorded, Metric::WrittenDown), 50.0);
}

/// The classic ending: catch, log, delete. Everything that met the outage is gone, and the dead-letter queue is empty.
#[test]
fn catch_and_delete_loses_what_meets_the_outage_and_no_dead_letter_says_so() {
    let outcome = run("{ dispositions: { transient: delete, permanent: delete } }", OUTAGE);
    let names = [Metric::Processed, Metric::DeletedUnprocessed, Metric::DeadLettered, Metric::GivenUpByMistake];
    assert_eq!(counts(&outcome, names), [0.0, 100.0, 0.0, 0.0]);
}

/// Visibility 0: no wait but the failure's own 10 ms, so that five attempts are used up in 50 ms.
#[test]
fn visibility_zero_burns_the_receives_in_no_time() {
    let outcome = run("{ dispositions: { transient: visibility_zero } }", OUTAGE);
    assert_eq!(metric(&outcome, Metric::DeadLettered), 100.0);
    assert!(outcome.time_to_dlq.max_s().is_some_and(|max_s| max_s < 0.2));
}

/// All errors of a failing downstream are taken for permanent ones: every good message is given up at its first failure.
#[test]
fn a_transient_error_that_is_taken_for_a_permanent_one_discards_good_work() {
    let policy = |share: &str| {
        format!("{{ dispositions: {{ permanent: dead_letter }}, misreading: {{ transient_as_permanent: {share} }} }}")
    };
    let names = [Metric::DeadLetteredValid, Metric::GivenUpByMistake, Metric::Processed];
    assert_eq!(
        counts(&run(&policy("100%"), OUTAGE), names),
        [50.0, 100.0, 0.0],
        "the malformed ones too, for a wrong reason"
    );
    assert_eq!(counts(&run(&policy("0%"), OUTAGE), names), [0.0, 0.0, 50.0]);
    // Three attempts fall into the outage; a message survives them with probability (1 - 0.2)^3 = 0.512.
    let some = metric(&run(&policy("20%"), OUTAGE), Metric::DeadLetteredValid);
    assert!((15.0..34.0).contains(&some), "24.4 expected, three standard deviations are 10.6: {some}");
}

/// A message's own fault that is taken for a transient one burns N calls, and whether it is belongs to the message.
#[test]
fn a_permanent_error_that_is_taken_for_a_transient_one_burns_the_budget() {
    let policy = |share: &str| {
        format!("{{ dispositions: {{ permanent: dead_letter }}, misreading: {{ permanent_as_transient: {share} }} }}")
    };
    assert_eq!(metric(&run(&policy("100%"), ""), Metric::CallsFailedPermanent), 250.0);
    let some = metric(&run(&policy("40%"), ""), Metric::CallsFailedPermanent);
    assert_eq!((some - 50.0) % 4.0, 0.0, "four more for each message that is misread, and misread each time");
    assert!((50.0 + 40.0..50.0 + 120.0).contains(&some), "50 + 4 x 20 expected: {some}");
}

#[test]
fn an_error_that_says_nothing_has_a_disposition_of_its_own() {
    let outcome = run("{ dispositions: { unknown: delete }, misreading: { unknown: 100% } }", "");
    assert_eq!(counts(&outcome, [Metric::Processed, Metric::DeletedUnprocessed]), [50.0, 50.0]);
}

/// One malformed message, N = 2. The consumer sends it to the dead-letter queue and crashes before the delete; at 1 s it is
/// received again, with the same result; at 2 s the queue moves the message itself: three dead letters of one message.
#[test]
fn a_crash_between_send_and_delete_leaves_the_message_in_both_queues() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 1s, redrive: { max_receive_count: 2 } }
producers: [ { burst: 1, classes: { permanent: 100% } } ]
consumers: { restart: 100ms }
downstream: { servers: 1, service_time: 10ms }
variants: { only: { policy: { dispositions: { permanent: dead_letter }, dead_letter_crash: 100% } } }
",
    );
    let names = [Metric::DuplicatesInDlq, Metric::DeadLettered, Metric::DlqPeak, Metric::GivenUpByMistake];
    assert_eq!(counts(&outcome, names), [2.0, 1.0, 3.0, 0.0]);
}

/// One malformed message, each call takes 1 s, N = 3. A copy is received at once, and its count begins anew: calls end at
/// 1, 2, ..., 59 s, the copy of 59 s is still at work when the run ends, and nothing is ever dead-lettered. With a change
/// of visibility to 0 instead, three calls are the end of it.
#[test]
fn a_message_that_is_sent_again_instead_of_returned_is_never_used_up() {
    let run = |disposition: &str| {
        outcome(&format!(
            "
duration: 60s
queue: {{ redrive: {{ max_receive_count: 3 }} }}
producers: [ {{ burst: 1, classes: {{ permanent: 100% }} }} ]
downstream: {{ servers: 1, service_time: 1s }}
variants: {{ only: {{ policy: {{ dispositions: {{ permanent: {disposition} }} }} }} }}
"
        ))
    };
    let names =
        [Metric::CallsFailedPermanent, Metric::Resent, Metric::DeadLettered, Metric::Pending, Metric::SqsRequests];
    // Sends: 1 and 59. Receives: 60. Deletes: 59. Polls that wait: at 0 s, and every second one that asks for more.
    let resent = counts(&run("resend"), names);
    assert_eq!(resent[..4], [59.0, 59.0, 0.0, 1.0]);
    assert_eq!(counts(&run("visibility_zero"), names)[..4], [3.0, 0.0, 1.0, 0.0]);
}

/// The same with calls of 2 s under leases of 1 s, and stale deletes that do nothing (Q15): each failure leaves the message
/// where it is, and adds one.
#[test]
fn a_copy_of_a_message_whose_lease_is_over_adds_to_it() {
    let outcome = outcome(
        "
duration: 5s
queue: { visibility_timeout: 1s, stale_delete: ignored }
producers: [ { burst: 1, classes: { permanent: 100% } } ]
consumers: { concurrency: 100 }
downstream: { servers: 100, service_time: 2500ms }
variants: { only: { policy: { dispositions: { permanent: resend } } } }
",
    );
    // Received at 0, 1, 2, 3 and 4 s; calls end at 2.5, 3.5 and 4.5 s.
    assert_eq!(counts(&outcome, [Metric::Resent, Metric::Pending]), [3.0, 4.0]);
}
