//! How often a message that keeps failing is tried.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::seconds;
use crate::model::policy::{Backoff, ClassDisposition, ClientSettings, ErrorClass};
use crate::scenario::checked::Setup;

/// Shortest time from one attempt to the next; even a delay of nothing takes a receive and a call.
const SHORTEST_CYCLE_S: f64 = 0.001;
/// Attempts whose delays are added up one by one; later delays are taken as equal.
const COUNTED_ONE_BY_ONE: u32 = 100;
/// Most tries that any client library has in a receive.
const MOST_TRIES: u32 = 1_000;

/// Attempts of a message that fails with such an error at each of them for a time, its first included.
pub(super) fn attempts_within(setup: &Setup, time_s: f64, error: ErrorClass) -> f64 {
    let most = setup.queue.max_receive_count.map_or(f64::INFINITY, f64::from);
    let backoff = setup.policy.backoff.build();
    let cycles_s: Box<dyn Iterator<Item = f64>> = match setup.policy.dispositions.of(error) {
        ClassDisposition::DeadLetter | ClassDisposition::Delete | ClassDisposition::RecordAndDelete => return 1.0,
        ClassDisposition::BackOff => cycles_s(setup, backoff.as_ref()),
        ClassDisposition::LetLeaseExpire => cycles_s(setup, None),
        // The copy's receives are counted anew: nothing ends it.
        ClassDisposition::Resend => return (time_s / cycle_s(setup, 0.0)).max(1.0),
        ClassDisposition::VisibilityZero => Box::new(std::iter::repeat(cycle_s(setup, 0.0))),
    };
    let mut passed_s = 0.0;
    let mut last_s = SHORTEST_CYCLE_S;
    for (failed, cycle_s) in (1..=COUNTED_ONE_BY_ONE).zip(cycles_s) {
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
    let floor_s = f64::from(setup.policy.floor_s);
    match backoff {
        None => Box::new(std::iter::repeat(cycle_s(setup, seconds(setup.queue.visibility_timeout_us)))),
        Some(backoff) => Box::new(backoff.ranges().map(move |range| cycle_s(setup, range.mean_s.max(floor_s)))),
    }
}

/// Time from one attempt to the next with such a delay between them.
fn cycle_s(setup: &Setup, delay_s: f64) -> f64 {
    (delay_s + mean_s(setup.consumers.handler_time)).max(SHORTEST_CYCLE_S)
}

/// Most calls that a client library makes within one receive.
pub(super) fn tries_a_receive(setup: &Setup) -> f64 {
    let client = setup.policy.client.as_ref().map(ClientSettings::build);
    let retries = |tries: &u32| client.as_ref().is_some_and(|client| client.wait_us(*tries).is_some());
    1.0 + (1..=MOST_TRIES).take_while(retries).count() as f64
}

/// Mean of a distribution.
pub(super) fn mean_s(distribution: TimeDistribution) -> f64 {
    let mean_us = match distribution {
        TimeDistribution::Constant { value_us } => value_us as f64,
        TimeDistribution::Exponential { mean_us } | TimeDistribution::LogNormal { mean_us, .. } => mean_us,
    };
    mean_us / 1e6
}
