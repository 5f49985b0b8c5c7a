//! The course of a variant over time, in as many points as a plot can show.

use super::context::Context;
use super::marks;
use super::scene::Point;
use super::style::INK;
use crate::engine::time::seconds;
use crate::measure::{Metric, SeriesMetric};
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

/// What a chart shows, which decides how much of a run is worth showing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// Calls, of interest while they differ from the arrivals.
    Calls,
    /// Levels of the queue, of interest while they are not as low as they can be.
    Levels,
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
    /// What is drawn.
    pub shows: Shows,
}

/// Room after the last change, as a multiple of the time up to it.
const MARGIN_AFTER: f64 = 1.15;
/// A run of which less than this is left out is shown whole.
const WORTH_CUTTING: f64 = 0.9;
/// A share of the highest value that counts as a difference.
const VISIBLE_SHARE: f64 = 0.02;
/// A share of all calls beyond arrivals that may be left out.
const TAIL_SHARE: f64 = 0.005;

impl View {
    /// The part of a study's runs in which something happens, in at most `most_points` points.
    pub fn of(context: &Context, shows: Shows, most_points: usize) -> Self {
        let duration_s = context.duration_s().max(1.0);
        let step_s = context.shown.iter().map(|variant| variant.series.step_s.max(1)).max().unwrap_or(1);
        let end_s = quiet_from_s(context, shows).map_or(duration_s, |quiet_s| rounded_up(quiet_s * MARGIN_AFTER));
        let is_cut = end_s < duration_s * WORTH_CUTTING;
        let end_s = if is_cut { end_s } else { duration_s };
        let finest_s = (end_s / most_points as f64).ceil() as u64;
        let point_s = if finest_s <= step_s { step_s } else { round_multiple(finest_s, step_s) };
        Self { end_s, is_cut, point_s, shows }
    }

