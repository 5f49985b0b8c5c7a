//! Checks of the retry policy.

use super::breaker::breaker_settings;
use super::dispositions::{dispositions, misreading, share};
use super::limits::{call_rate_limit, concurrency_limit};
use super::range::{number, require, whole_seconds_us};
use crate::engine::time::{HOUR_US, SECOND_US};
use crate::model::policy::{BackoffSettings, Jitter, PolicySettings};
use crate::scenario::language::{Field, Located, OrNone};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{RawBackoff, RawExponential, RawJitter, RawLinear, RawPolicy};
use crate::scenario::value::Duration;

/// The queue refuses to hide a message any longer (rule Q5).
const LONGEST_S: u32 = 43_200;
pub(super) const CEILING_RULE: &str = "rule Q5, twelve-hour ceiling of a visibility timeout";
const LARGEST_FACTOR: f64 = 1_000_000.0;

/// The settings of a policy.
pub(super) fn policy(raw: &RawPolicy, problems: &mut Problems) -> PolicySettings {
    PolicySettings {
        backoff: raw.backoff.value().map_or(BackoffSettings::None, |backoff| backoff_settings(backoff, problems)),
        dispositions: raw.dispositions.value().map(dispositions).unwrap_or_default(),
        misreading: raw.misreading.value().map(misreading).unwrap_or_default(),
        dead_letter_crash_share: share(&raw.dead_letter_crash),
        rate_limit: raw
            .rate_limit
            .value()
            .and_then(OrNone::as_option)
            .and_then(|limit| call_rate_limit(limit, problems)),
        concurrency_limit: raw
            .concurrency_limit
            .value()
            .and_then(OrNone::as_option)
            .map(|limit| concurrency_limit(limit, problems)),
        breaker: raw
            .breaker
            .given()
            .and_then(|given| given.value.as_option().map(|breaker| breaker_settings(breaker, given.place, problems))),
    }
}

fn backoff_settings(raw: &RawBackoff, problems: &mut Problems) -> BackoffSettings {
    match raw {
        RawBackoff::None => BackoffSettings::None,
        RawBackoff::Fixed(raw) => {
            require(&raw.value.delay, "delay", "a fixed backoff", raw.place, problems);
            let delay_s = delay_s(&raw.value.delay, "delay", 0, 0, problems);
            refuse_decorrelated(&raw.value.jitter, problems);
            BackoffSettings::Fixed { delay_s, jitter: jitter(&raw.value.jitter, "delay", delay_s, problems) }
        }
        RawBackoff::Linear(raw) => linear(raw, problems),
        RawBackoff::Exponential(raw) => exponential(raw, problems),
    }
}

fn linear(raw: &Located<RawLinear>, problems: &mut Problems) -> BackoffSettings {
    require(&raw.value.step, "step", "a linear backoff", raw.place, problems);
    let step_s = delay_s(&raw.value.step, "step", 1, 1, problems);
    let cap_s = delay_s(&raw.value.cap, "cap", 1, LONGEST_S, problems);
    report_cap_below(&raw.value.cap, cap_s, &raw.value.step, "step", step_s, problems);
    BackoffSettings::Linear { step_s, cap_s, jitter: jitter(&raw.value.jitter, "cap", cap_s, problems) }
}

fn exponential(raw: &Located<RawExponential>, problems: &mut Problems) -> BackoffSettings {
    require(&raw.value.base, "base", "an exponential backoff", raw.place, problems);
    let base_s = delay_s(&raw.value.base, "base", 1, 1, problems);
    let cap_s = delay_s(&raw.value.cap, "cap", 1, LONGEST_S, problems);
    report_cap_below(&raw.value.cap, cap_s, &raw.value.base, "base", base_s, problems);
    BackoffSettings::Exponential {
        base_s,
        factor: number(&raw.value.factor, "factor", 2.0, 1.0..=LARGEST_FACTOR, problems),
        cap_s,
        jitter: jitter(&raw.value.jitter, "cap", cap_s, problems),
    }
}

/// A delay in seconds, from a smallest one up to the ceiling of the queue.
fn delay_s(field: &Field<Duration>, key: &str, smallest_s: u32, default_s: u32, problems: &mut Problems) -> u32 {
    let range_us = u64::from(smallest_s) * SECOND_US..=12 * HOUR_US;
    let default_us = u64::from(default_s) * SECOND_US;
    let delay_us = whole_seconds_us(field, key, default_us, range_us, CEILING_RULE, problems);
    u32::try_from(delay_us / SECOND_US).unwrap_or(LONGEST_S)
}

fn report_cap_below(
    cap: &Field<Duration>,
    cap_s: u32,
    first: &Field<Duration>,
    first_key: &str,
    first_s: u32,
    problems: &mut Problems,
) {
    if let (Some(place), Some(_), true) = (cap.place(), first.place(), cap_s < first_s) {
        let title = format!("`cap` is {cap_s}s, below `{first_key}`, which is {first_s}s");
        problems.report(Finding::new(place, title, format!("has to be at least `{first_key}`")));
    }
}

fn jitter(field: &Field<RawJitter>, limit_key: &str, limit_s: u32, problems: &mut Problems) -> Jitter {
    match field.value() {
        None | Some(RawJitter::None) => Jitter::None,
        Some(RawJitter::Full) => Jitter::Full,
        Some(RawJitter::Equal) => Jitter::Equal,
        Some(RawJitter::Decorrelated) => Jitter::Decorrelated,
        Some(RawJitter::FlooredFull(raw)) => {
            let floor_s = delay_s(&raw.value.floor, "floor", 0, 0, problems);
            if let Some(place) = raw.value.floor.place().filter(|_| floor_s > limit_s) {
                let title = format!("`floor` is {floor_s}s, above `{limit_key}`, which is {limit_s}s");
                problems.report(Finding::new(place, title, format!("has to be at most `{limit_key}`")));
            }
            Jitter::FlooredFull { floor_s }
        }
    }
}

/// Decorrelated jitter grows from delay to delay and needs a cap; a fixed backoff has none.
fn refuse_decorrelated(field: &Field<RawJitter>, problems: &mut Problems) {
    if let Some(Located { value: RawJitter::Decorrelated, place }) = field.given() {
        let title = "decorrelated jitter grows without limit under a fixed backoff, past the 12h of the queue";
        let finding = Finding::new(*place, title, "needs a backoff with a `cap`");
        problems.report(finding.help("write `{ exponential: { base: ..., cap: ..., jitter: decorrelated } }`"));
    }
}
