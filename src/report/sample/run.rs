//! From the behaviour of a made-up variant to its numbers.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::SECOND_US;
use crate::measure::Fate;
use crate::measure::{Metric, SeriesMetric, TimeHistogram};
use crate::model::MessageClass;
use crate::model::consumer::ConsumerSettings;
use crate::model::downstream::{DownstreamSettings, Outage, OutageMode};
use crate::model::policy::PolicySettings;
use crate::model::producer::{Arrivals, ProducerSettings};
use crate::model::queue::QueueSettings;
use crate::scenario::{Scenario, Setup, Variant};
use crate::study::{Difference, Estimate, KEY_METRICS, Proportion, RunStatistics, Series, StudyResult, VariantResult};

const REPLICATIONS: u32 = 20;

/// How a made-up variant behaves.
pub struct Course {
    pub name: String,
    pub duration_s: u64,
    pub sends_until_s: u64,
    pub rate: f64,
    pub calls: fn(f64) -> f64,
    pub visible: fn(f64) -> f64,
    pub in_flight: fn(f64) -> f64,
    /// Spread of the calls between replications, as a share.
    pub spread: f64,
    pub dead_lettered: f64,
    pub time_to_dlq_s: (f64, f64),
}

/// A study of made-up variants.
pub fn study(title: &str, duration_s: u64, courses: Vec<Course>) -> StudyResult {
    let variants = courses.iter().map(|course| Variant { name: course.name.clone(), setup: setup(course) }).collect();
    let results: Vec<VariantResult> = courses.iter().map(run).collect();
    StudyResult {
        differences: differences(&results),
        until: None,
        scenario: Scenario {
            title: title.to_owned(),
            seed: 42,
            duration_us: duration_s * SECOND_US,
            replications: REPLICATIONS,
            alarms: Vec::new(),
            variants,
            expectations: Vec::new(),
            claims: Vec::new(),
        },
        variants: results,
        expectations: Vec::new(),
        claims: Vec::new(),
        statistics: RunStatistics::default(),
    }
}

/// Every variant against the first.
fn differences(variants: &[VariantResult]) -> Vec<Difference> {
    let of_variant = |variant: usize| {
        KEY_METRICS.iter().filter_map(move |&metric| {
            let (found, base) = (variants[variant].metric(metric)?, variants[0].metric(metric)?);
            let found = around(found.mean - base.mean);
            let found = Estimate { sd: found.sd.abs(), ..found };
            let (lo, hi) = (found.lo.min(found.hi), found.lo.max(found.hi));
            Some(Difference { variant, baseline: 0, metric, found: Estimate { lo, hi, ..found } })
        })
    };
    (1..variants.len()).flat_map(of_variant).collect()
}

fn facts(course: &Course) -> Vec<Proportion> {
    let loses = if course.dead_lettered > 0.0 { REPLICATIONS } else { 0 };
    [loses, 0, 0, 0, loses].map(|k| Proportion::of(k, REPLICATIONS)).to_vec()
}

fn setup(course: &Course) -> Setup {
    let outage =
        Outage { from_us: 0, until_us: 90 * SECOND_US, mode: OutageMode::Refuse { after_us: 50_000 }, warm_up: None };
    Setup::new(
        QueueSettings::default(),
        vec![ProducerSettings {
            until_us: course.sends_until_s * SECOND_US,
            ..ProducerSettings::new(Arrivals::Poisson { rate_per_s: course.rate })
        }],
        ConsumerSettings { fleet: 60, concurrency: 50, ..ConsumerSettings::default() },
        DownstreamSettings {
            outages: vec![outage],
            ..DownstreamSettings::new(100, TimeDistribution::Exponential { mean_us: 54_000.0 })
        },
        PolicySettings::default(),
    )
}

fn run(course: &Course) -> VariantResult {
    let series = series(course);
    let enqueued = course.rate * course.sends_until_s.min(course.duration_s) as f64;
    let mut fates = [[0.0; MessageClass::ALL.len()]; Fate::ALL.len()];
    fates[Fate::Processed as usize][0] = enqueued - course.dead_lettered;
    fates[Fate::DeadLettered as usize][0] = course.dead_lettered;
    VariantResult {
        name: course.name.clone(),
        metrics: metrics(course, &series, enqueued),
        fates,
        series,
        facts: facts(course),
        groups: Vec::new(),
        alarms: Vec::new(),
        time_to_dlq: time_to_dlq(course),
    }
}

