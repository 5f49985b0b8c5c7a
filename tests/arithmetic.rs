//! The arithmetic that any build must get right (docs/model.md): each figure follows from the rules by hand.

mod support;

use approx::assert_relative_eq;
use retrystorm::engine::random::KeyedDraw;
use retrystorm::measure::{Metric, SeriesMetric};
use retrystorm::model::policy::{Disposition, FailedAttempt, RetryPolicy};
use retrystorm::simulation::simulate_with;
use support::{each_second, metric, outcome, outcome_of, run, scenario};

/// Consumers and a downstream that are never the bottleneck: what a policy does shows undisturbed.
const KEEPS_UP: &str = "
consumers: { fleet: 20, concurrency: 1000 }
downstream: { servers: 20000, service_time: 1ms, outages: [ { at: 0s, for: OUTAGE, mode: refuse, after: 1ms } ] }
variants: { only: {} }
";

/// A scenario under which everything fails for `outage`.
fn failing(outage: &str, rest: &str) -> String {
    format!("{rest}{}", KEEPS_UP.replace("OUTAGE", outage))
}

#[test]
fn five_leases_of_30_s_take_150_s_to_the_dead_letter_queue() {
    let outcome = outcome(&failing(
        "5m",
        "
duration: 5m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 5 } }
producers: [ { burst: 100 } ]
",
    ));
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 100.0);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 150.0, "idle consumers poll: the wait for the poll is nil");
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 150.0);
    assert_eq!(metric(&outcome, Metric::Receives), 500.0);
}

#[test]
fn a_poll_that_comes_later_moves_the_message_later() {
    // Nobody polls but for one consumer that is busy with a hanging call until 100 s: the move waits for it.
    let outcome = outcome(
        "
duration: 5m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 1 } }
producers: [ { burst: 1, from: 0s, until: 1s } ]
consumers: { fleet: 1, concurrency: 1 }
downstream:
  servers: 1
  service_time: 10ms
  call_timeout: 100s
  outages: [ { at: 0s, for: 50s, mode: hang } ]
variants: { only: {} }
",
    );
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 1.0);
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 100.0, "the lease ended at 30 s, but a receive has to meet it");
}

#[test]
fn doubling_from_30_s_takes_930_s_to_the_dead_letter_queue() {
    let outcome = outcome(&failing(
        "20m",
        "
duration: 20m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 5 } }
producers: [ { burst: 100 } ]
policy: { backoff: { exponential: { base: 30s, cap: 15m } } }
",
    ));
    // Each of the five waits begins when the attempt has failed, 1 ms after its receive.
    assert_relative_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 930.005, epsilon = 1e-9);
}

#[test]
fn six_full_jitter_waits_from_10_s_take_305_s_on_average() {
    let outcome = outcome(&failing(
        "30m",
        "
duration: 30m
queue: { redrive: { max_receive_count: 6 } }
producers: [ { burst: 20000 } ]
policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }
",
    ));
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 20_000.0);
    assert_relative_eq!(metric(&outcome, Metric::TimeToDlqMeanS), 305.0, max_relative = 0.005);
}

#[test]
fn without_jitter_400_messages_come_back_in_lockstep() {
    let text = "
duration: 2m
queue: { redrive: { max_receive_count: 10 } }
producers: [ { burst: 400 } ]
variants:
  none: { policy: { backoff: { exponential: { base: 10s, cap: 5m } } } }
  full: { policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } } }
";
    let scenario = scenario(&failing("90s", text).replace("variants: { only: {} }", ""));
    let lockstep = each_second(&outcome_of(&scenario, 0, 0), SeriesMetric::Calls);
    let spikes: Vec<usize> = (0..lockstep.len()).filter(|&second| lockstep[second] > 0).collect();
    assert_eq!(spikes, [0, 10, 30, 70], "and the fifth attempt would come at 150 s");
    assert!(spikes.iter().all(|&second| lockstep[second] == 400));

    let spread = each_second(&outcome_of(&scenario, 1, 0), SeriesMetric::Calls);
    assert!(*spread[1..].iter().max().expect("seconds") < 110, "the first retries spread over eleven seconds");
}

#[test]
fn malformed_messages_cost_five_calls_each_unless_they_are_dead_lettered_at_once() {
    struct DeadLetterAtOnce;
    impl RetryPolicy for DeadLetterAtOnce {
        fn decide(&self, _: &FailedAttempt, _: &mut KeyedDraw) -> Disposition {
            Disposition::DeadLetter
        }
    }
    let scenario = scenario(
        "
duration: 10m
queue: { redrive: { max_receive_count: 5 } }
producers: [ { burst: 40000, classes: { permanent: 100% } } ]
consumers: { fleet: 60, concurrency: 50 }
downstream: { servers: 1000, service_time: 10ms }
variants: { retry-everything: {} }
",
    );
    let retried = outcome_of(&scenario, 0, 0);
    assert_eq!(metric(&retried, Metric::Calls), 200_000.0);
    assert_eq!(metric(&retried, Metric::DeadLetteredPermanent), 40_000.0);

    let setup = &scenario.variants[0].setup;
    let classified = simulate_with(setup, &DeadLetterAtOnce, run(&scenario, 0)).expect("the ledger balances");
    assert_eq!(metric(&classified, Metric::Calls), 40_000.0);
    assert_eq!(metric(&classified, Metric::DeadLetteredPermanent), 40_000.0);
}

