//! Made-up results for the tests of reports: plausible in shape, true of no policy.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::SECOND_US;
use crate::measure::{Metric, SeriesMetric, TimeHistogram};
use crate::model::consumer::ConsumerSettings;
use crate::model::downstream::{DownstreamSettings, Outage, OutageMode};
use crate::model::policy::{BackoffSettings, PolicySettings};
use crate::model::producer::{Arrivals, ClassShares, MessageClass, ProducerSettings};
use crate::model::queue::QueueSettings;
use crate::scenario::{Bound, Claim, Comparison, Expectation, Quantity, Scenario, Setup, Variant};
use crate::study::{
    ClaimResult, Estimate, ExpectationResult, Fate, RunStatistics, Series, StudyResult, VariantResult, Verdict,
};

const REPLICATIONS: u32 = 20;

/// How a made-up variant behaves.
struct Course {
    name: String,
    duration_s: u64,
    sends_until_s: u64,
    rate: f64,
    calls: fn(f64) -> f64,
    visible: fn(f64) -> f64,
    in_flight: fn(f64) -> f64,
    /// Spread of the calls between replications, as a share.
    spread: f64,
    dead_lettered: f64,
    time_to_dlq_s: (f64, f64),
}

/// Three policies in a 90-second failover.
pub fn failover() -> StudyResult {
    let mut result = study("90-second database failover", 1_200, failover_courses());
    add_verdicts(&mut result);
    result
}

fn failover_courses() -> Vec<Course> {
    let base = |name: &str| Course {
        name: name.to_owned(),
        duration_s: 1_200,
        sends_until_s: 900,
        rate: 800.0,
        calls: |_| 800.0,
        visible: |_| 5.0,
        in_flight: |_| 60.0,
        spread: 0.06,
        dead_lettered: 0.0,
        time_to_dlq_s: (0.0, 0.0),
    };
    vec![
        Course {
            calls: |t| if t < 430.0 { ramp(t, 0.0, 4.0, 800.0, 2_950.0) + 420.0 * (t / 4.7).sin() } else { 800.0 },
            visible: |t| {
                if t < 440.0 { ramp(t, 0.0, 120.0, 0.0, 52_000.0) * ramp(t, 200.0, 440.0, 1.0, 0.0) } else { 6.0 }
            },
            in_flight: |t| {
                if t < 440.0 { ramp(t, 0.0, 30.0, 0.0, 24_000.0) * ramp(t, 300.0, 440.0, 1.0, 0.0) } else { 60.0 }
            },
            spread: 0.14,
            dead_lettered: 3_120.0,
            time_to_dlq_s: (301.0, 430.0),
            ..base("no-backoff")
        },
        Course {
            calls: |t| match t {
                t if t < 90.0 => ramp(t, 0.0, 90.0, 800.0, 3_900.0),
                t => ramp(t, 90.0, 175.0, 3_700.0, 800.0),
            },
            visible: |t| {
                if t < 180.0 { ramp(t, 0.0, 95.0, 0.0, 18_500.0) * ramp(t, 95.0, 180.0, 1.0, 0.0) } else { 6.0 }
            },
            in_flight: |t| {
                if t < 240.0 { ramp(t, 0.0, 90.0, 0.0, 51_000.0) * ramp(t, 95.0, 240.0, 1.0, 0.0) } else { 60.0 }
            },
            ..base("full-jitter")
        },
        Course {
            calls: |t| match t {
                t if t < 2.0 => 1_400.0,
                t if t < 90.0 => 12.0,
                t if t < 200.0 => 1_850.0,
                _ => 800.0,
            },
            visible: |t| {
                if t < 200.0 { ramp(t, 2.0, 90.0, 0.0, 60_000.0) * ramp(t, 92.0, 200.0, 1.0, 0.0) } else { 6.0 }
            },
            in_flight: |t| if t < 200.0 { 3_000.0 } else { 60.0 },
            spread: 0.03,
            ..base("with-breaker")
        },
    ]
}

