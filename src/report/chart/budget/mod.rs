//! When each attempt begins, and when the message is dead-lettered: a bar for each.

use super::font::{Fonts, Weight};
use super::marker;
use super::page;
use super::paint;
use super::plot::Plot;
use super::scale::Scale;
use super::scene::{Anchor, Scene, Text};
use super::style::{
    AXIS, BODY, Colour, GRID, HAIRLINE, INK, MARGIN, MUTED, OUTAGE, OUTAGE_TEXT, SMALL, WIDTH, line_colour,
};
use crate::budget::{Moment, RideOutVerdict};
use crate::report::budget::{BudgetEntry, BudgetReport, time};
use crate::report::files::RenderedFile;
use crate::report::{ReportError, number, words};

/// Name of the picture's files.
const NAME: &str = "budget";
/// Room for the names of the rows.
const NAMES: f64 = 170.0;
/// Room for the numbers behind the rows.
const NUMBERS: f64 = 100.0;
/// Upper edge of the plot.
const TOP: f64 = 128.0;
/// Lower edge of the plot.
const BOTTOM: f64 = 452.0;
/// Rows that have room.
const MOST_ROWS: usize = 14;
/// Half the height of the thickest bar.
const HALF_BAR: f64 = 7.0;

/// A row: its name, its moment, its colour.
struct Row {
    name: String,
    moment: Moment,
    colour: Colour,
}

/// Draws the budget as SVG and as PNG.
pub fn render(report: &BudgetReport) -> Result<[RenderedFile; 2], ReportError> {
    let failed = |reason| ReportError::Render { file: NAME, reason };
    let mut scene = Scene::new(Fonts::embedded().map_err(failed)?);
    draw(&mut scene, report);
    scene.description = words::clean(&scene.description);
    let svg = paint::svg(&scene).map_err(failed)?.into_bytes();
    let png = paint::png(&scene).map_err(failed)?;
    Ok([RenderedFile::new(format!("{NAME}.svg"), svg), RenderedFile::new(format!("{NAME}.png"), png)])
}

fn draw(scene: &mut Scene, report: &BudgetReport) {
    let version = concat!("retrystorm ", env!("CARGO_PKG_VERSION"));
    let source = report.source.iter().map(|source| words::truncated(source, 60));
    let footer: Vec<String> = source.chain(["worked out, not simulated".to_owned(), version.to_owned()]).collect();
    page::draw_over(scene, &footer.join(" · "), |columns| title(report, columns), subtitle(report));
    let rows = rows(report);
    let latest_s = rows.iter().map(|row| row.moment.high_s).fold(0.0, f64::max);
    let outage_s = report.entries.iter().find_map(|entry| entry.settings.outage_s);
    let end_s = latest_s.max(outage_s.unwrap_or(0.0)).max(1.0) * 1.02;
    let plot = Plot {
        left: MARGIN + NAMES,
        right: WIDTH - MARGIN - NUMBERS,
        top: TOP,
        bottom: BOTTOM,
        end_s,
        scale: Scale::up_to(1.0),
    };
    if let Some(outage_s) = outage_s {
        scene.rectangle((plot.left, plot.top), (plot.x(outage_s), plot.bottom), OUTAGE);
        let words = format!("outage of {}", time(outage_s));
        scene.text(text(&words, (plot.left, plot.top - 9.0), Anchor::Start, SMALL, OUTAGE_TEXT), 400.0);
    }
    let height = (BOTTOM - TOP) / rows.len().max(1) as f64;
    for (number, row) in rows.iter().enumerate() {
        draw_row(scene, &plot, row, TOP + height * (number as f64 + 0.5), height);
    }
    scene.rule((plot.left, BOTTOM), (plot.right, BOTTOM), HAIRLINE, AXIS);
    plot.time_axis(scene, 10, true, true);
    let axis = "since the first receive";
    scene.text(text(axis, (plot.right, BOTTOM + 37.0), Anchor::End, SMALL, MUTED), 300.0);
    let mean = text("mean", (WIDTH - MARGIN, plot.top - 9.0), Anchor::End, SMALL, MUTED);
    scene.text(mean, NUMBERS);
}

