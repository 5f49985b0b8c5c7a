//! The curves of variants in one plot, while they are few.

use super::breaker;
use super::context::Context;
use super::font::Weight;
use super::labels;
use super::marker;
use super::marks::{self, Mark};
use super::plot::{Plot, ValueFormat, small};
use super::scale::ValueAxis;
use super::scene::{Anchor, Point, Scene, Text};
use super::style::{self, BODY, INK, LINE, MARGIN, MUTED, SMALL, WIDTH};

/// What is drawn of a variant.
#[derive(Default)]
pub struct Curves {
    /// Where its values are most of the time.
    pub line: Vec<Point>,
    /// A second quantity, drawn thin and dashed.
    pub second: Vec<Point>,
    /// The lowest and the highest values at the same times; both empty where there is no spread.
    pub band: [Vec<Point>; 2],
    /// What to say of it, in lines.
    pub notes: Vec<String>,
    /// The value beside which its name stands.
    pub label_at: f64,
    /// The part of the line's values that came to something, drawn as an area below it.
    pub area: Vec<Point>,
    /// Moments to mark.
    pub marks: Vec<Mark>,
    /// When its breaker was open.
    pub breaker_open: Vec<breaker::Span>,
}

impl Curves {
    /// The highest value that is drawn.
    pub fn highest(&self) -> f64 {
        let drawn = self.line.iter().chain(&self.second).chain(&self.band[1]).chain(&self.area);
        drawn.map(|point| point.1).fold(0.0, f64::max)
    }
}

/// What surrounds the curves.
pub struct Axes {
    /// Time at the right end, in seconds.
    pub end_s: f64,
    /// The scale of the values, and those of the grid.
    pub values: ValueAxis,
    /// How they are written.
    pub format: ValueFormat,
    /// Whether outages are shaded.
    pub shades_outages: bool,
    /// Lengths to mark on the time axis, and how they are called.
    pub references: Vec<(f64, String)>,
}

/// The vertical place of a shared plot.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Upper edge.
    pub top: f64,
    /// Lower edge.
    pub bottom: f64,
    /// What the plot shows, written above it; empty where the subtitle says so.
    pub heading: &'static str,
    /// Whether labels for time and outages are drawn: the first and last of stacked plots share them.
    pub labels: Sides,
}

/// Which edges of a stacked plot are labelled.
#[derive(Debug, Clone, Copy)]
pub struct Sides {
    /// Outages above.
    pub above: bool,
    /// Times below.
    pub below: bool,
}

/// A plot that takes all the room there is.
pub const WHOLE: Rows = Rows { top: 128.0, bottom: 462.0, heading: "", labels: Sides { above: true, below: true } };

/// Room for the labels of the value axis.
pub const VALUE_LABELS: f64 = 58.0;
/// Room for the swatch before a name.
const SWATCH: f64 = 30.0;
/// Room for a heading at the right above a plot.
const HEADING: f64 = 80.0;
/// Height of a line of a label.
const LABEL_LINE: f64 = 17.0;

/// Draws all variants into one plot.
pub fn shared(scene: &mut Scene, context: &Context, axes: &Axes, rows: Rows, all: &[Curves]) {
    let names = label_width(scene, context, all);
    beside(scene, context, axes, rows, all, names);
}

/// Draws all variants into each of several plots, which are as wide as each other.
pub fn stacked(scene: &mut Scene, context: &Context, plots: &[(Axes, Rows, Vec<Curves>)]) {
    let names = plots.iter().map(|(_, _, all)| label_width(scene, context, all)).fold(0.0, f64::max);
    for (axes, rows, all) in plots {
        beside(scene, context, axes, *rows, all, names);
    }
}

/// Draws all variants into one plot that leaves room for names of a width.
fn beside(scene: &mut Scene, context: &Context, axes: &Axes, rows: Rows, all: &[Curves], names: f64) {
    let plot = Plot {
        left: MARGIN + VALUE_LABELS,
        right: WIDTH - MARGIN - names - SWATCH - 12.0,
        top: rows.top,
        bottom: rows.bottom,
        end_s: axes.end_s,
        scale: axes.values.scale,
    };
    let marks = marks::of_all(all.iter().map(|curves| curves.marks.clone()).collect());
    ground(scene, context, axes, &plot, rows, marks.is_empty());
    let heading = if rows.heading.is_empty() { 0.0 } else { HEADING };
    marks::lines(scene, &plot, &marks);
    if rows.labels.above {
        marks::labels(scene, &plot, &marks, plot.top - 9.0, plot.right - heading);
    }
    for (variant, curves) in all.iter().enumerate() {
        band(scene, &plot, variant, curves);
    }
    let with_breaker = all.iter().enumerate().filter(|(_, curves)| !curves.breaker_open.is_empty());
    for (lane, (variant, curves)) in with_breaker.enumerate() {
        breaker::draw(scene, &plot, lane, style::line_colour(variant), &curves.breaker_open);
    }
    for (variant, curves) in all.iter().enumerate() {
        scene.line(plot.place(&curves.line), LINE, style::line_colour(variant));
    }
    for (variant, curves) in all.iter().enumerate() {
        markers(scene, &plot, variant, all.len(), &curves.line);
    }
    side_labels(scene, context, &plot, all, names);
}

