//! Checks of the retry policy.

use super::breaker::breaker_settings;
use super::dispositions::{dispositions, misreading, share};
use super::downstream::some;
use super::limits::{call_rate_limit, concurrency_limit};
use super::range::whole_seconds_us;
use crate::engine::time::{HOUR_US, SECOND_US};
use crate::model::policy::catalogue::Settings;
use crate::model::policy::{ClientSettings, LONGEST_S, PolicySettings};
use crate::scenario::catalogue::{Catalogue, RawKind, settings};
use crate::scenario::language::Field;
use crate::scenario::problems::Problems;
use crate::scenario::raw::RawPolicy;

pub(super) const CEILING_RULE: &str = "rule Q5, twelve-hour ceiling of a visibility timeout";

/// The settings of a policy.
pub(super) fn policy(raw: &RawPolicy, problems: &mut Problems) -> PolicySettings {
    PolicySettings {
        backoff: kind(&raw.backoff, problems).unwrap_or_default(),
        floor_s: floor_s(raw, problems),
        retry_after: raw.retry_after.value().copied().unwrap_or_default(),
        ceiling_guard: raw.ceiling_guard.value().copied().unwrap_or_default(),
        client: kind(&raw.client, problems).filter(|client: &ClientSettings| client.kind().about.name != "none"),
        dispositions: raw.dispositions.value().map(dispositions).unwrap_or_default(),
        misreading: raw.misreading.value().map(misreading).unwrap_or_default(),
        dead_letter_crash_share: share(&raw.dead_letter_crash),
        rate_limit: some(&raw.rate_limit).and_then(|(limit, place)| call_rate_limit(limit, place, problems)),
        concurrency_limit: some(&raw.concurrency_limit).map(|(limit, place)| concurrency_limit(limit, place, problems)),
        breaker: raw
            .breaker
            .given()
            .and_then(|given| given.value.as_option().map(|breaker| breaker_settings(breaker, given.place, problems))),
    }
}

/// The settings of a kind of a catalogue, if one is named.
fn kind<C: Catalogue>(field: &Field<RawKind<C>>, problems: &mut Problems) -> Option<Settings<C::Built>> {
    field.given().map(|given| settings(&given.value, given.place, problems))
}

/// The floor of all delays, in seconds.
fn floor_s(raw: &RawPolicy, problems: &mut Problems) -> u32 {
    let floor_us = whole_seconds_us(&raw.floor, "floor", 0, 0..=12 * HOUR_US, CEILING_RULE, problems);
    u32::try_from(floor_us / SECOND_US).unwrap_or(LONGEST_S)
}
