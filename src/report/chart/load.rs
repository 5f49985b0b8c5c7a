//! The load: calls per second at the downstream, and which part of them succeeds.

use super::breaker;
use super::context::Context;
use super::course::{Merge, Shows, View};
use super::curves::{Axes, Curves};
use super::plot::small;
use super::scale::ValueAxis;
use super::scene::{Anchor, Scene};
use super::style::{self, INK, LINE, MARGIN, MUTED, SMALL, SUCCESSES, SUCCESSES_OPACITY};
use super::{load_title, marks, panes};
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
    let highs: Vec<f64> = all.iter().map(Curves::highest).collect();
    let values = ValueAxis::common(&highs, panes::most_values(count));
    let subtitle = subtitle(context, view, &values);
    super::page::draw(scene, context, |columns| load_title::title(context, columns), subtitle);
    let breaker = all.iter().position(|curves| !curves.breaker_open.is_empty());
    legend(scene, values.scale.is_logarithmic, band_words(context, view), breaker);
    let axes = Axes { end_s: view.end_s, values, format: rate, shades_outages: true, references: Vec::new() };
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
        breaker_open: breaker::spans(view, series),
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

/// What line, area and band are, and the hatching of the first variant whose breaker opened.
fn legend(scene: &mut Scene, is_logarithmic: bool, band: Option<&str>, breaker: Option<usize>) {
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
    let dash = |scene: &mut Scene, x: f64, width, colour| {
        scene.line(vec![(x + 1.0, middle), (x + 19.0, middle)], width, colour);
    };
    let (line, succeed) = if is_logarithmic { (style::line_colour(0), LINE) } else { (MUTED, 0.0) };
    entry(scene, "calls", &|scene, x| dash(scene, x, LINE + 0.5, line));
    entry(scene, "calls that succeed", &|scene, x| match succeed {
        0.0 => swatch(scene, x, SUCCESSES, SUCCESSES_OPACITY),
        width => dash(scene, x, width, SUCCESSES),
    });
    if let Some(words) = band {
        let colour = style::line_colour(0);
        entry(scene, words, &|scene, x| swatch(scene, x, colour, style::BAND_OPACITY));
    }
    if let Some(variant) = breaker {
        let (top, bottom) = (middle - breaker::HEIGHT / 2.0, middle + breaker::HEIGHT / 2.0);
        entry(scene, breaker::WORDS, &|scene, x| {
            breaker::hatched(scene, (x, top), (x + 20.0, bottom), style::line_colour(variant));
        });
    }
}

fn subtitle(context: &Context, view: View, values: &ValueAxis) -> [String; 2] {
    let peak = if context.replications() > 1.0 { "busiest second of a run, averaged" } else { "busiest second" };
    let scale = values.remark();
    let what = format!("Calls per second at the downstream, {}. Peak: {peak}.", context.averaged());
    [what, format!("{scale}{}", view.remark(context, true)).trim().to_owned()]
}
