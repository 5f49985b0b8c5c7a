//! Checks of the downstream.

use super::Context;
use super::distribution::{Shortest, distribution};
use super::idempotency::keys;
use super::limits::seconds_worth;
use super::range::{duration_us, number, require, small_count};
use super::tenants::Tenants;
use crate::engine::distribution::TimeDistribution;
use crate::engine::time::{DAY_US, MILLISECOND_US};
use crate::model::downstream::{DownstreamSettings, Outage, OutageMode, RateLimit, WarmUp};
use crate::scenario::language::{Field, List, Located, OrNone};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::{OutageKind, RawDownstream, RawOutage, RawRateLimit};
use crate::scenario::text::Place;
use crate::scenario::value::{Duration, Number};

const NAME: &str = "the downstream";
/// Most servers; each costs memory.
const MOST_SERVERS: u32 = 1_000_000;
/// Largest burst of a rate limit.
const MOST_BURST: u32 = 1_000_000;
/// Most calls that may wait.
const MOST_WAITING: u32 = 100_000_000;
/// Shortest time that a failure takes. Were it none, a consumer could fail infinitely often at one moment.
const SHORTEST_FAILURE_US: u64 = MILLISECOND_US;
/// Longest wait of a call; a longer one is no limit at all.
const LONGEST_US: u64 = DAY_US;
/// Largest factor on the service time.
const LARGEST_FACTOR: f64 = 1_000_000.0;
/// Stands in for a service time that is missing or wrong, until the problem is mended.
const PLACEHOLDER: TimeDistribution = TimeDistribution::Constant { value_us: 1 };

/// The settings of a downstream.
pub(super) fn downstream(raw: &RawDownstream, place: Place, context: &mut Context<'_>) -> DownstreamSettings {
    let problems = &mut *context.problems;
    require(&raw.servers, "servers", NAME, place, problems);
    require(&raw.service_time, "service_time", NAME, place, problems);
    let service_time = raw
        .service_time
        .given()
        .and_then(|given| distribution(given, "service_time", Shortest::Microsecond, problems))
        .unwrap_or(PLACEHOLDER);
    let max_waiting = some_of(&raw.max_waiting);
    DownstreamSettings {
        servers: small_count(&raw.servers, "servers", 1, 1..=MOST_SERVERS, "", problems),
        service_time,
        max_waiting: max_waiting
            .given()
            .map(|_| small_count(&max_waiting, "max_waiting", 0, 0..=MOST_WAITING, "", problems)),
        acquire_timeout_us: timeout_us(&raw.acquire_timeout, "acquire_timeout", problems),
        refuse_after_us: failure_us(&raw.refuse_after, "refuse_after", problems),
        call_timeout_us: timeout_us(&raw.call_timeout, "call_timeout", problems),
        rate_limit: some(&raw.rate_limit).and_then(|(limit, place)| rate_limit(limit, place, problems)),
        tenant_work: tenant_work(raw, &context.tenants, problems),
        unique_constraint: keys(&raw.unique_constraint, problems),
        error_rate: raw.error_rate.value().map_or(0.0, |share| share.value),
        failure_cost: number(&raw.failure_cost, "failure_cost", 0.0, 0.0..=100.0, problems),
        outages: outages(raw, context),
    }
}

fn rate_limit(raw: &RawRateLimit, place: Place, problems: &mut Problems) -> Option<RateLimit> {
    require(&raw.rate, "rate", "a rate limit", place, problems);
    let rate_per_s = raw.rate.value()?.per_s;
    Some(RateLimit {
        rate_per_s,
        burst: small_count(&raw.burst, "burst", seconds_worth(rate_per_s), 1..=MOST_BURST, "", problems),
        scope: raw.per.value().copied().unwrap_or_default(),
        answer_after_us: failure_us(&raw.answer_after, "answer_after", problems),
        retry_after_us: timeout_us(&raw.retry_after, "retry_after", problems),
        counts_throttled: raw.counts_throttled.value().copied().unwrap_or_default(),
    })
}

/// The factors of all tenants up to the last slow one; nothing where none is slow.
fn tenant_work(raw: &RawDownstream, tenants: &Tenants, problems: &mut Problems) -> Vec<f64> {
    let mut factors = Vec::new();
    for slow in raw.slow_tenants.value().into_iter().flat_map(List::readable) {
        let Some(number) = slow.value.tenant.given().and_then(|name| tenants.known(name, problems)) else { continue };
        let number = usize::from(number);
        factors.resize(factors.len().max(number + 1), 1.0);
        factors[number] = number_above_zero(&slow.value.factor, problems);
    }
    factors
}

fn number_above_zero(field: &Field<Number>, problems: &mut Problems) -> f64 {
    number(field, "factor", 1.0, 1e-6..=LARGEST_FACTOR, problems)
}

/// How long a failure takes.
fn failure_us(duration: &Field<Duration>, key: &str, problems: &mut Problems) -> u64 {
    duration_us(duration, key, SHORTEST_FAILURE_US, SHORTEST_FAILURE_US..=LONGEST_US, "", problems)
}

fn timeout_us(field: &Field<OrNone<Duration>>, key: &str, problems: &mut Problems) -> Option<u64> {
    let duration = some_of(field);
    duration.given().map(|_| failure_us(&duration, key, problems))
}

/// The value that is not `none`, and its place.
pub(super) fn some<T>(field: &Field<OrNone<T>>) -> Option<(&T, Place)> {
    field.given().and_then(|given| Some((given.value.as_option()?, given.place)))
}

/// The field with `none` as absent.
pub(super) fn some_of<T: Clone>(field: &Field<OrNone<T>>) -> Field<T> {
    match field {
        Field::Given(Located { value: OrNone::Some(value), place }) => {
            Field::Given(Located { value: value.clone(), place: *place })
        }
        Field::Unreadable => Field::Unreadable,
        _ => Field::Absent,
    }
}

