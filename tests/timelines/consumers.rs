//! Polls, buffers, handlers and crashes as a run shows them.

use retrystorm::measure::{Metric, SeriesMetric};

use crate::support::{each_second, metric, outcome, outcome_of, scenario};

/// One slot, calls of 8 s, VT 10 s, two messages at 0 s. The first takes the slot until 8 s.
///
/// Without a buffer the second stays in the queue until 8 s and is done at 16 s.
///
/// With a buffer of one it is received at 0 s and begun at 8 s, but its lease ends at 10 s: the consumer's next poll gets
/// it once more, and the success at 16 s deletes nothing, because its receipt is an old one by then. Receives at 0, 10,
/// 20, 30 and 40 s; attempts begin at 8, 16, 24, 32 and 40 s and so gain 2 s each time. The one that begins at 40 s, the
/// moment of its receive, ends at 48 s, within its lease, and deletes.
#[test]
fn a_buffered_message_spends_its_lease_in_the_buffer() {
    let scenario = scenario(
        "
duration: 2m
queue: { visibility_timeout: 10s }
producers: [ { burst: 2 } ]
downstream: { servers: 1, service_time: 8s }
variants:
  without: { consumers: { concurrency: 1 } }
  with: { consumers: { concurrency: 1, prefetch: 1 } }
",
    );
    let names = [Metric::Processed, Metric::Receives, Metric::Calls, Metric::Duplicates, Metric::CallsWasted];
    let without = outcome_of(&scenario, 0, 0);
    assert_eq!(names.map(|name| metric(&without, name)), [2.0, 2.0, 2.0, 0.0, 0.0]);
    assert_eq!(without.time_to_success.max_s(), Some(16.0));

    let with = outcome_of(&scenario, 1, 0);
    assert_eq!(names.map(|name| metric(&with, name)), [2.0, 6.0, 6.0, 4.0, 4.0]);
    assert_eq!(with.time_to_success.max_s(), Some(16.0), "the first success counts");
    let successes = each_second(&with, SeriesMetric::Successes);
    let seconds: Vec<usize> = (0..successes.len()).filter(|&second| successes[second] > 0).collect();
    assert_eq!(seconds, [8, 16, 24, 32, 40, 48]);
}

/// The first short poll, at 0 s, is empty: the burst arrives right after it. At 1 s the consumer asks for 25 messages, in
/// calls of at most ten: three calls, of 10, 10 and 5, after which it has no room. All are done at 11.5 s; the poll that
/// follows is empty, and the run ends before the next. In all: 25 sends, 1 + 3 + 1 polls, 25 deletes.
#[test]
fn a_receive_call_asks_for_at_most_a_batch_and_for_no_more_than_there_is_room_for() {
    let requests = |batch: u32| {
        let outcome = outcome(&format!(
            "
duration: 12s
producers: [ {{ burst: 25 }} ]
consumers: {{ fleet: 1, concurrency: 25, batch: {batch}, wait: 0s }}
downstream: {{ servers: 25, service_time: 10500ms }}
variants: {{ only: {{}} }}
"
        ));
        assert_eq!(each_second(&outcome, SeriesMetric::Receives)[1], 25);
        assert_eq!(metric(&outcome, Metric::Processed), 25.0);
        metric(&outcome, Metric::SqsRequests)
    };
    assert_eq!(requests(10), 25.0 + 5.0 + 25.0);
    assert_eq!(requests(1), 25.0 + (1.0 + 25.0 + 1.0) + 25.0);
}

/// Two idle consumers, each with a breaker that two failures open; a message a second, each fails after 0.1 s. The poll
/// that has waited longest gets the message, and its consumer goes to the end of the line: consumer 0 fails at 0.1 and
/// 2.1 s, consumer 1 at 1.1 and 3.1 s. Were the latest poll served first, consumer 0 would fail at 0.1 and 1.1 s.
#[test]
fn waiting_polls_are_answered_first_come_first_served() {
    let outcome = outcome(
        "
duration: 5s
queue: { visibility_timeout: 60s }
producers: [ { rate: 1/s, arrivals: constant, classes: { permanent: 100% } } ]
consumers: { fleet: 2, concurrency: 1 }
downstream: { servers: 2, service_time: 100ms }
variants: { only: { policy: { breaker: { failures: 2, cooldown: 60s } } } }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen), [0, 0, 1, 2, 2]);
    assert_eq!(each_second(&outcome, SeriesMetric::Calls), [1, 1, 1, 1, 0]);
}

