//! The phases of each variant: a band on a common time axis, and the same in words and times.

use maud::{Markup, html};

use super::{part, table, variant_name};
use crate::report::chart::{Facts, time_ticks};
use crate::report::{happened, number};
use crate::study::{Phase, PhaseSpan, StudyResult};

/// More variants than this have no sentences of their own.
const MOST_STORIES: usize = 12;
/// Share of the axis from which on a phase has room for its name.
const ROOM_FOR_A_NAME: f64 = 0.11;
/// Most ticks of the axis after zero.
const MOST_TICKS: usize = 6;
/// What the colours mean, in the order in which an outage goes through them.
const LEGEND: [Phase; 5] = [Phase::Stable, Phase::Degraded, Phase::Overloaded, Phase::HeldBack, Phase::Recovering];

/// The section; nothing where no variant ever leaves its first phase.
pub fn section(result: &StudyResult) -> Markup {
    let all: Vec<Vec<PhaseSpan>> = result.variants.iter().map(|one| happened::phases_of(result, one)).collect();
    if all.iter().all(|phases| phases.len() < 2) {
        return Markup::default();
    }
    let end_s = Facts::of(result).end_s();
    part(
        "phases",
        "What happened when",
        html! {
            ul.legend {
                @for phase in LEGEND {
                    li { span class={ "key " (class(phase)) } aria-hidden="true" {} (phase.name()) }
                }
            }
            @for (index, phases) in all.iter().enumerate().take(MOST_STORIES) {
                article.story {
                    h3 { (variant_name(result, index)) }
                    (band(phases, end_s))
                    @for sentence in story(result, index) { p { (capitalised(&sentence)) "." } }
                }
            }
            details {
                summary { "The times as a table" }
                (times(result, &all))
            }
        },
    )
}

/// What the terminal says of a variant, and what its busiest second is made of.
fn story(result: &StudyResult, index: usize) -> Vec<String> {
    let variant = &result.variants[index];
    let mut story = happened::story(result, variant);
    if story.len() > 1 {
        let after_the_spike = 2.min(story.len());
        story.splice(after_the_spike..after_the_spike, happened::cause_of_spike(result, variant));
    }
    story
}

fn class(phase: Phase) -> &'static str {
    match phase {
        Phase::Stable => "stable",
        Phase::Degraded => "degraded",
        Phase::Overloaded => "overloaded",
        Phase::HeldBack => "held-back",
        Phase::Recovering => "recovering",
    }
}

fn per_cent(share: f64) -> String {
    format!("{:.3}%", share.clamp(0.0, 1.0) * 100.0)
}

/// The band; the sentences below it say the same, so that it is a picture with a short name.
fn band(phases: &[PhaseSpan], end_s: f64) -> Markup {
    let share = |time_s: u64| (time_s as f64 / end_s).min(1.0);
    let shown = phases.iter().filter(|span| (span.from_s as f64) < end_s);
    html! {
        svg.band role="img" aria-label="Phases over time; the times are in the text below" width="100%" height="50" {
            @for span in shown {
                @let (from, until) = (share(span.from_s), share(span.until_s));
                rect class=(class(span.phase)) x=(per_cent(from)) y="0" width=(per_cent(until - from)) height="28" {
                    title { (span.phase.name()) }
                }
                @if until - from >= ROOM_FOR_A_NAME {
                    text class=(class(span.phase)) x=(per_cent((from + until) / 2.0)) y="18.5" text-anchor="middle" {
                        (span.phase.name())
                    }
                }
            }
            @for (time_s, label) in time_ticks(end_s, MOST_TICKS) {
                @let at = time_s / end_s;
                line x1=(per_cent(at)) x2=(per_cent(at)) y1="28" y2="33" {}
                text.tick x=(per_cent(at)) y="46" text-anchor=(anchor(at)) { (label) }
            }
        }
    }
}

fn anchor(at: f64) -> &'static str {
    match at {
        0.0 => "start",
        at if at > 0.97 => "end",
        _ => "middle",
    }
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

fn times(result: &StudyResult, all: &[Vec<PhaseSpan>]) -> Markup {
    let header = ["variant", "phase", "from", "until"].map(str::to_owned);
    let rows: Vec<Vec<Markup>> = all
        .iter()
        .enumerate()
        .flat_map(|(index, phases)| {
            let row = move |span: &PhaseSpan| {
                let times = [span.from_s, span.until_s].map(|time_s| html! { (number::duration(time_s as f64)) });
                [variant_name(result, index), html! { (span.phase.name()) }].into_iter().chain(times).collect()
            };
            phases.iter().map(row)
        })
        .collect();
    table("Phases of each variant, on the mean of the runs", &header, &rows, "figures two-names")
}
