//! The backlog: what waits in the queue, and what is under a lease.

use super::breaker;
use super::context::Context;
use super::course::{Shows, View};
use super::curves::{self, Axes, Curves, Rows, Sides};
use super::marks::{self, Mark};
use super::scale::ValueAxis;
use super::scene::Scene;
use super::style::{self, Colour};
use super::{clearing, panes};
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

const ABOVE: Rows = Rows { top: 128.0, bottom: 278.0, heading: "visible", labels: Sides { above: true, below: false } };
/// Where the headers of small plots begin.
const PANES_TOP: f64 = 94.0;
const BELOW: Rows =
    Rows { top: 312.0, bottom: 462.0, heading: "in flight", labels: Sides { above: false, below: true } };

/// Draws the chart.
pub fn draw(scene: &mut Scene, context: &Context) {
    let count = context.shown.len();
    let is_shared = context.is_shared() && !marks_are_many(context);
    let view = View::of(context, Shows::Levels, if is_shared { 1_400 } else { panes::most_points(count) });
    let title = |columns| clearing::title(context, columns);
    if is_shared {
        let plots = [(ABOVE, SeriesMetric::Visible), (BELOW, SeriesMetric::InFlight)].map(|(rows, metric)| {
            let variants = context.shown.iter().enumerate();
            let all: Vec<Curves> = variants.map(|variant| single(context, view, variant, metric)).collect();
            (axes(view, &all, 4), rows, all)
        });
        super::page::draw(scene, context, title, subtitle(context, view, &plots[0].0.values, &plots[0].2, is_shared));
        curves::stacked(scene, context, &plots);
    } else {
        let all: Vec<Curves> = context.shown.iter().map(|variant| both(context, view, variant)).collect();
        let axes = axes(view, &all, panes::most_values(count));
        super::page::draw(scene, context, title, subtitle(context, view, &axes.values, &all, is_shared));
        panes::draw(scene, context, &axes, &all, PANES_TOP);
    }
}

fn axes(view: View, all: &[Curves], about: usize) -> Axes {
    let highs: Vec<f64> = all.iter().map(Curves::highest).collect();
    Axes {
        end_s: view.end_s,
        values: ValueAxis::common(&highs, about),
        format: number::compact,
        shades_outages: true,
        references: Vec::new(),
    }
}

/// What an operator does, and when alarms first fire.
fn marks(context: &Context, variant: &VariantResult, colour: Colour) -> Vec<Mark> {
    let mut marks = marks::operations(context, variant, colour);
    marks.extend(marks::alarms(context, variant, colour));
    marks
}

/// Whether the moments of all variants together are too many for one plot.
fn marks_are_many(context: &Context) -> bool {
    const MOST: usize = 3;
    let of_each = context.shown.iter().map(|variant| marks(context, variant, style::INK));
    marks::of_all(of_each.collect()).len() > MOST
}

fn single(context: &Context, view: View, (index, variant): (usize, &VariantResult), metric: SeriesMetric) -> Curves {
    let peak = peak(variant, metric);
    Curves {
        line: view.course(&variant.series, metric),
        notes: vec![format!("peak {}", number::mean_count(peak))],
        label_at: peak,
        marks: marks(context, variant, style::word_colour(index)),
        // Once above both plots is enough.
        breaker_open: if metric == SeriesMetric::Visible { breaker::spans(view, &variant.series) } else { Vec::new() },
        ..Curves::default()
    }
}

fn both(context: &Context, view: View, variant: &VariantResult) -> Curves {
    let (visible, in_flight) = (SeriesMetric::Visible, SeriesMetric::InFlight);
    Curves {
        line: view.course(&variant.series, visible),
        second: view.course(&variant.series, in_flight),
        notes: vec![format!(
            "peaks {} / {}",
            number::mean_count(peak(variant, visible)),
            number::mean_count(peak(variant, in_flight))
        )],
        marks: marks(context, variant, style::INK),
        breaker_open: breaker::spans(view, &variant.series),
        ..Curves::default()
    }
}

/// The peak of a run, averaged; or of the mean course where the metric is not defined.
pub fn peak(variant: &VariantResult, metric: SeriesMetric) -> f64 {
    let of_runs = match metric {
        SeriesMetric::Visible => variant.metric(Metric::BacklogPeak),
        _ => variant.metric(Metric::InFlightPeak),
    };
    let of_course = || variant.series.of(metric).iter().copied().fold(0.0, f64::max);
    of_runs.map_or_else(of_course, |found| found.mean)
}

fn subtitle(context: &Context, view: View, values: &ValueAxis, all: &[Curves], is_shared: bool) -> [String; 2] {
    let cue = if is_shared { "" } else { " Solid: visible; dashed: in flight." };
    let hatched = all.iter().any(|curves| !curves.breaker_open.is_empty());
    let hatched = if hatched { format!("{} ", breaker::SENTENCE) } else { String::new() };
    let what = "Messages that are visible and in flight (under a lease)";
    [
        format!("{what}, {}.{cue} Peak: highest of a run, averaged.", context.averaged()),
        format!("{hatched}{}{}", values.remark(), view.remark(context, !is_shared)).trim().to_owned(),
    ]
}