#[test]
fn a_fixed_lease_raises_the_receive_rate_in_steps_and_bunches_nothing() {
    let outcome = outcome(&failing(
        "2m",
        "
duration: 2m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 10 } }
producers: [ { rate: 800/s, arrivals: constant } ]
",
    ));
    let receives = each_second(&outcome, SeriesMetric::Receives);
    for (second, expected) in [(15, 800.0), (45, 1_600.0), (75, 2_400.0), (105, 3_200.0)] {
        assert_relative_eq!(f64::from(receives[second]), expected, max_relative = 0.01);
    }
}

#[test]
fn full_jitter_from_10_s_receives_more_than_a_lease_of_30_s() {
    let outcome = outcome(&failing(
        "2m",
        "
duration: 2m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 1000 } }
producers: [ { rate: 800/s } ]
policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }
",
    ));
    let receives = each_second(&outcome, SeriesMetric::Receives);
    let around_90_s = receives[88..92].iter().sum::<u32>() as f64 / 4.0;
    assert_relative_eq!(around_90_s, 3_864.0, max_relative = 0.02);
}

#[test]
fn ten_leases_of_30_s_lose_nothing_in_an_outage_of_up_to_270_s() {
    let lost = |outage: &str| {
        let text = "
duration: 10m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 10 } }
producers: [ { rate: 100/s, until: 9m } ]
";
        metric(&outcome(&failing(outage, text)), Metric::DeadLetteredValid)
    };
    assert_eq!(lost("270s"), 0.0);
    assert!(lost("272s") > 100.0, "about 100 messages of the first second that have failed ten times by then");
}

#[test]
fn backoff_keeps_rate_times_delay_in_flight() {
    let outcome = outcome(&failing(
        "10m",
        "
duration: 10m
queue: { redrive: { max_receive_count: 1000 } }
producers: [ { rate: 400/s, arrivals: constant, until: 299s } ]
policy: { backoff: { fixed: { delay: 5m } } }
",
    ));
    assert_relative_eq!(metric(&outcome, Metric::InFlightPeak), 120_000.0, max_relative = 0.01);
}

#[test]
fn retention_equal_to_all_leases_together_leaves_the_dead_letter_queue_empty() {
    let fates = |max_receive_count: u32| {
        let text = format!(
            "
duration: 15h
queue: {{ visibility_timeout: 20m, retention: 12h, redrive: {{ max_receive_count: {max_receive_count} }} }}
producers: [ {{ burst: 50, classes: {{ permanent: 100% }} }} ]
consumers: {{ fleet: 1, concurrency: 50 }}
downstream: {{ servers: 50, service_time: 10ms }}
variants: {{ only: {{}} }}
"
        );
        let outcome = outcome(&text);
        (metric(&outcome, Metric::DeadLettered), metric(&outcome, Metric::Expired))
    };
    assert_eq!(fates(36), (0.0, 50.0));
    assert_eq!(fates(35), (50.0, 0.0));
}

#[test]
fn the_dead_letter_queue_keeps_the_enqueue_time() {
    let outcome = outcome(&failing(
        "10h",
        "
duration: 10h
queue: { visibility_timeout: 1h, redrive: { max_receive_count: 3 }, dead_letter_queue: { retention: 2h } }
producers: [ { burst: 10 } ]
",
    ));
    assert_eq!(metric(&outcome, Metric::DeadLettered), 10.0);
    assert_eq!(metric(&outcome, Metric::ExpiredInDeadLetterQueue), 10.0, "three hours old on arrival, kept for two");
}

#[test]
fn independent_failures_dead_letter_a_share_of_p_to_the_n() {
    let outcome = outcome(
        "
duration: 40m
queue: { visibility_timeout: 10s, redrive: { max_receive_count: 3 } }
producers: [ { rate: 500/s, until: 30m } ]
consumers: { fleet: 10, concurrency: 100 }
downstream: { servers: 500, service_time: 5ms, error_rate: 30% }
variants: { only: {} }
",
    );
    let sent = metric(&outcome, Metric::Enqueued);
    assert_relative_eq!(metric(&outcome, Metric::DeadLettered) / sent, 0.3_f64.powi(3), max_relative = 0.02);
    let receives_each = (1.0 - 0.3_f64.powi(3)) / (1.0 - 0.3);
    assert_relative_eq!(metric(&outcome, Metric::Receives) / sent, receives_each, max_relative = 0.002);
}

/// E[DLQ] = rate x (D - sum of the mean first N - 1 delays): the N-th receive has to fall into the outage.
#[test]
fn an_outage_dead_letters_what_its_length_and_the_delays_say() {
    let fixed = "{ backoff: none }";
    let full = "{ backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }";
    for (policy, receives, outage, expected) in [
        (fixed, 3, "90s", 24_000.0),
        (full, 3, "90s", 60_000.0),
        (full, 4, "90s", 44_000.0),
        (fixed, 10, "480s", 168_000.0),
    ] {
        let text = format!(
            "
duration: 15m
queue:
  visibility_timeout: 30s
  redrive: {{ max_receive_count: {receives} }}
  in_flight_limit: 1000000 # 480 s x 800/s are in flight in the end; the service's own limit would stop the receives
producers: [ {{ rate: 800/s, until: 10m }} ]
policy: {policy}
"
        );
        let outcome = outcome(&failing(outage, &text));
        assert_relative_eq!(metric(&outcome, Metric::DeadLetteredValid), expected, max_relative = 0.01);
    }
}