fn series(course: &Course) -> Series {
    let mut mean = vec![Vec::new(); SeriesMetric::ALL.len()];
    let (mut calls_lowest, mut calls_highest) = (Vec::new(), Vec::new());
    for second in 0..course.duration_s {
        let t = second as f64;
        let sends = second < course.sends_until_s;
        let enqueued = if sends { course.rate } else { 0.0 };
        let calls = if sends { (course.calls)(t) * (1.0 + 0.012 * noise(second)) } else { 0.0 };
        mean[SeriesMetric::Enqueued as usize].push(enqueued);
        mean[SeriesMetric::Calls as usize].push(calls);
        mean[SeriesMetric::Retries as usize].push((calls - enqueued).max(0.0));
        mean[SeriesMetric::Visible as usize].push(if sends { (course.visible)(t) } else { 0.0 });
        mean[SeriesMetric::InFlight as usize].push(if sends { (course.in_flight)(t) } else { 0.0 });
        let succeed = if second < 90 { 0.0 } else { calls.min(course.rate * 2.0) };
        mean[SeriesMetric::Successes as usize].push(succeed);
        mean[SeriesMetric::Failures as usize].push(calls - succeed);
        calls_lowest.push(calls * (1.0 - course.spread));
        calls_highest.push(calls * (1.0 + course.spread));
    }
    for values in mean.iter_mut().filter(|values| values.is_empty()) {
        values.resize(course.duration_s as usize, 0.0);
    }
    Series { step_s: 1, mean, calls_lowest, calls_highest }
}

/// Between −1 and 1, the same each time.
fn noise(second: u64) -> f64 {
    (second.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f64 / f64::from(1 << 23) - 1.0
}

fn metrics(course: &Course, series: &Series, enqueued: f64) -> Vec<Option<Estimate>> {
    let highest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let total: f64 = series.of(SeriesMetric::Calls).iter().sum();
    let mut metrics = vec![None; Metric::ALL.len()];
    let mut set = |metric: Metric, mean: f64| metrics[metric as usize] = Some(around(mean));
    set(Metric::Enqueued, enqueued);
    set(Metric::Processed, enqueued - course.dead_lettered);
    set(Metric::DeadLettered, course.dead_lettered);
    set(Metric::DeadLetteredValid, course.dead_lettered);
    set(Metric::Calls, total);
    set(Metric::CallsWasted, (total - enqueued).max(0.0));
    set(Metric::CallsPeakPerS, highest(series.of(SeriesMetric::Calls)));
    set(Metric::BacklogPeak, highest(series.of(SeriesMetric::Visible)));
    set(Metric::InFlightPeak, highest(series.of(SeriesMetric::InFlight)));
    set(Metric::SoundAgainS, 90.0 + course.dead_lettered / 10.0);
    set(Metric::BacklogClearedS, 180.0 + course.dead_lettered / 12.0);
    set(Metric::TimeToSuccessP50S, 0.16);
    set(Metric::TimeToSuccessP99S, 212.0);
    if course.dead_lettered > 0.0 {
        set(Metric::TimeToDlqP50S, (course.time_to_dlq_s.0 + course.time_to_dlq_s.1) / 2.0);
        set(Metric::TimeToDlqMaxS, course.time_to_dlq_s.1);
    }
    metrics
}

/// An estimate with an interval of an eighth around its mean.
pub fn around(mean: f64) -> Estimate {
    Estimate {
        mean,
        lo: mean * 0.875,
        hi: mean * 1.125,
        min: mean * 0.75,
        max: mean * 1.5,
        sd: mean * 0.25,
        n: REPLICATIONS,
    }
}

fn time_to_dlq(course: &Course) -> TimeHistogram {
    let mut histogram = TimeHistogram::default();
    let (shortest, longest) = course.time_to_dlq_s;
    let messages = (course.dead_lettered * f64::from(REPLICATIONS)) as u64;
    for index in 0..messages {
        // Denser at the start, as a queue that drains is.
        let share = (index as f64 / messages as f64).powi(2);
        histogram.record(((shortest + (longest - shortest) * share) * 1e6) as u64);
    }
    histogram
}
