//! The load: calls per second at the downstream.

use super::axis;
use super::context::Context;
use super::course::{Merge, View};
use super::curves::{self, Axes, Curves};
use super::scene::Scene;
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

/// Steps of at least this share of a course's highest belong to its peak.
const ALIKE: f64 = 0.95;
/// Variants whose peaks are at least this share of the highest are not told apart by them.
const NO_FINDING: f64 = 0.85;

/// Draws the chart.
pub fn draw(scene: &mut Scene, context: &Context) {
    let view = View::of(context, if context.is_shared() { 1_400 } else { 400 });
    let all: Vec<Curves> = context.shown.iter().map(|variant| curves_of(context, view, variant)).collect();
    let drawn = all.iter().flat_map(|curves| curves.line.iter().chain(&curves.band[1])).map(|point| point.1);
    let axes = Axes {
        end_s: view.end_s,
        values: axis::value_ticks(drawn.fold(0.0, f64::max), if context.is_shared() { 5 } else { 3 }),
        format: number::compact,
        shades_outages: true,
        reference: None,
    };
    super::page::draw(scene, context, |columns| title(context, columns), subtitle(context, view));
    if context.is_shared() {
        curves::shared(scene, context, &axes, curves::WHOLE, &all);
    } else {
        curves::multiples(scene, context, &axes, &all);
    }
}

fn curves_of(context: &Context, view: View, variant: &VariantResult) -> Curves {
    let series = &variant.series;
    let has_band = has_band(context, view);
    let edge = |values: &[f64], merge| if has_band { view.points(series, values, merge, false) } else { Vec::new() };
    Curves {
        line: view.course(series, SeriesMetric::Calls),
        band: [edge(&series.calls_lowest, Merge::Lowest), edge(&series.calls_highest, Merge::Highest)],
        notes: vec![format!("peak {}/s", number::human(peak(variant)))],
        label_at: peak(variant),
        ..Curves::default()
    }
}

/// Whether there is a spread to show: between runs, or within what a point stands for.
fn has_band(context: &Context, view: View) -> bool {
    context.replications() > 1.0 || context.shown.iter().any(|variant| view.point_s > variant.series.step_s)
}

/// The busiest second of a run, averaged; or of the mean course where the metric is not defined.
fn peak(variant: &VariantResult) -> f64 {
    let of_course = || variant.series.of(SeriesMetric::Calls).iter().copied().fold(0.0, f64::max);
    variant.metric(Metric::CallsPeakPerS).map_or_else(of_course, |found| found.mean)
}

/// Arrivals per second, over the time in which there are any.
fn arrivals(variant: &VariantResult) -> Option<f64> {
    let sent: Vec<f64> =
        variant.series.of(SeriesMetric::Enqueued).iter().copied().filter(|value| *value > 0.0).collect();
    (!sent.is_empty()).then(|| sent.iter().sum::<f64>() / sent.len() as f64)
}

/// The highest calls per second of the mean course after its first peak has halved.
fn later_peak(variant: &VariantResult) -> f64 {
    let calls = variant.series.of(SeriesMetric::Calls);
    let highest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let most = highest(calls);
    let first = calls.iter().position(|value| *value >= most * ALIKE).unwrap_or(0);
    let halved = calls[first..].iter().position(|value| *value < most / 2.0);
    halved.map_or(0.0, |after| highest(&calls[first + after..]))
}

/// The finding, with names of at most so many columns.
fn title(context: &Context, columns: usize) -> String {
    let by_peak = |a: &&VariantResult, b: &&VariantResult| peak(a).total_cmp(&peak(b));
    let (Some(worst), Some(best)) = (context.shown.iter().max_by(by_peak), context.shown.iter().min_by(by_peak)) else {
        return "Nothing was run".to_owned();
    };
    if peak(worst) == 0.0 {
        return "No call reached the downstream".to_owned();
    }
    let peak_of_worst = format!("{} calls/s{}", number::human(peak(worst)), times_arrivals(worst));
    if context.shown.len() == 1 {
        format!("{} peaks at {peak_of_worst}", Context::short_name(worst, columns))
    } else if peak(best) >= peak(worst) * NO_FINDING {
        all_alike(context, &format!("{} calls/s", number::human(peak(worst))), columns)
    } else {
        let best_name = Context::short_name(best, columns);
        format!(
            "{} peaks at {peak_of_worst}; {best_name} at {}",
            Context::short_name(worst, columns),
            number::human(peak(best))
        )
    }
}

/// The finding where the first peak is common to all: what follows it may differ.
fn all_alike(context: &Context, peak: &str, columns: usize) -> String {
    let by_peak = |a: &&VariantResult, b: &&VariantResult| later_peak(a).total_cmp(&later_peak(b));
    match (context.shown.iter().max_by(by_peak), context.shown.iter().min_by(by_peak)) {
        (Some(worst), Some(best)) if later_peak(best) < later_peak(worst) * 0.8 => format!(
            "All peak near {peak}; later {} at {}, {} at {}",
            Context::short_name(worst, columns),
            number::human(later_peak(worst).round()),
            Context::short_name(best, columns),
            number::human(later_peak(best).round())
        ),
        _ => format!("All variants peak near {peak}"),
    }
}

/// How a peak compares with the arrivals, where it exceeds them.
fn times_arrivals(variant: &VariantResult) -> String {
    // A ratio needs no more than one decimal.
    let ratio = arrivals(variant).map(|rate| (peak(variant) / rate * 10.0).round() / 10.0);
    ratio
        .filter(|ratio| *ratio > 1.0)
        .map_or(String::new(), |ratio| format!(", {} × the arrivals", number::human(ratio)))
}

fn subtitle(context: &Context, view: View) -> [String; 2] {
    let rest = match (context.replications() > 1.0, has_band(context, view)) {
        (true, _) => "; band from the lowest to the highest run. Peak: busiest second of a run, averaged.",
        (false, true) => "; band from the lowest to the highest step within a point. Peak: busiest second.",
        (false, false) => ". Peak: busiest second.",
    };
    [format!("Calls per second at the downstream, {}{rest}", context.averaged()), view.remark(context)]
}
