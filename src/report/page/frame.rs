//! What bounds the results: what the model leaves out, and how to get the same numbers again.

use maud::{Markup, html};

use super::part;
use crate::engine::time::seconds;
use crate::report::{Origin, number, words};
use crate::study::StudyResult;

/// The document that says what is modelled and what is not.
const MODEL: &str = include_str!("../../../docs/model.md");
/// Its section on what is not.
const HEADING: &str = "## What is not modelled";

/// The limits of the model, as its documentation lists them.
pub fn limits() -> Markup {
    let section = MODEL.split_once(HEADING).map_or("", |(_, rest)| rest);
    let section = section.split_once("\n## ").map_or(section, |(own, _)| own);
    let items: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    part(
        "limits",
        "What the model leaves out",
        html! {
            p {
                "The results tell how the variants compare under one mechanism, which the scenario writes down. "
                "They do not predict an outage to the message."
            }
            ul.columns { @for item in items { li { (item) } } }
        },
    )
}

/// Seed, replications, version and the command.
pub fn again(result: &StudyResult, origin: Origin) -> Markup {
    let scenario = &result.scenario;
    part(
        "again",
        "The same numbers again",
        html! {
            dl.facts {
                dt { "scenario" } dd { (words::clean(origin.file)) }
                dt { "seed" } dd { (scenario.seed) }
                dt { "replications" } dd { (scenario.replications) " of each variant" }
                dt { "simulated" } dd { (number::duration(seconds(scenario.duration_us))) " a run" }
                dt { "version" } dd { "retrystorm " (env!("CARGO_PKG_VERSION")) }
            }
            @if !origin.command.is_empty() {
                pre tabindex="0" role="region" aria-label="The command" { code { (words::clean(origin.command)) } }
            }
            p.muted {
                "The same scenario, seed and version give the same bytes on any machine. "
                "The numbers of this page stand in " code { "summary.json" } ", the courses of its charts in "
                code { "series.csv" } ", both beside it."
            }
        },
    )
}
