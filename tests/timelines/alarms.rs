//! Alarms as a run shows them.

use retrystorm::measure::{AlarmFigure, Metric, Outcome};

use crate::support::{metric, outcome_of, scenario};

fn figures(outcome: &Outcome, alarm: usize) -> [Option<f64>; 4] {
    let of = [AlarmFigure::FiredS, AlarmFigure::ClearedS, AlarmFigure::InAlarmS, AlarmFigure::LeadS];
    of.map(|figure| outcome.alarms[alarm].figure(figure))
}

/// Ten messages fail at 0, 30 and 60 s and are dead-lettered at 90 s, so the first loss is at 91 s, the end of that second.
/// VT 30 s, N = 3, periods of a minute.
///
/// - `dlq`: the second minute has the dead letters.
/// - `churn`: 20 receives and no delete in the first minute, 10 in the second; later nothing happens, and nothing clears it.
/// - `late`: the same, published 10 s later.
/// - `twice`: two bad minutes, so 120 s.
/// - `flight`: ten in flight in the first two minutes, none in the third.
/// - `oldest`: 60 s at the end of the first minute; from the third receive on the messages are left out (Q18), just when
///   they are about to be lost.
/// - `deep`: nothing is ever visible at the end of a second.
#[test]
fn each_alarm_fires_at_the_end_of_its_period() {
    let scenario = scenario(
        "
duration: 10m
queue: { visibility_timeout: 30s, redrive: { max_receive_count: 3 } }
producers: [ { burst: 10 } ]
consumers: { fleet: 1, concurrency: 10 }
downstream: { servers: 10, service_time: 100ms, outages: [ { at: 0s, for: 10m, mode: refuse, after: 100ms } ] }
alarms:
  dlq: { metric: dlq_depth, above: 0 }
  churn: { metric: received_over_deleted, above: 2 }
  late: { metric: received_over_deleted, above: 2, delay: 10s }
  twice: { metric: received_over_deleted, above: 2, for: 2 }
  flight: { metric: in_flight, above: 9 }
  oldest: { metric: oldest_age, above: 20s }
  deep: { metric: depth, above: 0 }
variants: { only: {} }
",
    );
    let outcome = outcome_of(&scenario, 0, 0);
    assert_eq!(metric(&outcome, Metric::FirstLossS), 91.0);
    assert_eq!(figures(&outcome, 0), [Some(120.0), None, Some(480.0), Some(-29.0)]);
    assert_eq!(figures(&outcome, 1), [Some(60.0), None, Some(540.0), Some(31.0)]);
    assert_eq!(figures(&outcome, 2), [Some(70.0), None, Some(530.0), Some(21.0)]);
    assert_eq!(figures(&outcome, 3), [Some(120.0), None, Some(480.0), Some(-29.0)]);
    assert_eq!(figures(&outcome, 4), [Some(60.0), Some(180.0), Some(120.0), Some(31.0)]);
    assert_eq!(figures(&outcome, 5), [Some(60.0), Some(120.0), Some(60.0), Some(31.0)]);
    assert_eq!(figures(&outcome, 6), [None, None, Some(0.0), None]);
}

/// A message that can never succeed is no loss, and neither is one that succeeds.
#[test]
fn only_valid_messages_can_be_lost() {
    let scenario = scenario(
        "
duration: 2m
queue: { redrive: { max_receive_count: 1 } }
producers: [ { burst: 5, classes: { permanent: 100% } }, { burst: 5 } ]
downstream: { servers: 10, service_time: 100ms }
alarms: { dlq: { metric: dlq_depth, above: 0 } }
variants: { only: {} }
",
    );
    let outcome = outcome_of(&scenario, 0, 0);
    assert_eq!(metric(&outcome, Metric::DeadLettered), 5.0);
    assert_eq!(outcome.metric(Metric::FirstLossS), None);
    assert_eq!(figures(&outcome, 0), [Some(60.0), None, Some(60.0), None]);
}

/// Five messages are deleted at 0.1 s and received once each: a ratio of 1, however often it is asked.
#[test]
fn a_healthy_queue_has_a_ratio_of_one() {
    let fires = |above: &str| {
        let text = format!(
            "
duration: 1m
producers: [ {{ burst: 5 }} ]
downstream: {{ servers: 10, service_time: 100ms }}
alarms: {{ churn: {{ metric: received_over_deleted, above: {above} }} }}
variants: {{ only: {{}} }}
"
        );
        outcome_of(&scenario(&text), 0, 0).alarms[0].figure(AlarmFigure::Fired) == Some(1.0)
    };
    assert!(fires("0.99") && !fires("1"));
}
