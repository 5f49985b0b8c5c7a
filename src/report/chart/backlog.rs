//! The backlog: what waits in the queue, and what is under a lease.

use super::axis;
use super::context::Context;
use super::course::View;
use super::curves::{self, Axes, Curves, Rows, Sides};
use super::scene::Scene;
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

const ABOVE: Rows = Rows { top: 128.0, bottom: 278.0, heading: "visible", labels: Sides { above: true, below: false } };
const BELOW: Rows =
    Rows { top: 312.0, bottom: 462.0, heading: "in flight", labels: Sides { above: false, below: true } };

/// Draws the chart.
pub fn draw(scene: &mut Scene, context: &Context) {
    let view = View::of(context, if context.is_shared() { 1_400 } else { 400 });
    super::page::draw(scene, context, |columns| title(context, columns), subtitle(context, view));
    if context.is_shared() {
        let plots = [(ABOVE, SeriesMetric::Visible), (BELOW, SeriesMetric::InFlight)].map(|(rows, metric)| {
            let all: Vec<Curves> = context.shown.iter().map(|variant| single(view, variant, metric)).collect();
            (axes(view, &all, 4), rows, all)
        });
        curves::stacked(scene, context, &plots);
    } else {
        let all: Vec<Curves> = context.shown.iter().map(|variant| both(view, variant)).collect();
        curves::multiples(scene, context, &axes(view, &all, 3), &all);
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

fn single(view: View, variant: &VariantResult, metric: SeriesMetric) -> Curves {
    let peak = peak(variant, metric);
    Curves {
        line: view.course(&variant.series, metric),
        notes: vec![format!("peak {}", number::human(peak))],
        label_at: peak,
        ..Curves::default()
    }
}

fn both(view: View, variant: &VariantResult) -> Curves {
    let (visible, in_flight) = (SeriesMetric::Visible, SeriesMetric::InFlight);
    Curves {
        line: view.course(&variant.series, visible),
        second: view.course(&variant.series, in_flight),
        notes: vec![format!(
            "peaks {} / {}",
            number::human(peak(variant, visible)),
            number::human(peak(variant, in_flight))
        )],
        ..Curves::default()
    }
}

/// The peak of a run, averaged; or of the mean course where the metric is not defined.
fn peak(variant: &VariantResult, metric: SeriesMetric) -> f64 {
    let of_runs = match metric {
        SeriesMetric::Visible => variant.metric(Metric::BacklogPeak),
        _ => variant.metric(Metric::InFlightPeak),
    };
    let of_course = || variant.series.of(metric).iter().copied().fold(0.0, f64::max);
    of_runs.map_or_else(of_course, |found| found.mean)
}

/// The finding, with names of at most so many columns.
fn title(context: &Context, columns: usize) -> String {
    let clearing = |variant| VariantResult::metric(variant, Metric::BacklogClearedS).map(|found| (variant, found.mean));
    let mut cleared: Vec<(&VariantResult, f64)> = context.shown.iter().filter_map(clearing).collect();
    cleared.sort_by(|a, b| a.1.total_cmp(&b.1));
    let visible = |variant: &VariantResult| peak(variant, SeriesMetric::Visible);
    let worst = context.shown.iter().max_by(|a, b| visible(a).total_cmp(&visible(b)));
    match (cleared.as_slice(), worst) {
        (cleared @ [_, .., _], _) if cleared.len() == context.shown.len() => who_clears_first(cleared, columns),
        (_, Some(worst)) if visible(worst) > 0.0 => {
            let count = number::counted(visible(worst), "message");
            format!("{}: up to {count} wait in the queue", Context::short_name(worst, columns))
        }
        _ => "No message had to wait".to_owned(),
    }
}

/// The finding for variants in the order in which they clear their backlog; times within 2 % count as one.
fn who_clears_first(cleared: &[(&VariantResult, f64)], columns: usize) -> String {
    let (first_s, last_s) = (cleared[0].1, cleared[cleared.len() - 1].1);
    let firsts = cleared.partition_point(|(_, time_s)| *time_s <= first_s * 1.02);
    let time = |time_s: f64| number::duration(time_s.round());
    let last = Context::short_name(cleared[cleared.len() - 1].0, columns);
    let first = Context::short_name(cleared[0].0, columns);
    match firsts {
        all if all == cleared.len() => format!("All variants clear their backlog at about {}", time(first_s)),
        1 => format!("{first} clears its backlog first, at {}; {last} last, at {}", time(first_s), time(last_s)),
        2 => {
            let second = Context::short_name(cleared[1].0, columns);
            format!("{first} and {second} clear their backlog at {}, {last} only at {}", time(first_s), time(last_s))
        }
        many => format!("{many} variants clear their backlog at {}, {last} only at {}", time(first_s), time(last_s)),
    }
}

fn subtitle(context: &Context, view: View) -> [String; 2] {
    let cue = if context.is_shared() { "" } else { " Solid: visible; dashed: in flight." };
    let what = "Messages that are visible and in flight (under a lease)";
    [format!("{what}, {}.{cue} Peak: highest of a run, averaged.", context.averaged()), view.remark(context)]
}
