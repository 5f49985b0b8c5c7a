//! The load: calls per second at the downstream, and which part of them succeeds.

use super::axis;
use super::context::Context;
use super::course::{Merge, Shows, View};
use super::curves::{Axes, Curves};
use super::plot::small;
use super::scene::{Anchor, Scene};
use super::style::{self, INK, LINE, MARGIN, MUTED, SMALL, SUCCESSES, SUCCESSES_OPACITY};
use super::{cut, load_title, marks, panes};
use crate::measure::{Metric, SeriesMetric};
use crate::report::number;
use crate::study::VariantResult;

/// Baseline of the legend where the subtitle has two lines.
const LEGEND: f64 = 105.0;
/// Where the headers of the plots begin.
const PANES_TOP: f64 = 110.0;

/// Draws the chart: a plot for each variant, since the areas of several would hide each other in one.
pub fn draw(scene: &mut Scene, context: &Context) {
    let count = context.shown.len();
    let view = View::of(context, Shows::Calls, panes::most_points(count));
    let all: Vec<Curves> = context.shown.iter().map(|variant| curves_of(context, view, variant)).collect();
    let scale = Scale::of(&all, panes::most_values(count));
    let axes = Axes { end_s: view.end_s, values: scale.values, format: rate, shades_outages: true, reference: None };
    let all: Vec<Curves> = all.into_iter().map(|curves| saying_where_cut(curves, axes.highest())).collect();
    let subtitle = subtitle(context, view, scale.is_cut.then(|| axes.highest()));
    super::page::draw(scene, context, |columns| load_title::title(context, columns), subtitle);
    legend(scene, band_words(context, view));
    panes::draw(scene, context, &axes, &all, PANES_TOP);
}

/// A rate on its axis; those of quiet queues are far below one.
fn rate(value: f64) -> String {
    if value > 0.0 && value < 0.1 {
        format!("{value:.4}").trim_end_matches('0').to_owned()
    } else {
        number::compact(value)
    }
}

/// The values of the axis, and whether they leave something out.
struct Scale {
    values: Vec<f64>,
    is_cut: bool,
}

impl Scale {
    fn of(all: &[Curves], about: usize) -> Self {
        let highs: Vec<f64> = all.iter().map(highest).collect();
        let end = cut::scale_end(&highs);
        let highest = end.unwrap_or_else(|| highs.iter().copied().fold(0.0, f64::max));
        Self { values: axis::value_ticks(highest, about), is_cut: end.is_some() }
    }
}

/// The highest value that is drawn of a variant.
fn highest(curves: &Curves) -> f64 {
    let drawn = curves.line.iter().chain(&curves.band[1]).chain(&curves.area);
    drawn.map(|point| point.1).fold(0.0, f64::max)
}

fn saying_where_cut(mut curves: Curves, scale_end: f64) -> Curves {
    if highest(&curves) > scale_end {
        curves.notes.push("scale cut".to_owned());
    }
    curves
}

fn curves_of(context: &Context, view: View, variant: &VariantResult) -> Curves {
    let series = &variant.series;
    let has_band = has_band(context, view);
    let edge = |values: &[f64], merge| if has_band { view.points(series, values, merge, false) } else { Vec::new() };
    let mut notes = vec![format!("peak {}/s", number::mean_count(peak(variant)))];
    notes.extend(success_share(variant).map(|share| format!("{} succeed", number::percent(share))));
    Curves {
        line: view.course(series, SeriesMetric::Calls),
        area: view.course(series, SeriesMetric::Successes),
        band: [edge(&series.calls_lowest, Merge::Lowest), edge(&series.calls_highest, Merge::Highest)],
        notes,
        label_at: peak(variant),
        marks: marks::operations(context, variant, INK),
        ..Curves::default()
    }
}

/// Whether there is a spread to show: between runs, or within what a point stands for. There is none where calls are so
/// rare that its upper edge is a single call in a step.
fn has_band(context: &Context, view: View) -> bool {
    let is_spread = |variant: &VariantResult| {
        let highest = variant.series.calls_highest.iter().copied().fold(0.0, f64::max);
        highest * variant.series.step_s as f64 > 1.5
    };
    let has_many = context.replications() > 1.0 || context.shown.iter().any(|one| view.point_s > one.series.step_s);
    has_many && context.shown.iter().any(is_spread)
}

/// The busiest second of a run, averaged; or of the mean course where the metric is not defined.
pub fn peak(variant: &VariantResult) -> f64 {
    let of_course = || variant.series.of(SeriesMetric::Calls).iter().copied().fold(0.0, f64::max);
    variant.metric(Metric::CallsPeakPerS).map_or_else(of_course, |found| found.mean)
}

/// Which share of the calls that ended in the whole run succeeded; `None` where none ended.
pub fn success_share(variant: &VariantResult) -> Option<f64> {
    let sum = |metric: SeriesMetric| variant.series.of(metric).iter().sum::<f64>();
    let (successes, failures) = (sum(SeriesMetric::Successes), sum(SeriesMetric::Failures));
    (successes + failures > 0.0).then(|| successes / (successes + failures))
}

/// What the spread is over.
fn band_words(context: &Context, view: View) -> Option<&'static str> {
    let of_runs = context.replications() > 1.0;
    let words = if of_runs { "calls, lowest to highest run" } else { "calls, lowest to highest step within a point" };
    has_band(context, view).then_some(words)
}

/// What line, area and band are.
fn legend(scene: &mut Scene, band: Option<&str>) {
    let middle = LEGEND - 4.5;
    let mut x = MARGIN;
    let mut entry = |scene: &mut Scene, words: &str, draw: &dyn Fn(&mut Scene, f64)| {
        draw(scene, x);
        let width = scene.fonts.width(words, SMALL, super::font::Weight::Regular);
        scene.text(small(words, (x + 26.0, LEGEND), Anchor::Start, INK), width + 1.0);
        x += 26.0 + width + 22.0;
    };
    let swatch = |scene: &mut Scene, x: f64, colour, opacity| {
        let corners = [(x, middle - 5.0), (x + 20.0, middle - 5.0), (x + 20.0, middle + 5.0), (x, middle + 5.0)];
        scene.area(corners.to_vec(), colour, opacity);
    };
    entry(scene, "calls", &|scene, x| scene.line(vec![(x + 1.0, middle), (x + 19.0, middle)], LINE + 0.5, MUTED));
    entry(scene, "calls that succeed", &|scene, x| swatch(scene, x, SUCCESSES, SUCCESSES_OPACITY));
    if let Some(words) = band {
        let colour = style::line_colour(0);
        entry(scene, words, &|scene, x| swatch(scene, x, colour, style::BAND_OPACITY));
    }
}

fn subtitle(context: &Context, view: View, cut_at: Option<f64>) -> [String; 2] {
    let peak = if context.replications() > 1.0 { "busiest second of a run, averaged" } else { "busiest second" };
    let cut = cut_at.map_or(String::new(), |value| {
        format!("Scale cut at {}/s: arrowheads where calls go beyond. ", number::human(value))
    });
    let what = format!("Calls per second at the downstream, {}. Peak: {peak}.", context.averaged());
    [what, format!("{cut}{}", view.remark(context, true)).trim().to_owned()]
}
