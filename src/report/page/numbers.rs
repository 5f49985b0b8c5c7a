//! The comparison table of the terminal, with every metric that is worth a line.

use maud::{Markup, html};

use super::{part, table};
use crate::report::table as comparison;
use crate::report::words;
use crate::study::StudyResult;

/// The section.
pub fn section(result: &StudyResult) -> Markup {
    let names = result.variants.iter().map(|variant| words::clean(&variant.name));
    let header: Vec<String> = ["metric".to_owned()].into_iter().chain(names).collect();
    let rows: Vec<Vec<Markup>> = comparison::rows(result)
        .into_iter()
        .map(|row| row.into_iter().map(|cell| html! { (cell) }).collect())
        .collect();
    let caption = match result.scenario.replications {
        1 => "A single run of each variant".to_owned(),
        many => format!("Means of {many} runs, ± half of the 95 % interval"),
    };
    part("numbers", "The numbers side by side", table(&caption, &header, &rows, "figures"))
}
