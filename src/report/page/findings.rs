//! What the statistics say: differences between variants, how often something happened, and what the alarms did.

use maud::{Markup, html};

use super::{part, table, variant_name};
use crate::measure::{AlarmFigure, Fact};
use crate::report::alarms::{by_first_firing, with_spread};
use crate::report::{differences as shown, happened, probabilities as facts, summary, words};
use crate::study::StudyResult;

/// The differences from the baseline with their intervals; nothing for a single variant or a single run.
pub fn differences(result: &StudyResult) -> Markup {
    let Some(first) = result.differences.first().filter(|_| result.scenario.replications > 1) else {
        return Markup::default();
    };
    let header = ["variant", "metric", "difference", "95 % interval", "verdict"].map(str::to_owned);
    let rows: Vec<Vec<Markup>> = result
        .differences
        .iter()
        .map(|one| {
            let ends = [one.found.mean, one.found.lo, one.found.hi];
            let [mean, lo, hi] = ends.map(|value| words::metric_value(one.metric, value));
            vec![
                variant_name(result, one.variant),
                html! { code { (one.metric.name()) } },
                html! { (mean) },
                html! { (lo) " to " (hi) },
                html! { (summary::difference_verdict_name(one.verdict())) },
            ]
        })
        .collect();
    part(
        "differences",
        "What the policy changes",
        html! {
            p.muted {
                "Against " (words::clean(words::variant_name(result, first.baseline)))
                ", run by run with the same luck. "
                "A difference counts as shown where its whole 95 % interval lies on one side of 0."
            }
            ul.sentences { @for line in shown::lines(result) { li { (line) "." } } }
            details {
                summary { "Every difference as a table" }
                (table("Each variant less the baseline", &header, &rows, "figures two-names"))
            }
        },
    )
}

/// In how many runs something was so, with the verdict on each variant that stays degraded.
pub fn probabilities(result: &StudyResult) -> Markup {
    let of = |variant: usize, fact: Fact| facts::of(&result.variants[variant].facts, fact);
    let variants = 0..result.variants.len();
    let is_so = |fact: Fact| variants.clone().any(|variant| of(variant, fact).k > 0);
    let columns: Vec<(Fact, &str)> = facts::COLUMNS.into_iter().filter(|(fact, _)| is_so(*fact)).collect();
    let groups = facts::groups(result);
    if columns.is_empty() && groups.is_empty() {
        return Markup::default();
    }
    let heads = columns.iter().map(|(_, head)| head.replace('\n', " "));
    let header: Vec<String> = ["variant".to_owned()].into_iter().chain(heads).collect();
    let cell = |variant, fact| html! { (words::proportion(of(variant, fact))) };
    let rows: Vec<Vec<Markup>> = variants
        .clone()
        .map(|variant| {
            let cells = columns.iter().map(|(fact, _)| cell(variant, *fact));
            [variant_name(result, variant)].into_iter().chain(cells).collect()
        })
        .collect();
    let stays: Vec<(usize, String)> =
        variants.filter_map(|variant| Some((variant, happened::stays_degraded(&result.variants[variant])?))).collect();
    part(
        "risk",
        "How often, and does it recover by itself",
        html! {
            @if !columns.is_empty() {
                (table("In how many runs, with 95 % intervals of the probability", &header, &rows, "figures"))
            }
            @if stays.is_empty() {
                p { "No variant stays degraded: once the trigger has gone, calls are sound again within a minute." }
            } @else {
                p { "The failure feeds itself where calls are not sound for over a minute after the trigger has gone:" }
                ul.sentences {
                    @for (variant, sentence) in stays { li { (variant_name(result, variant)) ": " (sentence) "." } }
                }
            }
            @if !groups.is_empty() {
                h3 { "Two outcomes, not one" }
                ul.sentences { @for group in groups { li { (group) "." } } }
            }
        },
    )
}

/// What each alarm did; nothing where there is none.
pub fn alarms(result: &StudyResult) -> Markup {
    if result.scenario.alarms.is_empty() {
        return Markup::default();
    }
    let names = ["variant", "alarm", "fired in runs"];
    let times = ["first fired at", "before the first loss", "in alarm", "first cleared at"];
    let header: Vec<String> = names.into_iter().chain(times).map(str::to_owned).collect();
    let figures = [AlarmFigure::FiredS, AlarmFigure::LeadS, AlarmFigure::InAlarmS, AlarmFigure::ClearedS];
    let of_variant = |variant: usize| {
        let alarms = by_first_firing(result, &result.variants[variant].alarms).into_iter();
        alarms.map(move |(name, found)| {
            let fired = html! { (found.fired_runs) " of " (found.runs) };
            let cells = figures.map(|figure| html! { (with_spread(found.figure(figure))) });
            [variant_name(result, variant), html! { (words::clean(name)) }, fired].into_iter().chain(cells).collect()
        })
    };
    let rows: Vec<Vec<Markup>> = (0..result.variants.len()).flat_map(of_variant).collect();
    let table = table("Alarms of each variant, the first to fire first", &header, &rows, "figures two-names");
    part("alarms", "What the alarms did", table)
}
