//! Checks of the producers.

use super::Context;
use super::dispositions::share;
use super::range::{count, duration_us, small_count};
use crate::engine::time::{DAY_US, SECOND_US};
use crate::model::producer::{Arrivals, ClassShares, ProducerSettings, SentTwice};
use crate::scenario::language::{Field, Located, OrNone};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{ArrivalKind, RawClasses, RawProducer, RawSentTwice};
use crate::scenario::text::Place;
use crate::scenario::value::Duration;

/// Most message groups.
const MOST_GROUPS: u32 = 1_000_000;
/// Most messages of one burst.
const LARGEST_BURST: u64 = 1_000_000_000;
/// Longest time between two sends of the same thing.
const LONGEST_US: u64 = DAY_US;
/// Each way of arriving, and the keys that belong to it.
const WAYS: [(&str, &[&str]); 3] = [("rate", &["arrivals", "until"]), ("burst", &["every", "until"]), ("profile", &[])];

/// The settings of a producer, or nothing if it is wrong.
pub(super) fn producer(raw: &Located<RawProducer>, context: &mut Context<'_>) -> Option<ProducerSettings> {
    let way = only_way(raw, context.problems)?;
    report_foreign_keys(&raw.value, way, context.problems);
    let from_us = raw.value.from.value().map_or(0, |from| from.us);
    let (arrivals, own_end_us) = match way {
        "rate" => (rate(&raw.value)?, None),
        "burst" => (burst(&raw.value, context.problems), None),
        _ => profile(&raw.value.profile, from_us, context)?,
    };
    let until_us = until_us(&raw.value, from_us, own_end_us, context)?;
    Some(ProducerSettings {
        arrivals,
        from_us,
        until_us,
        classes: classes(&raw.value.classes, context.problems),
        tenant: context.tenants.number(raw.value.tenant.given(), context.problems),
        sent_twice: raw
            .value
            .sent_twice
            .value()
            .and_then(OrNone::as_option)
            .map(|raw| sent_twice(raw, context.problems)),
        deduplication: raw.value.deduplication.value().copied().unwrap_or_default(),
        groups: small_count(&raw.value.groups, "groups", 1, 1..=MOST_GROUPS, "", context.problems),
    })
}

/// The one of `rate`, `burst` and `profile` that is given.
fn only_way(raw: &Located<RawProducer>, problems: &mut Problems) -> Option<&'static str> {
    let absent = [raw.value.rate.is_absent(), raw.value.burst.is_absent(), raw.value.profile.is_absent()];
    let mut given = WAYS.iter().zip(absent).filter(|(_, absent)| !absent).map(|((key, _), _)| *key);
    match (given.next(), given.next()) {
        (Some(way), None) => Some(way),
        (Some(first), Some(second)) => {
            let title =
                format!("a producer has exactly one of `rate`, `burst` and `profile`, not `{first}` and `{second}`");
            problems.report(Finding::new(raw.place, title, "make it one producer for each"));
            None
        }
        (None, _) => {
            let title = "a producer needs one of `rate`, `burst` and `profile`";
            let finding = Finding::new(raw.place, title, "says nothing about how messages arrive");
            problems.report(finding.help("write, for example, `{ rate: 800/s }` or `{ burst: 400 }`"));
            None
        }
    }
}

/// Reports keys that belong to another way of arriving.
fn report_foreign_keys(raw: &RawProducer, way: &str, problems: &mut Problems) {
    let keys = [("arrivals", raw.arrivals.place()), ("every", raw.every.place()), ("until", raw.until.place())];
    let allowed = WAYS.iter().find(|(name, _)| *name == way).map_or(&[][..], |(_, keys)| keys);
    for (key, place) in keys {
        if let Some(place) = place.filter(|_| !allowed.contains(&key)) {
            let title = format!("`{key}` does not belong to a producer with a `{way}`");
            let mut finding = Finding::new(place, title, format!("not used by `{way}`"));
            if key == "until" {
                finding = finding.help("a profile stops at its own end");
            }
            problems.report(finding);
        }
    }
}

