//! What each decision of a policy does to a message, with exact counts.

mod support;

use retrystorm::engine::random::KeyedDraw;
use retrystorm::measure::{Metric, Outcome, SeriesMetric};
use retrystorm::model::policy::{AttemptError, Disposition, FailedAttempt, RetryPolicy};
use retrystorm::simulation::simulate_with;
use support::{each_second, metric, run, scenario};

/// A policy that is a function.
struct Decides<F>(F);

impl<F: Fn(&FailedAttempt) -> Disposition + Send + Sync> RetryPolicy for Decides<F> {
    fn decide(&self, attempt: &FailedAttempt, _: &mut KeyedDraw) -> Disposition {
        (self.0)(attempt)
    }
}

fn outcome_with(text: &str, decide: impl Fn(&FailedAttempt) -> Disposition + Send + Sync) -> Outcome {
    let scenario = scenario(text);
    simulate_with(&scenario.variants[0].setup, &Decides(decide), run(&scenario, 0)).expect("the ledger balances")
}

/// 30 messages that can never succeed, three receives each, leases of 30 s, calls of 100 ms; a slot for each.
const PERMANENT: &str = "
duration: 5m
queue: { redrive: { max_receive_count: 3 } }
producers: [ { burst: 30, classes: { permanent: 100% } } ]
consumers: { fleet: 3, concurrency: 10 }
downstream: { servers: 30, service_time: 100ms }
variants: { only: {} }
";

fn counts<const N: usize>(outcome: &Outcome, names: [Metric; N]) -> [f64; N] {
    names.map(|name| metric(outcome, name))
}

const FATES: [Metric; 4] = [Metric::Receives, Metric::Calls, Metric::DeadLettered, Metric::DeletedUnprocessed];

