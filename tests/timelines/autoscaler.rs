//! The autoscaler as a run shows it: `fleet` counts the consumers at the end of each second.

use retrystorm::measure::{Metric, Outcome, SeriesMetric};

use crate::support::{each_second, metric, outcome};

/// The seconds in which the fleet gets another size, with the size.
fn changes(outcome: &Outcome) -> Vec<(usize, u32)> {
    let fleet = each_second(outcome, SeriesMetric::Fleet);
    let mut changes = vec![(0, fleet[0])];
    for second in 1..fleet.len() {
        if fleet[second] != fleet[second - 1] {
            changes.push((second, fleet[second]));
        }
    }
    changes
}

/// 1000 messages at 0 s; each consumer has one slot, and a call takes 10 s. A look each minute, 100 messages a consumer.
fn scaled(autoscale: &str) -> Outcome {
    outcome(&format!(
        "
duration: 30m
queue: {{ visibility_timeout: 5m }}
producers: [ {{ burst: 1000 }} ]
consumers: {{ fleet: 2, concurrency: 1, autoscale: {autoscale} }}
downstream: {{ servers: 100, service_time: 10s }}
variants: {{ only: {{}} }}
"
    ))
}

/// Two consumers begin 12 messages in the first minute. Some 988 are left: ten consumers, which begin 60 a minute. From then
/// on fewer are needed, but each change waits for five minutes after the one before:
///
/// | at | begun | left | consumers |
/// | --- | --- | --- | --- |
/// | 360 s | 12 + 300 | 688 | 7 |
/// | 660 s | 312 + 210 | 478 | 5 |
/// | 960 s | 522 + 150 | 328 | 4 |
/// | 1260 s | 672 + 120 | 208 | 3 |
/// | 1560 s | 792 + 90 | 118 | 2 |
///
/// That the calls of the very moment may come before the look, up to ten of them, makes no difference to any of it.
#[test]
fn the_fleet_follows_the_backlog_up_at_once_and_down_after_the_cooldown() {
    let outcome = scaled("{ target: 100, min: 2, max: 60, every: 60s, cooldown: 5m }");
    assert_eq!(changes(&outcome), [(0, 2), (60, 10), (360, 7), (660, 5), (960, 4), (1260, 3), (1560, 2)]);
    assert_eq!(metric(&outcome, Metric::FleetPeak), 10.0);
}

#[test]
fn the_fleet_is_never_larger_than_its_limit() {
    let outcome = scaled("{ target: 100, min: 2, max: 5, cooldown: 1h }");
    assert_eq!(changes(&outcome), [(0, 2), (60, 5)]);
}

#[test]
fn new_consumers_begin_after_their_start_up() {
    let outcome = scaled("{ target: 100, max: 10, cooldown: 1h, start_up: 90s }");
    assert_eq!(changes(&outcome), [(0, 2), (150, 10)]);
}

/// Nothing arrives: the first look dismisses what is too much, since nothing has changed before it.
#[test]
fn an_idle_fleet_shrinks_to_its_least_at_the_first_look() {
    let outcome = outcome(
        "
duration: 5m
producers: [ { burst: 1, from: 4m } ]
consumers: { fleet: 9, autoscale: { target: 100, min: 3, max: 9, every: 100s } }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
",
    );
    assert_eq!(changes(&outcome), [(0, 9), (100, 3)]);
    assert_eq!(metric(&outcome, Metric::Processed), 1.0);
}

/// An operator scales to one consumer at 90 s; the next look, at 120 s, brings back what the backlog asks for.
#[test]
fn an_operator_is_overruled_at_the_next_look() {
    let outcome = outcome(
        "
duration: 3m
producers: [ { burst: 1000 } ]
consumers: { fleet: 2, concurrency: 1, autoscale: { target: 100, max: 10 } }
downstream: { servers: 100, service_time: 10s }
operations: [ { at: 90s, fleet: 1 } ]
variants: { only: {} }
",
    );
    assert_eq!(changes(&outcome), [(0, 2), (60, 10), (90, 1), (120, 10)]);
}

/// Consumers that the autoscaler hires have breakers of their own: ten of ten are open in the end, not ten of two.
#[test]
fn new_consumers_have_breakers_of_their_own() {
    let outcome = outcome(
        "
duration: 2m
queue: { visibility_timeout: 5m }
producers: [ { burst: 1000 } ]
consumers: { fleet: 2, concurrency: 1, autoscale: { target: 100, max: 10 } }
downstream: { servers: 100, service_time: 10s, outages: [ { at: 0s, for: 2m, mode: refuse, after: 100ms } ] }
policy: { breaker: { failures: 1, cooldown: 10m } }
variants: { only: {} }
",
    );
    let open = each_second(&outcome, SeriesMetric::BreakerOpen);
    assert_eq!((open[59], open[60], open[119], outcome.breakers), (2, 10, 10, 10));
}
