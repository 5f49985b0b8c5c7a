//! What a sweep prints: a table a metric, a row a point.

use crate::measure::Metric;
use crate::report::table::{drawn, fits};
use crate::report::terminal::{Paint, WIDTH};
use crate::report::{number, words};
use crate::study::{SweepFacts, SweepResult};

/// Most rows that are printed; the files have all.
const MOST_ROWS: usize = 60;
/// Up to this many variants stand side by side.
const SIDE_BY_SIDE: usize = 4;
/// Room for a value of an axis, and for the name of a variant.
const LABEL: usize = 24;
const NAME: usize = 18;

/// The report of a sweep as text of at most a hundred columns, with colours where `colour` allows them.
pub fn sweep_text(result: &SweepResult, colour: bool) -> String {
    let paint = Paint::with(colour);
    let facts = &result.facts;
    let mut text = String::new();
    for line in words::wrapped(&facts.title, WIDTH) {
        text += &format!("{}\n", paint.bold(&line));
    }
    for line in words::wrapped(&setting(facts), WIDTH) {
        text += &format!("{line}\n");
    }
    for metric in facts.shown_metrics() {
        text += &format!("\n{}\n", paint.bold(&format!("{} ({})", metric.name(), metric.unit())));
        text += &table(result, metric);
        text.push('\n');
    }
    let hidden = facts.points().saturating_sub(points_shown(facts));
    if hidden > 0 {
        text += &format!("\n{hidden} more points are in sweep.csv\n");
    }
    text
}

fn setting(facts: &SweepFacts) -> String {
    let simulated =
        facts.duration_s.map_or(String::new(), |seconds| format!("{} simulated, ", number::duration(seconds)));
    let runs = match facts.replications {
        1 => "a single run each, so that no interval can be given".to_owned(),
        many => format!("means of {many} runs, ± half of the 95 % interval where it exceeds 0.5 %"),
    };
    format!("{} points, {simulated}seed {}; {runs}; expectations and claims are not judged", facts.points(), facts.seed)
}

fn points_shown(facts: &SweepFacts) -> usize {
    let rows_a_point = if facts.variants.len() <= SIDE_BY_SIDE { 1 } else { facts.variants.len() };
    facts.points().min((MOST_ROWS / rows_a_point).max(1))
}

fn table(result: &SweepResult, metric: Metric) -> String {
    if result.facts.variants.len() <= SIDE_BY_SIDE {
        for with_spread in [true, false] {
            let table = side_by_side(result, metric, with_spread);
            if fits(&table) {
                return table;
            }
        }
    }
    below_each_other(result, metric)
}

/// A row a point, a column a variant.
fn side_by_side(result: &SweepResult, metric: Metric, with_spread: bool) -> String {
    let facts = &result.facts;
    let names = facts.variants.iter().map(|name| words::truncated(name, NAME));
    let rows = (0..points_shown(facts)).map(|point| {
        let cells = (0..facts.variants.len()).map(|variant| cell(result, point, variant, metric, with_spread));
        labels(facts, point).chain(cells).collect()
    });
    drawn(facts.axes.len(), headings(facts).chain(names).collect(), rows)
}

/// A row a point and variant. Axes that do not fit are left out from the left.
fn below_each_other(result: &SweepResult, metric: Metric) -> String {
    let facts = &result.facts;
    let mut skipped = 0;
    loop {
        let header = headings(facts).skip(skipped).chain(["variant".to_owned(), "mean".to_owned()]).collect();
        let cells = (0..points_shown(facts)).flat_map(|point| {
            facts.variants.iter().enumerate().map(move |(variant, name)| {
                let cells = [words::truncated(name, LABEL), cell(result, point, variant, metric, true)];
                labels(facts, point).skip(skipped).chain(cells).collect()
            })
        });
        let table = drawn(facts.axes.len() - skipped + 1, header, cells);
        if fits(&table) || skipped == facts.axes.len() {
            return table;
        }
        skipped += 1;
    }
}

/// The last keys of the axes' paths, a line each.
fn headings(facts: &SweepFacts) -> impl Iterator<Item = String> {
    facts.axes.iter().map(|axis| {
        let path = words::short_path(&axis.path);
        let lines = path.split_inclusive('.').map(|line| words::truncated(line, LABEL));
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn labels(facts: &SweepFacts, point: usize) -> impl Iterator<Item = String> {
    facts.labels(point).map(|label| words::truncated(label, LABEL)).collect::<Vec<_>>().into_iter()
}

/// A mean, with its spread where there is room.
fn cell(result: &SweepResult, point: usize, variant: usize, metric: Metric, with_spread: bool) -> String {
    let Some(found) = result.metric(point, variant, metric) else { return "–".to_owned() };
    let half_width = if with_spread { words::half_width(found) } else { 0.0 };
    if metric.unit() == "s" {
        number::duration_with_spread(found.mean, half_width)
    } else {
        number::with_spread(found.mean, half_width)
    }
}