    /// What a reader must know about it, for subtitles; empty where there is nothing to know.
    pub fn remark(self, context: &Context, explains_shading: bool) -> String {
        let mut remark = String::new();
        if explains_shading {
            remark.push_str(&(context.shading() + " "));
        }
        if self.point_s > 1 {
            remark.push_str(&format!("Each point is the mean over {}. ", number::duration(self.point_s as f64)));
        }
        if self.is_cut {
            let reason = match self.shows {
                Shows::Calls => "where calls all but match arrivals",
                Shows::Levels => "where no backlog is left",
            };
            let (from, until) = (number::duration(self.end_s), number::duration(context.duration_s()));
            remark.push_str(&format!("Not shown: {from} to {until}, {reason}."));
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

/// From when on nothing of interest happens to any shown variant; `None` where nothing ever does.
fn quiet_from_s(context: &Context, shows: Shows) -> Option<f64> {
    let peaks = Peaks::of(context);
    let busy_s = |variant: &VariantResult| match shows {
        Shows::Calls => {
            let differ_s = last_busy_s(variant, |step| calls_differ(&variant.series, step, peaks));
            differ_s.max(tail_s(&variant.series))
        }
        Shows::Levels => {
            let rest = level_at_rest(&variant.series, peaks);
            let is_high = |step| levels_are_high(&variant.series, step, rest, peaks);
            last_busy_s(variant, is_high).max(cleared_s(context, variant))
        }
    };
    let busy = context.shown.iter().map(busy_s).fold(0.0, f64::max);
    let marked = if shows == Shows::Levels { last_alarm_s(context) } else { 0.0 };
    (busy > 0.0).then(|| busy.max(last_planned_s(context)).max(marked))
}

/// When the last of the alarms that are marked first fires.
fn last_alarm_s(context: &Context) -> f64 {
    let marks = context.shown.iter().flat_map(|variant| marks::alarms(context, variant, INK));
    marks.map(|mark| mark.time_s).fold(0.0, f64::max)
}

/// When the scenario itself changes something for the last time: an outage ends, an operator acts, a burst of arrivals is
/// over. That the producers stop at the end changes nothing of what is compared.
fn last_planned_s(context: &Context) -> f64 {
    let outages = context.shown.iter().flat_map(|variant| context.outages(variant)).map(|outage| outage.until_us);
    let operations = context.shown.iter().flat_map(|variant| context.operations(variant)).map(|one| one.at_us);
    let bursts = context.result.scenario.variants.iter().flat_map(|variant| {
        let late = variant.setup.all_producers().filter(|(_, producer)| producer.from_us > 0);
        late.map(|(_, producer)| producer.until_us.min(context.result.scenario.duration_us))
    });
    seconds(outages.chain(operations).chain(bursts).max().unwrap_or(0))
}

/// The highest values of any shown variant, which differences are held against.
#[derive(Debug, Clone, Copy)]
struct Peaks {
    calls: f64,
    visible: f64,
    in_flight: f64,
}

impl Peaks {
    fn of(context: &Context) -> Self {
        let highest = |metric: SeriesMetric| {
            context.shown.iter().flat_map(|variant| variant.series.of(metric)).copied().fold(0.0, f64::max)
        };
        Self {
            calls: highest(SeriesMetric::Calls),
            visible: highest(SeriesMetric::Visible),
            in_flight: highest(SeriesMetric::InFlight),
        }
    }
}

/// End of the last step that is busy.
fn last_busy_s(variant: &VariantResult, is_busy: impl Fn(usize) -> bool) -> f64 {
    let series = &variant.series;
    let last = (0..series.of(SeriesMetric::Calls).len()).rev().find(|step| is_busy(*step));
    last.map_or(0.0, |step| (step as u64 + 1) as f64 * series.step_s as f64)
}

fn at(values: &[f64], step: usize) -> f64 {
    values.get(step).copied().unwrap_or(0.0)
}

/// Whether calls differ visibly from arrivals, on the mean or in a single run.
fn calls_differ(series: &Series, step: usize, peaks: Peaks) -> bool {
    let arrivals = at(series.of(SeriesMetric::Enqueued), step);
    (at(series.of(SeriesMetric::Calls), step) - arrivals).abs() > peaks.calls * VISIBLE_SHARE
        || at(&series.calls_highest, step) - arrivals > peaks.calls * 0.1
}

/// From when on only a small part of all calls beyond arrivals is left: each step of a long tail may be too low to see, and
/// yet all that succeeds may be in it.
fn tail_s(series: &Series) -> f64 {
    let both = series.of(SeriesMetric::Calls).iter().zip(series.of(SeriesMetric::Enqueued));
    let excess: Vec<f64> = both.map(|(calls, arrivals)| calls - arrivals).collect();
    let all: f64 = excess.iter().map(|value| value.abs()).sum();
    let mut left = 0.0;
    // With their signs, so that what chance adds and takes away does not add up.
    let is_worth_showing = |value: &f64| {
        left += value;
        f64::abs(left) > all * TAIL_SHARE
    };
    let steps = excess.iter().rev().position(is_worth_showing).map_or(0, |from_end| excess.len() - from_end);
    steps as f64 * series.step_s as f64
}

/// Whether visibly more is waiting or in flight than at rest.
fn levels_are_high(series: &Series, step: usize, in_flight_at_rest: f64, peaks: Peaks) -> bool {
    at(series.of(SeriesMetric::Visible), step) > peaks.visible * VISIBLE_SHARE
        || at(series.of(SeriesMetric::InFlight), step) > in_flight_at_rest + peaks.in_flight * VISIBLE_SHARE
}

/// What is in flight of a healthy system: the median over the last third of the time with arrivals, unless that is so high
/// that it is no rest.
fn level_at_rest(series: &Series, peaks: Peaks) -> f64 {
    const NO_REST: f64 = 0.2;
    let arrivals = series.of(SeriesMetric::Enqueued);
    let last = arrivals.iter().rposition(|value| *value > 0.0).unwrap_or(0);
    let mut late = series.of(SeriesMetric::InFlight).get(last - last / 3..last).unwrap_or_default().to_vec();
    late.sort_by(f64::total_cmp);
    late.get(late.len() / 2).copied().filter(|level| *level < peaks.in_flight * NO_REST).unwrap_or(0.0)
}

/// When a variant's backlog is cleared, as the headline has it; the end of the run where it is not.
fn cleared_s(context: &Context, variant: &VariantResult) -> f64 {
    variant.metric(Metric::BacklogClearedS).map_or(0.0, |found| match found.max {
        latest if latest >= context.duration_s() => context.duration_s(),
        _ => found.mean,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_quiet_end_is_cut_and_said() {
        let result = sample::failover();
        let context = Context::new(&result, "failover.yaml");
        for shows in [Shows::Calls, Shows::Levels] {
            let view = View::of(&context, shows, 1_400);
            assert!(view.is_cut && (440.0..=600.0).contains(&view.end_s), "{view:?}");
            assert!(view.remark(&context, false).contains("Not shown"));
        }
    }

    #[test]
    fn a_trouble_that_lasts_is_shown_to_the_end() {
        let mut result = sample::failover();
        for value in &mut result.variants[0].series.mean[SeriesMetric::Visible as usize] {
            *value = 9_000.0;
        }
        let view = |result: &_, shows| View::of(&Context::new(result, ""), shows, 1_400);
        let levels = view(&result, Shows::Levels);
        assert_eq!((levels.end_s, levels.is_cut), (1_200.0, false));
        assert!(view(&result, Shows::Calls).is_cut, "calls are calm long before");
    }

    #[test]
    fn a_long_low_tail_of_calls_is_shown() {
        let mut result = sample::failover();
        let calls = &mut result.variants[2].series.mean[SeriesMetric::Calls as usize];
        calls[600..1_000].iter_mut().for_each(|value| *value += 40.0);
        let view = View::of(&Context::new(&result, ""), Shows::Calls, 1_400);
        assert!(view.end_s >= 1_000.0, "{view:?}");
    }

    #[test]
    fn an_operation_is_never_cut_away() {
        let mut result = sample::failover();
        let action = crate::model::operator::Action::Scale { fleet: 3, drain_us: None };
        let operation = crate::model::operator::Operation { at_us: 900_000_000, action };
        result.scenario.variants[0].setup.operations.push(operation);
        let view = View::of(&Context::new(&result, ""), Shows::Calls, 1_400);
        assert!(view.end_s >= 900.0, "{view:?}");
    }

    #[test]
    fn a_backlog_that_is_never_cleared_is_shown_to_the_end() {
        let mut result = sample::failover();
        let cleared = crate::study::Estimate::of(&[400.0, 1_200.0]);
        result.variants[2].metrics[Metric::BacklogClearedS as usize] = cleared;
        assert!(!View::of(&Context::new(&result, ""), Shows::Levels, 1_400).is_cut);
    }

    #[test]
    fn more_steps_than_points_are_merged_and_said() {
        let result = sample::failover();
        let context = Context::new(&result, "");
        let view = View::of(&context, Shows::Calls, 100);
        assert!(view.point_s >= 5 && view.remark(&context, false).contains("Each point is the mean over"));
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
