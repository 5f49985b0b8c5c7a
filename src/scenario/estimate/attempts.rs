//! How often a message that keeps failing is tried.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::seconds;
use crate::model::policy::{BackoffSettings, Jitter};
use crate::scenario::checked::Setup;

/// Shortest time from one attempt to the next; even a delay of nothing takes a receive and a call.
const SHORTEST_CYCLE_S: f64 = 0.001;
/// Attempts whose delays are added up one by one; later delays are taken as equal.
const COUNTED_ONE_BY_ONE: u32 = 100;

/// Attempts of a message that fails at each of them for a time, its first included.
pub(super) fn attempts_within(setup: &Setup, time_s: f64) -> f64 {
    let most = setup.queue.max_receive_count.map_or(f64::INFINITY, f64::from);
    let mut passed_s = 0.0;
    for failed in 1..=COUNTED_ONE_BY_ONE {
        passed_s += mean_delay_s(setup, failed);
        if passed_s >= time_s || f64::from(failed) >= most {
            return f64::from(failed).min(most);
        }
    }
    let more = (time_s - passed_s) / mean_delay_s(setup, COUNTED_ONE_BY_ONE);
    (f64::from(COUNTED_ONE_BY_ONE) + more).min(most)
}

/// Mean time until the next attempt, after so many failed ones.
fn mean_delay_s(setup: &Setup, failed: u32) -> f64 {
    let further = f64::from(failed.saturating_sub(1));
    let delay_s = match setup.policy.backoff {
        BackoffSettings::None => seconds(setup.queue.visibility_timeout_us),
        BackoffSettings::Fixed { delay_s, jitter } => jittered(f64::from(delay_s), jitter),
        BackoffSettings::Linear { step_s, cap_s, jitter } => {
            jittered((f64::from(step_s) * (further + 1.0)).min(cap_s.into()), jitter)
        }
        BackoffSettings::Exponential { base_s, factor, cap_s, jitter } => {
            jittered((f64::from(base_s) * factor.powf(further)).min(cap_s.into()), jitter)
        }
    };
    (delay_s + mean_s(setup.consumers.handler_time)).max(SHORTEST_CYCLE_S)
}

/// Mean of a delay under jitter; rough for those that have no short formula.
fn jittered(delay_s: f64, jitter: Jitter) -> f64 {
    match jitter {
        Jitter::None => delay_s,
        Jitter::Full | Jitter::Decorrelated => delay_s / 2.0,
        Jitter::Equal => delay_s * 0.75,
        Jitter::FlooredFull { floor_s } => (delay_s / 2.0).max(floor_s.into()),
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
