//! What a scenario means: defaults, units, and variants that override the common setup key by key.

use retrystorm::engine::distribution::TimeDistribution;
use retrystorm::engine::time::{DAY_US, HOUR_US, MILLISECOND_US, MINUTE_US, SECOND_US};
use retrystorm::measure::{Metric, SeriesMetric};
use retrystorm::model::consumer::Acknowledge;
use retrystorm::model::downstream::{OutageMode, WarmUp};
use retrystorm::model::policy::catalogue::{Settings, Value};
use retrystorm::model::policy::{
    BackoffSettings, BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, CeilingGuard, ClassDisposition,
    Dispositions, FailureRate, Jitter, LimitScope, RampUp, RateWindow, RetryAfter, Throttling,
};
use retrystorm::model::producer::{Arrivals, ClassShares, ProfileStep};
use retrystorm::model::queue::{QueueKind, QueueSettings, RedriveTiming, ReturnOrder, StaleDelete, TwelveHourClock};
use retrystorm::scenario::{Bound, Comparison, Holds, Quantity, Scenario, Setup, parse, read_file};
use std::fs;
use std::path::Path;

fn read(text: &str) -> Scenario {
    parse(text, "folder/some-name.yaml", Path::new("")).unwrap_or_else(|error| panic!("{error}"))
}

/// A scenario with the sections that have to be given, and others.
fn with(sections: &str) -> Scenario {
    let key = |section: &str| sections.lines().any(|line| line.starts_with(section));
    let mut text = String::from("duration: 20m\n");
    for (section, line) in [
        ("producers:", "producers: [ { rate: 800/s } ]\n"),
        ("downstream:", "downstream: { servers: 10, service_time: 5ms }\n"),
        ("variants:", "variants: { a: {}, b: {} }\n"),
    ] {
        text += if key(section) { "" } else { line };
    }
    read(&(text + sections))
}

fn setup(scenario: &Scenario, index: usize) -> &Setup {
    &scenario.variants[index].setup
}

#[test]
fn what_is_not_given_has_its_default() {
    let scenario = with("");
    assert_eq!((scenario.title.as_str(), scenario.seed, scenario.replications), ("some-name", 42, 1));
    assert_eq!(scenario.duration_us, 20 * MINUTE_US);
    let setup = setup(&scenario, 0);
    assert_eq!(setup.queue, QueueSettings::default());
    assert_eq!(setup.producers[0].arrivals, Arrivals::Poisson { rate_per_s: 800.0 });
    assert_eq!((setup.producers[0].from_us, setup.producers[0].until_us), (0, 20 * MINUTE_US));
    assert_eq!(setup.producers[0].classes, ClassShares::default());
    let consumers = &setup.consumers;
    assert_eq!((consumers.fleet, consumers.concurrency, consumers.batch, consumers.prefetch), (1, 10, 10, 0));
    assert_eq!((consumers.wait_us, consumers.restart_us), (20 * SECOND_US, 10 * SECOND_US));
    assert_eq!(consumers.handler_time, TimeDistribution::Constant { value_us: 0 });
    let downstream = &setup.downstream;
    assert_eq!((downstream.max_waiting, downstream.acquire_timeout_us, downstream.call_timeout_us), (None, None, None));
    assert_eq!((downstream.refuse_after_us, downstream.error_rate, downstream.failure_cost), (1_000, 0.0, 0.0));
    assert_eq!((&setup.policy.backoff, setup.policy.breaker), (&BackoffSettings::default(), None));
}

#[test]
fn every_key_of_the_queue_arrives() {
    let scenario = with(
        "queue: { visibility_timeout: 12h, retention: 14d, redrive: { max_receive_count: 3, timing: eager }, \
         dead_letter_queue: { retention: 60s }, back_of_queue: false, return_order: by_visible_time, \
         twelve_hour_clock: lifetime, type: fifo, delay: 15m, in_flight_limit: 20000, stale_delete: deletes, \
         duplicates: 1%, lost_deliveries: 2%, look_ahead: 20000 }",
    );
    let expected = QueueSettings {
        visibility_timeout_us: 12 * HOUR_US,
        retention_us: 14 * DAY_US,
        max_receive_count: Some(3),
        redrive_timing: RedriveTiming::Eager,
        back_of_queue: false,
        return_order: ReturnOrder::ByVisibleTime,
        twelve_hour_clock: TwelveHourClock::Lifetime,
        kind: QueueKind::Fifo,
        delay_us: 15 * MINUTE_US,
        in_flight_limit: 20_000,
        stale_delete: StaleDelete::Deletes,
        duplicate_share: 0.01,
        lost_share: 0.02,
        look_ahead: 20_000,
    };
    assert_eq!(setup(&scenario, 0).queue, expected);
    assert_eq!(setup(&scenario, 0).dead_letter_queue.queue.retention_us, MINUTE_US);
}

