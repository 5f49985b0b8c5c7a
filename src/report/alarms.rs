//! What the alarms did, for the terminal.

use super::table::{drawn, fits};
use super::terminal::Paint;
use super::{number, words};
use crate::measure::AlarmFigure;
use crate::study::{AlarmResult, Estimate, StudyResult};

/// Room for the name of a variant.
const VARIANT_COLUMN: usize = 20;
/// Room for the name of an alarm.
const ALARM_COLUMN: usize = 16;

/// The figures with the heads of their columns, the most important first.
const COLUMNS: [(AlarmFigure, &str); 4] = [
    (AlarmFigure::FiredS, "first\nfired at"),
    (AlarmFigure::LeadS, "before the\nfirst loss"),
    (AlarmFigure::InAlarmS, "in alarm"),
    (AlarmFigure::ClearedS, "first\ncleared at"),
];

/// A table of all alarms of each variant, the first to fire first; nothing where there are no alarms.
pub fn table(result: &StudyResult, paint: Paint) -> String {
    if result.scenario.alarms.is_empty() {
        return String::new();
    }
    let attempts = [(COLUMNS.len(), with_spread as Cell), (COLUMNS.len(), plain as Cell), (2, plain as Cell)];
    let tables = attempts.map(|(columns, cell)| of_columns(result, &COLUMNS[..columns], cell));
    let [.., last] = &tables;
    let table = tables.iter().find(|table| fits(table)).unwrap_or(last);
    format!("\n{}\n{table}\n", paint.bold("Alarms"))
}

type Cell = fn(Option<Estimate>) -> String;

fn of_columns(result: &StudyResult, columns: &[(AlarmFigure, &str)], cell: Cell) -> String {
    let heads = columns.iter().map(|(_, head)| *head);
    let header = ["variant", "alarm", "fired\nin runs"].into_iter().chain(heads).map(str::to_owned).collect();
    let rows = result.variants.iter().flat_map(|variant| {
        let name = words::truncated(&variant.name, VARIANT_COLUMN);
        by_first_firing(result, &variant.alarms).into_iter().map(move |(alarm, found)| {
            let fired = format!("{} of {}", found.fired_runs, found.runs);
            let cells = columns.iter().map(|(figure, _)| cell(found.figure(*figure)));
            [name.clone(), words::truncated(alarm, ALARM_COLUMN), fired].into_iter().chain(cells).collect()
        })
    });
    drawn(2, header, rows)
}

/// The alarms of a variant with their names; those that never fired come last, in the order of the scenario.
pub(super) fn by_first_firing<'a>(
    result: &'a StudyResult,
    alarms: &'a [AlarmResult],
) -> Vec<(&'a str, &'a AlarmResult)> {
    let names = result.scenario.alarms.iter().map(|alarm| alarm.name.as_str());
    let mut named: Vec<(&str, &AlarmResult)> = names.zip(alarms).collect();
    let fired_s = |found: &AlarmResult| found.figure(AlarmFigure::FiredS).map_or(f64::INFINITY, |fired| fired.mean);
    named.sort_by(|one, other| fired_s(one.1).total_cmp(&fired_s(other.1)));
    named
}

/// A time with its spread.
pub(super) fn with_spread(found: Option<Estimate>) -> String {
    let of = |found: Estimate| number::duration_with_spread(found.mean, words::half_width(found));
    found.map_or("–".to_owned(), of)
}

fn plain(found: Option<Estimate>) -> String {
    found.map_or("–".to_owned(), |found| number::duration(found.mean))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::report::terminal::text;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn the_first_to_fire_stands_first_and_what_never_fired_last() {
        insta::assert_snapshot!(table(&sample::with_alarms(sample::failover()), Paint::none()));
    }

    #[test]
    fn every_table_of_alarms_fits_a_hundred_columns() {
        for result in [sample::many(100), sample::odd_names(), sample::empty()] {
            for line in text(&sample::with_alarms(result), false).lines() {
                assert!(line.width() <= 100, "{} columns: {line}", line.width());
            }
        }
    }
}
