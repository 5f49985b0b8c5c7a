//! A function at half load: nothing is lost and nothing repeated, whatever it is configured with.

use retrystorm::measure::Metric;

use crate::support::{metric, outcome_of, scenario};

/// 25 messages a second for most of an hour. Each is 200 ms of work, so that one by one five invocations of the ten that are
/// reserved are at work.
#[test]
fn a_healthy_function_at_half_load_dead_letters_nothing_and_repeats_nothing() {
    for throttled in ["reoffer", "prefetch", "drop"] {
        for responses in ["whole_batch", "failed_items"] {
            for records in ["in_turn", "at_once"] {
                for window in ["0s", "2s"] {
                    let lambda =
                        format!("throttled: {throttled}, responses: {responses}, records: {records}, window: {window}");
                    is_healthy(&lambda);
                }
            }
        }
    }
}

fn is_healthy(lambda: &str) {
    let scenario = scenario(&format!(
        "
duration: 1h
queue: {{ visibility_timeout: 182s, redrive: {{ max_receive_count: 5 }} }}
producers: [ {{ rate: 25/s, until: 50m }} ]
consumers: {{ lambda: {{ timeout: 30s, reserved_concurrency: 10, cold_start: 300ms, {lambda} }} }}
downstream: {{ servers: 100, service_time: 200ms }}
variants: {{ only: {{}} }}
"
    ));
    let outcome = outcome_of(&scenario, 0, 0);
    let number = |name| metric(&outcome, name);
    let wrong = [Metric::DeadLettered, Metric::Duplicates, Metric::Pending, Metric::InvocationsFailed].map(number);
    assert_eq!(wrong, [0.0; 4], "{lambda}");
    assert_eq!(number(Metric::Processed), number(Metric::Enqueued), "{lambda}");
}
