//! How problems look, in full: changes of these texts are changes of what users see.

use retrystorm::scenario::parse;
use std::path::Path;

/// What is printed for a small scenario with some sections replaced or added.
fn printed(sections: &str) -> String {
    let common = [
        "duration: 20m",
        "producers: [ { rate: 800/s } ]",
        "downstream: { servers: 10, service_time: 5ms }",
        "variants: { plain: {}, patient: {} }",
    ];
    let key = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
    let replaced: Vec<String> = sections.lines().map(key).collect();
    let kept = common.into_iter().filter(|line| !replaced.contains(&key(line)));
    let text: String = kept.chain(sections.lines()).flat_map(|line| [line, "\n"]).collect();
    match parse(&text, "s.yaml", Path::new("")) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn an_unknown_key() {
    insta::assert_snapshot!(printed("queue: { retension: 4d }"), @"
    error: unknown key `retension` in the queue
     --> s.yaml:5:10
      |
    5 | queue: { retension: 4d }
      |          ^^^^^^^^^ not a key of the language here
      |
    help: did you mean `retention`?
          the queue takes `type`, `visibility_timeout`, `retention`, `redrive`, `dead_letter_queue`, `back_of_queue`, `return_order`, `twelve_hour_clock`, `delay`, `in_flight_limit`, `stale_delete`, `duplicates` and others
    ");
}

#[test]
fn a_wrong_type() {
    insta::assert_snapshot!(printed("seed: many"), @r"
    error: expected a whole number, found `many`
     --> s.yaml:5:7
      |
    5 | seed: many
      |       ^^^^ a whole number, 0 or more
    ");
}

#[test]
fn a_duration_without_a_unit() {
    insta::assert_snapshot!(printed("duration: 20"), @r"
    error: expected a duration, found the number `20`
     --> s.yaml:4:11
      |
    4 | duration: 20
      |           ^^ a number and a unit, such as 500ms, 30s, 5m, 1h30m or 4d
      |
    help: did you mean `20s`?
    ");
}

#[test]
fn a_negative_rate() {
    insta::assert_snapshot!(printed("producers: [ { rate: -800/s } ]"), @r"
    error: expected a rate, found `-800/s`
     --> s.yaml:4:22
      |
    4 | producers: [ { rate: -800/s } ]
      |                      ^^^^^^ a number above zero and a unit, such as 800/s, 2/m or 10/h
      |
    help: a rate cannot be negative
    ");
}

#[test]
fn a_visibility_timeout_over_twelve_hours() {
    insta::assert_snapshot!(printed("queue: { visibility_timeout: 13h }"), @r"
    error: `visibility_timeout` is 13h, outside 0s to 12h (rule Q2, visibility timeout)
     --> s.yaml:5:30
      |
    5 | queue: { visibility_timeout: 13h }
      |                              ^^^ allowed: 0s to 12h
    ");
}

#[test]
fn a_receive_count_out_of_range() {
    insta::assert_snapshot!(printed("queue: { redrive: { max_receive_count: 1001 } }"), @"
    error: `max_receive_count` is 1001, outside 1 to 1000 (rule Q7, lazy redrive)
     --> s.yaml:5:40
      |
    5 | queue: { redrive: { max_receive_count: 1001 } }
      |                                        ^^^^ allowed: 1 to 1000
    ");
}

#[test]
fn no_variants() {
    insta::assert_snapshot!(printed("variants: {}"), @r"
    error: there are no variants
     --> s.yaml:4:1
      |
    4 | variants: {}
      | ^^^^^^^^ at least one variant belongs here
      |
    help: a single one that changes nothing is `variants: { base: {} }`
    ");
}

#[test]
fn an_unknown_metric() {
    insta::assert_snapshot!(printed("expect: [ { metric: dead_leterred, equals: 0 } ]"), @r"
    error: `dead_leterred` is not a metric of a run
     --> s.yaml:5:21
      |
    5 | expect: [ { metric: dead_leterred, equals: 0 } ]
      |                     ^^^^^^^^^^^^^ unknown here
      |
    help: did you mean `dead_lettered`?
    ");
}

#[test]
fn an_outage_beyond_the_end() {
    insta::assert_snapshot!(printed("downstream: { servers: 10, service_time: 5ms, outages: [ { at: 19m, for: 90s, mode: refuse } ] }"), @r"
    error: this outage lasts until 20m30s, beyond the end of the run at 20m
     --> s.yaml:4:74
      |
    4 | downstream: { servers: 10, service_time: 5ms, outages: [ { at: 19m, for: 90s, mode: refuse } ] }
      |                                                                          ^^^ beyond the end of the run
      |
    help: make `duration` longer, or the outage earlier or shorter
    ");
}

#[test]
fn an_unreachable_percentile() {
    insta::assert_snapshot!(printed("downstream: { servers: 10, service_time: { lognormal: { mean: 20ms, p99: 1s } } }"), @r"
    error: `p99` is 50.0 times the mean, which no lognormal reaches
     --> s.yaml:4:74
      |
    4 | downstream: { servers: 10, service_time: { lognormal: { mean: 20ms, p99: 1s } } }
      |                                                                          ^^ at most 14.97 times `mean`
      |
    help: beyond that ratio, exp(z99^2/2), more spread moves the 99th percentile down again, not up
    ");
}

#[test]
fn a_backoff_without_its_parameters() {
    insta::assert_snapshot!(printed("policy: { backoff: exponential }"), @r"
    error: expected a backoff, found `exponential`
     --> s.yaml:5:20
      |
    5 | policy: { backoff: exponential }
      |                    ^^^^^^^^^^^ not a form of it
      |
    help: did you mean `{ exponential: ... }`?
          write `none` or `spring-exponential` or `celery` or `sidekiq` or
          `{ fixed: ... }` or `{ linear: ... }` or `{ exponential: ... }` or `{ intervals: ... }` or
          `{ shoryuken: ... }` or `{ masstransit: ... }` or `{ masstransit-incremental: ... }`
    ");
}

#[test]
fn an_empty_section() {
    insta::assert_snapshot!(printed("downstream:"), @"
    error: expected a mapping for the downstream, found nothing
     --> s.yaml:4:1
      |
    4 | downstream:
      | ^^^^^^^^^^ keys and values belong here
      |
    help: the downstream takes the keys `servers`, `service_time`, `max_waiting`, `acquire_timeout`, `refuse_after`, `call_timeout`, `rate_limit`, `slow_tenants`, `unique_constraint`, `error_rate`, `failure_cost`, `outages`
    ");
}

#[test]
fn a_scenario_that_would_run_away() {
    insta::assert_snapshot!(printed("producers: [ { rate: 800/s }, { burst: 900000000, every: 1s } ]"), @r"
    error: too large to run: about 4.3 trillion events for 2.2 trillion messages, at most 20.0 billion events
     --> s.yaml:4:40
      |
    4 | producers: [ { rate: 800/s }, { burst: 900000000, every: 1s } ]
      |                                        ^^^^^^^^^ this makes it large
      |
    help: divide `producers[1].burst` by 217, or make `duration` shorter
    ");
}

#[test]
fn several_mistakes() {
    insta::assert_snapshot!(printed("titel: x\nqueue: { back_of_queue: yes }\nclaims: [ { variant: pateint, metric: calls, figure: 3 } ]"), @"
    error: unknown key `titel` in the scenario
     --> s.yaml:5:1
      |
    5 | titel: x
      | ^^^^^ not a key of the language here
      |
    help: did you mean `title`?
          the scenario takes `title`, `seed`, `duration`, `warm_up`, `replications`, `queue`, `producers`, `consumers`, `downstream`, `policy`, `other_queues`, `operations` and others

    error: expected `true` or `false`, found `yes`
     --> s.yaml:6:25
      |
    6 | queue: { back_of_queue: yes }
      |                         ^^^ `true` or `false`
      |
    help: did you mean `true`?

    error: there is no variant `pateint`
     --> s.yaml:7:22
      |
    7 | claims: [ { variant: pateint, metric: calls, figure: 3 } ]
      |                      ^^^^^^^ not a variant of this scenario
      |
    help: did you mean `patient`?
    ");
}
