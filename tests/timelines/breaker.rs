//! The circuit breaker as a run shows it: `breaker_open` counts breakers that are open or half-open.

use retrystorm::measure::{Metric, Outcome, SeriesMetric};

use crate::support::{each_second, metric, outcome};

/// The seconds in which calls began, with their number.
fn calls_by_second(outcome: &Outcome) -> Vec<(usize, u32)> {
    let calls = each_second(outcome, SeriesMetric::Calls);
    calls.into_iter().enumerate().filter(|&(_, calls)| calls > 0).collect()
}

/// One slot, a message each second, refusals after 0.1 s until 20 s; three failures open, 10 s of cooldown.
///
/// Failures at 0.1, 1.1 and 2.1 s: open until 12.1 s. The probe of 12.1 s is refused at 12.2 s: open until 22.2 s. The
/// probe of 22.2 s is served within 0.1 s: closed at 22.3 s. From then on the backlog is worked off, a call each 0.1 s:
/// within second 22 the probe and seven more, from 22.3 to 22.9 s.
#[test]
fn a_breaker_opens_after_its_failures_probes_after_its_cooldown_and_closes_on_a_success() {
    let outcome = outcome(
        "
duration: 23s
queue: { visibility_timeout: 5m }
producers: [ { rate: 1/s, arrivals: constant } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 100ms, outages: [ { at: 0s, for: 20s, mode: refuse, after: 100ms } ] }
variants: { only: { policy: { breaker: { failures: 3, cooldown: 10s } } } }
",
    );
    assert_eq!(calls_by_second(&outcome), [(0, 1), (1, 1), (2, 1), (12, 1), (22, 8)]);
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    assert_eq!((&open[..2], open[2..22].iter().sum::<u32>(), open[22]), (&[0, 0][..], 20, 0));
    assert_eq!(metric(&outcome, Metric::BreakerOpenedS), 3.0, "the end of the second in which it opens");
    assert_eq!(metric(&outcome, Metric::BreakerClosedS), 23.0);
    assert_eq!(metric(&outcome, Metric::CallsFailed), 4.0);
}

/// Three consumers with two slots each, a message each 0.1 s, refusals after 0.15 s; the fourth failure in a row opens the
/// one breaker of the fleet, at 0.3 + 0.15 = 0.45 s. The message of 0.4 s is under way by then: five calls in all.
/// Probes, one for the whole fleet, at 10.45 s, and 10.15 s after each other since: 20.6, 30.75, 40.9 and 51.05 s.
#[test]
fn the_breaker_of_a_fleet_lets_exactly_one_probe_through() {
    let outcome = outcome(
        "
duration: 1m
queue: { visibility_timeout: 5m }
producers: [ { rate: 10/s, arrivals: constant } ]
consumers: { fleet: 3, concurrency: 2 }
downstream: { servers: 6, service_time: 100ms, outages: [ { at: 0s, for: 1m, mode: refuse, after: 150ms } ] }
variants: { only: { policy: { breaker: { failures: 4, scope: fleet, cooldown: 10s } } } }
",
    );
    assert_eq!(calls_by_second(&outcome), [(0, 5), (10, 1), (20, 1), (30, 1), (40, 1), (51, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen), [1; 60], "there is one breaker");
}

/// The same fleet with 30 messages at 0 s: six calls fail at 0.15 s. With a breaker each, all three open at their first
/// failure and send a probe each at 10.15 s, which fail at 10.30 s. A breaker of the fleet sends one.
#[test]
fn breakers_of_consumers_send_a_probe_each() {
    let calls = |scope: &str| {
        let outcome = outcome(&format!(
            "
duration: 15s
queue: {{ visibility_timeout: 5m }}
producers: [ {{ burst: 30 }} ]
consumers: {{ fleet: 3, concurrency: 2 }}
downstream: {{ servers: 6, service_time: 100ms, outages: [ {{ at: 0s, for: 15s, mode: refuse, after: 150ms }} ] }}
variants: {{ only: {{ policy: {{ breaker: {{ failures: 1, scope: {scope}, cooldown: 10s }} }} }} }}
"
        ));
        assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen)[0], if scope == "fleet" { 1 } else { 3 });
        calls_by_second(&outcome)
    };
    assert_eq!(calls("consumer"), [(0, 6), (10, 3)]);
    assert_eq!(calls("fleet"), [(0, 6), (10, 1)]);
}

