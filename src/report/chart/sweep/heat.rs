//! Two axes: a heat map for each variant, with the numbers in the cells.

use super::page::{self, measured, titles, written};
use super::scale::labelled;
use crate::measure::Metric;
use crate::report::chart::font::Weight;
use crate::report::chart::plot::small;
use crate::report::chart::scene::{Anchor, Scene, Text};
use crate::report::chart::style::{BODY, Colour, GRID, INK, MARGIN, MUTED, SMALL, WHITE, WIDTH};
use crate::report::words;
use crate::study::SweepResult;

/// More variants than this are not shown: their cells could not be read.
const MOST_VARIANTS: usize = 6;
const TOP: f64 = 92.0;
const BOTTOM: f64 = 490.0;
/// Room above a pane for the name of its variant, and below for the labels of the columns.
const NAME: f64 = 26.0;
const BELOW: f64 = 42.0;
const GAP: f64 = 20.0;
/// Largest and smallest size of the numbers.
const LARGEST: f64 = 13.5;
const SMALLEST: f64 = 8.0;
/// From low to high: pale to dark, readable without colours too.
const COLOURS: [Colour; 5] = [
    Colour(0xf7, 0xf4, 0xee),
    Colour(0xf3, 0xd5, 0xa8),
    Colour(0xe6, 0x96, 0x5c),
    Colour(0xb3, 0x43, 0x3c),
    Colour(0x5a, 0x12, 0x2e),
];

/// A pane: where it is, and its size in cells.
#[derive(Clone, Copy)]
struct Pane {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    columns: usize,
    rows: usize,
}

impl Pane {
    fn x(&self, column: usize) -> f64 {
        self.left + (self.right - self.left) * column as f64 / self.columns as f64
    }

    /// The upper edge of a row; the first value stands at the bottom.
    fn y(&self, row: usize) -> f64 {
        self.bottom - (self.bottom - self.top) * (row + 1) as f64 / self.rows as f64
    }

    fn cell(&self) -> (f64, f64) {
        ((self.right - self.left) / self.columns as f64, (self.bottom - self.top) / self.rows as f64)
    }
}

/// Draws the chart.
pub fn draw(scene: &mut Scene, result: &SweepResult, metric: Metric) {
    let facts = &result.facts;
    let shown = facts.variants.len().min(MOST_VARIANTS);
    let hidden = facts.variants.len() - shown;
    let remark = (hidden > 0).then(|| format!("the first {shown} of {} variants", facts.variants.len()));
    let [upward, across] = [&facts.axes[0], &facts.axes[1]];
    let subtitle = format!("{}; upward {}, across {}", measured(metric, facts), upward.path, across.path);
    page::draw(scene, &titles(result, metric), &subtitle, &page::footer(facts, remark));

    let row_labels = || upward.values.iter().map(|value| words::truncated(&value.label, 14));
    let label_room = row_labels().map(|label| scene.fonts.width(&label, SMALL, Weight::Regular)).fold(20.0, f64::max);
    let panes = panes(shown, across.values.len(), upward.values.len(), label_room + 12.0);
    let means: Vec<Vec<Option<f64>>> = (0..shown)
        .map(|variant| (0..facts.points()).map(|point| mean(result, point, variant, metric)).collect())
        .collect();
    let all = || means.iter().flatten().flatten().copied();
    let range = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let size = number_size(scene, &panes[0], &means, metric);
    for (variant, pane) in panes.iter().enumerate() {
        cells(scene, pane, &means[variant], range, size, metric);
        frame(scene, pane, result, variant, across.path != upward.path && variant == 0);
    }
}

fn mean(result: &SweepResult, point: usize, variant: usize, metric: Metric) -> Option<f64> {
    result.metric(point, variant, metric).map(|found| found.mean).filter(|mean| mean.is_finite())
}

/// The panes of the variants, in up to three columns and two rows.
fn panes(variants: usize, columns: usize, rows: usize, label_room: f64) -> Vec<Pane> {
    let across = if variants == 4 { 2 } else { variants.clamp(1, 3) };
    let down = variants.div_ceil(across);
    let width = (WIDTH - 2.0 * MARGIN - 20.0 + GAP) / across as f64;
    let height = (BOTTOM - TOP) / down as f64;
    (0..variants)
        .map(|variant| {
            let (left, top) =
                (MARGIN + 20.0 + width * (variant % across) as f64, TOP + height * (variant / across) as f64);
            let right = left + width - GAP;
            Pane { left: left + label_room, top: top + NAME, right, bottom: top + height - BELOW, columns, rows }
        })
        .collect()
}