/// Outages, grid and headings; without marks above the plot, the words for outages take their line.
fn ground(scene: &mut Scene, context: &Context, axes: &Axes, plot: &Plot, rows: Rows, has_no_marks: bool) {
    if axes.shades_outages {
        let above = if has_no_marks { 9.0 } else { 25.0 };
        if let Some(outages) = context.common_outages() {
            let until = plot.right - if rows.heading.is_empty() { 0.0 } else { HEADING };
            plot.outages(scene, outages, rows.labels.above.then_some((until, plot.top - above)));
        } else {
            let words = "outages differ by variant, not shaded";
            if rows.labels.above {
                scene.text(small(words, (plot.left, plot.top - above), Anchor::Start, style::OUTAGE_TEXT), 400.0);
            }
        }
    }
    plot.value_axis(scene, &axes.values.ticks, Some(axes.format));
    plot.time_axis(scene, 8, rows.labels.below, false);
    plot.references(scene, &axes.references, rows.labels.above);
    if !rows.heading.is_empty() {
        let size = SMALL;
        let at = (plot.right, plot.top - 9.0);
        let words = rows.heading.to_owned();
        scene.text(Text { words, at, anchor: Anchor::End, size, weight: Weight::SemiBold, colour: INK }, HEADING);
    }
}

/// The spread around a curve.
pub fn band(scene: &mut Scene, plot: &Plot, variant: usize, curves: &Curves) {
    let [lowest, highest] = &curves.band;
    if lowest.is_empty() || lowest.len() != highest.len() {
        return;
    }
    let outline = highest.iter().chain(lowest.iter().rev()).copied().collect::<Vec<Point>>();
    scene.area(plot.place(&outline), style::line_colour(variant), style::BAND_OPACITY);
}

/// Puts a few markers on a curve, at places that no other variant uses.
fn markers(scene: &mut Scene, plot: &Plot, variant: usize, variants: usize, line: &[Point]) {
    const MARKERS: usize = 6;
    let distance_s = plot.end_s / MARKERS as f64;
    let offset = (variant as f64 + 0.5) / variants as f64;
    for index in 0..MARKERS {
        let wanted_s = (index as f64 + offset) * distance_s;
        if let Some(value) = value_at(line, wanted_s) {
            marker::draw(scene, variant, (plot.x(wanted_s), plot.y(value)), 3.6, style::line_colour(variant));
        }
    }
}

/// Where a curve is at a time, between its points too; `None` before the first and after the last.
fn value_at(line: &[Point], time_s: f64) -> Option<f64> {
    let next = line.partition_point(|point| point.0 < time_s);
    let (before, after) = (line.get(next.checked_sub(1)?)?, line.get(next)?);
    Some(before.1 + (after.1 - before.1) * (time_s - before.0) / (after.0 - before.0))
}

fn label_width(scene: &Scene, context: &Context, all: &[Curves]) -> f64 {
    let names = context.shown.iter().map(|variant| scene.fonts.width(&variant.name, BODY, Weight::SemiBold));
    let notes = all.iter().flat_map(|curves| &curves.notes);
    let notes = notes.map(|note| scene.fonts.width(note, SMALL, Weight::Regular));
    (names.chain(notes).fold(0.0, f64::max) + 2.0).clamp(60.0, 190.0)
}

fn side_labels(scene: &mut Scene, context: &Context, plot: &Plot, all: &[Curves], room: f64) {
    let lines = 1 + all.iter().map(|curves| curves.notes.len()).max().unwrap_or(0);
    let space = lines as f64 * LABEL_LINE + 6.0;
    let wanted: Vec<f64> = all.iter().map(|curves| plot.y(curves.label_at) - LABEL_LINE / 2.0).collect();
    let placed = labels::spread(&wanted, space, plot.top - 6.0, plot.bottom + 8.0);
    for (variant, (curves, top)) in all.iter().zip(placed).enumerate() {
        let (left, baseline) = (plot.right + 12.0, top + 13.0);
        let colour = style::line_colour(variant);
        scene.line(vec![(left, baseline - 4.5), (left + 20.0, baseline - 4.5)], LINE + 1.0, colour);
        marker::draw(scene, variant, (left + 10.0, baseline - 4.5), 3.8, colour);
        let at = (left + SWATCH, baseline);
        let name = name_text(context, variant, at);
        scene.text(name, room);
        for (index, note) in curves.notes.iter().enumerate() {
            let at = (at.0, baseline + (index + 1) as f64 * LABEL_LINE);
            scene.text(small(note, at, Anchor::Start, MUTED), room);
        }
    }
}

/// A variant's name in its colour.
pub fn name_text(context: &Context, variant: usize, at: Point) -> Text {
    let words = crate::report::words::clean(&context.shown[variant].name);
    let colour = style::word_colour(variant);
    Text { words, at, anchor: Anchor::Start, size: BODY, weight: Weight::SemiBold, colour }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_values_between_its_points_only() {
        let line = [(1.0, 10.0), (3.0, 20.0)];
        assert_eq!(value_at(&line, 2.0), Some(15.0));
        assert_eq!(value_at(&line, 0.5), None);
        assert_eq!(value_at(&line, 4.0), None);
    }
}
