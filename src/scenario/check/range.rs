//! Values against their ranges.

use crate::engine::time::SECOND_US;
use crate::scenario::language::{Field, Located};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::Place;
use crate::scenario::value::{Count, Duration, Number};
use std::ops::RangeInclusive;

/// The duration in microseconds, or the default.
pub(super) fn duration_us(
    field: &Field<Duration>,
    key: &str,
    default_us: u64,
    range_us: RangeInclusive<u64>,
    rule: &str,
    problems: &mut Problems,
) -> u64 {
    match field.given() {
        Some(given) if range_us.contains(&given.value.us) => given.value.us,
        Some(given) => {
            let allowed = format!("{} to {}", Duration { us: *range_us.start() }, Duration { us: *range_us.end() });
            report(given.place, key, &given.value.to_string(), &allowed, rule, problems);
            default_us
        }
        None => default_us,
    }
}

/// The same for durations that are whole seconds.
pub(super) fn whole_seconds_us(
    field: &Field<Duration>,
    key: &str,
    default_us: u64,
    range_us: RangeInclusive<u64>,
    rule: &str,
    problems: &mut Problems,
) -> u64 {
    if let Some(given) = field.given()
        && !are_whole_seconds(given, key, problems)
    {
        return default_us;
    }
    duration_us(field, key, default_us, range_us, rule, problems)
}

/// Whether a duration is whole seconds; reports it if not.
pub(super) fn are_whole_seconds(given: &Located<Duration>, key: &str, problems: &mut Problems) -> bool {
    let whole = given.value.us.is_multiple_of(SECOND_US);
    if !whole {
        let title = format!("`{key}` is {}, which is not a whole number of seconds", given.value);
        problems.report(Finding::new(given.place, title, "whole seconds belong here"));
    }
    whole
}

/// The count, or the default.
pub(super) fn count(
    field: &Field<Count>,
    key: &str,
    default: u64,
    range: RangeInclusive<u64>,
    rule: &str,
    problems: &mut Problems,
) -> u64 {
    match field.given() {
        Some(given) if range.contains(&given.value.value) => given.value.value,
        Some(given) => {
            let allowed = format!("{} to {}", range.start(), range.end());
            report(given.place, key, &given.value.value.to_string(), &allowed, rule, problems);
            default
        }
        None => default,
    }
}

/// The same for counts that the settings hold in 32 bits; the range has to fit.
pub(super) fn small_count(
    field: &Field<Count>,
    key: &str,
    default: u32,
    range: RangeInclusive<u32>,
    rule: &str,
    problems: &mut Problems,
) -> u32 {
    let wide = u64::from(*range.start())..=u64::from(*range.end());
    u32::try_from(count(field, key, default.into(), wide, rule, problems)).unwrap_or(default)
}

/// A count that is given, or the least that is allowed.
pub(super) fn count_given(
    given: &Count,
    place: Place,
    key: &str,
    range: RangeInclusive<u32>,
    problems: &mut Problems,
) -> u32 {
    let field = Field::Given(Located { value: *given, place });
    small_count(&field, key, *range.start(), range, "", problems)
}

/// The number, or the default.
pub(super) fn number(
    field: &Field<Number>,
    key: &str,
    default: f64,
    range: RangeInclusive<f64>,
    problems: &mut Problems,
) -> f64 {
    match field.given() {
        Some(given) if range.contains(&given.value.value) => given.value.value,
        Some(given) => {
            let allowed = format!("{} to {}", range.start(), range.end());
            report(given.place, key, &given.value.value.to_string(), &allowed, "", problems);
            default
        }
        None => default,
    }
}

/// Reports a key that has to be there.
pub(super) fn require<T>(field: &Field<T>, key: &str, owner: &str, place: Place, problems: &mut Problems) {
    if field.is_absent() {
        let title = format!("{owner} needs the key `{key}`");
        problems.report(Finding::new(place, title, format!("`{key}` is missing")));
    }
}

fn report(place: Place, key: &str, found: &str, allowed: &str, rule: &str, problems: &mut Problems) {
    let because = if rule.is_empty() { String::new() } else { format!(" ({rule})") };
    let title = format!("`{key}` is {found}, outside {allowed}{because}");
    problems.report(Finding::new(place, title, format!("allowed: {allowed}")));
}