/// From one value to another between two moments, and flat outside.
fn ramp(t: f64, from: f64, until: f64, low: f64, high: f64) -> f64 {
    low + (high - low) * ((t - from) / (until - from)).clamp(0.0, 1.0)
}

/// Any number of variants, with fates of every kind.
pub fn many(variants: usize) -> StudyResult {
    let courses = failover_courses().into_iter().cycle_by_index(variants);
    let mut result = study("A sweep of policies", 1_200, courses);
    for (index, variant) in result.variants.iter_mut().enumerate() {
        variant.fates[Fate::Expired as usize][MessageClass::Valid as usize] = (index % 3 * 40) as f64;
        variant.fates[Fate::Pending as usize][MessageClass::Permanent as usize] = (index % 2 * 90) as f64;
    }
    result
}

trait CycleByIndex {
    fn cycle_by_index(self, count: usize) -> Vec<Course>;
}

impl<I: Iterator<Item = Course>> CycleByIndex for I {
    fn cycle_by_index(self, count: usize) -> Vec<Course> {
        let kinds: Vec<Course> = self.collect();
        (0..count)
            .map(|index| {
                let kind = &kinds[index % kinds.len()];
                let weight = 1.0 - index as f64 / (2 * count) as f64;
                Course {
                    name: format!("{} {}", kind.name, index + 1),
                    dead_lettered: (kind.dead_lettered * weight).round(),
                    ..*kind
                }
            })
            .collect()
    }
}

/// Names that break what does not expect them.
pub fn odd_names() -> StudyResult {
    let mut result = many(4);
    let names = [
        "x\"<>&'".repeat(34),
        "日本語の変種 🎉".repeat(6),
        "=cmd|'/c calc'!A1".to_owned(),
        "\u{1b}[31m\nred".to_owned(),
    ];
    result.scenario.title = "T<itle> & \"quotes\" ".repeat(12);
    for (index, name) in names.into_iter().enumerate() {
        result.variants[index].name.clone_from(&name);
        result.scenario.variants[index].name = name;
    }
    result
}

/// Two variants and three steps: little enough to read every byte.
pub fn tiny() -> StudyResult {
    let course = |name: &str, dead_lettered| Course {
        name: name.to_owned(),
        duration_s: 3,
        sends_until_s: 2,
        rate: 4.0,
        calls: |t| if t < 2.0 { 4.5 } else { 0.0 },
        visible: |t| t,
        in_flight: |_| 0.0,
        spread: 0.0,
        dead_lettered,
        time_to_dlq_s: (150.0, 151.0),
    };
    study("Tiny", 3, vec![course("=naive", 4.0), course("calm", 0.0)])
}

/// A single run in which nothing happens, no metric is defined and no outage is planned.
pub fn empty() -> StudyResult {
    let mut result = study(
        "Nothing",
        1,
        vec![Course {
            name: "idle".to_owned(),
            duration_s: 1,
            rate: 0.0,
            calls: |_| 0.0,
            visible: |_| 0.0,
            in_flight: |_| 0.0,
            ..failover_courses().remove(1)
        }],
    );
    result.scenario.replications = 1;
    result.scenario.variants[0].setup.downstream.outages.clear();
    let variant = &mut result.variants[0];
    variant.metrics = vec![None; Metric::ALL.len()];
    variant.fates = Default::default();
    result
}

fn study(title: &str, duration_s: u64, courses: Vec<Course>) -> StudyResult {
    let variants = courses.iter().map(|course| Variant { name: course.name.clone(), setup: setup(course) }).collect();
    StudyResult {
        scenario: Scenario {
            title: title.to_owned(),
            seed: 42,
            duration_us: duration_s * SECOND_US,
            replications: REPLICATIONS,
            variants,
            expectations: Vec::new(),
            claims: Vec::new(),
        },
        variants: courses.iter().map(run).collect(),
        expectations: Vec::new(),
        claims: Vec::new(),
        statistics: RunStatistics::default(),
    }
}

