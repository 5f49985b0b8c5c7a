//! All about one policy.

use retrystorm::model::policy::catalogue::{About, Parameter};

use super::{Delays, Entry, Section, plot};
use crate::cli::page::{INDENT, paragraph, wrapped};

/// What there is to know of a kind.
pub fn text(section: &Section, entry: &Entry) -> String {
    let about = entry.about;
    let mut text = format!("{} ({})\n", about.name, section.title.to_lowercase().trim_end_matches('s'));
    text += &paragraph("", about.summary);
    text += &paragraph("Formula", about.formula);
    text += &parameters(about);
    text += &paragraph("Example", &section.scenario.replace('@', &about.example_written()));
    text += &match &entry.delays {
        Delays::None(reason) => paragraph("Delays", reason),
        Delays::After(bars) => format!("\nDelays of the example, after each attempt\n{}", plot::text(bars)),
    };
    text += &paragraph("A mistake", about.mistake);
    text += &paragraph("Source", about.source);
    text
}

fn parameters(about: &About) -> String {
    if about.parameters.is_empty() {
        return paragraph("Parameters", "none");
    }
    let indent = " ".repeat(2 * INDENT + 2);
    let lines = about.parameters.iter().map(|parameter| {
        let (meaning, values) = (wrapped(parameter.meaning, indent.len()), wrapped(&values(parameter), indent.len()));
        format!("  {}\n{indent}{meaning}\n{indent}{values}\n", parameter.name)
    });
    format!("\nParameters\n{}", lines.collect::<String>())
}

/// Type, range and default.
fn values(parameter: &Parameter) -> String {
    let default = match parameter.default_written() {
        Some(default) => format!("default {default}"),
        None => "has to be given".to_owned(),
    };
    format!("{}: {}; {default}", parameter.kind.name(), parameter.kind.allowed())
}
