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

/// One slot, a message each second, good calls of 0.1 s; from 2 s on refusals after 0.1 s. Successes at 0.1 and 1.1 s,
/// failures at 2.1 and 3.1 s: half of the last four.
#[test]
fn half_of_the_last_four_results_open_it() {
    let outcome = outcome(
        "
duration: 10s
queue: { visibility_timeout: 5m }
producers: [ { rate: 1/s, arrivals: constant } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 100ms, outages: [ { at: 2s, for: 8s, mode: refuse, after: 100ms } ] }
variants: { only: { policy: { breaker: { failure_rate: { share: 50%, calls: 4, minimum: 4 }, cooldown: 60s } } } }
",
    );
    assert_eq!(calls_by_second(&outcome), [(0, 1), (1, 1), (2, 1), (3, 1)]);
    assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen), [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]);
}

/// The same, but sound until 6 s. At 10.1 s the window of 10 s has seconds 1 to 10: five successes and five failures. The
/// success of 0.1 s has left it; with it the failures would be five of eleven.
#[test]
fn half_of_the_results_of_ten_seconds_open_it() {
    let outcome = outcome(
        "
duration: 15s
queue: { visibility_timeout: 5m }
producers: [ { rate: 1/s, arrivals: constant } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 100ms, outages: [ { at: 6s, for: 9s, mode: refuse, after: 100ms } ] }
variants: { only: { policy: { breaker: { failure_rate: { share: 50%, window: 10s, minimum: 4 }, cooldown: 60s } } } }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen), [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
}

/// Ten messages at 0 s fail together at 0.1 s: open until 10.1 s. At 1 s come a permanent message P and five valid ones;
/// calls take 1 s. Three probes at 10.1 s: P and two valid ones.
///
/// P fails at 11.1 s, first of the three: open until 21.1 s, and the successes of the other two count for nothing. The
/// three that are left are the probes of 21.1 s, and close it at 22.1 s.
///
/// Where permanent errors say nothing, P's place is free at 11.1 s for a third valid message; the two successes of 11.1 s
/// count, the third comes at 12.1 s, and the last two messages follow then.
#[test]
fn three_probes_have_to_succeed_and_one_failure_opens_it_again() {
    let calls = |ignores: bool| {
        let outcome = outcome(&format!(
            "
duration: 25s
queue: {{ visibility_timeout: 5m }}
producers:
  - {{ burst: 10 }}
  - {{ burst: 1, from: 1s, classes: {{ permanent: 100% }} }}
  - {{ burst: 5, from: 1s }}
consumers: {{ fleet: 1, concurrency: 10 }}
downstream: {{ servers: 10, service_time: 1s, outages: [ {{ at: 0s, for: 5s, mode: refuse, after: 100ms }} ] }}
variants:
  only: {{ policy: {{ breaker: {{ failures: 10, ignores_permanent: {ignores}, cooldown: 10s, probes: 3 }} }} }}
"
        ));
        let open: u32 = each_second(&outcome, SeriesMetric::BreakerOpen).iter().sum();
        (calls_by_second(&outcome), open)
    };
    assert_eq!(calls(false), (vec![(0, 10), (10, 3), (21, 3)], 22));
    assert_eq!(calls(true), (vec![(0, 10), (10, 3), (11, 1), (12, 2)], 12));
}

/// Ten slots and 100 messages behind a breaker that closes at 11.1 s: P fails at 1 s, the probe of 10.1 s takes 1 s.
/// With a ramp-up from one slot to ten in 10 s a consumer may hold ⌈1 + 0.9 t⌉ messages t seconds later, and it does:
/// 2 at the end of second 11 (t = 0.9), 3 at that of second 12, and so on. P is under its lease all the time.
#[test]
fn a_ramp_up_lets_the_wall_of_messages_through_bit_by_bit() {
    let in_flight = |ramp_up: &str| {
        let outcome = outcome(&format!(
            "
duration: 22s
queue: {{ visibility_timeout: 5m }}
producers:
  - {{ burst: 1, classes: {{ permanent: 100% }} }}
  - {{ burst: 120, from: 1s }}
consumers: {{ fleet: 1, concurrency: 10 }}
downstream: {{ servers: 10, service_time: 1s }}
variants: {{ only: {{ policy: {{ breaker: {{ failures: 1, cooldown: 9100ms, ramp_up: {ramp_up} }} }} }} }}
"
        ));
        each_second(&outcome, SeriesMetric::InFlight)[11..].to_vec()
    };
    assert_eq!(in_flight("{ for: 10s, from: 10% }"), [3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11]);
    assert_eq!(in_flight("none"), [11; 11]);
}

/// Two consumers with one slot and a buffer of two share a breaker; calls take 10 s, refusals 0.1 s. Consumer 0 works on V
/// from 0 s to 10 s and has the poison message P of 1.05 s in its buffer. Consumer 1 opens the breaker at 1.1 s with W, for
/// 3 s.
fn with_a_crash_at_ten_seconds(later: &str) -> Outcome {
    outcome(&format!(
        "
duration: 40s
queue: {{ visibility_timeout: 5m }}
producers:
  - {{ burst: 1 }}
  - {{ burst: 1, from: 1s }}
  - {{ burst: 1, from: 1050ms, classes: {{ poison: 100% }} }}
{later}
consumers: {{ fleet: 2, concurrency: 1, prefetch: 2, restart: 60s }}
downstream: {{ servers: 2, service_time: 10s, outages: [ {{ at: 1s, for: 1s, mode: refuse, after: 100ms }} ] }}
variants: {{ only: {{ policy: {{ breaker: {{ failures: 1, scope: fleet, cooldown: 3s }} }} }} }}
"
    ))
}

/// Consumer 0 polls for the probe at 4.1 s and waits, since nothing is visible. When it crashes at 10 s, consumer 1 waits in
/// its place: the message of 12 s is the probe, begun at once and done at 22 s.
#[test]
fn a_crashed_consumer_passes_its_poll_for_the_probe_on_to_the_others() {
    let outcome = with_a_crash_at_ten_seconds("  - { burst: 1, from: 12s }");
    assert_eq!(calls_by_second(&outcome), [(0, 1), (1, 1), (12, 1)]);
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    assert_eq!((open[21], open[22]), (1, 0));
}

/// The message of 6 s is the probe, in consumer 0's buffer behind P. The crash at 10 s is its failure: open until 13 s, and
/// then consumer 1 has the next probe, the message of 12 s, which closes the breaker at 23 s.
#[test]
fn a_probe_in_the_hands_of_a_crashed_consumer_has_failed_and_the_next_is_anothers() {
    let outcome = with_a_crash_at_ten_seconds("  - { burst: 1, from: 6s }\n  - { burst: 1, from: 12s }");
    assert_eq!(calls_by_second(&outcome), [(0, 1), (1, 1), (13, 1)]);
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    assert_eq!((open[22], open[23]), (1, 0));
}

/// Half of all deliveries reach nobody, probes among them. Of 20 breakers that all open, none may wait for ever for the
/// result of a probe that was lost.
#[test]
fn a_probe_that_is_lost_on_its_way_is_tried_again() {
    let outcome = outcome(
        "
duration: 10m
queue: { visibility_timeout: 10s, lost_deliveries: 50% }
producers: [ { burst: 400 } ]
consumers: { fleet: 20, concurrency: 2 }
downstream: { servers: 40, service_time: 100ms, outages: [ { at: 0s, for: 20s, mode: refuse, after: 100ms } ] }
variants: { only: { policy: { breaker: { failures: 1, cooldown: 5s } } } }
",
    );
    assert_eq!(metric(&outcome, Metric::BreakerOpenedS), 1.0);
    assert_eq!(each_second(&outcome, SeriesMetric::BreakerOpen).last(), Some(&0));
    assert_eq!(metric(&outcome, Metric::Processed), 400.0);
}

/// Ten calls a second against a limit of one: nine of ten are throttled from the first second on. The breaker opens when that
/// has gone on for 10 s, and not before. Half a minute later one probe works, it closes, and ten seconds on it is open again.
#[test]
fn a_breaker_opens_on_throttling_that_goes_on() {
    let outcome = outcome(
        "
duration: 1m
queue: { visibility_timeout: 5m }
producers: [ { rate: 10/s, arrivals: constant } ]
downstream: { servers: 10, service_time: 10ms, rate_limit: { rate: 1/s, burst: 1 } }
variants: { only: { policy: { breaker: { throttling: { share: 80%, for: 10s }, cooldown: 30s } } } }
",
    );
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    let changes: Vec<usize> = (1..open.len()).filter(|&second| open[second] != open[second - 1]).collect();
    assert_eq!(changes, [10, 40, 50], "opens, closes and opens again");
    assert_eq!(each_second(&outcome, SeriesMetric::Calls)[11..40], [0; 29]);
}