#[test]
fn a_redrive_policy_that_names_no_count_has_ten() {
    // Rule Q7, lazy redrive.
    assert_eq!(setup(&with("queue: { redrive: {} }"), 0).queue.max_receive_count, Some(10));
}

#[test]
fn producers_arrive_by_rate_burst_or_profile() {
    let scenario = with(
        "producers: [ { rate: 2/m, arrivals: constant, from: 1m, until: 3m }, \
         { burst: 400, every: 60s, classes: { permanent: 1%, poison: 0.001 } }, { burst: 7, from: 5s } ]",
    );
    let producers = &setup(&scenario, 0).producers;
    assert_eq!(producers[0].arrivals, Arrivals::Constant { rate_per_s: 2.0 / 60.0 });
    assert_eq!((producers[0].from_us, producers[0].until_us), (MINUTE_US, 3 * MINUTE_US));
    assert_eq!(producers[1].arrivals, Arrivals::Burst { messages: 400, every_us: Some(MINUTE_US) });
    assert_eq!(producers[1].classes, ClassShares { permanent: 0.01, poison: 0.001 });
    assert_eq!(producers[2].arrivals, Arrivals::Burst { messages: 7, every_us: None });
}

#[test]
fn a_profile_is_read_beside_the_scenario_and_counts_from_its_producers_start() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("arrivals.csv"), "time,messages\n0,10\n30s,20\n").expect("a file");
    let text = "duration: 10m\nproducers: [ { profile: arrivals.csv, from: 1m } ]\n\
                downstream: { servers: 1, service_time: 1ms }\nvariants: { a: {}, b: {} }\n";
    let path = folder.path().join("s.yaml");
    fs::write(&path, text).expect("a file");
    let scenario = read_file(&path).unwrap_or_else(|error| panic!("{error}"));
    let producer = &setup(&scenario, 1).producers[0];
    let step = |from_s, until_s, messages| ProfileStep {
        from_us: from_s * SECOND_US,
        until_us: until_s * SECOND_US,
        messages,
    };
    assert_eq!(producer.arrivals, Arrivals::Profile { steps: vec![step(60, 90, 10), step(90, 120, 20)] });
    assert_eq!((producer.from_us, producer.until_us), (MINUTE_US, 2 * MINUTE_US));
}

#[test]
fn outages_are_sorted_and_keep_what_belongs_to_their_mode() {
    let scenario = with(
        "downstream: { servers: 2, service_time: { exponential: 54ms }, call_timeout: 2s, max_waiting: 0, outages: [ \
         { at: 5m, for: 1m, mode: slow, factor: 3 }, { at: 4m, for: 1m, mode: hang }, \
         { at: 1m, for: 30s, mode: errors, share: 30% }, \
         { at: 0s, for: 1m, mode: refuse, after: 50ms, warm_up: { for: 30s, factor: 3 } } ] }",
    );
    let downstream = &setup(&scenario, 0).downstream;
    assert_eq!(downstream.service_time, TimeDistribution::Exponential { mean_us: 54_000.0 });
    assert_eq!((downstream.max_waiting, downstream.call_timeout_us), (Some(0), Some(2 * SECOND_US)));
    let modes: Vec<OutageMode> = downstream.outages.iter().map(|outage| outage.mode).collect();
    let refuse = OutageMode::Refuse { after_us: 50 * MILLISECOND_US };
    assert_eq!(modes, [refuse, OutageMode::Errors { share: 0.3 }, OutageMode::Hang, OutageMode::Slow { factor: 3.0 }]);
    assert_eq!(downstream.outages[0].warm_up, Some(WarmUp { for_us: 30 * SECOND_US, factor: 3.0 }));
    assert_eq!(downstream.outages[3].until_us, 6 * MINUTE_US);
}

