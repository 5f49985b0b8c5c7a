//! The backlog: what waits in the queue, and what is under a lease.

use super::axis;
use super::context::Context;
use super::course::{Shows, View};
use super::curves::{self, Axes, Curves, Rows, Sides};
use super::marks::{self, Mark};
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
    let view = View::of(context, Shows::Levels, if context.is_shared() { 1_400 } else { panes::most_points(count) });
    super::page::draw(scene, context, |columns| clearing::title(context, columns), subtitle(context, view));
    if context.is_shared() {
        let plots = [(ABOVE, SeriesMetric::Visible), (BELOW, SeriesMetric::InFlight)].map(|(rows, metric)| {
            let variants = context.shown.iter().enumerate();
            let all: Vec<Curves> = variants.map(|variant| single(context, view, variant, metric)).collect();
            (axes(view, &all, 4), rows, all)
        });
        curves::stacked(scene, context, &plots);
    } else {
        let all: Vec<Curves> = context.shown.iter().map(|variant| both(context, view, variant)).collect();
        panes::draw(scene, context, &axes(view, &all, panes::most_values(count)), &all, PANES_TOP);
    }
}

fn axes(view: View, all: &[Curves], about: usize) -> Axes<'static> {
    let drawn = all.iter().flat_map(|curves| curves.line.iter().chain(&curves.second)).map(|point| point.1);
    Axes {
        end_s: view.end_s,
        values: axis::value_ticks(drawn.fold(0.0, f64::max), about),
        format: number::compact,
        shades_outages: true,
        reference: None,
    }
}

/// What an operator does, and when alarms first fire.
fn marks(context: &Context, variant: &VariantResult, colour: Colour) -> Vec<Mark> {
    let mut marks = marks::operations(context, variant, colour);
    marks.extend(marks::alarms(context, variant, colour));
    marks
}

fn single(context: &Context, view: View, (index, variant): (usize, &VariantResult), metric: SeriesMetric) -> Curves {
    let peak = peak(variant, metric);
    Curves {
        line: view.course(&variant.series, metric),
        notes: vec![format!("peak {}", number::mean_count(peak))],
        label_at: peak,
        marks: marks(context, variant, style::word_colour(index)),
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

fn subtitle(context: &Context, view: View) -> [String; 2] {
    let cue = if context.is_shared() { "" } else { " Solid: visible; dashed: in flight." };
    let what = "Messages that are visible and in flight (under a lease)";
    [
        format!("{what}, {}.{cue} Peak: highest of a run, averaged.", context.averaged()),
        view.remark(context, !context.is_shared()),
    ]
}
