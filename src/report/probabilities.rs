//! How often something happened, and outcomes that fall into two groups, for the terminal.

use super::table::{drawn, fits};
use super::terminal::{Paint, WIDTH};
use super::words;
use crate::measure::{Fact, Metric};
use crate::study::{Proportion, StudyResult, TwoGroups};

/// Room for the name of a variant.
const VARIANT_COLUMN: usize = 20;

/// The facts with the heads of their columns.
pub(super) const COLUMNS: [(Fact, &str); 5] = [
    (Fact::LosesValidMessages, "loses valid\nmessages"),
    (Fact::NeverCleared, "backlog\nnever cleared"),
    (Fact::NeverSoundAgain, "calls never\nsound again"),
    (Fact::RepeatsAnEffect, "repeats\nan effect"),
    (Fact::StaysDegraded, "stays\ndegraded"),
];

/// A table of the facts that are so in any run, and a sentence for each metric with two groups; nothing where there is
/// neither.
pub fn section(result: &StudyResult, paint: Paint) -> String {
    let is_so = |fact: Fact| result.variants.iter().any(|variant| of(&variant.facts, fact).k > 0);
    let columns: Vec<&(Fact, &str)> = COLUMNS.iter().filter(|(fact, _)| is_so(*fact)).collect();
    let mut text = String::new();
    if !columns.is_empty() {
        let tables = [with_interval as Cell, plain, share].map(|cell| table(result, &columns, cell));
        let [.., last] = &tables;
        let table = tables.iter().find(|table| fits(table)).unwrap_or(last);
        text = format!("\n{}\n{table}\n", paint.bold("In how many runs, with 95 % intervals of the probability"));
    }
    let sentences = groups(result);
    if !sentences.is_empty() {
        text.push_str(&format!("\n{}\n", paint.bold("Two outcomes, not one")));
    }
    for line in sentences.iter().flat_map(|sentence| words::wrapped(sentence, WIDTH - 2)) {
        text.push_str(&format!("  {line}\n"));
    }
    text
}

/// In how many runs a fact was so.
pub(super) fn of(facts: &[Proportion], fact: Fact) -> Proportion {
    facts.get(fact as usize).copied().unwrap_or(Proportion::of(0, 0))
}

/// How a proportion is written.
type Cell = fn(Proportion) -> String;

fn table(result: &StudyResult, columns: &[&(Fact, &str)], cell: Cell) -> String {
    let header = ["variant"].into_iter().chain(columns.iter().map(|(_, head)| *head)).map(str::to_owned).collect();
    let rows = result.variants.iter().map(|variant| {
        let cells = columns.iter().map(|(fact, _)| cell(of(&variant.facts, *fact)));
        [words::truncated(&variant.name, VARIANT_COLUMN)].into_iter().chain(cells).collect()
    });
    drawn(1, header, rows)
}

fn with_interval(of: Proportion) -> String {
    format!("{} of {}, {:.0}–{}", of.k, of.n, of.lo * 100.0, words::whole_percent(of.hi))
}

fn share(of: Proportion) -> String {
    words::whole_percent(f64::from(of.k) / f64::from(of.n.max(1)))
}

fn plain(of: Proportion) -> String {
    format!("{} of {}", of.k, of.n)
}

/// A sentence for each metric whose values fall into two groups.
pub fn groups(result: &StudyResult) -> Vec<String> {
    let of_variant = result.variants.iter().flat_map(|variant| {
        let name = words::truncated(&variant.name, VARIANT_COLUMN);
        variant.groups.iter().map(move |(metric, groups)| format!("{name}: {}", two_groups(*metric, groups)))
    });
    of_variant.collect()
}

/// What a metric is whose values fall into two groups.
pub(super) fn two_groups(metric: Metric, TwoGroups { upper, lower_mean, upper_mean }: &TwoGroups) -> String {
    let [lower, higher] = [lower_mean, upper_mean].map(|mean| words::metric_value(metric, *mean));
    format!("{} is about {higher} in {}, and about {lower} in the others", metric.name(), words::proportion(*upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn facts_and_groups_are_told() {
        let mut result = sample::failover();
        let upper = Proportion::of(7, 20);
        let groups = TwoGroups { upper, lower_mean: 430.0, upper_mean: 6_900.0 };
        result.variants[0].groups = vec![(Metric::DeadLetteredValid, groups)];
        insta::assert_snapshot!(section(&result, Paint::none()));
    }

    #[test]
    fn every_table_of_facts_fits_a_hundred_columns() {
        let mut result = sample::many(100);
        for variant in &mut result.variants {
            variant.facts = vec![Proportion::of(99_999, 100_000); Fact::ALL.len()];
        }
        for line in section(&result, Paint::none()).lines() {
            assert!(line.width() <= 100, "{} columns: {line}", line.width());
        }
    }
}
