//! `retrystorm policies`.

use retrystorm::model::policy::{BACKOFFS, CLIENTS, JITTERS};

use crate::tool::{Desk, printed};

/// The names of all kinds of all catalogues.
fn names() -> Vec<&'static str> {
    let names = BACKOFFS.iter().map(|kind| kind.about.name).chain(JITTERS.iter().map(|kind| kind.about.name));
    names.chain(CLIENTS.iter().map(|kind| kind.about.name)).collect()
}

#[test]
fn the_list_has_a_line_for_every_kind() {
    insta::assert_snapshot!(printed(&["policies"]), @"
    Backoffs
      policy: { backoff: NAME }

      none                     No backoff: the lease expires.
      fixed                    The same delay each time.
      linear                   One step more each time.
      exponential              A multiple each time.
      intervals                A list of delays; the last one repeats.
      spring-exponential       Spring Cloud AWS's handlers, with their jitters.
      spring-linear            Spring Cloud AWS's handler that adds an increment.
      shoryuken                Shoryuken's `retry_intervals`; the last one repeats.
      celery                   Celery's `retry_backoff`; only its delays.
      masstransit              MassTransit's `Exponential`; only its delays.
      masstransit-incremental  MassTransit's `Incremental`; only its delays.
      sidekiq                  Sidekiq's fourth power; only its delays.

    Jitters
      policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: NAME } } }

      none                     Not at all.
      full                     Uniform from 0 to the delay.
      equal                    Half the delay, plus uniform over the other half.
      half                     `equal`, under Spring's name: the same numbers.
      decorrelated             Uniform from the base to 3 × the previous delay.
      floored_full             Full jitter, but never below a floor.
      bounded                  Uniform around the delay, by a share of it.

    Clients
      policy: { client: NAME }

      none                     One try in each receive.
      retries                  More tries in a receive, with waits that grow.
      aws-sdk-standard         AWS SDKs, mode `standard` until 2026.
      aws-sdk-2026             AWS SDKs, mode `standard` of 2026: short, dear.
      aws-sdk-adaptive         AWS SDKs, mode `adaptive`: standard and a rate limit.
      finagle-budget           Finagle's budget: a share of calls, and a reserve.
      sre-adaptive-throttling  Google SRE: rejects what would not be accepted.

    Load controls
      policy: NAME

      breaker                  Stops polling after failures; probes, then a ramp-up.
      rate_limit               A token bucket in front of the calls.
      concurrency_limit        A semaphore; by tenant a bulkhead; may adapt (AIMD).

    `retrystorm policies NAME` tells all about one.
    ");
}

#[test]
fn the_page_of_a_backoff() {
    insta::assert_snapshot!(printed(&["policies", "exponential"]), @r#"
    exponential (backoff)
      A multiple each time.

    Formula
      d = min(cap, base × factor^(n − 1)), rounded to whole seconds, halves up

    Parameters
      base
          First delay.
          whole seconds: 1s to 12h; has to be given
      factor
          Multiplier of each further attempt, at least 1.
          number: 1 to 1000000; default 2
      cap
          Largest delay.
          whole seconds: 1s to 12h; default 12h
      jitter
          How the delay is randomised.
          jitter: any jitter; default none

    Example
      policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }

    Delays of the example, after each attempt
       n       min      mean       max
       1        0s        5s       10s  =|
       2        0s       10s       20s  =|==
       3        0s       20s       40s  ===|===
       4        0s       40s     1m20s  ======|=====
       5        0s     1m20s     2m40s  ===========|============
       6        0s     2m30s        5m  ======================|=====================
       7        0s     2m30s        5m  ======================|=====================
       8        0s     2m30s        5m  ======================|=====================
       9        0s     2m30s        5m  ======================|=====================
      10        0s     2m30s        5m  ======================|=====================

    A mistake
      With few receives: short first delays spend them before an outage is over.
      Without jitter, what failed together comes back together.

    Source
      M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015
    "#);
}

