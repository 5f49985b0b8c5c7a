//! The four charts: the pictures, and places where a script draws them anew.

use maud::{Markup, PreEscaped, html};

use super::{COLOURS, loss, part};
use crate::report::chart::{Chart, Facts};
use crate::report::words;
use crate::study::StudyResult;

/// What the buttons of a chart do, what is written on them, and their names.
const ZOOMS: [(&str, &str, &str); 5] = [
    ("in", "+", "Zoom in"),
    ("out", "−", "Zoom out"),
    ("earlier", "◀", "Earlier"),
    ("later", "▶", "Later"),
    ("all", "Reset", "Reset the zoom"),
];

/// The section; `pictures` are the charts as SVG, in the order of [`Chart::ALL`].
pub fn section(result: &StudyResult, pictures: &[&str]) -> Markup {
    part(
        "charts",
        "The charts",
        html! {
            (toggles(result))
            div.charts {
                @for (chart, picture) in Chart::ALL.into_iter().zip(pictures) { (figure(result, chart, picture)) }
            }
        },
    )
}

/// A switch for each variant; only a script can do something with them.
fn toggles(result: &StudyResult) -> Markup {
    html! {
        div.toggles.live-only role="group" aria-label="Variants shown in the charts" {
            @for (index, variant) in Facts::of(result).shown().iter().enumerate() {
                button type="button" data-toggle=(index) aria-pressed="true" {
                    span class={ "swatch v" (index % COLOURS) } aria-hidden="true" {}
                    bdi { (words::clean(&variant.name)) }
                }
            }
        }
    }
}

fn figure(result: &StudyResult, chart: Chart, picture: &str) -> Markup {
    let finding = words::clean(&Facts::of(result).finding(chart));
    html! {
        figure.chart id={ "chart-" (chart.name()) } {
            figcaption.live-only {
                h3 { (finding) }
                p.muted { (measured(chart)) }
            }
            div.picture { (PreEscaped(picture)) }
            div.live-only {
                @if chart == Chart::Loss { (loss::bars(result)) } @else { (live(chart, &finding)) }
            }
        }
    }
}

/// What a chart measures, and how to read it.
fn measured(chart: Chart) -> &'static str {
    match chart {
        Chart::Load => "Calls a second at the downstream; dashed: those that succeed; pale: lowest to highest run.",
        Chart::Backlog => "Messages that are visible, and below those in flight (under a lease).",
        Chart::TimeToDlq => {
            "Share of the dead-lettered messages that were there within a time from their first receive."
        }
        Chart::Loss => "Messages that were not processed by the end of the run, by what became of them.",
    }
}

/// Where the script draws, and what it is steered by.
fn live(chart: Chart, finding: &str) -> Markup {
    let plots: &[&str] = match chart {
        Chart::Load => &["calls"],
        Chart::Backlog => &["visible", "in_flight"],
        Chart::TimeToDlq | Chart::Loss => &["to_dlq"],
    };
    html! {
        div.tools role="group" aria-label="Zoom" {
            @for (action, label, words) in ZOOMS {
                button type="button" data-zoom=(action) aria-label=(words) title=(words) { (label) }
            }
        }
        @for plot in plots { div.plot data-plot=(plot) role="img" aria-label=(finding) {} }
        p.readout aria-live="off" {}
    }
}