/// A backoff of the catalogue.
fn kind(name: &str, given: &[(&str, Value)]) -> BackoffSettings {
    let kind = retrystorm::model::policy::backoff(name).expect("a kind of the catalogue");
    Settings::new(kind, given).unwrap_or_else(|refusal| panic!("{name}: {refusal}"))
}

#[test]
fn every_policy_arrives() {
    let scenario = with(
        "variants:\n  none: { policy: { backoff: none } }\n  \
         fixed: { policy: { backoff: { fixed: { delay: 30s, jitter: equal } } } }\n  \
         linear: { policy: { backoff: { linear: { step: 10s, cap: 1m } } } }\n  \
         exponential: { policy: { backoff: { exponential: { base: 10s, jitter: { floored_full: { floor: 5s } } } } } }\n  \
         breaker: { policy: { breaker: { failures: 20, counts: batches, scope: fleet, cooldown: 30s } } }\n",
    );
    let backoffs: Vec<_> = scenario.variants.iter().map(|variant| variant.setup.policy.backoff.clone()).collect();
    assert_eq!(
        backoffs,
        [
            kind("none", &[]),
            kind("fixed", &[("delay", Value::seconds(30)), ("jitter", Value::Jitter(Jitter::Equal))]),
            kind("linear", &[("step", Value::seconds(10)), ("cap", Value::seconds(60))]),
            kind(
                "exponential",
                &[("base", Value::seconds(10)), ("jitter", Value::Jitter(Jitter::FlooredFull { floor_s: 5 }))]
            ),
            BackoffSettings::default(),
        ]
    );
    let breaker = BreakerSettings {
        trips: BreakerTrips { failures: Some(20), ..BreakerTrips::default() },
        ignores_permanent: false,
        probes: 1,
        ramp_up: None,
        counts: BreakerCounts::Batches,
        scope: BreakerScope::Fleet,
        cooldown_us: 30 * SECOND_US,
    };
    assert_eq!(setup(&scenario, 4).policy.breaker, Some(breaker));
}

#[test]
fn what_stands_beside_the_backoff_arrives() {
    let scenario = with(
        "policy: { floor: 5s, client: { retries: { attempts: 5 } } }\n\
         variants:\n  same: {}\n  others: { policy: { retry_after: honour, ceiling_guard: remaining, client: none } }\n  \
         more: { policy: { client: { retries: { base: 7ms } } } }\n  plain: { policy: { client: aws-sdk-2026 } }\n",
    );
    let policy = |index| &setup(&scenario, index).policy;
    assert_eq!((policy(0).floor_s, policy(0).retry_after), (5, RetryAfter::Ignore));
    assert_eq!((policy(1).retry_after, policy(1).ceiling_guard), (RetryAfter::Honour, CeilingGuard::Remaining));
    assert_eq!(policy(1).client, None);
    let client = |name: &str, given: &[(&str, Value)]| {
        Settings::new(retrystorm::model::policy::client(name).expect("a client"), given).ok()
    };
    assert_eq!(policy(0).client, client("retries", &[("attempts", Value::Count(5))]));
    let both = [("attempts", Value::Count(5)), ("base", Value::milliseconds(7))];
    assert_eq!(policy(2).client, client("retries", &both), "merged key by key");
    assert_eq!(policy(3).client, client("aws-sdk-2026", &[]));
}

#[test]
fn a_jitter_of_the_same_kind_is_merged_and_a_name_alone_is_all_defaults() {
    let scenario = with(
        "policy: { backoff: { celery: { retry_backoff: 9s } } }\n\
         variants:\n  merged: { policy: { backoff: { celery: { retry_jitter: false } } } }\n  \
         empty: { policy: { backoff: { celery: {} } } }\n  alone: { policy: { backoff: celery } }\n",
    );
    let backoff = |index| setup(&scenario, index).policy.backoff.clone();
    let own = ("retry_backoff", Value::seconds(9));
    assert_eq!(backoff(0), kind("celery", &[own.clone(), ("retry_jitter", Value::Switch(false))]));
    assert_eq!(backoff(1), kind("celery", &[own]));
    assert_eq!(backoff(2), kind("celery", &[]));
}

