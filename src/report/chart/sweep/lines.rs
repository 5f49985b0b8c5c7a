//! One axis: a line with its interval for each variant.

use super::page::{self, measured, titles, written};
use super::scale::{labelled, positions};
use crate::measure::Metric;
use crate::report::chart::axis::value_ticks;
use crate::report::chart::font::Weight;
use crate::report::chart::labels;
use crate::report::chart::marker;
use crate::report::chart::plot::small;
use crate::report::chart::scene::{Anchor, Point, Scene, Text};
use crate::report::chart::style::{self, AXIS, BODY, GRID, HAIRLINE, INK, LINE, MARGIN, MUTED, SMALL, WIDTH};
use crate::report::words;
use crate::study::{Estimate, SweepResult};

/// More variants than this are not shown: their lines could not be told apart.
const MOST_VARIANTS: usize = 6;
const TOP: f64 = 100.0;
const BOTTOM: f64 = 436.0;
/// Room for the labels of the value axis.
const VALUE_LABELS: f64 = 66.0;
/// Room for the swatch before a name.
const SWATCH: f64 = 30.0;
/// Up to this many points have a marker each.
const MARKED: usize = 40;

/// Where things are.
struct Frame {
    left: f64,
    right: f64,
    /// Places of the points.
    x: Vec<f64>,
    highest: f64,
    lowest: f64,
}

impl Frame {
    fn y(&self, value: f64) -> f64 {
        let share = (value - self.lowest) / (self.highest - self.lowest);
        BOTTOM - (BOTTOM - TOP) * share.clamp(0.0, 1.0)
    }
}

/// Draws the chart.
pub fn draw(scene: &mut Scene, result: &SweepResult, metric: Metric) {
    let facts = &result.facts;
    let axis = &facts.axes[0];
    let shown = facts.variants.len().min(MOST_VARIANTS);
    let hidden = facts.variants.len() - shown;
    let remark = (hidden > 0).then(|| format!("the first {shown} of {} variants", facts.variants.len()));
    let band = if facts.replications > 1 { "; shaded: 95 % interval of the mean" } else { "" };
    let subtitle = format!("{}, by {}{band}", measured(metric, facts), axis.path);
    page::draw(scene, &titles(result, metric), &subtitle, &page::footer(facts, remark));

    let curves: Vec<Vec<Option<Estimate>>> = (0..shown)
        .map(|variant| (0..facts.points()).map(|point| finite(result.metric(point, variant, metric))).collect())
        .collect();
    let ticks = ticks(&curves);
    let names = facts.variants[..shown].iter().map(|name| scene.fonts.width(name, BODY, Weight::SemiBold));
    let room = (names.fold(0.0, f64::max) + 2.0).clamp(60.0, 190.0);
    let (left, right) = (MARGIN + VALUE_LABELS, WIDTH - MARGIN - room - SWATCH - 12.0);
    let inset = 12.0;
    let place = |share: f64| left + inset + (right - left - 2.0 * inset) * share;
    let frame = Frame {
        left,
        right,
        x: positions(axis).into_iter().map(place).collect(),
        highest: ticks.last().copied().unwrap_or(1.0),
        lowest: ticks.first().copied().unwrap_or(0.0),
    };
    value_axis(scene, &frame, &ticks, metric);
    key_axis(scene, &frame, result);
    for (variant, curve) in curves.iter().enumerate() {
        bands(scene, &frame, variant, curve);
    }
    for (variant, curve) in curves.iter().enumerate() {
        line(scene, &frame, variant, curve);
    }
    side_labels(scene, &frame, result, &curves, room);
}

fn finite(found: Option<Estimate>) -> Option<Estimate> {
    found.filter(|found| [found.mean, found.lo, found.hi].iter().all(|value| value.is_finite()))
}

/// The values of the grid: from zero, or from below zero where a metric can be negative.
fn ticks(curves: &[Vec<Option<Estimate>>]) -> Vec<f64> {
    let all = || curves.iter().flatten().flatten();
    let highest = all().map(|found| found.hi).fold(0.0, f64::max);
    // Only a mean below zero shows that the metric can be; an interval may reach there for want of runs.
    let lowest = all().map(|found| found.mean).fold(0.0, f64::min);
    let up = value_ticks(highest, 6);
    if lowest >= 0.0 {
        return up;
    }
    let step = value_ticks(highest.max(-lowest), 6).get(1).copied().unwrap_or(1.0);
    let (below, above) = ((-lowest / step).ceil() as i64, (highest / step).ceil() as i64);
    (-below..=above.max(0)).map(|index| index as f64 * step).collect()
}