/// A long poll lasts 5 s here: empty polls at 5, 10 and 15 s start the next one. With the first at 0 s and the message at
/// 17 s: one send, polls at 0, 5, 10, 15 and 18 s (after the answer at 17 s no room is left until the call ends), one
/// delete.
#[test]
fn a_long_poll_returns_when_a_message_arrives_or_empty_at_the_end_of_its_wait() {
    let outcome = outcome(
        "
duration: 20s
producers: [ { burst: 1, from: 17s } ]
consumers: { fleet: 1, concurrency: 1, wait: 5s }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(outcome.time_to_success.max_s(), Some(1.0), "it did not wait for a poll");
    assert_eq!(metric(&outcome, Metric::SqsRequests), 1.0 + 5.0 + 1.0);
}

/// 20 messages a second at 0, 0.05, 0.10 ... 8.95 s, handled in 1 ms. The consumer polls at 0 s in vain and pauses for a
/// second; from 1 s to 9 s it gets two full batches each second, polls in vain once more, and pauses. That slots come
/// free meanwhile does not wake it.
#[test]
fn an_empty_short_poll_is_followed_by_one_pause_however_many_messages_end_in_it() {
    let outcome = outcome(
        "
duration: 10s
producers: [ { rate: 20/s, arrivals: constant, until: 9s } ]
consumers: { fleet: 1, concurrency: 1000, wait: 0s }
downstream: { servers: 100, service_time: 1ms }
variants: { only: {} }
",
    );
    assert_eq!(metric(&outcome, Metric::Processed), 180.0);
    assert_eq!(metric(&outcome, Metric::SqsRequests), 180.0 + (1.0 + 9.0 * 3.0) + 180.0);
}

/// Received at 0 s; 3 s of the handler's own work, then a call of 1 s.
#[test]
fn the_handler_works_before_it_calls() {
    let outcome = outcome(
        "
duration: 10s
producers: [ { burst: 1 } ]
consumers: { fleet: 1, handler_time: 3s }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::Calls), [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert_eq!(outcome.time_to_success.max_s(), Some(4.0));
}

/// VT 30 s, N = 3, 10 s of work before each call, back 5 s after a crash. A valid message V is received at 0 s, a poison
/// one P at 1 s: the crash leaves V leased until 30 s and P until 31 s. A third message W, sent at 3 s, waits for the
/// consumer until 6 s, calls at 16 s and is done at 17 s.
///
/// V comes back at 30 s and P at 31 s, and again at 60 and 61 s; V never gets as far as its call. At 90 s V has three
/// receives behind it and is dead-lettered, although nothing is wrong with it; at 91 s P follows.
#[test]
fn a_crash_leaves_what_the_consumer_held_leased_and_takes_valid_messages_down_with_the_poison() {
    let outcome = outcome(
        "
duration: 2m
queue: { redrive: { max_receive_count: 3 } }
producers:
  - { burst: 1 }
  - { burst: 1, from: 1s, classes: { poison: 100% } }
  - { burst: 1, from: 3s }
consumers: { fleet: 1, concurrency: 3, handler_time: 10s, restart: 5s }
downstream: { servers: 3, service_time: 1s }
variants: { only: {} }
",
    );
    let visible = each_second(&outcome, SeriesMetric::Visible);
    assert_eq!(visible[..8], [0, 0, 0, 1, 1, 1, 0, 0], "W waits from 3 s to 6 s");
    let in_flight = each_second(&outcome, SeriesMetric::InFlight);
    assert_eq!((in_flight[2], in_flight[10], in_flight[20]), (2, 3, 2), "V and P stay leased while nobody has them");
    assert_eq!(metric(&outcome, Metric::Receives), 3.0 + 3.0 + 1.0);
    assert_eq!(metric(&outcome, Metric::Calls), 1.0, "W's");
    assert_eq!(outcome.time_to_success.max_s(), Some(17.0 - 3.0));
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 1.0);
    assert_eq!(metric(&outcome, Metric::DeadLetteredPoison), 1.0);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 90.0, "both of them: 0 to 90 s and 1 to 91 s");
}

/// VT 60 s, 2 s of work before each call, calls that hang fail after 10 s. V is received at 0 s and calls at 2 s; it would
/// learn of the failure at 12 s. A poison message crashes the consumer at 4 s; it is back at 10 s and finds two messages
/// of 5 s, which take both slots and call at 12 s, the very moment at which the failure of V's call was due. Nobody is
/// there to learn of that failure: it must not become the failure of the message that sits in V's slot now.
#[test]
fn what_was_due_in_a_slot_before_a_crash_does_not_befall_the_next_message_in_it() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 60s }
producers:
  - { burst: 1 }
  - { burst: 1, from: 4s, classes: { poison: 100% } }
  - { burst: 2, from: 5s }
consumers: { fleet: 1, concurrency: 2, handler_time: 2s, restart: 6s }
downstream:
  servers: 2
  service_time: 1s
  call_timeout: 10s
  outages: [ { at: 0s, for: 5s, mode: hang } ]
variants: { only: {} }
",
    );
    assert_eq!([Metric::Calls, Metric::CallsFailed].map(|name| metric(&outcome, name)), [3.0, 0.0]);
    assert_eq!(metric(&outcome, Metric::Processed), 2.0);
    assert_eq!(outcome.time_to_success.mean_s(), Some(13.0 - 5.0));
}
