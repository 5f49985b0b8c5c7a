//! The life of processes as a run shows it: deploys, kills, crashes, and consumers that are dismissed.

use retrystorm::measure::{Metric, Outcome, SeriesMetric};

use crate::support::{each_second, metric, outcome};

/// Two consumers with a slot each; calls take 10 s, leases 60 s, and a message may be received once.
fn two_consumers(consumers: &str, producers: &str, operations: &str) -> Outcome {
    outcome(&format!(
        "
duration: 2m
queue: {{ visibility_timeout: 60s, redrive: {{ max_receive_count: 1 }} }}
producers: [ {{ burst: 2 }}{producers} ]
consumers: {{ fleet: 2, concurrency: 1{consumers} }}
downstream: {{ servers: 10, service_time: 10s }}
operations: [ {operations} ]
variants: {{ only: {{}} }}
"
    ))
}

/// The seconds in which something of that kind happens, each as often as it does.
fn seconds_of(outcome: &Outcome, series: SeriesMetric) -> Vec<usize> {
    let counts = each_second(outcome, series);
    counts.iter().enumerate().flat_map(|(second, &count)| std::iter::repeat_n(second, count as usize)).collect()
}

fn died_and_dead_lettered(outcome: &Outcome) -> [f64; 3] {
    [Metric::AttemptsDied, Metric::DeadLettered, Metric::CallsFailed].map(|name| metric(outcome, name))
}

/// Both messages are begun at 0 s and would be done at 10 s. Killed at 4 s, or at 9 s after a drain of 5 s, they are dead
/// letters when their leases end, at 60 s, though no call has failed. After a drain of 6 s they are done at the moment of
/// the kill, and the call comes first.
#[test]
fn a_deploy_kills_what_does_not_end_within_its_drain() {
    let deployed =
        |drain: &str| two_consumers("", "", &format!("{{ at: 4s, deploy: {{ drain: {drain}, at_once: 2 }} }}"));
    for drain in ["0s", "5s"] {
        let killed = deployed(drain);
        assert_eq!(died_and_dead_lettered(&killed), [2.0, 2.0, 0.0], "{drain}");
        assert_eq!(seconds_of(&killed, SeriesMetric::DeadLettered), [60, 60], "{drain}");
    }
    for drain in ["6s", "30s"] {
        let drained = deployed(drain);
        assert_eq!(died_and_dead_lettered(&drained), [0.0, 0.0, 0.0], "{drain}");
        assert_eq!(seconds_of(&drained, SeriesMetric::Successes), [10, 10], "{drain}");
    }
}

/// A new process takes 3 s. Consumer 0 is told to end at 4 s, is done at 10 s and back at 13 s. Consumer 1 is told then.
///
/// Two more messages come at 11 s: consumer 1 takes one, and is done at 21 s and gone until 24 s; the other waits for
/// consumer 0 and is done at 23 s. The one that comes at 22 s waits too, for consumer 0, and is done at 33 s.
#[test]
fn a_rolling_deploy_replaces_one_after_the_other() {
    let producers = ", { burst: 2, from: 11s }, { burst: 1, from: 22s }";
    let rolled = two_consumers(", start_up: 3s", producers, "{ at: 4s, deploy: {} }");
    assert_eq!(died_and_dead_lettered(&rolled), [0.0; 3]);
    assert_eq!(seconds_of(&rolled, SeriesMetric::Receives), [0, 0, 11, 13, 23]);
    assert_eq!(seconds_of(&rolled, SeriesMetric::Successes), [10, 10, 21, 23, 33]);
}

/// A kill a minute from 4 s on. The messages of 0 s die at 4 s, those of 62 s at 64 s; the deploy at 124 s is beyond the
/// end.
#[test]
fn an_operation_can_be_repeated() {
    let producers = ", { burst: 2, from: 62s }";
    let operation = "{ at: 4s, every: 60s, deploy: { drain: 0s, at_once: 2 } }";
    let repeated = two_consumers("", producers, operation);
    assert_eq!(died_and_dead_lettered(&repeated), [4.0, 2.0, 0.0]);
}

/// The fleet is one from 4 s on, and the other consumer has 2 s for what it holds. Hired again within them, its process
/// goes on; hired again later, its message is dead.
#[test]
fn a_dismissed_consumer_is_killed_after_its_drain() {
    for (operations, died) in [
        ("{ at: 4s, fleet: 1, drain: 2s }", 1.0),
        ("{ at: 4s, fleet: 1 }", 0.0),
        ("{ at: 4s, fleet: 1, drain: 2s }, { at: 5s, fleet: 2 }", 0.0),
        ("{ at: 4s, fleet: 1, drain: 2s }, { at: 7s, fleet: 2 }", 1.0),
    ] {
        let scaled = two_consumers("", "", operations);
        assert_eq!(died_and_dead_lettered(&scaled), [died, died, 0.0], "{operations}");
    }
}

/// Scaled out at 1 s, the third consumer has started at 6 s, and takes the message of 3 s then.
#[test]
fn a_new_consumer_takes_its_time_to_start() {
    let scaled = two_consumers(", start_up: 5s", ", { burst: 1, from: 3s }", "{ at: 1s, fleet: 3 }");
    assert_eq!(seconds_of(&scaled, SeriesMetric::Receives), [0, 0, 6]);
}

/// Processes live for 10 s and are back after 5 s: from 0 to 10 s, from 15 to 25 s, from 30 to 40 s. Calls take 8 s. The
/// second of two messages is begun at 8 s, dies at 10 s, is visible at 28 s, received at 30 s and done at 38 s.
#[test]
fn a_process_crashes_after_its_time_and_comes_back() {
    let crashed = outcome(
        "
duration: 60s
queue: { visibility_timeout: 20s }
producers: [ { burst: 2 } ]
consumers: { concurrency: 1, crashes_after: 10s, restart: 5s }
downstream: { servers: 10, service_time: 8s }
variants: { only: {} }
",
    );
    assert_eq!(metric(&crashed, Metric::AttemptsDied), 1.0);
    assert_eq!(seconds_of(&crashed, SeriesMetric::Receives), [0, 8, 30]);
    assert_eq!(seconds_of(&crashed, SeriesMetric::Successes), [8, 38]);
}

/// Four messages in four hands, and none visible. An autoscaler that looks at what is visible dismisses three consumers at
/// 60 s and kills them at 70 s; one that counts what is in flight too leaves them alone.
#[test]
fn an_autoscaler_that_looks_at_visible_messages_kills_those_who_work() {
    let scaled = |autoscale: &str| {
        outcome(&format!(
            "
duration: 2m
queue: {{ visibility_timeout: 5m }}
producers: [ {{ burst: 4 }} ]
consumers: {{ fleet: 4, concurrency: 1, autoscale: {{ target: 1, max: 4, {autoscale} }} }}
downstream: {{ servers: 10, service_time: 90s }}
variants: {{ only: {{}} }}
"
        ))
    };
    for (autoscale, died, processed) in [
        ("drain: 10s", 3.0, 1.0),
        ("drain: 30s", 0.0, 4.0),
        ("drain: none", 0.0, 4.0),
        ("drain: 10s, counts: visible_and_in_flight", 0.0, 4.0),
    ] {
        let outcome = scaled(autoscale);
        let found = [Metric::AttemptsDied, Metric::Processed].map(|name| metric(&outcome, name));
        assert_eq!(found, [died, processed], "{autoscale}");
    }
}
