//! Checks of circuit breakers.

use super::range::{count_given, duration_us, require, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MILLISECOND_US, SECOND_US};
use crate::model::policy::{BreakerSettings, BreakerTrips, FailureRate, RampUp, RateWindow, Throttling};
use crate::scenario::language::{Field, Located, OrNone};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawBreaker, RawFailureRate, RawRampUp, RawThrottling};
use crate::scenario::text::Place;
use crate::scenario::value::{Duration, Share};
use std::ops::RangeInclusive;

const MOST_FAILURES: u32 = 1_000_000;
/// Most results of a window that counts them: a breaker of each consumer keeps them all.
const MOST_CALLS: u32 = 10_000;
const MOST_PROBES: u32 = 10_000;
/// Results that a share is taken of at least, unless the scenario says otherwise.
const DEFAULT_MINIMUM: u32 = 20;
const WINDOW_US: RangeInclusive<u64> = SECOND_US..=HOUR_US;

/// The settings of a breaker.
pub(super) fn breaker_settings(raw: &RawBreaker, place: Place, problems: &mut Problems) -> BreakerSettings {
    require(&raw.cooldown, "cooldown", "a breaker", place, problems);
    BreakerSettings {
        trips: trips(raw, place, problems),
        counts: raw.counts.value().copied().unwrap_or_default(),
        ignores_permanent: raw.ignores_permanent.value().copied().unwrap_or_default(),
        scope: raw.scope.value().copied().unwrap_or_default(),
        cooldown_us: duration_us(&raw.cooldown, "cooldown", SECOND_US, MILLISECOND_US..=DAY_US, "", problems),
        probes: small_count(&raw.probes, "probes", 1, 1..=MOST_PROBES, "", problems),
        ramp_up: given(&raw.ramp_up).map(|raw| ramp_up(raw.value, raw.place, problems)),
    }
}

fn trips(raw: &RawBreaker, place: Place, problems: &mut Problems) -> BreakerTrips {
    if says_nothing(&raw.failures) && says_nothing(&raw.failure_rate) && says_nothing(&raw.throttling) {
        let title = "a breaker needs one of the keys `failures`, `failure_rate` and `throttling`";
        let finding = Finding::new(place, title, "nothing would ever open it");
        problems.report(finding.help("add, for example, `failures: 20`"));
    }
    BreakerTrips {
        failures: given(&raw.failures)
            .map(|count| count_given(count.value, count.place, "failures", 1..=MOST_FAILURES, problems)),
        failure_rate: given(&raw.failure_rate).map(|raw| failure_rate(raw.value, raw.place, problems)),
        throttling: given(&raw.throttling).map(|raw| throttling(raw.value, raw.place, problems)),
    }
}

fn failure_rate(raw: &RawFailureRate, place: Place, problems: &mut Problems) -> FailureRate {
    let window = rate_window(raw, place, problems);
    let most = match window {
        RateWindow::Results { count } => count,
        RateWindow::Time { .. } => MOST_FAILURES,
    };
    let minimum = small_count(&raw.minimum, "minimum", DEFAULT_MINIMUM.min(most), 1..=MOST_FAILURES, "", problems);
    if let Some(place) = raw.minimum.place().filter(|_| minimum > most) {
        let title = format!("`minimum` is {minimum}, above `calls`, which is {most}");
        problems.report(Finding::new(place, title, "there are never so many results"));
    }
    FailureRate { share: share(&raw.share, "a failure rate", place, problems), window, minimum }
}

/// Exactly one of the two windows.
fn rate_window(raw: &RawFailureRate, place: Place, problems: &mut Problems) -> RateWindow {
    match (given(&raw.window), given(&raw.calls)) {
        (Some(_), Some(calls)) => {
            let title = "a failure rate has a `window` or `calls`, not both";
            let help = "take one away with `none`, where it comes from the common policy";
            problems.report(Finding::new(calls.place, title, "one of the two belongs here").help(help));
        }
        (None, None) if says_nothing(&raw.window) && says_nothing(&raw.calls) => {
            let title = "a failure rate needs one of the keys `window` and `calls`";
            let finding = Finding::new(place, title, "the share of which results?");
            problems.report(finding.help("add, for example, `window: 30s`, or `calls: 100`"));
        }
        _ => {}
    }
    match (given(&raw.window), given(&raw.calls)) {
        (None, Some(calls)) => {
            RateWindow::Results { count: count_given(calls.value, calls.place, "calls", 1..=MOST_CALLS, problems) }
        }
        (Some(window), _) => {
            let field = Field::Given(Located { value: *window.value, place: window.place });
            RateWindow::Time { length_us: window_us(&field, "window", problems) }
        }
        (None, None) => RateWindow::Time { length_us: SECOND_US },
    }
}

fn throttling(raw: &RawThrottling, place: Place, problems: &mut Problems) -> Throttling {
    require(&raw.lasting, "for", "throttling", place, problems);
    Throttling {
        share: share(&raw.share, "throttling", place, problems),
        for_us: window_us(&raw.lasting, "for", problems),
        minimum: small_count(&raw.minimum, "minimum", DEFAULT_MINIMUM, 1..=MOST_FAILURES, "", problems),
    }
}

fn ramp_up(raw: &RawRampUp, place: Place, problems: &mut Problems) -> RampUp {
    require(&raw.lasting, "for", "a ramp-up", place, problems);
    RampUp {
        for_us: duration_us(&raw.lasting, "for", SECOND_US, MILLISECOND_US..=DAY_US, "", problems),
        from: raw.from.value().map_or(0.0, |share| share.value),
    }
}

fn window_us(field: &Field<Duration>, key: &str, problems: &mut Problems) -> u64 {
    whole_seconds_us(field, key, SECOND_US, WINDOW_US, "", problems)
}

/// A share that opens a breaker; one of nothing would open it without any failure.
fn share(field: &Field<Share>, owner: &str, place: Place, problems: &mut Problems) -> f64 {
    require(field, "share", owner, place, problems);
    let share = field.value().map_or(1.0, |share| share.value);
    if let Some(place) = field.place().filter(|_| share == 0.0) {
        let title = "`share` is 0%, which would open the breaker without any failure";
        problems.report(Finding::new(place, title, "has to be above 0%"));
    }
    share
}

/// A value that is there and is not `none`.
fn given<T>(field: &Field<OrNone<T>>) -> Option<Located<&T>> {
    let given = field.given()?;
    Some(Located { value: given.value.as_option()?, place: given.place })
}

/// Whether a key is absent or says `none`; one that could not be read says something.
fn says_nothing<T>(field: &Field<OrNone<T>>) -> bool {
    field.is_absent() || field.value().is_some_and(|value| value.as_option().is_none())
}
