//! Checks of the retry policy.

use super::range::{duration_us, require, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MILLISECOND_US, SECOND_US};
use crate::model::policy::catalogue::Settings;
use crate::model::policy::{BreakerSettings, ClientSettings, LONGEST_S, PolicySettings};
use crate::scenario::catalogue::{Catalogue, RawKind, settings};
use crate::scenario::language::Field;
use crate::scenario::problems::Problems;
use crate::scenario::raw::{RawBreaker, RawPolicy};
use crate::scenario::text::Place;

const CEILING_RULE: &str = "rule Q5, twelve-hour ceiling of a visibility timeout";

/// The settings of a policy.
pub(super) fn policy(raw: &RawPolicy, problems: &mut Problems) -> PolicySettings {
    PolicySettings {
        backoff: kind(&raw.backoff, problems).unwrap_or_default(),
        floor_s: floor_s(raw, problems),
        retry_after: raw.retry_after.value().copied().unwrap_or_default(),
        ceiling_guard: raw.ceiling_guard.value().copied().unwrap_or_default(),
        client: kind(&raw.client, problems).filter(|client: &ClientSettings| client.kind().about.name != "none"),
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

fn breaker_settings(raw: &RawBreaker, place: Place, problems: &mut Problems) -> BreakerSettings {
    require(&raw.failures, "failures", "a breaker", place, problems);
    require(&raw.cooldown, "cooldown", "a breaker", place, problems);
    BreakerSettings {
        failures: small_count(&raw.failures, "failures", 1, 1..=1_000_000, "", problems),
        counts: raw.counts.value().copied().unwrap_or_default(),
        scope: raw.scope.value().copied().unwrap_or_default(),
        cooldown_us: duration_us(&raw.cooldown, "cooldown", SECOND_US, MILLISECOND_US..=DAY_US, "", problems),
    }
}
