//! Made-up results for the tests of reports: plausible in shape, true of no policy.

mod alarms;
mod run;
mod verdicts;

pub use self::alarms::with_alarms;
use self::run::{Course, study};
use crate::measure::Fate;
use crate::measure::Metric;
use crate::model::MessageClass;
use crate::study::StudyResult;

/// Three policies in a 90-second failover.
pub fn failover() -> StudyResult {
    let mut result = study("90-second database failover", 1_200, failover_courses());
    verdicts::add(&mut result);
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
        if index == 1 {
            variant.fates[Fate::DeadLettered as usize] = [260.0, 900.0, 420.0];
            variant.fates[Fate::DeletedUnprocessed as usize][MessageClass::Valid as usize] = 310.0;
        }
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

/// A healthy single run without an outage, long enough that its steps are minutes.
pub fn two_days() -> StudyResult {
    let mut courses = failover_courses();
    courses.truncate(1);
    courses[0].calls = |t| 500.0 + 300.0 * (t / 440.0).sin();
    courses[0].visible = |t| 40.0 + 20.0 * (t / 440.0).sin();
    courses[0].in_flight = |_| 30.0;
    courses[0].duration_s = 2_880;
    courses[0].sends_until_s = 2_880;
    courses[0].dead_lettered = 0.0;
    let mut result = study("Two healthy days", 172_800, courses);
    result.scenario.replications = 1;
    result.scenario.variants[0].setup.downstream.outages.clear();
    result.variants[0].series.step_s = 60;
    result
}

/// Messages that fail together and come back together.
pub fn lockstep() -> StudyResult {
    let spikes = |t: f64| if [0.0, 10.0, 30.0, 70.0].contains(&t) { 400.0 } else { 0.0 };
    let course = |name: &str, calls, dead_lettered, longest_s| Course {
        name: name.to_owned(),
        duration_s: 100,
        sends_until_s: 100,
        rate: 0.0,
        calls,
        dead_lettered,
        time_to_dlq_s: (longest_s, longest_s),
        ..failover_courses().remove(2)
    };
    let without: fn(f64) -> f64 = spikes;
    let with: fn(f64) -> f64 = |t| {
        if t == 0.0 {
            400.0
        } else if t < 75.0 {
            28.0 - t / 4.0
        } else {
            0.0
        }
    };
    study("Lockstep", 100, vec![course("no jitter", without, 400.0, 70.0), course("full jitter", with, 12.0, 41.5)])
}
