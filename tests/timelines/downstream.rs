//! The line in front of the servers, patience, and what failures cost, as a run shows them.

use retrystorm::measure::{Metric, SeriesMetric};
use retrystorm::model::policy::AttemptError::{Refused, TimedOut};

use crate::spy::failures;
use crate::support::{each_second, metric, outcome};

/// Calls take 1 s at full speed. The outage ends at 10 s and leaves a warm-up of 10 s that starts at three times the
/// service time: a call of 10 s takes 3 s, one of 15 s takes 2 s, one of 20 s takes 1 s again.
#[test]
fn a_warm_up_slows_service_less_and_less() {
    let outcome = outcome(
        "
duration: 1m
producers: [ { burst: 1, every: 5s, from: 10s, until: 21s } ]
downstream:
  servers: 5
  service_time: 1s
  outages: [ { at: 0s, for: 10s, mode: refuse, warm_up: { for: 10s, factor: 3 } } ]
variants: { only: {} }
",
    );
    let successes = each_second(&outcome, SeriesMetric::Successes);
    assert_eq!((successes[13], successes[17], successes[21]), (1, 1, 1));
    assert_eq!(outcome.time_to_success.max_s(), Some(3.0));
    assert_eq!(outcome.time_to_success.mean_s(), Some(2.0));
}

/// One server, calls of 0.3 s, callers wait for 1 s. The call of 0 s meets a slow moment and takes 3 s: its caller leaves
/// at 1 s, the server stays busy until 3 s. So the caller of 1.5 s waits in vain until 2.5 s; the one of 2.5 s is served
/// from 3.0 to 3.3 s.
#[test]
fn a_caller_that_times_out_leaves_its_server_busy() {
    let (outcome, failures) = failures(
        "
duration: 10s
producers: [ { burst: 1 }, { burst: 1, every: 1s, from: 1500ms, until: 3s } ]
downstream:
  servers: 1
  service_time: 300ms
  call_timeout: 1s
  outages: [ { at: 0s, for: 500ms, mode: slow, factor: 10 } ]
variants: { only: {} }
",
    );
    assert_eq!(failures, [(1.0, TimedOut), (1.0, TimedOut)]);
    assert_eq!(outcome.time_to_success.max_s(), Some(0.8));
    assert_eq!(metric(&outcome, Metric::Calls), 3.0);
}

/// One server, busy with a call of 10 s from 0 s; one call may wait, for 2 s; a call that finds the line full is held for
/// 0.5 s. The call of 1 s waits and gives up at 3 s; that of 2 s finds the line full and fails at 2.5 s; that of 3.5 s
/// finds the line empty again and gives up at 5.5 s.
#[test]
fn a_full_line_and_a_long_wait_are_refusals_each_after_their_time() {
    let (outcome, failures) = failures(
        "
duration: 20s
producers:
  - { burst: 1 }
  - { burst: 1, from: 1s }
  - { burst: 1, from: 2s }
  - { burst: 1, from: 3500ms }
downstream: { servers: 1, service_time: 10s, max_waiting: 1, acquire_timeout: 2s, refuse_after: 500ms }
variants: { only: {} }
",
    );
    assert_eq!(failures, [(0.5, Refused), (2.0, Refused), (2.0, Refused)]);
    let failed = each_second(&outcome, SeriesMetric::Failures);
    assert_eq!(failed[..6], [0, 0, 1, 1, 0, 1]);
    assert_eq!(outcome.time_to_success.max_s(), Some(10.0));
}

/// One server, calls of 4 s, one may wait. The call of 0 s is done at 4 s; that of 1 s waits; that of 2 s finds the line
/// full, and at a cost of half a call leaves 2 s of work, which come before the line: the second call is served from 6 to
/// 10 s instead of from 4 to 8 s.
#[test]
fn the_cost_of_a_failed_call_delays_the_line() {
    let second_took_s = |failure_cost: f64| {
        let (outcome, failures) = failures(&format!(
            "
duration: 20s
producers: [ {{ burst: 1, every: 1s, until: 3s }} ]
downstream: {{ servers: 1, service_time: 4s, max_waiting: 1, refuse_after: 1s, failure_cost: {failure_cost} }}
variants: {{ only: {{}} }}
"
        ));
        assert_eq!(failures, [(1.0, Refused)]);
        outcome.time_to_success.max_s()
    };
    assert_eq!(second_took_s(0.0), Some(7.0));
    assert_eq!(second_took_s(0.5), Some(9.0));
}

/// Ten calls at 0 s wait for one server, which takes 1 s for each; the outage begins at 2.5 s. The call on the server is
/// finished at 3 s; then the rest of the line is turned away at once and learns of it after 0.2 s.
#[test]
fn an_outage_lets_running_calls_finish_and_turns_the_line_away() {
    let (outcome, failures) = failures(
        "
duration: 20s
producers: [ { burst: 10 } ]
downstream: { servers: 1, service_time: 1s, outages: [ { at: 2500ms, for: 10s, mode: refuse, after: 200ms } ] }
variants: { only: {} }
",
    );
    assert_eq!(each_second(&outcome, SeriesMetric::Successes)[..5], [0, 1, 1, 1, 0]);
    assert_eq!(failures, [(3.2, Refused); 7]);
}

/// A call that hangs ends with its caller's patience, not with the outage: begun at 1 s, failed at 9 s, although the
/// outage was over at 2 s.
#[test]
fn a_hanging_call_lasts_as_long_as_its_callers_patience() {
    let (outcome, failures) = failures(
        "
duration: 20s
producers: [ { burst: 1, from: 1s } ]
downstream: { servers: 1, service_time: 10ms, call_timeout: 8s, outages: [ { at: 0s, for: 2s, mode: hang } ] }
variants: { only: {} }
",
    );
    assert_eq!(failures, [(8.0, TimedOut)]);
    assert_eq!(metric(&outcome, Metric::CallsDuringOutage), 1.0);
}