fn setup(course: &Course) -> Setup {
    let outage =
        Outage { from_us: 0, until_us: 90 * SECOND_US, mode: OutageMode::Refuse { after_us: 50_000 }, warm_up: None };
    Setup {
        queue: QueueSettings::default(),
        producers: vec![ProducerSettings {
            arrivals: Arrivals::Poisson { rate_per_s: course.rate },
            from_us: 0,
            until_us: course.sends_until_s * SECOND_US,
            classes: ClassShares::default(),
        }],
        consumers: ConsumerSettings {
            fleet: 60,
            concurrency: 50,
            batch: 10,
            wait_us: 20 * SECOND_US,
            prefetch: 0,
            handler_time: TimeDistribution::Constant { value_us: 0 },
            restart_us: 0,
        },
        downstream: DownstreamSettings {
            servers: 100,
            service_time: TimeDistribution::Exponential { mean_us: 54_000.0 },
            max_waiting: None,
            acquire_timeout_us: None,
            refuse_after_us: 0,
            call_timeout_us: None,
            error_rate: 0.0,
            failure_cost: 0.0,
            outages: vec![outage],
        },
        policy: PolicySettings { backoff: BackoffSettings::None, breaker: None },
    }
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
        mean[SeriesMetric::Visible as usize].push(if sends { (course.visible)(t) } else { 0.0 });
        mean[SeriesMetric::InFlight as usize].push(if sends { (course.in_flight)(t) } else { 0.0 });
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

fn around(mean: f64) -> Estimate {
    Estimate { mean, lo: mean * 0.875, hi: mean * 1.125, min: mean * 0.75, max: mean * 1.5 }
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

fn add_verdicts(result: &mut StudyResult) {
    let expectation = |variant, quantity, comparison, says: &str, found: f64, bound: Vec<f64>, met| ExpectationResult {
        expectation: Expectation { variant, quantity, comparison, says: says.to_owned() },
        found: Some(around(found)),
        bound,
        met,
    };
    let valid = Quantity::Metric(Metric::DeadLetteredValid);
    let in_outage = Quantity::Window { metric: SeriesMetric::Calls, from_s: 30, until_s: 90 };
    let fraction = Comparison::Below(Bound::Variant { variant: 0, times: 0.02 });
    result.expectations = vec![
        expectation(
            0,
            valid,
            Comparison::Between(2_000.0, 4_500.0),
            "case study: 3 100 in the DLQ",
            3_120.0,
            vec![2_000.0, 4_500.0],
            true,
        ),
        expectation(1, valid, Comparison::Below(Bound::Number(2.0)), "", 0.0, vec![2.0], true),
        expectation(
            2,
            in_outage,
            fraction,
            "no retry traffic while the breaker is open, which is what it is for; all that gets through are probes",
            720.0,
            vec![3_600.0],
            true,
        ),
        expectation(
            2,
            Quantity::Metric(Metric::SoundAgainS),
            Comparison::AtMost(Bound::Number(90.0)),
            "",
            92.5,
            vec![90.0],
            false,
        ),
    ];
    let claim = |variant, quantity, figure, says: &str, because: &str, found, verdict| ClaimResult {
        claim: Claim {
            variant,
            quantity,
            figure,
            says: says.to_owned(),
            reproduced_within: figure * 0.1,
            close_within: figure * 0.25,
            because: because.to_owned(),
        },
        found,
        verdict,
    };
    let visible = Quantity::Level { metric: SeriesMetric::Visible, at_s: 30 };
    result.claims = vec![
        claim(0, valid, 3_100.0, "3 100 valid messages in the DLQ", "", Some(around(3_120.0)), Verdict::Reproduced),
        claim(
            0,
            visible,
            24_000.0,
            "all 24 000 visible simultaneously at t = 30",
            "A fixed visibility timeout shifts arrivals and does not bunch them: messages return as they came, at 800 a second.",
            Some(around(9_800.0)),
            Verdict::NotReproduced,
        ),
        claim(2, Quantity::Metric(Metric::BreakerOpenedS), 15.0, "opens at t = 15 s", "", None, Verdict::NotReproduced),
        claim(
            1,
            Quantity::Metric(Metric::BacklogClearedS),
            160.0,
            "drained at t = 160",
            "",
            Some(around(180.0)),
            Verdict::Close,
        ),
    ];
}
