//! Leases, redrive and retention as a run shows them.

use retrystorm::measure::{Metric, SeriesMetric};

use crate::support::{each_second, metric, outcome, outcome_of, scenario};

/// One slot, calls of 1 s. P can never succeed and is sent at 0 s; 20 valid messages follow at 0.5 s. P's visibility is
/// set to 0 after each failure, at 1, 2 and 3 s.
///
/// With N = 4, P goes to the back after its third receive: the 20 take the slot from 3 to 23 s, then P has its fourth
/// attempt until 24 s, and the poll at 24 s moves it.
/// With N = 3, the poll at 3 s meets P at the front and moves it, and the 20 take the slot from 3 to 23 s.
#[test]
fn a_message_goes_to_the_back_of_the_queue_with_n_4_and_not_with_n_3() {
    let text = |receives: u32| {
        format!(
            "
duration: 1m
queue: {{ redrive: {{ max_receive_count: {receives} }} }}
producers: [ {{ burst: 1, classes: {{ permanent: 100% }} }}, {{ burst: 20, from: 0.5s }} ]
consumers: {{ fleet: 1, concurrency: 1 }}
downstream: {{ servers: 1, service_time: 1s }}
variants: {{ only: {{ policy: {{ backoff: {{ fixed: {{ delay: 0s }} }} }} }} }}
"
        )
    };
    for (receives, time_to_dlq_s, last_success_s) in [(3, 3.0, 23.0), (4, 24.0, 23.0)] {
        let outcome = outcome(&text(receives));
        assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), time_to_dlq_s, "N = {receives}");
        assert_eq!(outcome.time_to_success.max_s(), Some(last_success_s - 0.5), "N = {receives}");
        assert_eq!(metric(&outcome, Metric::Receives), f64::from(20 + receives));
    }
}

/// Received at 0 s, at work until 90 s, leased until 120 s. Retention takes it away at 60 s, out of the consumer's
/// hands; the call at 90 s succeeds and serves nobody.
#[test]
fn retention_takes_a_message_out_of_a_consumers_hands() {
    let outcome = outcome(
        "
duration: 3m
queue: { visibility_timeout: 2m, retention: 60s }
producers: [ { burst: 1 } ]
consumers: { fleet: 1, handler_time: 90s }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    let in_flight = each_second(&outcome, SeriesMetric::InFlight);
    assert_eq!((in_flight[0], in_flight[59], in_flight[60]), (1, 1, 0));
    assert_eq!(
        [Metric::Expired, Metric::Processed, Metric::Pending].map(|name| metric(&outcome, name)),
        [1.0, 0.0, 0.0]
    );
    assert_eq!(each_second(&outcome, SeriesMetric::Calls).iter().position(|&calls| calls == 1), Some(90));
    assert_eq!(outcome.time_to_success.max_s(), Some(91.0));
}

/// Everything is refused after 1 ms; N = 2, VT 30 s; each failure asks for 43 199 s.
///
/// First lease, either clock: it fails at 0.001 s, and 0.001 + 43 199 s is within twelve hours of the receive at 0 s.
/// Second receive at 43 199.001 s, failure 1 ms later.
/// By the receive's own clock 43 199 s are fine again: it ends at 86 398.002 s, when a waiting poll moves the message.
/// By the first receive's clock it is refused: the lease runs out after its 30 s, at 43 229.001 s.
#[test]
fn the_twelve_hour_clock_decides_whether_a_second_long_delay_is_refused() {
    let scenario = scenario(
        "
duration: 26h
queue: { redrive: { max_receive_count: 2 } }
producers: [ { burst: 1 } ]
downstream: { servers: 1, service_time: 1ms, outages: [ { at: 0s, for: 26h, mode: refuse, after: 1ms } ] }
policy: { backoff: { fixed: { delay: 43199s } } }
variants:
  per-receive: { queue: { twelve_hour_clock: per_receive } }
  lifetime: { queue: { twelve_hour_clock: lifetime } }
",
    );
    let time_to_dlq_s = |variant| metric(&outcome_of(&scenario, variant, 0), Metric::TimeToDlqMaxS);
    assert_eq!([time_to_dlq_s(0), time_to_dlq_s(1)], [86_398.002, 43_229.001]);
}

/// Twelve hours from a failure are more than twelve hours from the receive before it: every change is refused, and both
/// leases run out after 30 s.
#[test]
fn a_delay_of_twelve_hours_is_never_granted() {
    let outcome = outcome(
        "
duration: 26h
queue: { redrive: { max_receive_count: 2 } }
producers: [ { burst: 1 } ]
downstream: { servers: 1, service_time: 1ms, outages: [ { at: 0s, for: 26h, mode: refuse, after: 1ms } ] }
variants: { only: { policy: { backoff: { fixed: { delay: 12h } } } } }
",
    );
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 60.0);
}

/// One slot, VT 10 s, N = 1. P can never succeed: received at 0 s, failed at 1 s, its lease ends at 10 s. Another message
/// is sent at 2 s, into a second in which calls take sixteen times as long: it keeps the slot until 18 s, and nobody
/// polls before that. The lazy queue moves P at 18 s, the eager one at 10 s.
#[test]
fn only_an_eager_queue_moves_messages_without_a_poll() {
    let scenario = scenario(
        "
duration: 1m
queue: { visibility_timeout: 10s }
producers: [ { burst: 1, classes: { permanent: 100% } }, { burst: 1, from: 2s } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s, outages: [ { at: 1500ms, for: 1s, mode: slow, factor: 16 } ] }
variants:
  lazy: { queue: { redrive: { max_receive_count: 1, timing: lazy } } }
  eager: { queue: { redrive: { max_receive_count: 1, timing: eager } } }
",
    );
    let moved_s = |variant| metric(&outcome_of(&scenario, variant, 0), Metric::TimeToDlqMaxS);
    assert_eq!([moved_s(0), moved_s(1)], [18.0, 10.0]);
}

/// Rule F2, one group first: the first message is received alone, since the others arrive right after it. When it is done,
/// at 1 s, one call gets ten of its group and the next one the rest.
#[test]
fn one_receive_call_gets_several_messages_of_one_group() {
    let outcome = outcome(
        "
duration: 10s
queue: { type: fifo }
producers: [ { burst: 16 } ]
consumers: { fleet: 1, concurrency: 30 }
downstream: { servers: 30, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::Receives)[..4], [1, 10, 5, 0]);
    assert_eq!(metric(&outcome, Metric::Processed), 16.0);
}