/// The outages in order of time.
fn outages(raw: &RawDownstream, context: &mut Context<'_>) -> Vec<Outage> {
    let Some(list) = raw.outages.value() else { return Vec::new() };
    let can_hang = raw.call_timeout.value().is_some_and(|timeout| timeout.as_option().is_some())
        || matches!(raw.call_timeout, Field::Unreadable);
    let mut outages: Vec<(Place, Outage)> = list
        .readable()
        .filter_map(|outage| {
            let place = outage.value.at.place().unwrap_or(outage.place);
            Some((place, outage_settings(outage, can_hang, context)?))
        })
        .collect();
    outages.sort_by_key(|(_, outage)| outage.from_us);
    report_overlaps(&outages, context.problems);
    outages.into_iter().map(|(_, outage)| outage).collect()
}

/// Reports every outage that begins before an earlier one has ended.
fn report_overlaps(outages: &[(Place, Outage)], problems: &mut Problems) {
    let mut last: Option<&Outage> = None;
    for (place, outage) in outages {
        if let Some(last) = last.filter(|last| outage.from_us < last.until_us) {
            let [begins, from, until] = [outage.from_us, last.from_us, last.until_us].map(|us| Duration { us });
            let title =
                format!("outages overlap: this one begins at {begins}, while another lasts from {from} to {until}");
            problems.report(Finding::new(*place, title, "begins during another outage"));
        }
        last = last.filter(|last| last.until_us > outage.until_us).or(Some(outage));
    }
}

fn outage_settings(raw: &Located<RawOutage>, can_hang: bool, context: &mut Context<'_>) -> Option<Outage> {
    let problems = &mut *context.problems;
    let mode = mode(raw, can_hang, problems);
    let warm_up = raw.value.warm_up.value().and_then(|warm_up| {
        Some(WarmUp {
            for_us: positive_us(warm_up.lasting.given()?, problems),
            factor: number(&warm_up.factor, "factor", 1.0, 1.0..=LARGEST_FACTOR, problems),
        })
    });
    let (at, lasting) = (raw.value.at.given()?, raw.value.lasting.given()?);
    let (from_us, until_us) = (at.value.us, at.value.us + positive_us(lasting, problems));
    if let Some(end_us) = context.duration_us.filter(|end_us| until_us > *end_us) {
        let (until, end) = (Duration { us: until_us }, Duration { us: end_us });
        let title = format!("this outage lasts until {until}, beyond the end of the run at {end}");
        let place = if from_us >= end_us { at.place } else { lasting.place };
        let help = "make `duration` longer, or the outage earlier or shorter";
        problems.report(Finding::new(place, title, "beyond the end of the run").help(help));
    }
    if from_us < context.warm_up_us {
        let (from, counted) = (Duration { us: from_us }, Duration { us: context.warm_up_us });
        let title = format!("this outage begins at {from}, within the `warm_up` of {counted}");
        let finding = Finding::new(at.place, title, "only a part of what it does would count");
        problems.report(finding.help("let it begin later, or make `warm_up` shorter"));
    }
    Some(Outage { from_us, until_us, mode: mode?, warm_up })
}

fn positive_us(lasting: &Located<Duration>, problems: &mut Problems) -> u64 {
    if lasting.value.us == 0 {
        problems.report(Finding::new(
            lasting.place,
            "`for` is 0s, which is no time at all",
            "has to be longer than 0s",
        ));
    }
    lasting.value.us
}

fn mode(raw: &Located<RawOutage>, can_hang: bool, problems: &mut Problems) -> Option<OutageMode> {
    let kind = raw.value.mode.given()?;
    report_foreign_keys(&raw.value, kind.value, problems);
    match kind.value {
        OutageKind::Refuse => {
            let after_us = failure_us(&raw.value.after, "after", problems);
            Some(OutageMode::Refuse { after_us })
        }
        OutageKind::Hang => {
            if !can_hang {
                let title = "calls that hang need a `call_timeout` of the downstream to end";
                let finding = Finding::new(kind.place, title, "would hang forever");
                problems.report(finding.help("add `call_timeout`, such as `call_timeout: 2s`, to `downstream`"));
            }
            Some(OutageMode::Hang)
        }
        OutageKind::Errors => {
            require(&raw.value.share, "share", "an outage of mode `errors`", kind.place, problems);
            raw.value.share.value().map(|share| OutageMode::Errors { share: share.value })
        }
        OutageKind::Slow => {
            require(&raw.value.factor, "factor", "an outage of mode `slow`", kind.place, problems);
            let factor = number(&raw.value.factor, "factor", 1.0, 1.0..=LARGEST_FACTOR, problems);
            Some(OutageMode::Slow { factor })
        }
    }
}

/// Reports keys that belong to another mode than the one given.
fn report_foreign_keys(raw: &RawOutage, given: OutageKind, problems: &mut Problems) {
    let keys = [
        ("after", raw.after.place(), OutageKind::Refuse, "refuse"),
        ("share", raw.share.place(), OutageKind::Errors, "errors"),
        ("factor", raw.factor.place(), OutageKind::Slow, "slow"),
    ];
    let given_word = match given {
        OutageKind::Refuse => "refuse",
        OutageKind::Hang => "hang",
        OutageKind::Errors => "errors",
        OutageKind::Slow => "slow",
    };
    for (key, place, owner, owner_word) in keys {
        if let Some(place) = place.filter(|_| owner != given) {
            let title = format!("`{key}` belongs to mode `{owner_word}`, but this outage has mode `{given_word}`");
            problems.report(Finding::new(place, title, format!("not used by mode `{given_word}`")));
        }
    }
}
