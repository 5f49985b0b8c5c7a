//! Checks of the alarms.

use super::Context;
use super::judgement::amount;
use super::range::{duration_us, require, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MINUTE_US, SECOND_US};
use crate::measure::{AlarmMetric, AlarmSettings};
use crate::scenario::language::{Field, Named, NamedEntry};
use crate::scenario::problems::Finding;
use crate::scenario::raw::RawAlarm;
use crate::scenario::text::quoted;

const MOST_ALARMS: usize = 20;
/// Most datapoints that an alarm looks back on: a day of minutes.
const MOST_DATAPOINTS: u32 = 1_440;
/// Longest name of an alarm, in characters.
const LONGEST_NAME: usize = 50;

/// The alarms, in the order of the file.
pub(super) fn alarms(field: &Field<Named<RawAlarm>>, context: &mut Context<'_>) -> Vec<AlarmSettings> {
    let entries = field.value().map_or(&[][..], |named| &named.entries);
    if let Some(entry) = entries.get(MOST_ALARMS) {
        let title = format!("there are {} alarms, more than {MOST_ALARMS}", entries.len());
        context.problems.report(Finding::new(entry.name_place, title, "one too many"));
    }
    entries.iter().take(MOST_ALARMS).map(|entry| alarm(entry, context)).collect()
}

/// An alarm; one that is wrong is there too, so that what is said about it elsewhere is no second mistake.
fn alarm(entry: &NamedEntry<RawAlarm>, context: &mut Context<'_>) -> AlarmSettings {
    report_name(entry, context);
    let Some(raw) = &entry.value else { return named(&entry.name) };
    require(&raw.metric, "metric", "an alarm", entry.name_place, context.problems);
    require(&raw.above, "above", "an alarm", entry.name_place, context.problems);
    let metric = raw.metric.value().copied();
    let unit = metric.map(|metric| metric.unit());
    let above = raw.above.given().and_then(|given| amount(given.value, given.place, unit, context));
    let problems = &mut *context.problems;
    let bad = small_count(&raw.bad, "for", 1, 1..=MOST_DATAPOINTS, "", problems);
    let out_of = small_count(&raw.out_of, "out_of", bad, 1..=MOST_DATAPOINTS, "", problems);
    if let Some(place) = raw.out_of.place().filter(|_| out_of < bad) {
        let title = format!("`out_of` is {out_of}, below `for`, which is {bad}");
        problems.report(Finding::new(place, title, "there are never so many bad datapoints among them"));
    }
    AlarmSettings {
        metric: metric.unwrap_or(AlarmMetric::Depth),
        above: above.unwrap_or_default(),
        period_us: whole_seconds_us(&raw.period, "period", MINUTE_US, SECOND_US..=DAY_US, "", problems),
        bad: bad as usize,
        out_of: out_of as usize,
        delay_us: duration_us(&raw.delay, "delay", 0, 0..=HOUR_US, "", problems),
        ..named(&entry.name)
    }
}

fn named(name: &str) -> AlarmSettings {
    let (metric, period_us) = (AlarmMetric::Depth, MINUTE_US);
    AlarmSettings { name: name.to_owned(), metric, above: 0.0, period_us, bad: 1, out_of: 1, delay_us: 0 }
}

/// A name is a part of the names of metrics: `alarm.depth.fired_s`.
fn report_name(entry: &NamedEntry<RawAlarm>, context: &mut Context<'_>) {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let length = entry.name.chars().count();
    if length == 0 || length > LONGEST_NAME || !entry.name.chars().all(is_plain) {
        let title = format!("{} is not a name for an alarm", quoted(&entry.name));
        let label = format!("1 to {LONGEST_NAME} letters, digits, `_` and `-`");
        context.problems.report(Finding::new(entry.name_place, title, label));
    }
}
