//! Leases that a heartbeat extends, and handlers that are killed.

use retrystorm::measure::{Metric, SeriesMetric};

use crate::support::{each_second, metric, outcome, outcome_of, scenario};

/// 50 s of work under a lease of 30 s. Without a heartbeat the message comes back at 30 s, while it is still worked on; its
/// second receive makes the first receipt an old one, so that the deletes at 50, 80 ... s do nothing until N is reached.
#[test]
fn a_heartbeat_keeps_a_long_handlers_message_out_of_other_hands() {
    let scenario = scenario(
        "
duration: 5m
queue: { redrive: { max_receive_count: 3 } }
producers: [ { burst: 1 } ]
consumers: { handler_time: 50s }
downstream: { servers: 10, service_time: 1s }
variants:
  none: {}
  heartbeat: { consumers: { heartbeat: { every: 10s, extend_to: 30s } } }
",
    );
    let names = [Metric::Receives, Metric::Processed, Metric::DeadLetteredValid, Metric::Duplicates, Metric::Effects];
    let [without, with] = [0, 1].map(|variant| outcome_of(&scenario, variant, 0));
    assert_eq!(
        names.map(|name| metric(&without, name)),
        [3.0, 0.0, 1.0, 2.0, 3.0],
        "dead-lettered, and done three times"
    );
    assert_eq!(names.map(|name| metric(&with, name)), [1.0, 1.0, 0.0, 0.0, 1.0]);
    // A send, extensions at 10, 20, 30, 40 and 50 s, a delete, and the polls: one that gets it, then one every 20 s.
    assert_eq!(metric(&with, Metric::SqsRequests), 1.0 + 5.0 + 1.0 + (1.0 + 15.0));
}

/// Extensions at 10, 20, 30 and 40 s, and none later: the last lease ends at 70 s, the work would at 101 s.
#[test]
fn a_heartbeat_stops_at_its_limit() {
    let outcome = outcome(
        "
duration: 75s
producers: [ { burst: 1 } ]
consumers: { handler_time: 100s, heartbeat: { every: 10s, extend_to: 30s, at_most: 40s } }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    let receives = each_second(&outcome, SeriesMetric::Receives);
    let seconds: Vec<usize> = (0..receives.len()).filter(|&second| receives[second] > 0).collect();
    assert_eq!(seconds, [0, 70]);
}

/// The second message lies in the buffer for 25 s; its lease of 20 s ends there, since only what is worked on is extended.
#[test]
fn a_heartbeat_does_not_extend_what_lies_in_the_buffer() {
    let outcome = outcome(
        "
duration: 22s
queue: { visibility_timeout: 20s }
producers: [ { burst: 2 } ]
consumers: { concurrency: 1, prefetch: 1, handler_time: 25s, heartbeat: { every: 5s, extend_to: 20s } }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!((metric(&outcome, Metric::InFlightPeak), metric(&outcome, Metric::BacklogPeak)), (2.0, 1.0));
}

/// An extension past 12 h in all is refused and leaves the lease as it was (rule Q5, twelve-hour ceiling).
#[test]
fn a_heartbeat_cannot_pass_the_twelve_hours() {
    let outcome = outcome(
        "
duration: 13h
queue: { visibility_timeout: 2h }
producers: [ { burst: 1 } ]
consumers: { handler_time: 20h, heartbeat: { every: 1h, extend_to: 2h } }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    let receives = each_second(&outcome, SeriesMetric::Receives);
    let hours: Vec<usize> =
        (0..receives.len()).filter(|&second| receives[second] > 0).map(|second| second / 3_600).collect();
    assert_eq!(hours, [0, 12], "extended at 10 h to 12 h, and refused at 11 h");
}

/// 50 s of work, killed after 20 s: nobody does anything for the message, which comes back at 30 and 60 s and is
/// dead-lettered at 90 s. The slot is free from 20 s on.
#[test]
fn a_killed_handler_leaves_its_message_to_its_lease() {
    let outcome = outcome(
        "
duration: 2m
queue: { redrive: { max_receive_count: 3 } }
producers: [ { burst: 1 } ]
consumers: { handler_time: 50s, handler_timeout: 20s }
downstream: { servers: 1, service_time: 1s }
variants: { only: { policy: { backoff: { fixed: { delay: 1s } } } } }
",
    );
    assert_eq!(metric(&outcome, Metric::HandlersKilled), 3.0);
    assert_eq!(metric(&outcome, Metric::Calls), 0.0);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 90.0, "no backoff: the handler did not live to ask for it");
}

/// Calls of 10 s by handlers that are killed after 4 s: nobody learns of their success, but each has its effect.
#[test]
fn the_call_of_a_killed_handler_goes_on_without_it() {
    let outcome = outcome(
        "
duration: 2m
queue: { redrive: { max_receive_count: 2 } }
producers: [ { burst: 1 } ]
consumers: { handler_timeout: 4s }
downstream: { servers: 1, service_time: 10s }
variants: { only: {} }
",
    );
    let names = [Metric::HandlersKilled, Metric::CallsFailed, Metric::DeadLetteredValid, Metric::Effects];
    assert_eq!(names.map(|name| metric(&outcome, name)), [2.0, 2.0, 1.0, 2.0]);
    assert_eq!(metric(&outcome, Metric::DuplicateEffects), 1.0, "dead-lettered, and done twice");
}

/// One place for calls, taken for 10 s; the second handler waits for it and is killed at 4 s. The third message, at 5 s,
/// waits until 10 s: the dead handler's place in the line is passed over.
#[test]
fn a_handler_can_be_killed_while_it_waits_for_a_call() {
    let outcome = outcome(
        "
duration: 20s
producers: [ { burst: 1 }, { burst: 1 }, { burst: 1, from: 9s } ]
consumers: { handler_timeout: 4s }
downstream: { servers: 5, service_time: 3900ms }
variants: { only: { policy: { concurrency_limit: { calls: 1 } } } }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::Calls)[..10], [1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
    assert_eq!([Metric::HandlersKilled, Metric::Processed].map(|name| metric(&outcome, name)), [1.0, 2.0]);
}
