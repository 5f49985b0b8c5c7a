//! A small plot for each variant, all with the same scales.

use super::breaker;
use super::context::Context;
use super::curves::{Axes, Curves, VALUE_LABELS, band, name_text};
use super::font::Weight;
use super::marks;
use super::plot::{Plot, small};
use super::scene::{Anchor, Point, Scene};
use super::style::{self, BODY, FINE_LINE, INK, LINE, MARGIN, SMALL, SUCCESSES, SUCCESSES_OPACITY, WIDTH};

/// Distance of two plots beside each other.
const GAP: f64 = 22.0;
/// Lower edge of the lowest plot.
const BOTTOM: f64 = 472.0;
/// Distance of a plot from what is below it.
const BELOW: f64 = 8.0;
/// Height of a line above a plot.
const LINE_HEIGHT: f64 = 16.0;
/// Width from which on a plot has room for many ticks.
const WIDE: f64 = 400.0;

/// How the plots are laid out.
#[derive(Debug, Clone, Copy)]
struct Layout {
    columns: usize,
    rows: usize,
    /// Upper edge of the first header.
    top: f64,
    /// Whether name and notes stand on one line.
    is_one_line: bool,
    /// Whether any plot needs a line for the words of marks; the heights of all are the same, so all give it up.
    has_marks: bool,
}

/// Columns in which so many plots are laid out: few take the whole width, so that moments can be compared.
pub fn columns(count: usize) -> usize {
    match count {
        0..=3 => 1,
        4 => 2,
        7 | 8 | 10..=12 => 4,
        _ => 3,
    }
}

/// The most points of a curve that its plot can show.
pub fn most_points(count: usize) -> usize {
    match columns(count) {
        1 => 1_400,
        2 => 800,
        _ => 400,
    }
}

/// About how many values the axis of so many plots has room for.
pub fn most_values(count: usize) -> usize {
    match count.div_ceil(columns(count)) {
        1 => 5,
        2 => 4,
        _ => 3,
    }
}

/// Draws a plot for each variant; headers begin at `top`.
pub fn draw(scene: &mut Scene, context: &Context, axes: &Axes, all: &[Curves], top: f64) {
    let columns = columns(all.len());
    let mut layout = Layout {
        columns,
        rows: all.len().div_ceil(columns),
        top,
        is_one_line: false,
        has_marks: all.iter().any(|curves| !curves.marks.is_empty()),
    };
    layout.is_one_line = all.iter().enumerate().all(|(variant, curves)| {
        let plot = cell(axes, variant, layout);
        notes_start(scene, context, &plot, variant) + notes_width(scene, curves) <= plot.right
    });
    for (variant, curves) in all.iter().enumerate() {
        let plot = cell(axes, variant, layout);
        ground(scene, context, axes, &plot, (variant, all.len()));
        contents(scene, &plot, variant, curves);
        marks::labels(scene, &plot, &curves.marks, plot.top - 8.0, plot.right);
        let row = &all[variant / columns * columns..];
        let has_marks = row.iter().take(columns).any(|curves| !curves.marks.is_empty());
        header(scene, context, &plot, (variant, curves), Header { is_one_line: layout.is_one_line, has_marks });
    }
}

/// How a header stands above its plot; the same for all plots of a row.
#[derive(Debug, Clone, Copy)]
struct Header {
    is_one_line: bool,
    has_marks: bool,
}

fn ground(scene: &mut Scene, context: &Context, axes: &Axes, plot: &Plot, (variant, count): (usize, usize)) {
    let columns = columns(count);
    if axes.shades_outages {
        plot.outages(scene, context.outages(&context.shown[variant]), None);
    }
    let is_first = variant % columns == 0;
    plot.value_axis(scene, &axes.values.ticks, is_first.then_some(axes.format));
    if is_first {
        plot.say_logarithmic(scene);
    }
    let most_ticks = if plot.right - plot.left >= WIDE { 8 } else { 4 };
    plot.time_axis(scene, most_ticks, variant + columns >= count, true);
    plot.references(scene, &axes.references, false);
}

fn contents(scene: &mut Scene, plot: &Plot, variant: usize, curves: &Curves) {
    area(scene, plot, &curves.area);
    band(scene, plot, variant, curves);
    marks::lines(scene, plot, &curves.marks);
    second(scene, plot, variant, &curves.second);
    let width = if plot.right - plot.left >= WIDE { LINE } else { FINE_LINE };
    breaker::draw(scene, plot, 0, style::line_colour(variant), &curves.breaker_open);
    scene.line(plot.place(&curves.line), width, style::line_colour(variant));
}

