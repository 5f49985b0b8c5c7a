//! The load: calls per second at the downstream.

use super::axis;
use super::context::Context;
use super::course::{Merge, View};
use super::curves::{self, Axes, Curves};
use super::scene::Scene;
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

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
    super::page::draw(scene, context, &title(context), subtitle(context, view));
    if context.is_shared() {
        curves::shared(scene, context, &axes, curves::WHOLE, &all);
    } else {
        curves::multiples(scene, context, &axes, &all);
    }
}

fn curves_of(context: &Context, view: View, variant: &VariantResult) -> Curves {
    let series = &variant.series;
    let has_band = context.replications() > 1.0 || view.point_s > series.step_s;
    let edge = |values: &[f64], merge| if has_band { view.points(series, values, merge, false) } else { Vec::new() };
    Curves {
        line: view.course(series, SeriesMetric::Calls),
        band: [edge(&series.calls_lowest, Merge::Lowest), edge(&series.calls_highest, Merge::Highest)],
        notes: vec![format!("peak {}/s", number::human(peak(variant)))],
        label_at: peak(variant),
        ..Curves::default()
    }
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

fn title(context: &Context) -> String {
    let by_peak = |a: &&VariantResult, b: &&VariantResult| peak(a).total_cmp(&peak(b));
    let (Some(worst), Some(best)) = (context.shown.iter().max_by(by_peak), context.shown.iter().min_by(by_peak)) else {
        return "Nothing was run".to_owned();
    };
    if peak(worst) == 0.0 {
        return "No call reached the downstream".to_owned();
    }
    let times = arrivals(worst)
        .map_or(String::new(), |rate| format!(", {} × the arrivals", number::human(rounded(peak(worst) / rate))));
    let peak_of_worst = format!("{} calls/s{times}", number::human(peak(worst)));
    if context.shown.len() == 1 {
        format!("{} peaks at {peak_of_worst}", Context::short_name(worst))
    } else if peak(best) >= peak(worst) * 0.95 {
        format!("All variants peak near {peak_of_worst}")
    } else {
        let best_name = Context::short_name(best);
        format!("{} peaks at {peak_of_worst}; {best_name} at {}", Context::short_name(worst), number::human(peak(best)))
    }
}

/// A ratio needs no more than one decimal.
fn rounded(ratio: f64) -> f64 {
    (ratio * 10.0).round() / 10.0
}

fn subtitle(context: &Context, view: View) -> [String; 2] {
    let band = if context.replications() > 1.0 {
        "; band from the lowest to the highest run. Peak: busiest second of a run, averaged."
    } else {
        "."
    };
    [format!("Calls per second at the downstream, {}{band}", context.averaged()), view.remark(context)]
}
