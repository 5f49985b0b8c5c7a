//! Checks of the limits of a consumer's calls.

use super::range::{number, require, small_count};
use crate::model::policy::{AdaptiveSettings, CallRateLimit, ConcurrencySettings};
use crate::scenario::language::Located;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawAdaptive, RawCallRateLimit, RawConcurrencyLimit};
use crate::scenario::text::Place;
use crate::scenario::value::Share;

const MOST_CALLS: u32 = 1_000_000;

/// The settings of a token bucket.
pub(super) fn call_rate_limit(raw: &RawCallRateLimit, place: Place, problems: &mut Problems) -> Option<CallRateLimit> {
    require(&raw.rate, "rate", "a rate limit of calls", place, problems);
    let rate_per_s = raw.rate.value()?.per_s;
    Some(CallRateLimit {
        rate_per_s,
        burst: small_count(&raw.burst, "burst", seconds_worth(rate_per_s), 1..=MOST_CALLS, "", problems),
        scope: raw.scope.value().copied().unwrap_or_default(),
        per_tenant: raw.per_tenant.value().copied().unwrap_or_default(),
    })
}

/// The tokens of one second, at least one.
pub(super) fn seconds_worth(rate_per_s: f64) -> u32 {
    rate_per_s.ceil().clamp(1.0, MOST_CALLS.into()) as u32
}

/// The settings of a limit of concurrent calls.
pub(super) fn concurrency_limit(
    raw: &RawConcurrencyLimit,
    place: Place,
    problems: &mut Problems,
) -> ConcurrencySettings {
    require(&raw.calls, "calls", "a limit of concurrent calls", place, problems);
    let calls = small_count(&raw.calls, "calls", 1, 1..=MOST_CALLS, "", problems);
    let adaptive = raw.adaptive.given().and_then(|given| Some((given.value.as_option()?, given.place)));
    ConcurrencySettings {
        calls,
        scope: raw.scope.value().copied().unwrap_or_default(),
        per_tenant: raw.per_tenant.value().copied().unwrap_or_default(),
        when_full: raw.when_full.value().copied().unwrap_or_default(),
        adaptive: adaptive.map(|(raw, place)| adaptive_settings(raw, place, calls, problems)),
    }
}

fn adaptive_settings(raw: &RawAdaptive, place: Place, calls: u32, problems: &mut Problems) -> AdaptiveSettings {
    let settings = AdaptiveSettings {
        least: small_count(&raw.least, "least", 1, 1..=MOST_CALLS, "", problems),
        most: small_count(&raw.most, "most", 1_000.max(calls), 1..=MOST_CALLS, "", problems),
        increase: number(&raw.increase, "increase", 1.0, 1e-6..=1_000.0, problems),
        decrease_to: raw.decrease_to.given().map_or(0.5, |given| decrease_to(given, problems)),
    };
    if !(settings.least..=settings.most).contains(&calls) {
        let AdaptiveSettings { least, most, .. } = settings;
        let title = format!("the limit begins with {calls} calls, outside {least} to {most}");
        problems.report(Finding::new(place, title, "`calls` has to be from `least` to `most`"));
    }
    settings
}

fn decrease_to(given: &Located<Share>, problems: &mut Problems) -> f64 {
    if !(0.01..=0.99).contains(&given.value.value) {
        let title = format!("`decrease_to` is {}%, outside 1% to 99%", given.value.value * 100.0);
        problems.report(Finding::new(given.place, title, "allowed: 1% to 99%"));
        return 0.5;
    }
    given.value.value
}