fn cell(axes: &Axes, index: usize, layout: Layout) -> Plot {
    let (left, right) = (MARGIN + VALUE_LABELS, WIDTH - MARGIN);
    let width = (right - left - GAP * (layout.columns - 1) as f64) / layout.columns as f64;
    let height = (BOTTOM + BELOW - layout.top) / layout.rows as f64;
    let (column, row) = (index % layout.columns, index / layout.columns);
    let left = left + column as f64 * (width + GAP);
    let top = layout.top + row as f64 * height;
    let lines = 1 + usize::from(!layout.is_one_line) + usize::from(layout.has_marks);
    Plot {
        left,
        right: left + width,
        top: top + 10.0 + LINE_HEIGHT * lines as f64,
        bottom: top + height - BELOW,
        end_s: axes.end_s,
        scale: axes.values.scale,
    }
}

/// The name, and the notes at the right of it or below; the words of marks have the line between them and the plot.
fn header(scene: &mut Scene, context: &Context, plot: &Plot, (variant, curves): (usize, &Curves), header: Header) {
    let last = plot.top - 9.0 - if header.has_marks { LINE_HEIGHT } else { 0.0 };
    let (name_at, notes_left) = if header.is_one_line {
        ((plot.left, last), notes_start(scene, context, plot, variant))
    } else {
        ((plot.left, last - LINE_HEIGHT), plot.left)
    };
    scene.text(name_text(context, variant, name_at), plot.right - plot.left);
    scene.text(small(&curves.notes.join(", "), (notes_left, last), Anchor::Start, INK), plot.right - notes_left);
}

/// Where notes beside a name begin.
fn notes_start(scene: &Scene, context: &Context, plot: &Plot, variant: usize) -> f64 {
    let name = name_text(context, variant, (0.0, 0.0)).words;
    plot.left + scene.fonts.width(&name, BODY, Weight::SemiBold) + 12.0
}

fn notes_width(scene: &Scene, curves: &Curves) -> f64 {
    scene.fonts.width(&curves.notes.join(", "), SMALL, Weight::Regular)
}

/// The area between a curve and zero; a line where the scale is one of ratios, on which an area means nothing.
fn area(scene: &mut Scene, plot: &Plot, points: &[Point]) {
    if plot.scale.is_logarithmic {
        scene.line(plot.place(points), LINE, SUCCESSES);
        return;
    }
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let outline = std::iter::once((first.0, 0.0)).chain(points.iter().copied()).chain([(last.0, 0.0)]);
    let outline: Vec<Point> = outline.collect();
    scene.area(plot.place(&outline), SUCCESSES, SUCCESSES_OPACITY);
}

/// A thin dashed curve.
fn second(scene: &mut Scene, plot: &Plot, variant: usize, points: &[Point]) {
    for piece in dashes(&plot.place(points)) {
        scene.line(piece, FINE_LINE, style::word_colour(variant));
    }
}

/// The pieces of a line that dashes of equal length along it leave.
fn dashes(points: &[Point]) -> Vec<Vec<Point>> {
    const LENGTHS: [f64; 2] = [5.0, 4.0];
    let mut pieces: Vec<Vec<Point>> = vec![points.first().copied().into_iter().collect()];
    let (mut is_gap, mut left) = (false, LENGTHS[0]);
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = libm::hypot(to.0 - from.0, to.1 - from.1);
        while length > left {
            let share = left / length;
            from = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            length -= left;
            if is_gap {
                pieces.push(vec![from]);
            } else if let Some(piece) = pieces.last_mut() {
                piece.push(from);
            }
            is_gap = !is_gap;
            left = LENGTHS[usize::from(is_gap)];
        }
        left -= length;
        if let Some(piece) = pieces.last_mut().filter(|_| !is_gap) {
            piece.push(to);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_are_of_equal_length_around_corners() {
        let pieces = dashes(&[(0.0, 0.0), (3.0, 0.0), (3.0, 20.0)]);
        assert_eq!(pieces[0], [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0)]);
        assert_eq!(pieces[1], [(3.0, 6.0), (3.0, 11.0)]);
        assert_eq!(pieces[2], [(3.0, 15.0), (3.0, 20.0)]);
        assert!(dashes(&[]).is_empty() && dashes(&[(1.0, 1.0)]).is_empty());
    }
}