/// The size at which the longest number fits a cell; nothing where it could not be read.
fn number_size(scene: &Scene, pane: &Pane, means: &[Vec<Option<f64>>], metric: Metric) -> Option<f64> {
    let (width, height) = pane.cell();
    let widths = means
        .iter()
        .flatten()
        .flatten()
        .map(|mean| scene.fonts.width(&written(metric, *mean), LARGEST, Weight::Regular));
    let longest = widths.fold(1.0, f64::max);
    let size = LARGEST.min(LARGEST * (width - 4.0) / longest).min(height - 3.0);
    (size >= SMALLEST).then_some(size)
}

fn cells(
    scene: &mut Scene,
    pane: &Pane,
    means: &[Option<f64>],
    (low, high): (f64, f64),
    size: Option<f64>,
    metric: Metric,
) {
    let (width, height) = pane.cell();
    // A white line between cells, unless they are so many that it would be all there is.
    let rim = if width.min(height) > 8.0 { 0.75 } else { 0.0 };
    for row in 0..pane.rows {
        for column in 0..pane.columns {
            let (x, y) = (pane.x(column), pane.y(row));
            let (from, to) = ((x + rim, y + rim), (x + width - rim, y + height - rim));
            let found = means[row * pane.columns + column];
            let share = found.map(|mean| if high > low { (mean - low) / (high - low) } else { 0.0 });
            scene.rectangle(from, to, share.map_or(GRID, colour));
            let Some(size) = size else { continue };
            let words = found.map_or("–".to_owned(), |mean| written(metric, mean));
            let ink = if share.is_some_and(|share| is_dark(colour(share))) { WHITE } else { INK };
            let at = (x + width / 2.0, y + height / 2.0 + size * 0.36);
            scene.text(Text { words, at, anchor: Anchor::Middle, size, weight: Weight::Regular, colour: ink }, width);
        }
    }
}

/// The colour of a share of the range.
fn colour(share: f64) -> Colour {
    let steps = (COLOURS.len() - 1) as f64;
    // The root gives room to small numbers, which decide more often than large ones.
    let place = libm::sqrt(share.clamp(0.0, 1.0)) * steps;
    let index = (place as usize).min(COLOURS.len() - 2);
    let part = place - index as f64;
    let (from, to) = (COLOURS[index], COLOURS[index + 1]);
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8;
    Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Whether white is read better than ink on a colour.
fn is_dark(Colour(red, green, blue): Colour) -> bool {
    0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue) < 140.0
}

/// The name of the variant and the labels of rows and columns.
fn frame(scene: &mut Scene, pane: &Pane, result: &SweepResult, variant: usize, names_rows: bool) {
    let facts = &result.facts;
    let [upward, across] = [&facts.axes[0], &facts.axes[1]];
    let (width, height) = pane.cell();
    let bold =
        |words: String, at, anchor, size| Text { words, at, anchor, size, weight: Weight::SemiBold, colour: INK };
    let name = words::clean(&facts.variants[variant]);
    scene.text(bold(name, (pane.left, pane.top - 10.0), Anchor::Start, BODY), pane.right - pane.left);

    let labels: Vec<String> = across.values.iter().map(|value| words::truncated(&value.label, 14)).collect();
    let widths: Vec<f64> = labels.iter().map(|label| scene.fonts.width(label, SMALL, Weight::Regular)).collect();
    let middles: Vec<f64> = (0..pane.columns).map(|column| pane.x(column) + width / 2.0).collect();
    for ((label, x), is_shown) in labels.iter().zip(&middles).zip(labelled(&middles, &widths, 6.0)) {
        if is_shown {
            scene.text(small(label, (*x, pane.bottom + 16.0), Anchor::Middle, MUTED), 120.0);
        }
    }
    let middles: Vec<f64> = (0..pane.rows).map(|row| -(pane.y(row) + height / 2.0)).collect();
    for ((value, y), is_shown) in
        upward.values.iter().zip(&middles).zip(labelled(&middles, &vec![SMALL; pane.rows], 1.0))
    {
        if is_shown {
            let label = words::truncated(&value.label, 14);
            scene.text(small(&label, (pane.left - 7.0, -y + 4.4), Anchor::End, MUTED), 120.0);
        }
    }
    let at = ((pane.left + pane.right) / 2.0, pane.bottom + 34.0);
    scene.text(bold(words::short_path(&across.path), at, Anchor::Middle, SMALL), pane.right - pane.left);
    if names_rows {
        let at = (MARGIN, TOP - 4.0);
        let room = pane.left - MARGIN + 60.0;
        scene.text(bold(words::short_path(&upward.path), at, Anchor::Start, SMALL), room.max(160.0));
    }
}
