//! Checks of the quantities that expectations and claims look at.

use super::Context;
use super::range::are_whole_seconds;
use crate::engine::time::SECOND_US;
use crate::measure::{AlarmFigure, Fact, Metric, SeriesMetric};
use crate::scenario::checked::{ALARM_PREFIX, Quantity};
use crate::scenario::language::{Field, Located};
use crate::scenario::problems::Finding;
use crate::scenario::text::{Place, quoted};
use crate::scenario::value::Duration;
use crate::scenario::words::{list, nearest};

/// The keys that say which number is meant.
pub(super) struct RawQuantity<'a> {
    pub metric: &'a Field<String>,
    pub from: &'a Field<Duration>,
    pub to: &'a Field<Duration>,
    pub at: &'a Field<Duration>,
}

/// The quantity and its unit, or nothing if it is wrong.
pub(super) fn quantity(raw: &RawQuantity<'_>, context: &mut Context<'_>) -> Option<(Quantity, &'static str)> {
    let metric = raw.metric.given()?;
    match (!raw.from.is_absent() || !raw.to.is_absent(), raw.at.is_absent()) {
        (false, true) => whole_run(metric, context),
        (true, true) => window(metric, raw, context),
        (false, false) => level(metric, raw.at, context),
        (true, false) => {
            let place = raw.at.place().unwrap_or(metric.place);
            let title = "`at` and a window of `from` and `to` exclude each other";
            context.problems.report(Finding::new(place, title, "one of the two belongs here"));
            None
        }
    }
}

fn whole_run(metric: &Located<String>, context: &mut Context<'_>) -> Option<(Quantity, &'static str)> {
    if let Some(metric) = Metric::from_name(&metric.value) {
        return Some((Quantity::Metric(metric), metric.unit()));
    }
    if let Some(fact) = Fact::from_name(&metric.value) {
        return Some((Quantity::Fact(fact), fact.unit()));
    }
    if let Some(series) = SeriesMetric::from_name(&metric.value) {
        let help = if series.is_level() { "add `at: 90s` for its level then" } else { "add a window, `from` and `to`" };
        let title = format!("{} is a metric of the series, not of the whole run", quoted(&metric.value));
        context.problems.report(Finding::new(metric.place, title, "needs a time").help(help));
        return None;
    }
    if metric.value.starts_with(ALARM_PREFIX) {
        return alarm(metric, context);
    }
    let facts = Fact::ALL.iter().map(|fact| fact.name());
    let names: Vec<&str> = Metric::ALL.iter().map(|metric| metric.name()).chain(facts).collect();
    report_unknown(metric, "a metric of a run", &names, context);
    None
}

/// What an alarm did: `alarm.churn.fired_s`.
fn alarm(metric: &Located<String>, context: &mut Context<'_>) -> Option<(Quantity, &'static str)> {
    let alarms = &context.alarms;
    let each = (0..alarms.len()).flat_map(|alarm| {
        AlarmFigure::ALL.iter().map(move |&figure| (Quantity::Alarm { alarm, figure }, figure.unit()))
    });
    let known: Vec<(String, (Quantity, &'static str))> = each.map(|of| (of.0.metric_name(alarms), of)).collect();
    if let Some((_, found)) = known.iter().find(|(name, _)| *name == metric.value) {
        return Some(*found);
    }
    if known.is_empty() {
        let title = format!("{} is a metric of an alarm, but there are no alarms", quoted(&metric.value));
        let finding = Finding::new(metric.place, title, "unknown here");
        context.problems.report(finding.help("add, for example, `alarms: { deep: { metric: depth, above: 1000 } }`"));
        return None;
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
    report_unknown(metric, "a metric of an alarm of this scenario", &names, context);
    None
}

fn window(
    metric: &Located<String>,
    raw: &RawQuantity<'_>,
    context: &mut Context<'_>,
) -> Option<(Quantity, &'static str)> {
    let series = series_metric(metric, false, "a flow of the series, which a window can sum,", context)?;
    let duration_us = context.duration_us?;
    let from_us = moment_us(raw.from, "from", 0, context)?;
    let until_us = moment_us(raw.to, "to", duration_us, context)?;
    if from_us >= until_us {
        let place = raw.to.place().or(raw.from.place()).unwrap_or(metric.place);
        let (from, until) = (Duration { us: from_us }, Duration { us: until_us });
        let title = format!("the window ends at {until}, not after its start at {from}");
        context.problems.report(Finding::new(place, title, "an empty window"));
        return None;
    }
    let (from_s, until_s) = (from_us / SECOND_US, until_us / SECOND_US);
    // Summed over the window, a flow per second becomes a count.
    let unit = series.unit().strip_suffix("/s").unwrap_or(series.unit());
    Some((Quantity::Window { metric: series, from_s, until_s }, unit))
}

fn level(
    metric: &Located<String>,
    at: &Field<Duration>,
    context: &mut Context<'_>,
) -> Option<(Quantity, &'static str)> {
    let series = series_metric(metric, true, "a level of the series, which has a value at a moment,", context)?;
    let at_us = moment_us(at, "at", 0, context)?;
    Some((Quantity::Level { metric: series, at_s: at_us / SECOND_US }, series.unit()))
}

/// A moment of the run in whole seconds.
fn moment_us(field: &Field<Duration>, key: &str, default_us: u64, context: &mut Context<'_>) -> Option<u64> {
    let given = match field {
        Field::Absent => return Some(default_us),
        Field::Unreadable => return None,
        Field::Given(given) => given,
    };
    if !are_whole_seconds(given, key, context.problems) {
        return None;
    }
    let duration_us = context.duration_us?;
    if given.value.us > duration_us {
        let title =
            format!("`{key}` is {}, beyond the end of the run at {}", given.value, Duration { us: duration_us });
        context.problems.report(Finding::new(given.place, title, "beyond the end of the run"));
        return None;
    }
    Some(given.value.us)
}

/// The metric of the series, if it is of the right kind.
fn series_metric(
    metric: &Located<String>,
    wants_level: bool,
    wanted: &str,
    context: &mut Context<'_>,
) -> Option<SeriesMetric> {
    let found = SeriesMetric::from_name(&metric.value).filter(|series| series.is_level() == wants_level);
    if found.is_none() {
        let right = SeriesMetric::ALL.iter().filter(|series| series.is_level() == wants_level);
        let names: Vec<&str> = right.map(|series| series.name()).collect();
        report_unknown(metric, wanted.trim_end_matches(','), &names, context);
    }
    found
}

fn report_unknown(metric: &Located<String>, wanted: &str, names: &[&str], context: &mut Context<'_>) {
    let title = format!("{} is not {wanted}", quoted(&metric.value));
    let mut finding = Finding::new(metric.place, title, "unknown here");
    let nearest = nearest(&metric.value, names.iter().copied());
    finding.help = match nearest {
        Some(name) => Some(format!("did you mean `{name}`?")),
        None => Some(format!("there are {}", list(names))),
    };
    context.problems.report(finding);
}

/// Reports an amount in a unit that the metric does not have.
pub(super) fn report_unit(place: Place, unit: &str, context: &mut Context<'_>) {
    let title = format!("the metric is in {unit}, so this has to be a plain number");
    context.problems.report(Finding::new(place, title, format!("not in {unit}")));
}
