//! All policies, a line each.

use super::Section;
use crate::cli::page::list_line;

/// The list of all kinds, by catalogue.
pub fn text(sections: &[Section]) -> String {
    let names = sections.iter().flat_map(|section| section.entries.iter().map(|entry| entry.about.name.len()));
    let width = names.max().unwrap_or(0);
    let parts = sections.iter().map(|section| {
        let lines = section.entries.iter().map(|entry| {
            let about = entry.about;
            list_line(about.name, width, about.summary)
        });
        let scenario = section.scenario.replace('@', "NAME");
        format!("{}\n  {scenario}\n\n{}", section.title, lines.collect::<String>())
    });
    parts.collect::<Vec<_>>().join("\n") + "\n`retrystorm policies NAME` tells all about one.\n"
}