fn draw_row(scene: &mut Scene, plot: &Plot, row: &Row, middle: f64, height: f64) {
    let half = (height * 0.28).min(HALF_BAR);
    let [low, median, most, high, mean] =
        [row.moment.low_s, row.moment.p50_s, row.moment.p95_s, row.moment.high_s, row.moment.mean_s]
            .map(|at| plot.x(at));
    scene.rule((plot.left, middle), (plot.right, middle), HAIRLINE, GRID);
    if high > low {
        scene.area(rectangle((low, middle - half / 2.0), (high, middle + half / 2.0)), row.colour, 0.3);
        scene.rectangle((low, middle - half), (most.max(low + 1.0), middle + half), row.colour);
        scene.rule((median, middle - half), (median, middle + half), 1.5, super::style::WHITE);
    }
    marker::draw(scene, 0, (mean, middle), (half * 0.8).clamp(2.0, 4.0), INK);
    scene.text(text(&row.name, (MARGIN, middle + 4.5), Anchor::Start, BODY, INK), NAMES - 6.0);
    let mean = time(row.moment.mean_s);
    scene.text(text(&mean, (WIDTH - MARGIN, middle + 4.5), Anchor::End, BODY, INK), NUMBERS - 6.0);
}

fn rectangle((left, top): (f64, f64), (right, bottom): (f64, f64)) -> Vec<(f64, f64)> {
    vec![(left, top), (right, top), (right, bottom), (left, bottom)]
}

/// Of one budget each attempt; of several, what each comes to.
fn rows(report: &BudgetReport) -> Vec<Row> {
    let [entry] = report.entries.as_slice() else {
        let row = |(number, entry): (usize, &BudgetEntry)| Row {
            name: words::truncated(&entry.name, 24),
            moment: entry.budget.to_dead_letter_queue,
            colour: line_colour(number),
        };
        return report.entries.iter().enumerate().take(MOST_ROWS).map(row).collect();
    };
    let attempts = &entry.budget.attempts;
    let all = attempts.len();
    let is_shown = |number: usize| all < MOST_ROWS || number <= MOST_ROWS - 3 || number == all;
    let attempt = |(moment, number): (Moment, usize)| Row {
        name: format!("receive {}", number::human(number as f64)),
        moment,
        colour: line_colour(0),
    };
    let moments = attempts.iter().map(|attempt| attempt.begins).zip(1..);
    let mut rows: Vec<Row> = moments.filter(|(_, number)| is_shown(*number)).map(attempt).collect();
    let moment = entry.budget.to_dead_letter_queue;
    rows.push(Row { name: "dead-letter queue".to_owned(), moment, colour: line_colour(1) });
    rows
}

/// The finding.
fn title(report: &BudgetReport, columns: usize) -> String {
    let [entry] = report.entries.as_slice() else {
        let longest = report.entries.iter().max_by(|a, b| mean_s(a).total_cmp(&mean_s(b)));
        return longest.map_or(String::new(), |entry| {
            let name = words::truncated(&entry.name, columns);
            format!("{name} tries longest: {} to the dead-letter queue on the mean", time(mean_s(entry)))
        });
    };
    let receives = number::counted(f64::from(entry.settings.max_receive_count), "receive");
    match entry.budget.ride_out {
        None => format!("{receives}: {} to the dead-letter queue on the mean", time(mean_s(entry))),
        Some(found) => {
            let outage = time(found.outage_s);
            match found.verdict {
                RideOutVerdict::Always => format!("{receives} always outlast an outage of {outage}"),
                RideOutVerdict::Never => format!("{receives} never outlast an outage of {outage}"),
                RideOutVerdict::Sometimes => {
                    format!(
                        "{receives} outlast an outage of {outage} in {} of the cases",
                        number::percent(found.chance)
                    )
                }
            }
        }
    }
}

fn mean_s(entry: &BudgetEntry) -> f64 {
    entry.budget.to_dead_letter_queue.mean_s
}

fn subtitle(report: &BudgetReport) -> [String; 2] {
    let of = match report.entries.as_slice() {
        [entry] => format!("When each receive begins: {}.", words::truncated(&entry.name, 90)),
        _ => "When the message moves to the dead-letter queue, if every attempt fails.".to_owned(),
    };
    [of, "Thick: all but the longest 5 %; white: the median; thin: up to the longest; dot: the mean.".to_owned()]
}

fn text(words: &str, at: (f64, f64), anchor: Anchor, size: f64, colour: Colour) -> Text {
    Text { words: words.to_owned(), at, anchor, size, weight: Weight::Regular, colour }
}
