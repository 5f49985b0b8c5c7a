//! What stands in front of a call: limits, stores, and the limit of a third party.

use retrystorm::measure::{Metric, SeriesMetric};
use retrystorm::model::policy::AttemptError;

use crate::spy::attempts;
use crate::support::{each_second, metric, outcome, outcome_of, scenario};

#[test]
fn a_rate_limit_lets_handlers_call_one_after_the_other() {
    let scenario = scenario(
        "
duration: 10s
producers: [ { burst: 6 } ]
consumers: { fleet: 2, concurrency: 3 }
downstream: { servers: 10, service_time: 10ms }
variants:
  fleet: { policy: { rate_limit: { rate: 1/s, burst: 2, scope: fleet } } }
  consumer: { policy: { rate_limit: { rate: 1/s, burst: 2 } } }
",
    );
    let calls = |variant| each_second(&outcome_of(&scenario, variant, 0), SeriesMetric::Calls);
    assert_eq!(calls(0)[..6], [2, 1, 1, 1, 1, 0]);
    assert_eq!(calls(1)[..6], [4, 2, 0, 0, 0, 0], "two buckets");
}

/// Four messages, calls of 10 s, two at a time: the second pair waits, and its leases of 15 s run meanwhile. At 15 s both
/// are back in the queue while their handlers have called for 5 s.
#[test]
fn who_waits_for_a_place_holds_a_message_whose_lease_runs() {
    let outcome = outcome(
        "
duration: 18s
queue: { visibility_timeout: 15s }
producers: [ { burst: 4 } ]
downstream: { servers: 10, service_time: 10s }
variants: { only: { policy: { concurrency_limit: { calls: 2 } } } }
",
    );
    let (calls, receives) = (each_second(&outcome, SeriesMetric::Calls), each_second(&outcome, SeriesMetric::Receives));
    assert_eq!((calls[0], calls[10]), (2, 2));
    assert_eq!((receives[0], receives[15]), (4, 2));
}

/// One of three calls goes out, two are rejected after 1 ms and back off for 5 s; then the next one goes out.
#[test]
fn a_rejected_call_is_a_failure_that_the_downstream_never_sees() {
    let outcome = outcome(
        "
duration: 12s
producers: [ { burst: 3 } ]
downstream: { servers: 10, service_time: 4s }
variants:
  only: { policy: { backoff: { fixed: { delay: 5s } }, concurrency_limit: { calls: 1, when_full: reject } } }
",
    );
    let names = [Metric::Calls, Metric::CallsFailed, Metric::CallsRejected, Metric::Receives];
    assert_eq!(names.map(|name| metric(&outcome, name)), [3.0, 0.0, 2.0 + 1.0, 3.0 + 2.0 + 1.0]);
}

/// A slow tenant fills both slots' worth of calls. With a bulkhead of one call a tenant, the quick one gets through at once.
#[test]
fn a_bulkhead_keeps_one_tenant_from_taking_every_place() {
    let scenario = scenario(
        "
duration: 1m
queue: { visibility_timeout: 2m }
producers:
  - { burst: 4, tenant: slow }
  - { burst: 1, from: 1s, tenant: quick }
downstream: { servers: 10, service_time: 1s, slow_tenants: [ { tenant: slow, factor: 10 } ] }
variants:
  shared: { policy: { concurrency_limit: { calls: 2 } } }
  bulkhead: { policy: { concurrency_limit: { calls: 1, per_tenant: true } } }
",
    );
    let best = |variant| metric(&outcome_of(&scenario, variant, 0), Metric::TimeToSuccessBestTenantP95S);
    approx::assert_relative_eq!(best(0), 20.0, max_relative = 0.002); // 2 x 10 s of the slow ones, then its own second.
    approx::assert_relative_eq!(best(1), 1.0, max_relative = 0.002);
}

/// Six calls at once, four within the burst. The others learn it 100 ms later, with the wait that the answer asks for.
#[test]
fn a_third_party_throttles_what_is_over_its_limit_and_says_when_to_come_again() {
    let (outcome, seen) = attempts(
        "
duration: 20s
producers: [ { burst: 6 } ]
downstream:
  servers: 10
  service_time: 1s
  rate_limit: { rate: 1/s, burst: 4, answer_after: 100ms, retry_after: 7s }
variants: { only: {} }
",
    );
    assert_eq!([Metric::Calls, Metric::CallsThrottled].map(|name| metric(&outcome, name)), [6.0, 2.0]);
    assert_eq!(seen.len(), 2);
    for attempt in seen {
        assert_eq!((attempt.error, attempt.retry_after_us), (AttemptError::Throttled, Some(7_000_000)));
        assert_eq!(attempt.since_first_receive_us, 100_000);
    }
}

