//! How often a message that keeps failing is tried.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::seconds;
use crate::model::policy::Backoff;
use crate::scenario::checked::Setup;

/// Shortest time from one attempt to the next; even a delay of nothing takes a receive and a call.
const SHORTEST_CYCLE_S: f64 = 0.001;
/// Attempts whose delays are added up one by one; later delays are taken as equal.
const COUNTED_ONE_BY_ONE: u32 = 100;

/// Attempts of a message that fails at each of them for a time, its first included.
pub(super) fn attempts_within(setup: &Setup, time_s: f64) -> f64 {
    let most = setup.queue.max_receive_count.map_or(f64::INFINITY, f64::from);
    let backoff = setup.policy.backoff.build();
    let mut passed_s = 0.0;
    let mut last_s = SHORTEST_CYCLE_S;
    for (failed, cycle_s) in (1..=COUNTED_ONE_BY_ONE).zip(cycles_s(setup, backoff.as_ref())) {
        last_s = cycle_s;
        passed_s += cycle_s;
        if passed_s >= time_s || f64::from(failed) >= most {
            return f64::from(failed).min(most);
        }
    }
    (f64::from(COUNTED_ONE_BY_ONE) + (time_s - passed_s) / last_s).min(most)
}

/// Mean times from each attempt to the next, after the first failed one and the further ones.
fn cycles_s<'a>(setup: &'a Setup, backoff: Option<&'a Backoff>) -> Box<dyn Iterator<Item = f64> + 'a> {
    let handler_s = mean_s(setup.consumers.handler_time);
    let cycle_s = move |delay_s: f64| (delay_s + handler_s).max(SHORTEST_CYCLE_S);
    let floor_s = f64::from(setup.policy.floor_s);
    match backoff {
        None => Box::new(std::iter::repeat(cycle_s(seconds(setup.queue.visibility_timeout_us)))),
        Some(backoff) => Box::new(backoff.ranges().map(move |range| cycle_s(range.mean_s.max(floor_s)))),
    }
}

/// Mean of a distribution.
pub(super) fn mean_s(distribution: TimeDistribution) -> f64 {
    let mean_us = match distribution {
        TimeDistribution::Constant { value_us } => value_us as f64,
        TimeDistribution::Exponential { mean_us } | TimeDistribution::LogNormal { mean_us, .. } => mean_us,
    };
    mean_us / 1e6
}