/// Short polls make batches: a burst of 10 at 0 s is received at 1 s and fails at 1.1 s; the next poll is empty, and the
/// one after it, at 2.1 s, receives the burst of 1.5 s, which fails at 2.2 s. Two failures open the breaker: two messages
/// at 1.1 s, two batches at 2.2 s.
#[test]
fn a_batch_whose_messages_all_fail_counts_once() {
    let open = |counts: &str, first_burst: &str| {
        let outcome = outcome(&format!(
            "
duration: 4s
queue: {{ visibility_timeout: 5m }}
producers:
  - {{ burst: 9, classes: {{ permanent: 100% }} }}
  - {{ burst: 1, classes: {{ {first_burst} }} }}
  - {{ burst: 10, from: 1500ms, classes: {{ permanent: 100% }} }}
consumers: {{ fleet: 1, concurrency: 10, wait: 0s }}
downstream: {{ servers: 10, service_time: 100ms }}
variants: {{ only: {{ policy: {{ breaker: {{ failures: 2, counts: {counts}, cooldown: 60s }} }} }} }}
"
        ));
        assert_eq!(each_second(&outcome, SeriesMetric::Receives)[1], 10, "one batch");
        each_second(&outcome, SeriesMetric::BreakerOpen)
    };
    assert_eq!(open("messages", "permanent: 100%"), [0, 1, 1, 1]);
    assert_eq!(open("batches", "permanent: 100%"), [0, 0, 1, 1]);
    assert_eq!(open("batches", "permanent: 0%"), [0, 0, 0, 0], "one success saves its batch");
}

/// While the breaker is open nobody polls, and a queue that nobody polls moves nothing to its dead-letter queue: with
/// N = 1 and VT 30 s the message of 0 s stays until the probe of 100.1 s, although its lease ended at 30 s.
#[test]
fn an_open_breaker_keeps_messages_out_of_the_dead_letter_queue() {
    let outcome = outcome(
        "
duration: 2m
queue: { redrive: { max_receive_count: 1 } }
producers: [ { burst: 1 } ]
consumers: { fleet: 1 }
downstream: { servers: 1, service_time: 100ms, outages: [ { at: 0s, for: 1m, mode: refuse, after: 100ms } ] }
variants: { only: { policy: { breaker: { failures: 1, cooldown: 100s } } } }
",
    );
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 100.1);
}

/// A poison message as the probe: one slot, one failure opens. The permanent message of 0 s fails at 0.1 s: open until
/// 10.1 s. The probe of 10.1 s is the poison message of 1 s: the crash counts as a failure, the breaker is open until
/// 20.1 s, and the valid message of 2 s is the probe then, and closes it.
#[test]
fn a_probe_that_crashes_its_consumer_opens_the_breaker_again() {
    let outcome = outcome(
        "
duration: 30s
queue: { visibility_timeout: 5m }
producers:
  - { burst: 1, classes: { permanent: 100% } }
  - { burst: 1, from: 1s, classes: { poison: 100% } }
  - { burst: 1, from: 2s }
consumers: { fleet: 1, concurrency: 1, restart: 1s }
downstream: { servers: 1, service_time: 100ms }
variants: { only: { policy: { breaker: { failures: 1, cooldown: 10s } } } }
",
    );
    assert_eq!(calls_by_second(&outcome), [(0, 1), (20, 1)]);
    assert_eq!(outcome.time_to_success.max_s(), Some(18.2));
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    assert_eq!((open[..20].iter().sum::<u32>(), open[20]), (20, 0));
}