#[test]
fn letting_the_lease_expire_takes_n_receives_and_n_leases() {
    let outcome = outcome_with(PERMANENT, |attempt| {
        assert_eq!(attempt.error, AttemptError::Permanent);
        assert_eq!((attempt.tries, attempt.lease_left_us), (1, 29_900_000));
        assert_eq!(attempt.since_first_receive_us, 100_000 + u64::from(attempt.receive_count - 1) * 30_000_000);
        assert_eq!(attempt.previous_delay_s, None);
        Disposition::LetLeaseExpire
    });
    assert_eq!(counts(&outcome, FATES), [90.0, 90.0, 30.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 90.0);
}

/// Each attempt fails after 0.1 s, and its message is back 7 s after that: three times 7.1 s.
#[test]
fn changing_the_visibility_brings_the_message_back_after_the_delay() {
    let outcome = outcome_with(PERMANENT, |attempt| {
        assert_eq!(attempt.previous_delay_s, (attempt.receive_count > 1).then_some(7), "remembered for the policy");
        Disposition::ChangeVisibility { delay_s: 7 }
    });
    assert_eq!(counts(&outcome, FATES), [90.0, 90.0, 30.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 21.3);
}

/// A change past twelve hours is refused: the lease of 30 s runs out instead, three times.
#[test]
fn a_visibility_beyond_twelve_hours_leaves_the_lease_as_it_was() {
    for delay_s in [43_200, 43_201, u32::MAX] {
        let outcome = outcome_with(PERMANENT, |_| Disposition::ChangeVisibility { delay_s });
        assert_eq!(counts(&outcome, FATES), [90.0, 90.0, 30.0, 0.0], "{delay_s} s");
        assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 90.0, "{delay_s} s");
    }
}

/// A visibility of 0 s makes the message a customer of the very next poll: 0.1 s each time.
#[test]
fn a_visibility_of_zero_brings_the_message_back_at_once() {
    let outcome = outcome_with(PERMANENT, |_| Disposition::ChangeVisibility { delay_s: 0 });
    assert_eq!(counts(&outcome, FATES), [90.0, 90.0, 30.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 0.3);
}

#[test]
fn dead_lettering_ends_a_message_at_its_first_failure() {
    let outcome = outcome_with(PERMANENT, |_| Disposition::DeadLetter);
    assert_eq!(counts(&outcome, FATES), [30.0, 30.0, 30.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::DeadLetteredPermanent), 30.0);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 0.1);
}

#[test]
fn a_policy_dead_letters_without_a_redrive_policy_of_the_queue() {
    let text = PERMANENT.replace("redrive: { max_receive_count: 3 }", "redrive: none");
    let outcome = outcome_with(&text, |_| Disposition::DeadLetter);
    assert_eq!(counts(&outcome, FATES), [30.0, 30.0, 30.0, 0.0]);
}

#[test]
fn deleting_ends_a_message_unprocessed() {
    let outcome = outcome_with(PERMANENT, |_| Disposition::Delete);
    assert_eq!(counts(&outcome, FATES), [30.0, 30.0, 0.0, 30.0]);
    assert_eq!(counts(&outcome, [Metric::Processed, Metric::Pending, Metric::CallsWasted]), [0.0, 0.0, 30.0]);
}

/// What the decisions cost: dead-lettering is a send and a delete, deleting is one request, a change is one. All else is
/// the same in all runs: 30 receives at 0 s, and 30 failures at 0.1 s with the polls that follow.
#[test]
fn each_decision_costs_its_requests() {
    let text = PERMANENT.replace("duration: 5m", "duration: 6s").replace("redrive: { max_receive_count: 3 }", "");
    let requests = |disposition| metric(&outcome_with(&text, |_| disposition), Metric::SqsRequests);
    let without = requests(Disposition::LetLeaseExpire);
    assert_eq!(requests(Disposition::Delete), without + 30.0);
    assert_eq!(requests(Disposition::DeadLetter), without + 60.0);
    assert_eq!(requests(Disposition::ChangeVisibility { delay_s: 7 }), without + 30.0);
}

/// Refused after 1 s until 5 s; 1 s of sleep between tries. Tries at 0, 2 and 4 s fail, the one at 6 s succeeds at 6.5 s:
/// four calls, one receive, and nothing but one slot is used.
#[test]
fn retrying_in_process_keeps_slot_and_lease() {
    let outcome = outcome_with(
        "
duration: 1m
producers: [ { burst: 1 } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 500ms, outages: [ { at: 0s, for: 5s, mode: refuse, after: 1s } ] }
variants: { only: {} }
",
        |attempt| {
            assert_eq!(attempt.receive_count, 1);
            assert_eq!(attempt.since_first_receive_us, u64::from(attempt.tries) * 2_000_000 - 1_000_000);
            assert_eq!(attempt.lease_left_us, 30_000_000 - attempt.since_first_receive_us);
            Disposition::RetryInProcess { after_us: 1_000_000 }
        },
    );
    let names = [Metric::Receives, Metric::Calls, Metric::CallsFailed, Metric::Processed, Metric::Duplicates];
    assert_eq!(counts(&outcome, names), [1.0, 4.0, 3.0, 1.0, 0.0]);
    assert_eq!(outcome.time_to_success.max_s(), Some(6.5));
    assert_eq!(each_second(&outcome, SeriesMetric::Calls)[..7], [1, 0, 1, 0, 1, 0, 1]);
}

/// The same until 10 s with a lease of 3 s and two slots: the message comes back while its consumer still tries.
///
/// A, received at 0 s: calls at 0, 2, 4, 6, 8 s fail, that of 10 s succeeds at 10.5 s: the first success, but its
/// receipt is old, and the delete is ignored.
/// B, received at 3 s: calls at 3, 5, 7, 9 s fail, that of 11 s succeeds at 11.5 s, for nothing. Its lease ends at 6 s,
/// when both slots are taken: visible until A's slot is free.
/// C, received at 10.5 s by that slot: its call succeeds at 11 s, for nothing, but its receipt is the latest: deleted.
#[test]
fn retrying_in_process_past_the_end_of_the_lease_does_the_work_several_times() {
    let outcome = outcome_with(
        "
duration: 1m
queue: { visibility_timeout: 3s }
producers: [ { burst: 1 } ]
consumers: { fleet: 1, concurrency: 2 }
downstream: { servers: 2, service_time: 500ms, outages: [ { at: 0s, for: 10s, mode: refuse, after: 1s } ] }
variants: { only: {} }
",
        |_| Disposition::RetryInProcess { after_us: 1_000_000 },
    );
    let names = [Metric::Receives, Metric::Calls, Metric::CallsFailed, Metric::Processed, Metric::Duplicates];
    assert_eq!(counts(&outcome, names), [3.0, 6.0 + 5.0 + 1.0, 9.0, 1.0, 2.0]);
    assert_eq!(outcome.time_to_success.max_s(), Some(10.5));
}

/// A message that has succeeded once and is deleted by the policy after a later failure was processed all the same.
///
/// A, received at 0 s into a slow moment, succeeds at 5 s, after its lease of 4 s: its delete is ignored, because B was
/// received at 4 s. B is refused at 5.5 s, and the policy deletes the message with B's receipt.
#[test]
fn a_message_that_has_succeeded_before_is_not_deleted_unprocessed() {
    let outcome = outcome_with(
        "
duration: 1m
queue: { visibility_timeout: 4s }
producers: [ { burst: 1 } ]
consumers: { fleet: 1, concurrency: 2 }
downstream:
  servers: 2
  service_time: 500ms
  outages: [ { at: 0s, for: 1s, mode: slow, factor: 10 }, { at: 1s, for: 9s, mode: refuse, after: 1500ms } ]
variants: { only: {} }
",
        |_| Disposition::Delete,
    );
    let names = [Metric::Receives, Metric::Calls, Metric::CallsFailed, Metric::Processed, Metric::DeletedUnprocessed];
    assert_eq!(counts(&outcome, names), [2.0, 2.0, 1.0, 1.0, 0.0]);
}
