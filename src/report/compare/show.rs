//! A comparison for people: text for the terminal, Markdown for a pull request.

use super::{Change, ChangeVerdict, StudyComparison};
use crate::report::markdown::{escaped, grid};
use crate::report::table::drawn;
use crate::report::words;
use crate::study::Welch;

/// Room for the name of a variant in the terminal.
const VARIANT_COLUMN: usize = 18;

impl StudyComparison {
    /// The comparison as text for the terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.heading(), self.finding());
        let rows = self.shown().map(|change| {
            let mut row = cells(change);
            row[0] = words::truncated(&change.variant, VARIANT_COLUMN);
            row
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if !rows.is_empty() {
            text.push_str(&format!("\n{}\n", drawn(2, HEADER.map(str::to_owned).to_vec(), rows.into_iter())));
        }
        for note in self.notes() {
            text.push_str(&format!("\n{}", words::wrapped(&note, 100).join("\n")));
        }
        text.trim_end().to_owned() + "\n"
    }

    /// The comparison as GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n**{}**\n", escaped(&self.heading()), escaped(&self.finding()));
        let rows: Vec<Vec<String>> =
            self.shown().map(|change| cells(change).iter().map(|cell| escaped(cell)).collect()).collect();
        if !rows.is_empty() {
            text.push_str(&format!("\n{}", grid(&HEADER.map(str::to_owned), rows)));
        }
        for note in self.notes() {
            text.push_str(&format!("\n{}\n", escaped(&note)));
        }
        text
    }

    fn heading(&self) -> String {
        let of = |summary: &super::StudySummary| format!("{} runs, seed {}", summary.replications, summary.seed);
        let title = words::truncated(&self.new.title, 60);
        format!("{title}: old ({}) against new ({})", of(&self.old), of(&self.new))
    }

    fn shown(&self) -> impl Iterator<Item = &Change> {
        // What is worse has to be read first.
        let order = [ChangeVerdict::Worse, ChangeVerdict::Better, ChangeVerdict::Changed];
        order.into_iter().flat_map(|verdict| self.changes.iter().filter(move |change| change.verdict == verdict))
    }

    fn finding(&self) -> String {
        let count = |verdict| self.changes.iter().filter(|change| change.verdict == verdict).count();
        match [ChangeVerdict::Worse, ChangeVerdict::Better, ChangeVerdict::Changed].map(count) {
            [0, 0, 0] => "No difference shown.".to_owned(),
            [worse, better, changed] => {
                format!("{worse} worse, {better} better, {changed} changed without being either.")
            }
        }
    }

    fn notes(&self) -> Vec<String> {
        let not_shown = self.changes.iter().filter(|change| change.verdict == ChangeVerdict::NotShown).count();
        let mut notes = vec![format!(
            "{not_shown} of {} metrics show no difference. The intervals hold with 95 % all together.",
            self.changes.len()
        )];
        if self.changes.iter().any(|change| change.difference.is_none()) {
            notes.push("A metric with a single value has no interval, so no change of it can be shown.".to_owned());
        }
        for (names, what) in [(&self.gone, "no longer there"), (&self.added, "new")] {
            if !names.is_empty() {
                notes.push(format!("Variants that are {what}: {}.", names.join(", ")));
            }
        }
        notes
    }
}

const HEADER: [&str; 6] = ["variant", "metric", "old", "new", "new − old", ""];

fn cells(change: &Change) -> Vec<String> {
    let value = |value| words::metric_value(change.metric, value);
    let interval = |Welch { lo, hi, .. }| format!("{} to {}", signed(&value(lo), lo), signed(&value(hi), hi));
    vec![
        change.variant.clone(),
        change.metric.name().to_owned(),
        value(change.old.mean),
        value(change.new.mean),
        change.difference.map_or("–".to_owned(), interval),
        verdict_name(change.verdict).to_owned(),
    ]
}

fn signed(text: &str, value: f64) -> String {
    if value > 0.0 { format!("+{text}") } else { text.to_owned() }
}

fn verdict_name(verdict: ChangeVerdict) -> &'static str {
    match verdict {
        ChangeVerdict::Worse => "worse",
        ChangeVerdict::Better => "better",
        ChangeVerdict::Changed => "changed",
        ChangeVerdict::NotShown => "not shown",
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::moved;

    #[test]
    fn text_and_markdown_have_what_is_worse_first() {
        insta::assert_snapshot!(format!("{}\n----\n{}", moved().text(), moved().markdown()));
    }
}
