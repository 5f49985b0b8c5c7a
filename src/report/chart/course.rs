//! The course of a variant over time, in as many points as a plot can show.

use super::context::Context;
use super::scene::Point;
use crate::measure::SeriesMetric;
use crate::report::number;
use crate::study::{Series, VariantResult};

/// How the steps within one point of a curve are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// By their mean.
    Mean,
    /// By the lowest.
    Lowest,
    /// By the highest.
    Highest,
}

/// Which part of a run is drawn, and how finely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// End of the time axis, in seconds.
    pub end_s: f64,
    /// Whether the axis ends before the run does.
    pub is_cut: bool,
    /// Length of what one point of a curve stands for, in seconds.
    pub point_s: u64,
}

impl View {
    /// The part of a study's runs in which something happens, in at most `most_points` points.
    pub fn of(context: &Context, most_points: usize) -> Self {
        let duration_s = context.duration_s().max(1.0);
        let step_s = context.shown.iter().map(|variant| variant.series.step_s.max(1)).max().unwrap_or(1);
        let end_s = quiet_from_s(context).map_or(duration_s, |quiet_s| rounded_up(quiet_s * 1.3));
        let is_cut = end_s < duration_s * 0.8;
        let end_s = if is_cut { end_s } else { duration_s };
        let finest_s = (end_s / most_points as f64).ceil() as u64;
        Self { end_s, is_cut, point_s: if finest_s <= step_s { step_s } else { round_multiple(finest_s, step_s) } }
    }

    /// What a reader must know about it, for subtitles; empty where there is nothing to know.
    pub fn remark(self, context: &Context) -> String {
        let mut remark = String::new();
        if !context.is_shared() {
            remark.push_str(&(context.shading() + " "));
        }
        if self.point_s > 1 {
            remark.push_str(&format!("Each point is the mean over {}. ", number::duration(self.point_s as f64)));
        }
        if self.is_cut {
            remark.push_str(&format!(
                "Not shown: {} to {}, where calls match arrivals and no backlog is left.",
                number::duration(self.end_s),
                number::duration(context.duration_s())
            ));
        }
        remark.trim().to_owned()
    }

    /// The course of one metric.
    pub fn course(self, series: &Series, metric: SeriesMetric) -> Vec<Point> {
        self.points(series, series.of(metric), Merge::Mean, metric.is_level())
    }

    /// Values of a series as points; a flow stands at the middle of its time, a level at the end.
    pub fn points(self, series: &Series, values: &[f64], merge: Merge, is_level: bool) -> Vec<Point> {
        let step_s = series.step_s.max(1);
        let steps_a_point = (self.point_s / step_s).max(1) as usize;
        let length_s = (step_s * steps_a_point as u64) as f64;
        let place = if is_level { 1.0 } else { 0.5 };
        let times = (0..).map(|index| (f64::from(index) + place) * length_s);
        let merged = values.chunks(steps_a_point).map(|chunk| merge_values(chunk, merge));
        times.zip(merged).take_while(|(time_s, _)| *time_s <= self.end_s).collect()
    }
}

fn merge_values(values: &[f64], merge: Merge) -> f64 {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    match merge {
        Merge::Mean => finite.sum::<f64>() / values.len() as f64,
        Merge::Lowest => finite.reduce(f64::min).unwrap_or(0.0),
        Merge::Highest => finite.fold(0.0, f64::max),
    }
}

/// A round multiple of the step that is no shorter than `least_s`.
fn round_multiple(least_s: u64, step_s: u64) -> u64 {
    const ROUND: [u64; 12] = [2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600];
    let round = ROUND.into_iter().find(|length_s| *length_s >= least_s && length_s.is_multiple_of(step_s));
    round.unwrap_or_else(|| least_s.div_ceil(step_s) * step_s)
}

/// A moment at which an axis can end.
fn rounded_up(time_s: f64) -> f64 {
    let step = super::axis::time_step(time_s, 10);
    (time_s / step).ceil() * step
}

/// From when on nothing of interest happens to any shown variant; `None` where that cannot be said.
fn quiet_from_s(context: &Context) -> Option<f64> {
    let last_outage_us =
        context.shown.iter().flat_map(|variant| context.outages(variant)).map(|outage| outage.until_us);
    let last_outage_s = last_outage_us.max().map(crate::engine::time::seconds)?;
    let busy = context.shown.iter().map(|variant| last_busy_s(context, variant)).fold(0.0, f64::max);
    (busy > 0.0).then(|| busy.max(last_outage_s))
}

/// End of the last step in which calls or backlog differ visibly from those of a healthy system.
fn last_busy_s(context: &Context, variant: &VariantResult) -> f64 {
    let highest = |pick: fn(&VariantResult) -> &[f64]| context.shown.iter().flat_map(pick).copied().fold(0.0, f64::max);
    let most_calls = highest(|variant| variant.series.of(SeriesMetric::Calls));
    let most_visible = highest(|variant| variant.series.of(SeriesMetric::Visible));
    let most_in_flight = highest(|variant| variant.series.of(SeriesMetric::InFlight));
    let series = &variant.series;
    let at = |values: &[f64], step: usize| values.get(step).copied().unwrap_or(0.0);
    let is_busy = |step: &usize| {
        let arrivals = at(series.of(SeriesMetric::Enqueued), *step);
        (at(series.of(SeriesMetric::Calls), *step) - arrivals).abs() > most_calls * 0.02
            || at(&series.calls_highest, *step) - arrivals > most_calls * 0.1
            || at(series.of(SeriesMetric::Visible), *step) > most_visible * 0.02
            || at(series.of(SeriesMetric::InFlight), *step) > most_in_flight * 0.02
    };
    let last = (0..series.of(SeriesMetric::Calls).len()).rev().find(is_busy);
    last.map_or(0.0, |step| (step as u64 + 1) as f64 * series.step_s as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_quiet_end_is_cut_and_said() {
        let result = sample::failover();
        let context = Context::new(&result, "failover.yaml");
        let view = View::of(&context, 1_400);
        assert!(view.is_cut && (440.0..=600.0).contains(&view.end_s), "{view:?}");
        assert!(view.remark(&context).contains("Not shown"));
    }

    #[test]
    fn a_trouble_that_lasts_is_shown_to_the_end() {
        let mut result = sample::failover();
        for value in &mut result.variants[0].series.mean[SeriesMetric::Visible as usize] {
            *value = 9_000.0;
        }
        let view = View::of(&Context::new(&result, ""), 1_400);
        assert_eq!((view.end_s, view.is_cut), (1_200.0, false));
    }

    #[test]
    fn more_steps_than_points_are_merged_and_said() {
        let result = sample::failover();
        let context = Context::new(&result, "");
        let view = View::of(&context, 100);
        assert!(view.point_s >= 5 && view.remark(&context).contains("Each point is the mean over"));
        let points = view.course(&result.variants[0].series, SeriesMetric::Calls);
        assert!(points.len() <= 100);
    }

    #[test]
    fn merging_keeps_the_extremes() {
        assert_eq!(merge_values(&[1.0, 4.0, 1.0], Merge::Mean), 2.0);
        assert_eq!(merge_values(&[3.0, 1.0, 2.0], Merge::Lowest), 1.0);
        assert_eq!(merge_values(&[3.0, 9.0, 2.0], Merge::Highest), 9.0);
    }
}
