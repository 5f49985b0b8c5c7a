//! The comparison table: what a design review needs, in at most a hundred columns.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use unicode_width::UnicodeWidthStr;

use super::terminal::WIDTH;
use super::{markdown, number, words};
use crate::measure::Metric;
use crate::study::{StudyResult, TwoGroups, VariantResult};

/// Up to this many variants stand side by side; more stand below each other.
const SIDE_BY_SIDE: usize = 4;
/// Room for a name above a column: four of them and the labels fit.
const VARIANT_COLUMN: usize = 16;
/// Room for a name before a row.
const NAME_COLUMN: usize = 24;

/// A line of the table.
struct Line {
    metric: Metric,
    label: &'static str,
    /// Label above a narrow column.
    short: &'static str,
    /// Whether it is worth a line where it is zero or undefined for every variant.
    always: bool,
    /// Whether it is shown where many variants leave little room.
    essential: bool,
}

const fn line(metric: Metric, label: &'static str, short: &'static str, always: bool, essential: bool) -> Line {
    Line { metric, label, short, always, essential }
}

const LINES: [Line; 21] = [
    line(Metric::Enqueued, "messages enqueued", "enqueued", true, false),
    line(Metric::Processed, "processed", "processed", true, false),
    line(Metric::DeadLettered, "dead-lettered", "dead-\nlettered", true, true),
    line(Metric::DeadLetteredPermanent, "  of these permanent", "permanent", false, false),
    line(Metric::DeadLetteredPoison, "  of these poison", "poison", false, false),
    line(Metric::Expired, "expired", "expired", false, false),
    line(Metric::DeletedUnprocessed, "deleted unprocessed", "deleted", false, false),
    line(Metric::Pending, "still pending at the end", "pending", false, false),
    line(Metric::Calls, "calls", "calls", true, false),
    line(Metric::CallsWasted, "calls wasted", "calls\nwasted", true, true),
    line(Metric::CallsDuringOutage, "calls during the outage", "in outage", false, false),
    line(Metric::CallsPeakPerS, "calls/s, busiest second", "peak\ncalls/s", true, true),
    line(Metric::BacklogPeak, "visible at worst", "visible\nat worst", true, true),
    line(Metric::InFlightPeak, "in flight at worst", "in flight", true, false),
    line(Metric::SoundAgainS, "calls sound again at", "sound\nagain at", false, true),
    line(Metric::BacklogClearedS, "backlog cleared at", "backlog\ncleared at", false, true),
    line(Metric::BreakerOpenedS, "breaker opened at", "opened", false, false),
    line(Metric::TimeToDlqP50S, "time to DLQ, median", "to DLQ", false, false),
    line(Metric::TimeToDlqMaxS, "time to DLQ, longest", "to DLQ", false, false),
    line(Metric::TimeToSuccessP50S, "time to success, median", "to success", true, false),
    line(Metric::TimeToSuccessP99S, "time to success, 99 %", "success,\n99 %", true, true),
];

/// The table of a study.
pub fn comparison(result: &StudyResult) -> String {
    let worth = |line: &&Line| line.always || result.variants.iter().any(|variant| is_nonzero(variant, line.metric));
    let mut lines: Vec<&Line> = LINES.iter().filter(worth).collect();
    if result.variants.len() <= SIDE_BY_SIDE {
        let table = metrics_as_rows(&result.variants, &lines, cell);
        return if fits(&table) { table } else { metrics_as_rows(&result.variants, &lines, plain_cell) };
    }
    lines.retain(|line| line.essential);
    loop {
        let table = variants_as_rows(&result.variants, &lines);
        if fits(&table) || lines.pop().is_none() {
            return table;
        }
    }
}

/// The header and the rows of the whole table, metrics as rows, however wide.
pub(super) fn cells(result: &StudyResult) -> (Vec<String>, Vec<Vec<String>>) {
    let names = result.variants.iter().map(|variant| markdown::escaped(&variant.name));
    ([String::new()].into_iter().chain(names).collect(), rows(result))
}