#[test]
fn a_variant_overrides_key_by_key() {
    let scenario = with(
        "queue: { visibility_timeout: 1m, redrive: { max_receive_count: 3 } }\n\
         policy: { backoff: { exponential: { base: 10s, cap: 5m } }, breaker: { failures: 3, cooldown: 9s } }\n\
         variants:\n  same:\n  cap: { policy: { backoff: { exponential: { cap: 1m } } } }\n  \
         kind: { policy: { backoff: { fixed: { delay: 7s } }, breaker: none } }\n  \
         queue: { queue: { redrive: { timing: eager } }, policy: { breaker: { failures: 4 } } }\n  \
         circulate: { queue: { redrive: none } }\n  \
         producers: { producers: [ { burst: 1 } ] }\n",
    );
    let exponential = |cap_s| kind("exponential", &[("base", Value::seconds(10)), ("cap", Value::seconds(cap_s))]);
    let breaker = |index| setup(&scenario, index).policy.breaker.and_then(|breaker| breaker.trips.failures);
    assert_eq!(setup(&scenario, 0).policy.backoff, exponential(300));
    assert_eq!(setup(&scenario, 1).policy.backoff, exponential(60), "the base stays as it is");
    assert_eq!(setup(&scenario, 2).policy.backoff, kind("fixed", &[("delay", Value::seconds(7))]));
    assert_eq!((breaker(1), breaker(2), breaker(3)), (Some(3), None, Some(4)));
    let queue = &setup(&scenario, 3).queue;
    assert_eq!(
        (queue.visibility_timeout_us, queue.max_receive_count, queue.redrive_timing),
        (MINUTE_US, Some(3), RedriveTiming::Eager)
    );
    assert_eq!(setup(&scenario, 4).queue.max_receive_count, None);
    let producers = &setup(&scenario, 5).producers;
    assert_eq!(producers.len(), 1, "a list is replaced whole");
    assert_eq!(producers[0].arrivals, Arrivals::Burst { messages: 1, every_us: None });
}

#[test]
fn a_section_may_stand_in_the_variants_alone() {
    let scenario = read(
        "duration: 1m\nvariants:\n  a:\n    producers: [ { burst: 1 } ]\n    \
         downstream: { servers: 3, service_time: 1ms }\n",
    );
    assert_eq!(setup(&scenario, 0).downstream.servers, 3);
}

#[test]
fn anchors_and_merge_keys_work() {
    let scenario = with("queue: &q { retention: 1h }\nvariants: { a: { queue: { <<: *q, visibility_timeout: 9s } } }");
    let queue = &setup(&scenario, 0).queue;
    assert_eq!((queue.retention_us, queue.visibility_timeout_us), (HOUR_US, 9 * SECOND_US));
}

#[test]
fn an_expectation_without_a_variant_holds_for_each() {
    let scenario = with("expect: [ { metric: dead_lettered, from: 10s, to: 20s, at_most: { variant: b, times: 2 } } ]");
    let variants: Vec<usize> = scenario.expectations.iter().map(|expectation| expectation.variant).collect();
    assert_eq!(variants, [0, 1]);
    let expectation = &scenario.expectations[0];
    let window = Quantity::Window { metric: SeriesMetric::DeadLettered, from_s: 10, until_s: 20 };
    assert_eq!(expectation.quantity, window);
    assert_eq!(expectation.comparison, Comparison::AtMost(Bound::Variant { variant: 1, times: 2.0, plus: 0.0 }));
}

#[test]
fn an_expectation_may_say_what_has_to_hold_and_how_far_from_another_variant() {
    let holds = |top: &str, own: &str| {
        let scenario = with(&format!("{top}\nexpect: [ {{ variant: a, metric: calls, above: 3{own} }} ]"));
        scenario.expectations[0].holds
    };
    assert_eq!(holds("", ""), Holds::Interval);
    assert_eq!(holds("holds: mean", ""), Holds::Mean);
    assert_eq!(holds("holds: mean", ", holds: interval"), Holds::Interval);
    let scenario = with("expect: [ { variant: a, metric: sound_again_s, below: { variant: b, plus: 2m } } ]");
    let bound = Bound::Variant { variant: 1, times: 1.0, plus: 120.0 };
    assert_eq!(scenario.expectations[0].comparison, Comparison::Below(bound));
}

