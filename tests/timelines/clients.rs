//! Retries within a receive: the stubborn consumer.

use retrystorm::measure::{Metric, SeriesMetric};

use crate::support::{each_second, metric, outcome, outcome_of, scenario};

/// Five tries, 1, 2, 4 and 8 s apart: calls at 0, 1, 3, 7 and 15 s, and with the outage at its end at 10 s the last one
/// works. One receive, and no redrive comes near.
#[test]
fn a_client_that_tries_again_outlasts_a_short_outage_within_one_receive() {
    let outcome = outcome(
        "
duration: 1m
queue: { redrive: { max_receive_count: 1 } }
producers: [ { burst: 1 } ]
downstream: { servers: 1, service_time: 10ms, outages: [ { at: 0s, for: 10s, mode: refuse } ] }
variants: { only: { policy: { client: { retries: { attempts: 5, base: 1s, factor: 2, jitter: none } } } } }
",
    );
    let calls = each_second(&outcome, SeriesMetric::Calls);
    let seconds: Vec<usize> = (0..calls.len()).filter(|&second| calls[second] > 0).collect();
    assert_eq!(seconds, [0, 1, 3, 7, 15]);
    assert_eq!([Metric::Receives, Metric::Processed].map(|name| metric(&outcome, name)), [1.0, 1.0]);
}

/// The stubborn consumer sleeps in its slot for longer than the lease: others get the message meanwhile, and its own delete
/// comes too late. With a heartbeat nobody does.
#[test]
fn a_client_that_sleeps_past_the_lease_works_on_what_others_have_as_well() {
    let scenario = scenario(
        "
duration: 3m
queue: { visibility_timeout: 20s }
producers: [ { burst: 1 } ]
downstream: { servers: 10, service_time: 10ms, outages: [ { at: 0s, for: 50s, mode: refuse } ] }
variants:
  bare: { policy: { client: { retries: { attempts: 3, base: 30s, factor: 1, cap: 30s, jitter: none } } } }
  heartbeat:
    policy: { client: { retries: { attempts: 3, base: 30s, factor: 1, cap: 30s, jitter: none } } }
    consumers: { heartbeat: { every: 10s, extend_to: 20s } }
",
    );
    let names = [Metric::Receives, Metric::Processed, Metric::DuplicateEffects];
    let counts = |variant| names.map(|name| metric(&outcome_of(&scenario, variant, 0), name));
    // Received at 0, 20, 40 and 60 s; the first holder's third try, at 60 s, works at the moment of the fourth receive,
    // whose own first try works too.
    let [receives, processed, duplicates] = counts(0);
    assert!(receives >= 4.0 && processed == 1.0 && duplicates >= 1.0, "{receives} {processed} {duplicates}");
    assert_eq!(counts(1), [1.0, 1.0, 0.0]);
}

/// The classic ending: after the last try the message is deleted. The loss shows, and no dead letter tells of it.
#[test]
fn a_stubborn_consumer_that_deletes_at_the_end_loses_without_a_trace() {
    let outcome = outcome(
        "
duration: 2m
queue: { redrive: { max_receive_count: 5 } }
producers: [ { rate: 10/s, arrivals: constant, until: 1m } ]
consumers: { fleet: 10, concurrency: 100 }
downstream: { servers: 100, service_time: 10ms, outages: [ { at: 0s, for: 30s, mode: refuse } ] }
variants:
  only:
    policy:
      client: { retries: { attempts: 3, base: 1s, factor: 1, cap: 1s, jitter: none } }
      dispositions: { transient: delete }
",
    );
    let names = [Metric::DeletedUnprocessed, Metric::DeadLettered, Metric::Processed];
    // Tries a little over one second apart: what arrives in the last 2 s of the outage is saved by its third try.
    let [deleted, dead_lettered, processed] = names.map(|name| metric(&outcome, name));
    assert_eq!((deleted + processed, dead_lettered), (600.0, 0.0));
    assert!((279.0..=281.0).contains(&deleted), "28 s of 10 a second: {deleted}");
}

/// The standard mode's bucket has 500 tokens and each retry costs 5, 10 after a timeout: 100 retries of a client, and then
/// none, however many messages fail. Without refills the calls are one a message and those 100.
#[test]
fn a_retry_budget_stops_a_client_from_multiplying_an_outage() {
    let scenario = scenario(
        "
duration: 1m
queue: { visibility_timeout: 2m }
producers: [ { burst: 400 } ]
consumers: { fleet: 1, concurrency: 400 }
downstream: { servers: 400, service_time: 10ms, outages: [ { at: 0s, for: 59s, mode: refuse } ] }
variants:
  budget: { policy: { client: aws-sdk-standard } }
  stubborn: { policy: { client: { retries: { attempts: 3 } } } }
",
    );
    let calls = |variant| metric(&outcome_of(&scenario, variant, 0), Metric::Calls);
    assert_eq!([calls(0), calls(1)], [500.0, 1_200.0]);
}

/// Adaptive throttling rejects in the client what would be rejected anyway: the downstream sees few of the calls.
#[test]
fn an_adaptive_client_rejects_most_calls_while_nothing_is_accepted() {
    let outcome = outcome(
        "
duration: 5m
queue: { visibility_timeout: 5s }
producers: [ { rate: 100/s, until: 4m } ]
consumers: { fleet: 1, concurrency: 2000 }
downstream: { servers: 1000, service_time: 10ms, outages: [ { at: 60s, for: 60s, mode: refuse } ] }
variants: { only: { policy: { client: sre-adaptive-throttling } } }
",
    );
    let (calls, rejected) = (each_second(&outcome, SeriesMetric::Calls), metric(&outcome, Metric::CallsRejected));
    let before: u32 = calls[..60].iter().sum();
    assert!((5_700..6_300).contains(&before), "all go out while all is well: {before}");
    assert!(rejected > 5_000.0, "{rejected}");
    assert_eq!(metric(&outcome, Metric::DeadLettered), 0.0);
}