/// The same thing is sent twice at the same moment: two calls and two effects. A store does not help where both are on their way
/// before the first is written; a unique constraint does. Where one slot works on one after the other, the store does too.
#[test]
fn a_store_that_is_looked_up_before_and_written_after_has_a_gap() {
    let scenario = scenario(
        "
duration: 10s
producers: [ { burst: 1, sent_twice: { share: 100%, after: 0s } } ]
consumers: { concurrency: 2 }
downstream: { servers: 10, service_time: 1s }
variants:
  none: {}
  store: { consumers: { idempotency_store: {} } }
  constraint: { downstream: { unique_constraint: {} } }
  store-one-slot: { consumers: { concurrency: 1, idempotency_store: {} } }
",
    );
    let names = [Metric::Calls, Metric::Effects, Metric::DuplicateEffects, Metric::CallsSkipped];
    let counts = |variant| names.map(|name| metric(&outcome_of(&scenario, variant, 0), name));
    assert_eq!(counts(0), [2.0, 2.0, 1.0, 0.0]);
    assert_eq!(counts(1), [2.0, 2.0, 1.0, 0.0], "both looked before either wrote");
    assert_eq!(counts(2), [2.0, 1.0, 0.0, 0.0]);
    assert_eq!(counts(3), [1.0, 1.0, 0.0, 1.0]);
}

/// Every message is sent again 10 s later: other messages, the same business keys.
#[test]
fn what_is_sent_twice_is_done_twice_unless_the_business_key_is_looked_at() {
    let scenario = scenario(
        "
duration: 1m
producers: [ { rate: 1/s, arrivals: constant, until: 5s, sent_twice: { share: 100%, after: 10s } } ]
downstream: { servers: 10, service_time: 1s }
variants:
  none: {}
  by-message: { consumers: { idempotency_store: { key: message_id } } }
  by-business-key: { consumers: { idempotency_store: { key: business_key } } }
  short-memory: { consumers: { idempotency_store: { key: business_key, ttl: 9s } } }
  late: { producers: [ { rate: 1/s, arrivals: constant, until: 5s, sent_twice: { share: 0% } } ] }
",
    );
    let names = [Metric::Enqueued, Metric::Processed, Metric::Calls, Metric::DuplicateEffects, Metric::CallsSkipped];
    let counts = |variant| names.map(|name| metric(&outcome_of(&scenario, variant, 0), name));
    assert_eq!(counts(0), [10.0, 10.0, 10.0, 5.0, 0.0]);
    assert_eq!(counts(1), [10.0, 10.0, 10.0, 5.0, 0.0]);
    assert_eq!(counts(2), [10.0, 10.0, 5.0, 0.0, 5.0]);
    assert_eq!(counts(3), [10.0, 10.0, 10.0, 5.0, 0.0], "written at 1 s, forgotten at 10 s");
    assert_eq!(counts(4), [5.0, 5.0, 5.0, 0.0, 0.0]);
}

/// Rule F7, deduplication: five minutes from the first send.
#[test]
fn a_fifo_queue_does_not_take_a_second_send_with_the_same_deduplication_id_within_five_minutes() {
    let count = |after: &str, deduplication: &str| {
        let outcome = outcome(&format!(
            "
duration: 10m
queue: {{ type: fifo }}
producers: [ {{ burst: 3, sent_twice: {{ share: 100%, after: {after} }}, deduplication: {deduplication} }} ]
downstream: {{ servers: 10, service_time: 1s }}
variants: {{ only: {{}} }}
"
        ));
        [Metric::Enqueued, Metric::Deduplicated, Metric::DuplicateEffects].map(|name| metric(&outcome, name))
    };
    assert_eq!(count("299s", "business_key"), [3.0, 3.0, 0.0]);
    assert_eq!(count("301s", "business_key"), [6.0, 0.0, 3.0]);
    assert_eq!(count("299s", "message"), [6.0, 0.0, 3.0]);
}