#[test]
fn amounts_may_be_written_in_the_unit_of_their_metric() {
    let scenario = with(
        "expect:\n  - { variant: a, metric: sound_again_s, between: [90s, 4m] }\n  \
         - { variant: a, metric: breaker_open, at: 20m, equals: 50% }\n  \
         - { variant: a, metric: calls, from: 19m, above: 3 }\n\
         claims:\n  - { variant: b, metric: backlog_cleared_s, figure: 2m, close_within: 40s }\n  \
         - { variant: b, metric: dead_lettered, figure: 0, reproduced_within: 1, close_within: 2 }\n",
    );
    let found: Vec<_> = scenario.expectations.iter().map(|expectation| expectation.comparison.clone()).collect();
    let half = Comparison::Equals(Bound::Number(0.5));
    assert_eq!(found, [Comparison::Between(90.0, 240.0), half, Comparison::Above(Bound::Number(3.0))]);
    let last_minute = Quantity::Window { metric: SeriesMetric::Calls, from_s: 1140, until_s: 1200 };
    assert_eq!(scenario.expectations[2].quantity, last_minute);
    let claim = &scenario.claims[0];
    assert_eq!(claim.quantity, Quantity::Metric(Metric::BacklogClearedS));
    assert_eq!((claim.variant, claim.figure), (1, 120.0));
    assert_eq!((claim.reproduced_within, claim.close_within), (12.0, 40.0));
    assert_eq!((scenario.claims[1].reproduced_within, scenario.claims[1].close_within), (1.0, 2.0));
}

#[test]
fn a_byte_order_mark_is_no_mistake() {
    let text = "\u{feff}duration: 1m\nproducers: [ { burst: 1 } ]\n\
                downstream: { servers: 1, service_time: 1ms }\nvariants: { a: {} }\n";
    assert_eq!(read(text).duration_us, MINUTE_US);
}

#[test]
fn breakers_of_every_kind_are_read_and_a_variant_may_change_the_kind() {
    let scenario = read(
        "duration: 1m\n\
         producers: [ { rate: 1/s } ]\n\
         downstream: { servers: 1, service_time: 1ms }\n\
         policy: { breaker: { failure_rate: { share: 50%, window: 30s, minimum: 9 }, cooldown: 1s } }\n\
         variants:\n  \
         window: { policy: { breaker: { ignores_permanent: true, probes: 5, ramp_up: { for: 60s, from: 10% } } } }\n  \
         calls: { policy: { breaker: { failure_rate: { window: none, calls: 12, minimum: 3 } } } }\n  \
         few: { policy: { breaker: { failure_rate: none, throttling: { share: 0.2, for: 30s } } } }\n  \
         both: { policy: { breaker: { failures: 7 } } }\n",
    );
    let breaker = |index| setup(&scenario, index).policy.breaker.expect("a breaker");
    let rate = |window, minimum| Some(FailureRate { share: 0.5, window, minimum });
    let of_time = rate(RateWindow::Time { length_us: 30_000_000 }, 9);
    assert_eq!(breaker(0).trips, BreakerTrips { failure_rate: of_time, ..BreakerTrips::default() });
    assert_eq!((breaker(0).ignores_permanent, breaker(0).probes), (true, 5));
    assert_eq!(breaker(0).ramp_up, Some(RampUp { for_us: 60_000_000, from: 0.1 }));
    assert_eq!(breaker(1).trips.failure_rate, rate(RateWindow::Results { count: 12 }, 3));
    let throttling = Some(Throttling { share: 0.2, for_us: 30_000_000, minimum: 20 });
    assert_eq!(breaker(2).trips, BreakerTrips { throttling, ..BreakerTrips::default() });
    assert_eq!((breaker(3).trips.failures, breaker(3).trips.failure_rate), (Some(7), of_time));
}

