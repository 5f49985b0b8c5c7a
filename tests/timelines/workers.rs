//! Consumers of other kinds: batches in turn, buffers that age, pools that reject, deletes that come early or late.

use retrystorm::measure::{Fate, Metric, Outcome, SeriesMetric};

use crate::support::{each_second, metric, outcome, outcome_of, scenario};

/// The seconds in which something happened.
fn seconds_of(outcome: &Outcome, flow: SeriesMetric) -> Vec<usize> {
    let flow = each_second(outcome, flow);
    (0..flow.len()).filter(|&second| flow[second] > 0).collect()
}

/// VT 10 s, calls of 8 s, three messages at 0 s, a worker that takes a batch of two and works it off in turn. Its short poll
/// at 0 s comes before the messages; the one at 1 s brings two. The first is done at 9 s. The lease of the second ends at
/// 11 s, while it is worked on: it is visible, but the worker does not poll before its batch is done. So the second is done at
/// 17 s, its receipt is still the latest, and its delete counts. Only then the third is received, and done at 25 s.
#[test]
fn a_sequential_batch_is_done_before_the_next_poll() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 10s }
producers: [ { burst: 3 } ]
consumers: { concurrency: 1, prefetch: 9, batch: 2, wait: 0s, polls: when_empty }
downstream: { servers: 2, service_time: 8s }
variants: { only: {} }
",
    );
    assert_eq!(seconds_of(&outcome, SeriesMetric::Receives), [1, 17]);
    assert_eq!(each_second(&outcome, SeriesMetric::Receives)[1], 2);
    assert_eq!(seconds_of(&outcome, SeriesMetric::Successes), [9, 17, 25]);
    let visible = each_second(&outcome, SeriesMetric::Visible);
    assert_eq!([1, 10, 11, 16, 17].map(|second| visible[second]), [1, 1, 2, 2, 0]);
    assert_eq!([Metric::Processed, Metric::Duplicates].map(|name| metric(&outcome, name)), [3.0, 0.0]);
    // Three sends, three deletes; polls at 0, 1 and 17 s, and each second from 25 s on.
    assert_eq!(metric(&outcome, Metric::SqsRequests), 3.0 + 3.0 + (3.0 + 5.0));
}

/// The same batch of two where another worker polls too: it gets the second message at 10 s, while the first worker is at
/// work on it, and both do it: at 16 and at 18 s. The first worker's receipt is an old one by then.
#[test]
fn a_message_that_waits_its_turn_too_long_is_done_twice() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 10s }
producers: [ { burst: 1 }, { burst: 1 } ]
consumers: { fleet: 1, concurrency: 1, prefetch: 1, batch: 2, wait: 0s, polls: when_empty }
downstream: { servers: 3, service_time: 8s }
operations: [ { at: 5s, fleet: 2 } ]
variants: { only: {} }
",
    );
    // A short poll in vain at 0 s, before the messages come; then both at 1 s. The lease ends at 11 s; the other polls
    // each second.
    assert_eq!(seconds_of(&outcome, SeriesMetric::Receives), [1, 11]);
    assert_eq!(seconds_of(&outcome, SeriesMetric::Successes), [9, 17, 19]);
    let names = [Metric::Processed, Metric::Duplicates, Metric::DuplicateEffects, Metric::Receives];
    assert_eq!(names.map(|name| metric(&outcome, name)), [2.0, 1.0, 1.0, 3.0]);
}