fn value_axis(scene: &mut Scene, frame: &Frame, ticks: &[f64], metric: Metric) {
    for value in ticks {
        let y = frame.y(*value);
        let colour = if *value == 0.0 { AXIS } else { GRID };
        scene.rule((frame.left, y), (frame.right, y), HAIRLINE, colour);
        scene.text(small(&written(metric, *value), (frame.left - 9.0, y + 4.4), Anchor::End, MUTED), frame.left);
    }
}

fn key_axis(scene: &mut Scene, frame: &Frame, result: &SweepResult) {
    let axis = &result.facts.axes[0];
    let labels: Vec<String> = axis.values.iter().map(|value| words::truncated(&value.label, 22)).collect();
    let widths: Vec<f64> = labels.iter().map(|label| scene.fonts.width(label, SMALL, Weight::Regular)).collect();
    let shown = labelled(&frame.x, &widths, 10.0);
    for ((label, x), is_shown) in labels.iter().zip(&frame.x).zip(shown) {
        scene.rule((*x, BOTTOM), (*x, BOTTOM + if is_shown { 5.0 } else { 3.0 }), HAIRLINE, AXIS);
        if is_shown {
            scene.text(small(label, (*x, BOTTOM + 19.0), Anchor::Middle, MUTED), 160.0);
        }
    }
    let at = ((frame.left + frame.right) / 2.0, BOTTOM + 41.0);
    let words = words::short_path(&axis.path);
    let size = SMALL;
    let weight = Weight::SemiBold;
    scene.text(Text { words, at, anchor: Anchor::Middle, size, weight, colour: INK }, frame.right - frame.left);
}

/// The stretches of a curve without gaps: indices of their points.
fn stretches(curve: &[Option<Estimate>]) -> Vec<Vec<(usize, Estimate)>> {
    let mut found: Vec<Vec<(usize, Estimate)>> = vec![Vec::new()];
    for (index, estimate) in curve.iter().enumerate() {
        match (estimate, found.last_mut()) {
            (Some(estimate), Some(stretch)) => stretch.push((index, *estimate)),
            _ => found.push(Vec::new()),
        }
    }
    found.retain(|stretch| !stretch.is_empty());
    found
}

fn bands(scene: &mut Scene, frame: &Frame, variant: usize, curve: &[Option<Estimate>]) {
    for stretch in stretches(curve) {
        let edge = |of: fn(&Estimate) -> f64| -> Vec<Point> {
            stretch.iter().map(|(index, found)| (frame.x[*index], frame.y(of(found)))).collect()
        };
        let outline: Vec<Point> =
            edge(|found| found.hi).into_iter().chain(edge(|found| found.lo).into_iter().rev()).collect();
        if stretch.len() > 1 {
            scene.area(outline, style::line_colour(variant), 0.16);
        } else {
            // A point alone has its interval as a line.
            scene.line(outline, LINE, style::line_colour(variant));
        }
    }
}

fn line(scene: &mut Scene, frame: &Frame, variant: usize, curve: &[Option<Estimate>]) {
    let colour = style::line_colour(variant);
    for stretch in stretches(curve) {
        let points: Vec<Point> = stretch.iter().map(|(index, found)| (frame.x[*index], frame.y(found.mean))).collect();
        if points.len() > 1 {
            scene.line(points.clone(), LINE, colour);
        }
        if curve.len() <= MARKED || points.len() == 1 {
            points.into_iter().for_each(|point| marker::draw(scene, variant, point, 3.6, colour));
        }
    }
}

/// The names at the right, each beside the end of its line.
fn side_labels(scene: &mut Scene, frame: &Frame, result: &SweepResult, curves: &[Vec<Option<Estimate>>], room: f64) {
    let end = |curve: &Vec<Option<Estimate>>| {
        let last = curve.iter().rev().flatten().next();
        last.map_or(BOTTOM, |found| frame.y(found.mean)) - 9.0
    };
    let wanted: Vec<f64> = curves.iter().map(end).collect();
    let placed = labels::spread(&wanted, 23.0, TOP - 6.0, BOTTOM + 14.0);
    for (variant, top) in placed.into_iter().enumerate() {
        let (left, baseline) = (frame.right + 12.0, top + 13.0);
        let colour = style::line_colour(variant);
        scene.line(vec![(left, baseline - 4.5), (left + 20.0, baseline - 4.5)], LINE + 1.0, colour);
        marker::draw(scene, variant, (left + 10.0, baseline - 4.5), 3.8, colour);
        let name = Text {
            words: words::clean(&result.facts.variants[variant]),
            at: (left + SWATCH, baseline),
            anchor: Anchor::Start,
            size: BODY,
            weight: Weight::SemiBold,
            colour: style::word_colour(variant),
        };
        scene.text(name, room);
    }
}