/// What a variant says of a section is laid over the common one, also where a section has keys that have to be given: they
/// have to be there in the end, not in each part.
#[test]
fn a_variant_may_change_one_key_of_a_limit_or_a_heartbeat() {
    let scenario = read(
        "duration: 1m\nproducers: [ { rate: 10/s } ]\n\
         downstream: { servers: 10, service_time: 50ms, rate_limit: { rate: 5/s } }\n\
         consumers: { heartbeat: { every: 5s, extend_to: 20s } }\n\
         policy: { concurrency_limit: { calls: 5 }, rate_limit: { rate: 3/s } }\n\
         variants:\n  \
         counted: { downstream: { rate_limit: { counts_throttled: true } } }\n  \
         short: { consumers: { heartbeat: { at_most: 60s } } }\n  \
         shared: { policy: { concurrency_limit: { scope: fleet }, rate_limit: { burst: 7 } } }\n",
    );
    let limit = setup(&scenario, 0).downstream.rate_limit.expect("common to all");
    assert_eq!((limit.rate_per_s, limit.counts_throttled), (5.0, true));
    let heartbeat = setup(&scenario, 1).consumers.heartbeat.expect("common to all");
    assert_eq!((heartbeat.every_us, heartbeat.at_most_us), (5 * SECOND_US, Some(60 * SECOND_US)));
    let policy = &setup(&scenario, 2).policy;
    assert_eq!(policy.concurrency_limit.map(|limit| (limit.calls, limit.scope)), Some((5, LimitScope::Fleet)));
    assert_eq!(policy.rate_limit.map(|limit| (limit.rate_per_s, limit.burst)), Some((3.0, 7)));
}

#[test]
fn a_limit_or_a_heartbeat_without_its_main_key_is_refused() {
    for (section, missing) in [
        ("downstream: { servers: 1, service_time: 1s, rate_limit: { burst: 5 } }", "`rate`"),
        ("downstream: { servers: 1, service_time: 1s }\nconsumers: { heartbeat: { every: 5s } }", "`extend_to`"),
        ("downstream: { servers: 1, service_time: 1s }\npolicy: { concurrency_limit: { scope: fleet } }", "`calls`"),
        ("downstream: { servers: 1, service_time: 1s }\npolicy: { rate_limit: { burst: 5 } }", "`rate`"),
    ] {
        let text = format!("duration: 1m\nproducers: [ {{ rate: 10/s }} ]\n{section}\nvariants: {{ only: {{}} }}\n");
        let refusal = parse(&text, "test.yaml", Path::new(".")).expect_err("it is not complete").to_string();
        assert!(refusal.contains(missing) && refusal.contains("is missing"), "{refusal}");
    }
}

/// The user's keys win over a library's, a variant may name another library, and what the library does not say is as ever.
#[test]
fn the_defaults_of_a_client_library_lie_under_what_is_written() {
    let scenario = read(
        "
duration: 1m
producers: [ { rate: 1/s } ]
downstream: { servers: 1, service_time: 1ms }
consumers: { like: laravel, fleet: 4, pause: 5s }
variants:
  php: {}
  java: { consumers: { like: spring-cloud-aws } }
  tries: { policy: { dispositions: { transient: back_off } } }
",
    );
    let [php, java, tries] = [0, 1, 2].map(|variant| &scenario.variants[variant].setup);
    let basics = |setup: &Setup| {
        let consumers = &setup.consumers;
        (consumers.fleet, consumers.concurrency, consumers.wait_us / SECOND_US, consumers.pause_us / SECOND_US)
    };
    assert_eq!(basics(php), (4, 1, 0, 5));
    assert_eq!(basics(java), (4, 10, 10, 5));
    assert_eq!(java.consumers.acknowledge, Acknowledge::Batched { messages: 10, every_us: SECOND_US });
    assert_eq!(java.policy.dispositions, Dispositions::default(), "no other library's policy is left behind");
    assert_eq!(php.policy.dispositions.permanent, ClassDisposition::RecordAndDelete);
    let of_variant = &tries.policy.dispositions;
    assert_eq!(of_variant.transient, ClassDisposition::BackOff);
    assert_eq!(of_variant.permanent, ClassDisposition::RecordAndDelete);
}

/// A mistake that a library's defaults have a part in is shown where the library is named, not somewhere else.
#[test]
fn a_mistake_with_a_librarys_defaults_is_shown_at_its_name() {
    let text = "
duration: 1m
producers: [ { rate: 1/s } ]
downstream: { servers: 1, service_time: 1ms }
variants: { a: {} }
consumers: { prefetch: 1000000, like: shoryuken }
";
    let error = parse(text, "test.yaml", Path::new(".")).expect_err("too many messages").to_string();
    assert!(error.contains("test.yaml:6:"), "{error}");
    let unknown = text.replace("shoryuken", "shoryukan");
    let error = parse(&unknown, "test.yaml", Path::new(".")).expect_err("no such library").to_string();
    assert!(error.contains("did you mean `shoryuken`?"), "{error}");
}
