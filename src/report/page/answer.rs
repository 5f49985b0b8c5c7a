//! The answer on top of the page: what the outage becomes with the worst and with the best variant, and each in a card.

use std::cmp::Ordering;

use maud::{Markup, html};

use super::{part, variant_name};
use crate::engine::time::seconds;
use crate::measure::Metric;
use crate::report::happened::{self, Disturbance};
use crate::report::{number, table, words};
use crate::study::{StudyResult, VariantResult};

/// More variants than this have no cards: the table has them.
const MOST_CARDS: usize = 6;
/// Room for a name within the sentence.
const NAME: usize = 48;

/// What is asked, where the scenario does not say it in its own words.
pub fn question(result: &StudyResult) -> String {
    let who = match result.variants.len() {
        1 => "this policy".to_owned(),
        many => format!("each of {many} variants"),
    };
    let first = result.variants.first();
    match first.and_then(|variant| trouble(result, variant)) {
        Some(trouble) => format!("What does {who} make of {trouble}?"),
        None => format!("How does {who} fare?"),
    }
}

/// The section.
pub fn section(result: &StudyResult) -> Markup {
    part(
        "answer",
        "The answer",
        html! {
            p.answer { (sentence(result)) }
            @if result.variants.len() <= MOST_CARDS {
                div.cards { @for index in 0..result.variants.len() { (card(result, index)) } }
            }
        },
    )
}

/// The worst and the best variant in one sentence.
pub fn sentence(result: &StudyResult) -> String {
    let mut order: Vec<&VariantResult> = result.variants.iter().collect();
    order.sort_by(|one, other| badness(result, other, one));
    let name = |variant: &VariantResult| words::truncated(&variant.name, NAME);
    match order.as_slice() {
        [] => "Nothing was run.".to_owned(),
        [only] => format!("{} {} and {}.", name(only), becomes(result, only), loses(only, "no valid message")),
        [worst, .., best] if deeds(result, worst) == deeds(result, best) => {
            format!("Every variant alike {} and {}.", becomes(result, worst), loses(worst, "no valid message"))
        }
        [worst, .., best] => format!(
            "{} {} and {}; {} {} and {}.",
            name(worst),
            becomes(result, worst),
            loses(worst, "no valid message"),
            name(best),
            is_over(result, best).unwrap_or_else(|| becomes(result, best)),
            loses(best, "none")
        ),
    }
}

fn deeds(result: &StudyResult, variant: &VariantResult) -> (String, String) {
    (becomes(result, variant), loses(variant, "none"))
}

/// Who loses more, and at the same loss is disturbed for longer.
fn badness(result: &StudyResult, one: &VariantResult, other: &VariantResult) -> Ordering {
    let badness = |variant: &VariantResult| {
        let mean = |metric| variant.metric(metric).map_or(0.0, |found| found.mean);
        let found = happened::disturbance(result, variant);
        let unfinished = found.map_or(0, |found| found.unfinished.k);
        let length_s = found.map_or(0.0, Disturbance::length_s);
        [mean(Metric::DeadLetteredValid).round(), f64::from(unfinished), length_s, mean(Metric::CallsPeakPerS)]
    };
    let pairs = badness(one).into_iter().zip(badness(other));
    pairs.map(|(one, other)| one.total_cmp(&other)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// What goes wrong at the downstream, such as `an outage of 90 s`.
fn trouble(result: &StudyResult, variant: &VariantResult) -> Option<String> {
    match happened::outages(result, variant) {
        [] => None,
        [only] => Some(format!("an outage of {}", number::duration(seconds(only.until_us - only.from_us)))),
        _ => Some("several outages".to_owned()),
    }
}

/// What the trouble becomes.
fn becomes(result: &StudyResult, variant: &VariantResult) -> String {
    let peak = || {
        let found = variant.metric(Metric::CallsPeakPerS).map_or(0.0, |found| found.mean);
        format!("peaks at {} a second", number::counted(found, "call"))
    };
    let (Some(trouble), Some(found)) = (trouble(result, variant), happened::disturbance(result, variant)) else {
        return peak();
    };
    match found.unfinished {
        never if never.k > 0 && never.k == never.n => format!("is not over {trouble} by the end of the run"),
        some if some.k > 0 => {
            format!("is not over {trouble} by the end of the run in {} of {} runs", some.k, some.n)
        }
        _ if found.length_s() == 0.0 => format!("does not feel {trouble}"),
        _ => format!("turns {trouble} into {} of disturbance", number::duration(found.length_s())),
    }
}

/// The same in fewer words, where the sentence has just said what the trouble is.
fn is_over(result: &StudyResult, variant: &VariantResult) -> Option<String> {
    let found = happened::disturbance(result, variant)?;
    let is_plain = found.unfinished.k == 0 && found.length_s() > 0.0;
    is_plain.then(|| format!("is over it after {}", number::duration(found.length_s())))
}

/// What is lost; `nothing` says that it is nothing.
fn loses(variant: &VariantResult, nothing: &str) -> String {
    let mut losses = Vec::new();
    let mut lost = |metric: Metric, verb: &str, ending: &str| {
        let mean = variant.metric(metric).map_or(0.0, |found| found.mean);
        if mean > 0.0 {
            losses.push(format!("{verb} {}{ending}", amount(variant, metric, mean)));
        }
    };
    lost(Metric::DeadLetteredValid, "dead-letters", "");
    lost(Metric::Expired, "lets", " expire");
    lost(Metric::DeletedUnprocessed, "deletes", " unprocessed");
    match losses.split_last() {
        None => format!("dead-letters {nothing}"),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

fn amount(variant: &VariantResult, metric: Metric, mean: f64) -> String {
    let adjective = if metric == Metric::DeadLetteredValid { "valid message" } else { "message" };
    match variant.groups(metric) {
        Some(groups) => format!("{} {adjective}s", table::either(metric, groups)),
        None => number::counted(mean, adjective),
    }
}

/// The three numbers of a variant that a design review asks for first.
fn card(result: &StudyResult, index: usize) -> Markup {
    let variant = &result.variants[index];
    html! {
        article class={ "card v" (index % super::COLOURS) } {
            h3 { (variant_name(result, index)) }
            dl {
                @if let Some(found) = happened::disturbance(result, variant) {
                    dt { "disturbed for" }
                    dd {
                        @if found.unfinished.k > 0 {
                            "not over in " (found.unfinished.k) " of " (found.unfinished.n) " runs"
                        } @else { (number::duration(found.length_s())) }
                    }
                }
                dt { "valid messages dead-lettered" }
                dd { (table::cell(variant, Metric::DeadLetteredValid)) }
                dt { "calls in the busiest second" }
                dd { (table::cell(variant, Metric::CallsPeakPerS)) }
            }
        }
    }
}
