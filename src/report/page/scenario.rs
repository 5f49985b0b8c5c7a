//! What was simulated: the scenario's text, what its author assumed, and what was left to defaults.

use maud::{Markup, html};

use super::{notes, part, table};
use crate::report::{Origin, words};
use crate::scenario::{Key, defaults_of};

/// Room for the line that a note speaks of.
const LINE: usize = 72;

/// The section; nothing where the text is not known.
pub fn section(origin: Origin) -> Markup {
    if origin.text.is_empty() {
        return Markup::default();
    }
    part(
        "scenario",
        "What was assumed",
        html! {
            @for paragraph in notes::introduction(origin.text).iter().skip(1) { p { (words::clean(paragraph)) } }
            (assumptions(origin.text))
            (defaults(origin.text))
            details {
                summary { "The whole scenario, " code { (words::clean(origin.file)) } }
                pre tabindex="0" role="region" aria-label="The scenario as YAML" {
                    code { @for line in origin.text.lines() { (words::clean(line)) "\n" } }
                }
            }
        },
    )
}

fn assumptions(text: &str) -> Markup {
    let notes = notes::notes(text);
    let row = |note: &notes::Note| {
        vec![
            html! { (note.line) },
            html! { code { (words::truncated(&note.of, LINE)) } },
            html! { (words::clean(&note.says)) },
        ]
    };
    let rows: Vec<Vec<Markup>> = notes.iter().map(row).collect();
    let header = ["line", "value", "the author says"].map(str::to_owned);
    html! {
        @if !rows.is_empty() {
            (table("The author's assumptions and notes, line by line", &header, &rows, "words"))
        }
    }
}

fn defaults(text: &str) -> Markup {
    let keys = defaults_of(text);
    let row = |key: &Key| {
        let default = key.default.clone().unwrap_or_default();
        vec![html! { code { (key.path) } }, html! { (default) }, html! { (key.summary()) }]
    };
    let rows: Vec<Vec<Markup>> = keys.iter().map(row).collect();
    let header = ["key", "default", "meaning"].map(str::to_owned);
    html! {
        @if !rows.is_empty() {
            details {
                summary { "What was left to defaults" }
                (table("Keys that the scenario does not give", &header, &rows, "words"))
            }
        }
    }
}
