//! `report.html`: the whole comparison on one page that opens offline and prints well.
//!
//! What it says comes from the functions that the other reports use, so that their numbers can be found in `summary.json`.
//! The pictures are those of the other files; a script in the page draws them anew where there is one, to be zoomed.

mod answer;
mod charts;
mod course;
mod document;
mod findings;
mod frame;
mod judgements;
mod loss;
mod notes;
mod numbers;
mod phases;
mod scenario;
#[cfg(test)]
mod tests;

use maud::{Markup, html};

use super::chart::Chart;
use super::files::RenderedFile;
use super::{ReportError, terminal, words};
use crate::report::Origin;
use crate::study::StudyResult;

/// The name of the file.
const NAME: &str = "report.html";

/// The page of a study; `files` has its charts as SVG.
pub fn render(result: &StudyResult, origin: Origin, files: &[RenderedFile]) -> Result<RenderedFile, ReportError> {
    let pictures = Chart::ALL.map(|chart| picture(files, chart));
    let data = course::data(result)?;
    let title = words::clean(&result.scenario.title);
    let body = html! {
        (header(result, origin, &title))
        main id="main" {
            (answer::section(result))
            (charts::section(result, &pictures))
            (phases::section(result))
            (numbers::section(result))
            (findings::differences(result))
            (findings::probabilities(result))
            (findings::alarms(result))
            (judgements::expectations(result))
            (judgements::claims(result))
            (scenario::section(origin))
            (frame::limits())
            (frame::again(result, origin))
        }
    };
    let text = document::whole(&title, body, &data);
    Ok(RenderedFile::new(NAME, text.into_bytes()))
}

fn picture(files: &[RenderedFile], chart: Chart) -> &str {
    let name = format!("{}.svg", chart.name());
    let file = files.iter().find(|file| file.name == name);
    file.and_then(|file| std::str::from_utf8(&file.bytes).ok()).unwrap_or_default()
}

fn header(result: &StudyResult, origin: Origin, title: &str) -> Markup {
    let question = notes::question(origin.text).unwrap_or_else(|| answer::question(result));
    html! {
        header.page-head {
            p.eyebrow { "Retry policies compared · " (words::clean(origin.file)) }
            h1 { (title) }
            p.question { (question) }
            p.muted { (terminal::setting(result).replace('\n', " ")) }
        }
    }
}

/// A part of the page with its heading.
fn part(id: &str, heading: &str, content: Markup) -> Markup {
    let label = format!("{id}-heading");
    html! {
        section id=(id) aria-labelledby=(label) {
            h2 id=(label) { (heading) }
            (content)
        }
    }
}

/// A table that scrolls by itself where it is wider than the screen. The first cell of a row says what it is of; `kind`
/// is the class that says whether the others are numbers or words.
fn table(caption: &str, header: &[String], rows: &[Vec<Markup>], kind: &str) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table class=(kind) {
                caption { (caption) }
                thead { tr { @for cell in header { th scope="col" { (cell) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (index, cell) in row.iter().enumerate() {
                                @if index == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A variant's name with the colour and mark that it has in the charts.
fn variant_name(result: &StudyResult, index: usize) -> Markup {
    let name = words::clean(words::variant_name(result, index));
    html! { span.variant { span class={ "swatch v" (index % COLOURS) } aria-hidden="true" {} bdi { (name) } } }
}

/// Colours of the charts.
const COLOURS: usize = 6;