/// \"The buffer ages\": one receive brings two messages, worked on in turn for 65 and 1 s. VT 60 s, N = 1, and another
/// consumer polls. At 60 s both leases are over, and the other's poll finds both used up: they are dead-lettered, the
/// second without ever having run. The first is done at 65 s. Without the guard the second is now done as well, at 66 s;
/// with it, its handler is never called.
#[test]
fn the_buffer_ages() {
    let scenario = scenario(
        "
duration: 2m
queue: { visibility_timeout: 60s, redrive: { max_receive_count: 1 } }
producers: [ { burst: 1 }, { burst: 1 } ]
consumers:
  fleet: 1
  concurrency: 1
  prefetch: 1
  batch: 2
  wait: 0s
  polls: when_empty
  handler_time: { in_turn: [65s, 1s] }
downstream: { servers: 2, service_time: 1ms }
operations: [ { at: 5s, fleet: 2 } ]
variants:
  as-is: {}
  guarded: { consumers: { drops_aged: true } }
",
    );
    let names = [
        Metric::Receives,
        Metric::DeadLettered,
        Metric::Processed,
        Metric::CallsFailed,
        Metric::AgedOut,
        Metric::Calls,
        Metric::Effects,
    ];
    let [as_is, guarded] = [0, 1].map(|variant| outcome_of(&scenario, variant, 0));
    assert_eq!(names.map(|name| metric(&as_is, name)), [2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 2.0]);
    assert_eq!(names.map(|name| metric(&guarded, name)), [2.0, 2.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    for outcome in [&as_is, &guarded] {
        assert_eq!(seconds_of(outcome, SeriesMetric::DeadLettered), [61]);
        assert_eq!(metric(outcome, Metric::TimeToDlqMaxS), 60.0, "received at 1 s, both");
    }
    assert_eq!(seconds_of(&as_is, SeriesMetric::Calls), [66, 67]);
    assert_eq!(seconds_of(&guarded, SeriesMetric::Calls), [66]);
}

/// One slot, a buffer of one, VT 10 s, two messages at 0 s: 12 s and 1 s of work. Both leases end at 10 s; the consumer is full,
/// so that nobody receives them. At 12 s the first is done, and its delete counts.
///
/// With the guard the buffered one is dropped then, and the poll that follows brings it fresh: done at 13 s.
///
/// Without it the old receipt is begun at 12 s, while the poll brings the same message once more, into the buffer. The success
/// at 13 s is with the old receipt, and deletes nothing; the one at 14 s does.
#[test]
fn a_guard_drops_what_has_aged_in_the_buffer_and_the_next_poll_brings_it_fresh() {
    let scenario = scenario(
        "
duration: 60s
queue: { visibility_timeout: 10s }
producers: [ { burst: 1 }, { burst: 1 } ]
consumers: { concurrency: 1, prefetch: 1, handler_time: { in_turn: [12s, 1s] } }
downstream: { servers: 1, service_time: 1us }
variants:
  without: {}
  with: { consumers: { drops_aged: true } }
",
    );
    let [without, with] = [0, 1].map(|variant| outcome_of(&scenario, variant, 0));
    let names = [Metric::AgedOut, Metric::Receives, Metric::Processed, Metric::Duplicates, Metric::Calls];
    assert_eq!(names.map(|name| metric(&without, name)), [0.0, 3.0, 2.0, 1.0, 3.0]);
    assert_eq!(names.map(|name| metric(&with, name)), [1.0, 3.0, 2.0, 0.0, 2.0]);
    assert_eq!(seconds_of(&without, SeriesMetric::Successes), [12, 13, 14]);
    assert_eq!(seconds_of(&with, SeriesMetric::Successes), [12, 13]);
    for outcome in [&without, &with] {
        assert_eq!(seconds_of(outcome, SeriesMetric::Receives), [0, 12]);
    }
}

/// A pool of one slot and no buffer under a poller that always asks for two. Three messages at 0 s, calls of 5 s, VT 30 s.
///
/// The messages come one after the other: the first is begun, the second finds no place. 20 ms later the third finds none.
///
/// *leave*: they are back at 30 s and 30.02 s. The first of them is begun, the other rejected once more, until 60.02 s.
///
/// *release*: a message is visible again 20 ms later, and received again in the same moment, and so on: 50 times a second,
/// until the slot is free at 5 s. The cycle that begins then gets one into the slot and rejects the other.
#[test]
fn a_pool_that_rejects_leaves_or_releases_what_it_has_no_place_for() {
    let scenario = scenario(
        "
duration: 70s
queue: { redrive: none }
producers: [ { burst: 1 }, { burst: 1 }, { burst: 1 } ]
consumers: { concurrency: 1, batch: 2, polls: always }
downstream: { servers: 1, service_time: 5s }
variants:
  leave: {}
  release: { consumers: { overflow: release } }
",
    );
    let leave = outcome_of(&scenario, 0, 0);
    assert_eq!(seconds_of(&leave, SeriesMetric::Receives), [0, 30, 60]);
    assert_eq!(seconds_of(&leave, SeriesMetric::Successes), [5, 35, 65]);
    let names = [Metric::Processed, Metric::Overflowed, Metric::Receives, Metric::Duplicates];
    assert_eq!(names.map(|name| metric(&leave, name)), [3.0, 3.0, 6.0, 0.0]);

    let release = outcome_of(&scenario, 1, 0);
    assert_eq!(seconds_of(&release, SeriesMetric::Successes), [5, 10, 15]);
    // One rejected message at 0 s, two in each of the 249 cycles from 20 ms to 4.98 s, one in each of the 250 from 5 to
    // 9.98 s.
    assert_eq!(names.map(|name| metric(&release, name)), [3.0, 749.0, 752.0, 0.0]);
}

/// VT 30 s, acknowledgements by ten or after 1 s, ten slots, a call of 100 ms. Twelve messages come 50 ms apart, at 0, 50,
/// ... 550 ms; the k-th is done at 100 + 50 k ms. The tenth is done at 550 ms: ten deletes in one request. The eleventh is
/// done at 600 ms, the twelfth at 650 ms: both are deleted at 1.6 s.
#[test]
fn the_tenth_acknowledgement_sends_all_and_so_does_the_first_after_a_second() {
    let text = |acknowledge: &str| {
        format!(
            "
duration: 5s
producers: [ {{ rate: 20/s, arrivals: constant, until: 600ms }} ]
consumers: {{ concurrency: 10, wait: 20s, acknowledge: {acknowledge} }}
downstream: {{ servers: 20, service_time: 100ms }}
variants: {{ only: {{}} }}
"
        )
    };
    let batched = outcome(&text("{ batched: {} }"));
    assert_eq!(metric(&batched, Metric::Processed), 12.0);
    let in_flight = each_second(&batched, SeriesMetric::InFlight);
    assert_eq!(in_flight[..2], [2, 0], "ten are deleted in the first second, two in the second");
    let each = outcome(&text("each"));
    assert_eq!(each_second(&each, SeriesMetric::InFlight)[0], 0);
    let saved = metric(&each, Metric::SqsRequests) - metric(&batched, Metric::SqsRequests);
    assert_eq!(saved, 12.0 - 2.0, "two requests for twelve deletes");
}

/// A VT of 2 s, work of 1.5 s and a lag of 1 s: the lease of a successful message ends at 2 s, before its delete at 2.5 s.
/// It is received again at 2 s, so the delete comes with an old receipt; the second success, at 3.5 s, is deleted at 4.5 s,
/// but its lease ended at 4 s. Only at N = 3 it ends: done at 5.5 s, lease over at 6 s, dead-lettered then.
/// With a lag of 400 ms, or without one, all is well.
#[test]
fn a_lease_shorter_than_work_plus_lag_gives_duplicates_of_successful_work() {
    let scenario = scenario(
        "
duration: 20s
queue: { visibility_timeout: 2s, redrive: { max_receive_count: 3 } }
producers: [ { burst: 1 } ]
consumers: { acknowledge: { batched: { every: 1s } } }
downstream: { servers: 20, service_time: 1500ms }
variants:
  second: {}
  short: { consumers: { acknowledge: { batched: { every: 400ms } } } }
  each: { consumers: { acknowledge: each } }
  fifo: { queue: { type: fifo } }
",
    );
    let names =
        [Metric::Receives, Metric::Duplicates, Metric::Processed, Metric::DeadLettered, Metric::DuplicateEffects];
    let found = |variant| names.map(|name| metric(&outcome_of(&scenario, variant, 0), name));
    assert_eq!(found(0), [3.0, 2.0, 0.0, 1.0, 2.0]);
    for variant in 1..4 {
        assert_eq!(found(variant), [1.0, 0.0, 1.0, 0.0, 0.0], "on a FIFO queue it deletes at once");
    }
}

/// A consumer crashes at 400 ms with two deletes held back: the messages come back at 30 s, and are done twice.
#[test]
fn a_crash_loses_the_acknowledgements_that_are_held_back() {
    let outcome = outcome(
        "
duration: 60s
queue: { redrive: { max_receive_count: 1 } }
producers: [ { burst: 2 }, { burst: 1, from: 400ms, classes: { poison: 100% } } ]
consumers: { acknowledge: { batched: {} } }
downstream: { servers: 20, service_time: 100ms }
variants: { only: {} }
",
    );
    let names = [Metric::AcknowledgementsLost, Metric::Processed, Metric::DeadLetteredValid, Metric::Duplicates];
    assert_eq!(names.map(|name| metric(&outcome, name)), [2.0, 0.0, 2.0, 0.0], "done, and dead-lettered all the same");
}

/// Scaling in at 600 ms sends what the dismissed consumer holds back: its delete would be due at 1.1 s. The message that it
/// still works on is done at 800 ms and deleted 1 s later.
#[test]
fn a_consumer_that_is_dismissed_sends_its_acknowledgements() {
    let outcome = outcome(
        "
duration: 5s
producers: [ { burst: 1 }, { burst: 1 } ]
consumers: { fleet: 2, concurrency: 1, handler_time: { in_turn: [800ms, 100ms] }, acknowledge: { batched: {} } }
downstream: { servers: 20, service_time: 1us }
operations: [ { at: 600ms, fleet: 1 } ]
variants: { only: {} }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::InFlight)[..2], [1, 0]);
    assert_eq!(metric(&outcome, Metric::Processed), 2.0);
}

/// Early acknowledgement. A valid message begins at 0 s (handler 10 s); a poison one at 1 s crashes the process. Both were
/// deleted before their handlers began: both are lost, and nothing comes back. A third, received at 6 s by the consumer
/// that is back, is done at 17 s; the downstream refuses the fourth, at 21 s, and it is lost too.
#[test]
fn an_early_acknowledgement_loses_the_message_at_a_crash_and_at_a_failure() {
    let text = |acknowledge: &str| {
        format!(
            "
duration: 60s
producers:
  - {{ burst: 1 }}
  - {{ burst: 1, from: 1s, classes: {{ poison: 100% }} }}
  - {{ burst: 1, from: 5s }}
  - {{ burst: 1, from: 10s }}
consumers: {{ concurrency: 2, handler_time: 10s, restart: 5s, acknowledge: {acknowledge} }}
downstream: {{ servers: 3, service_time: 1s, outages: [ {{ at: 19s, for: 10s, mode: refuse, after: 50ms }} ] }}
variants: {{ only: {{}} }}
"
        )
    };
    let outcome = outcome(&text("early"));
    let names = [Metric::Receives, Metric::Processed, Metric::DeletedUnprocessed, Metric::Pending, Metric::Calls];
    assert_eq!(names.map(|name| metric(&outcome, name)), [4.0, 1.0, 3.0, 0.0, 2.0]);
    assert_eq!(metric(&outcome, Metric::FirstLossS), 2.0, "at the crash, at 1 s");
    assert!(each_second(&outcome, SeriesMetric::InFlight).iter().all(|&in_flight| in_flight == 0));
    assert_eq!(outcome.time_to_success.max_s(), Some(17.0 - 5.0));
    assert_eq!(outcome.ledger.total(Fate::DeletedUnprocessed), 3);
}

/// A handler that is at work when the run ends has deleted its message already: it is pending, in nobody's queue.
#[test]
fn a_message_that_was_deleted_early_and_is_still_worked_on_is_pending() {
    let outcome = outcome(
        "
duration: 5s
producers: [ { burst: 1 } ]
consumers: { handler_time: 10s, acknowledge: early }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    let names = [Metric::Pending, Metric::Processed, Metric::DeletedUnprocessed];
    assert_eq!(names.map(|name| metric(&outcome, name)), [1.0, 0.0, 0.0]);
}

/// A consumer that sends a message to the dead-letter queue itself still can, after it has deleted it early.
#[test]
fn a_message_that_was_deleted_early_can_be_sent_to_the_dead_letter_queue() {
    let outcome = outcome(
        "
duration: 5s
producers: [ { burst: 1, classes: { permanent: 100% } } ]
consumers: { acknowledge: early }
downstream: { servers: 1, service_time: 1s }
variants: { only: { policy: { dispositions: { permanent: dead_letter } } } }
",
    );
    let names = [Metric::DeadLetteredPermanent, Metric::DeletedUnprocessed, Metric::DuplicatesInDlq, Metric::DlqPeak];
    assert_eq!(names.map(|name| metric(&outcome, name)), [1.0, 0.0, 0.0, 1.0]);
}

/// On a FIFO queue an early delete frees the rest of the group at once: both consumers work on the same group, at 0 s.
#[test]
fn an_early_delete_frees_the_message_group() {
    let text = |acknowledge: &str| {
        format!(
            "
duration: 10s
queue: {{ type: fifo }}
producers: [ {{ burst: 1 }}, {{ burst: 1 }}, {{ burst: 1 }} ]
consumers: {{ fleet: 3, concurrency: 1, acknowledge: {acknowledge} }}
downstream: {{ servers: 3, service_time: 2s }}
variants: {{ only: {{}} }}
"
        )
    };
    assert_eq!(each_second(&outcome(&text("early")), SeriesMetric::Calls)[0], 3);
    assert_eq!(each_second(&outcome(&text("each")), SeriesMetric::Calls)[..5], [1, 0, 1, 0, 1]);
}

/// A handler that may take 20 s and is looked at every 30 s: begun at 5 s and over its time at 25 s, it is killed at 30 s.
#[test]
fn a_handler_is_killed_when_somebody_looks() {
    let outcome = outcome(
        "
duration: 40s
queue: { visibility_timeout: 60s }
producers: [ { burst: 1, from: 5s } ]
consumers: { handler_time: 100s, handler_timeout: 20s, handler_timeout_checked_every: 30s, concurrency: 1, wait: 0s }
downstream: { servers: 3, service_time: 2s }
variants: { late: {}, at-once: { consumers: { handler_timeout_checked_every: none } } }
",
    );
    assert_eq!(metric(&outcome, Metric::HandlersKilled), 1.0);
    assert_eq!(metric(&outcome, Metric::SqsRequests), 1.0 + 6.0 + 10.0, "polls at 0 to 5 s, and at 30 to 39 s");
}

/// An empty poll of 2 s, a pause of 3 s: polls at 0, 5, 10 s. A message of 3 s waits until 5 s.
#[test]
fn a_consumer_pauses_after_an_empty_poll() {
    let outcome = outcome(
        "
duration: 12s
producers: [ { burst: 1, from: 3s } ]
consumers: { wait: 2s, pause: 3s, concurrency: 1 }
downstream: { servers: 3, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(seconds_of(&outcome, SeriesMetric::Receives), [5]);
    // Polls at 0, 5, 6 (empty at 8) and 11 s.
    assert_eq!(metric(&outcome, Metric::SqsRequests), 1.0 + 4.0 + 1.0);
}

/// Three messages of a group, all in one short poll at 1 s; calls take 5 s. Side by side they are done at 6 s; in turn, at
/// 6, 11 and 16 s.
///
/// With a downstream that refuses until 3 s, side by side all three fail at 1 s. In turn the first fails and the others are
/// not tried, so that the order is kept. Leases end at 31 s, and the poll of 31 s takes all three again.
#[test]
fn messages_of_a_group_are_worked_on_side_by_side_or_in_turn() {
    let run = |groups: &str, outages: &str| {
        outcome(&format!(
            "
duration: 60s
queue: {{ type: fifo, visibility_timeout: 30s }}
producers: [ {{ burst: 3, groups: 1 }} ]
consumers: {{ wait: 0s, groups: {groups} }}
downstream: {{ servers: 10, service_time: 5s, outages: [ {outages} ] }}
variants: {{ only: {{}} }}
"
        ))
    };
    let seconds = |outcome: &Outcome, series: SeriesMetric| {
        let counts = each_second(outcome, series);
        (0..60).filter(|&second| counts[second] > 0).map(|second| (second, counts[second])).collect::<Vec<_>>()
    };
    assert_eq!(seconds(&run("at_once", ""), SeriesMetric::Successes), [(6, 3)]);
    assert_eq!(seconds(&run("in_turn", ""), SeriesMetric::Successes), [(6, 1), (11, 1), (16, 1)]);

    let outage = "{ at: 0s, for: 3s, mode: refuse, after: 50ms }";
    assert_eq!(seconds(&run("at_once", outage), SeriesMetric::Failures), [(1, 3)]);
    let in_turn = run("in_turn", outage);
    assert_eq!(seconds(&in_turn, SeriesMetric::Failures), [(1, 1)]);
    assert_eq!(seconds(&in_turn, SeriesMetric::Receives), [(1, 3), (31, 3)]);
    assert_eq!(seconds(&in_turn, SeriesMetric::Successes), [(36, 1), (41, 1), (46, 1)]);
}