/// The rows of the whole table, however wide: a label and a cell for each variant.
pub(super) fn rows(result: &StudyResult) -> Vec<Vec<String>> {
    let worth = |line: &&Line| line.always || result.variants.iter().any(|variant| is_nonzero(variant, line.metric));
    let row = |line: &Line| {
        let cells = result.variants.iter().map(|variant| cell(variant, line.metric));
        [line.label.trim().to_owned()].into_iter().chain(cells).collect()
    };
    LINES.iter().filter(worth).map(row).collect()
}

pub(super) fn fits(table: &str) -> bool {
    table.lines().all(|line| line.width() <= WIDTH)
}

fn metrics_as_rows(variants: &[VariantResult], lines: &[&Line], cell: fn(&VariantResult, Metric) -> String) -> String {
    let names = variants.iter().map(|variant| words::truncated(&variant.name, VARIANT_COLUMN));
    let header = [String::new()].into_iter().chain(names).collect();
    let rows = lines.iter().map(|line| {
        let cells = variants.iter().map(|variant| cell(variant, line.metric));
        [line.label.to_owned()].into_iter().chain(cells).collect()
    });
    drawn(1, header, rows)
}

fn variants_as_rows(variants: &[VariantResult], lines: &[&Line]) -> String {
    let header = ["variant"].into_iter().chain(lines.iter().map(|line| line.short)).map(str::to_owned).collect();
    let rows = variants.iter().map(|variant| {
        let cells = lines.iter().map(|line| plain_cell(variant, line.metric));
        [words::truncated(&variant.name, NAME_COLUMN)].into_iter().chain(cells).collect()
    });
    drawn(1, header, rows)
}

/// A table with a rule below its header; all columns but the first so many at the right.
pub(super) fn drawn(left: usize, header: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let rule = LineStyle::none().fill('─').junction('─').left('─').right('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

fn is_nonzero(variant: &VariantResult, metric: Metric) -> bool {
    variant.metric(metric).is_some_and(|found| found.max != 0.0)
}

/// A mean with its spread.
pub(super) fn cell(variant: &VariantResult, metric: Metric) -> String {
    let Some(found) = variant.metric(metric) else { return "–".to_owned() };
    if let Some(groups) = variant.groups(metric) {
        return either(metric, groups);
    }
    let half_width = words::half_width(found);
    if metric.unit() == "s" {
        number::duration_with_spread(found.mean, half_width)
    } else {
        number::with_spread(found.mean, half_width)
    }
}

/// What a run has: one or the other, and never the mean between them.
pub(super) fn either(metric: Metric, groups: TwoGroups) -> String {
    let value = |mean: f64| if metric.unit() == "s" { number::duration(mean) } else { number::compact(mean) };
    format!("{} or {}", value(groups.lower_mean), value(groups.upper_mean))
}

/// A mean alone: many variants leave no room for more.
fn plain_cell(variant: &VariantResult, metric: Metric) -> String {
    match variant.metric(metric) {
        None => "–".to_owned(),
        Some(found) => match variant.groups(metric) {
            Some(groups) => either(metric, groups),
            None if metric.unit() == "s" => number::duration(found.mean),
            None => number::compact(found.mean),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn three_variants_stand_side_by_side() {
        insta::assert_snapshot!(comparison(&sample::failover()));
    }

    #[test]
    fn many_variants_stand_below_each_other() {
        insta::assert_snapshot!(comparison(&sample::many(7)));
    }

    #[test]
    fn every_table_fits_a_hundred_columns() {
        for result in [sample::failover(), sample::many(4), sample::many(100), sample::odd_names(), sample::empty()] {
            for line in comparison(&result).lines() {
                assert!(line.width() <= 100, "{} columns: {line}", line.width());
            }
        }
    }
}