fn rate(raw: &RawProducer) -> Option<Arrivals> {
    let rate_per_s = raw.rate.value()?.per_s;
    Some(match raw.arrivals.value() {
        Some(ArrivalKind::Constant) => Arrivals::Constant { rate_per_s },
        _ => Arrivals::Poisson { rate_per_s },
    })
}

fn burst(raw: &RawProducer, problems: &mut Problems) -> Arrivals {
    if let Some(Located { value: Duration { us: 0 }, place }) = raw.every.given() {
        let title = "`every` is 0s, so the bursts would never end";
        problems.report(Finding::new(*place, title, "has to be longer than 0s"));
    }
    Arrivals::Burst {
        messages: count(&raw.burst, "burst", 1, 1..=LARGEST_BURST, "", problems),
        every_us: raw.every.value().map(|every| every.us),
    }
}

/// A profile, and where it ends.
fn profile(field: &Field<String>, from_us: u64, context: &mut Context<'_>) -> Option<(Arrivals, Option<u64>)> {
    let given = field.given()?;
    match context.profiles.steps(&given.value) {
        Ok(steps) => {
            let mut steps = steps.to_vec();
            for step in &mut steps {
                step.from_us += from_us;
                step.until_us += from_us;
            }
            let end_us = steps.last().map(|step| step.until_us);
            Some((Arrivals::Profile { steps }, end_us))
        }
        Err(problem) => {
            let mut finding = Finding::new(given.place, problem.title, "in this file");
            finding.help = problem.help;
            context.problems.report(finding);
            None
        }
    }
}

/// When a producer stops; nothing if that is unknown because the length of the run is wrong.
fn until_us(raw: &RawProducer, from_us: u64, own_end_us: Option<u64>, context: &mut Context<'_>) -> Option<u64> {
    let duration_us = context.duration_us?;
    report_beyond(&raw.from, "from", duration_us, true, context.problems);
    report_beyond(&raw.until, "until", duration_us, false, context.problems);
    let until_us = own_end_us.or(raw.until.value().map(|until| until.us)).unwrap_or(duration_us).min(duration_us);
    if let (Some(until), true) = (raw.until.given(), from_us >= until_us) {
        let title = format!("`until` is {}, not after `from`, which is {}", until.value, Duration { us: from_us });
        context.problems.report(Finding::new(until.place, title, "has to be after `from`"));
    }
    Some(until_us)
}

fn report_beyond(field: &Field<Duration>, key: &str, duration_us: u64, end_is_beyond: bool, problems: &mut Problems) {
    if let Some(given) = field.given()
        && (given.value.us > duration_us || (end_is_beyond && given.value.us == duration_us))
    {
        let title =
            format!("`{key}` is {}, beyond the end of the run at {}", given.value, Duration { us: duration_us });
        problems.report(Finding::new(given.place, title, "beyond the end of the run"));
    }
}

fn sent_twice(raw: &RawSentTwice, problems: &mut Problems) -> SentTwice {
    SentTwice {
        share: share(&raw.share),
        after_us: duration_us(&raw.after, "after", SECOND_US, 0..=LONGEST_US, "", problems),
    }
}

fn classes(field: &Field<RawClasses>, problems: &mut Problems) -> ClassShares {
    let Some(given) = field.given() else { return ClassShares::default() };
    let shares = ClassShares { permanent: share(&given.value.permanent), poison: share(&given.value.poison) };
    if shares.permanent + shares.poison > 1.0 {
        let sum = ((shares.permanent + shares.poison) * 1e6).round() / 1e4;
        let place: Place = given.value.poison.place().unwrap_or(given.place);
        let title = format!("`permanent` and `poison` are {sum}% together, more than all messages");
        problems.report(Finding::new(place, title, "together at most 100%"));
    }
    shares
}