#[test]
fn the_page_of_a_backoff_of_a_library() {
    insta::assert_snapshot!(printed(&["policies", "sidekiq"]), @r#"
    sidekiq (backoff)
      Sidekiq's fourth power; only its delays.

    Formula
      (n − 1)^4 + 15 + U{0..10 × n − 1}, at most 12 h

    Parameters
      none

    Example
      policy: { backoff: sidekiq }

    Delays of the example, after each attempt
       n       min      mean       max
       1       15s     19.5s       24s  |
       2       16s     25.5s       35s  |
       3       31s     45.5s        1m  |
       4     1m36s     1m56s     2m15s  .|
       5     4m31s     4m56s     5m20s  ..|
       6    10m40s    11m10s    11m39s  ....|=
       7    21m51s    22m26s       23m  ........=|
       8    40m16s    40m56s    41m35s  ................|
       9   1h8m31s   1h9m16s     1h10m  ..........................=|
      10  1h49m36s  1h50m26s  1h51m15s  ..........................................=|

    A mistake
      On a queue with few receives: its 25 retries take three weeks, which neither a
      lease nor the retention of a queue allows. After the fifteenth the delays are
      cut to 12 h.

    Source
      sidekiq/sidekiq 8.1: lib/sidekiq/job_retry.rb, delay_for and attempt_retry.
      Version 7 drew rand(10) × n, older ones rand(30) × n. The delay is what is
      reproduced: Sidekiq itself keeps a retry set in Redis.
    "#);
}

#[test]
fn the_page_of_a_jitter() {
    insta::assert_snapshot!(printed(&["policies", "floored_full"]), @r#"
    floored_full (jitter)
      Full jitter, but never below a floor.

    Formula
      max(floor, U{0..d})

    Parameters
      floor
          The smallest delay.
          whole seconds: 0s to 12h; has to be given

    Example
      policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: {
      floored_full: { floor: 5s } } } } }

    Delays of the example, after each attempt
       n       min      mean       max
       1        5s     6.36s       10s  .|
       2        5s     10.7s       20s  .=|=
       3        5s     20.4s       40s  .==|===
       4        5s     40.2s     1m20s  .=====|=====
       5        5s     80.1s     2m40s  .==========|============
       6        5s     2m30s        5m  .=====================|=====================
       7        5s     2m30s        5m  .=====================|=====================
       8        5s     2m30s        5m  .=====================|=====================
       9        5s     2m30s        5m  .=====================|=====================
      10        5s     2m30s        5m  .=====================|=====================

    A mistake
      With a floor near the base: at a floor of the base the first delay has no
      jitter at all.

    Source
      A usual remedy against delays of nothing; Spring Cloud AWS has it with a floor
      of 1 s.
    "#);
}

#[test]
fn the_page_of_a_client() {
    insta::assert_snapshot!(printed(&["policies", "aws-sdk-2026"]), @r#"
    aws-sdk-2026 (client)
      AWS SDKs, mode `standard` of 2026: short, dear.

    Formula
      after try n: U(0, 1) × min(20 s, base × 2^(n − 1)), base 50 ms, after
      throttling 1 s. A bucket of 500 tokens: a retry takes 14, after throttling 5;
      the rest as in `aws-sdk-standard`.

    Parameters
      attempts
          Tries in one receive, the first included.
          count: 1 to 1000; default 3

    Example
      policy: { client: aws-sdk-2026 }

    Delays of the example, after each attempt
       n       min      mean       max
       1        0s      25ms      50ms  ===========|===========
       2        0s      50ms     100ms  ======================|=====================

    A mistake
      When an outage lasts longer than a moment: three tries are over in a tenth of
      a second.

    Source
      boto/botocore: botocore/retries/standard.py, version 2.1 of the mode;
      docs.aws.amazon.com/sdkref, feature-retry-behavior.html (rule C2, values of
      2026), on with AWS_NEW_RETRIES_2026. Its header x-amz-retry-after is left out.
    "#);
}

#[test]
fn a_name_that_several_catalogues_have_gets_a_page_of_each() {
    let page = printed(&["policies", "none"]);
    for words in ["none (backoff)", "none (jitter)", "none (client)"] {
        assert!(page.contains(words), "{words} in {page}");
    }
}

#[test]
fn every_kind_has_a_page_within_80_columns_whose_example_is_a_scenario() {
    for name in names() {
        let page = printed(&["policies", name]);
        let example = page.split("Example\n").nth(1).expect("an example");
        let example: String = example.lines().take_while(|line| !line.is_empty()).collect();
        let desk = Desk::new();
        let rest = "duration: 1m\nproducers: [ { rate: 1/s } ]\ndownstream: { servers: 1, service_time: 1ms }\n";
        desk.put("example.yaml", &format!("{rest}variants: {{ a: {{}} }}\n{}\n", example.trim()));
        desk.run(&["check", "example.yaml"]).ended_with(0);
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_one() {
    let desk = Desk::new();
    for (name, words) in [("exponentail", "did you mean `exponential`?"), ("colour", "`retrystorm policies` lists all")]
    {
        let run = desk.run(&["policies", name]).ended_with(2);
        assert!(run.stderr().contains(&format!("there is no policy `{name}`")), "{}", run.stderr());
        assert!(run.stderr().contains(words), "{}", run.stderr());
        assert_eq!(run.stdout(), "");
    }
}
