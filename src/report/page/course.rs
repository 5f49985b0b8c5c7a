//! The numbers that the script of the page draws, few enough for a screen and without losing a peak.

use super::NAME;
use crate::engine::time::seconds;
use crate::measure::SeriesMetric;
use crate::report::chart::Facts;
use crate::report::{ReportError, words};
use crate::study::{Series, StudyResult, VariantResult};

/// Most points of a course, where few variants are shown; with many there are fewer.
const MOST_POINTS: usize = 2_400;
/// Variants up to which a course has all of them.
const FEW_VARIANTS: usize = 4;
/// Points of the time to the dead-letter queue.
const POINTS_TO_DLQ: usize = 400;
/// Digits that a drawn number keeps.
const DIGITS: i32 = 5;

#[derive(serde::Serialize)]
struct Data {
    variants: Vec<String>,
    end_s: f64,
    duration_s: f64,
    outages: Vec<(f64, f64, String)>,
    time_s: Vec<f64>,
    calls: Vec<Vec<f64>>,
    successes: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lowest: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    highest: Vec<Vec<f64>>,
    visible: Vec<Vec<f64>>,
    in_flight: Vec<Vec<f64>>,
    to_dlq_s: Vec<f64>,
    to_dlq: Vec<Option<Vec<f64>>>,
}

/// The data as JSON that cannot end the element it stands in.
pub fn data(result: &StudyResult) -> Result<String, ReportError> {
    let facts = Facts::of(result);
    let shown = facts.shown();
    let buckets = Buckets::of(shown);
    let of = |metric: SeriesMetric| -> Vec<Vec<f64>> {
        shown.iter().map(|one| buckets.reduced(one.series.of(metric))).collect()
    };
    let has_spread = result.scenario.replications > 1;
    let edge = |values: fn(&Series) -> &[f64]| -> Vec<Vec<f64>> {
        let shown = shown.iter().filter(|_| has_spread);
        shown.map(|one| buckets.reduced(values(&one.series))).collect()
    };
    let to_dlq_s = times_to_dlq(shown);
    let data = Data {
        variants: shown.iter().map(|one| words::clean(&one.name)).collect(),
        end_s: facts.end_s(),
        duration_s: seconds(result.scenario.duration_us),
        outages: facts.outages(),
        time_s: buckets.times(),
        calls: of(SeriesMetric::Calls),
        successes: of(SeriesMetric::Successes),
        lowest: edge(|series| &series.calls_lowest),
        highest: edge(|series| &series.calls_highest),
        visible: of(SeriesMetric::Visible),
        in_flight: of(SeriesMetric::InFlight),
        to_dlq: shown.iter().map(|one| shares(one, &to_dlq_s)).collect(),
        to_dlq_s,
    };
    let text =
        serde_json::to_string(&data).map_err(|error| ReportError::Render { file: NAME, reason: error.to_string() })?;
    Ok(harmless(&text))
}

/// JSON without characters that mean something to HTML or end a line of a script. They occur within strings only.
fn harmless(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe.push_str(&format!("\\u{:04x}", u32::from(character))),
            other => safe.push(other),
        }
    }
    safe
}

/// Steps of a course that share a place on the screen: of each bucket the lowest and the highest stay.
struct Buckets {
    steps: usize,
    step_s: u64,
    length: usize,
}

impl Buckets {
    fn of(shown: &[VariantResult]) -> Self {
        let length = shown.iter().map(|one| one.series.of(SeriesMetric::Calls).len()).max().unwrap_or(0);
        let step_s = shown.iter().map(|one| one.series.step_s).max().unwrap_or(1).max(1);
        let most = MOST_POINTS * FEW_VARIANTS / shown.len().max(FEW_VARIANTS);
        // A bucket of several steps keeps two points.
        let steps = if length <= most { 1 } else { (2 * length).div_ceil(most) };
        Self { steps, step_s, length }
    }

    /// The times of the points, in seconds.
    fn times(&self) -> Vec<f64> {
        let at = |step: usize| step as f64 * self.step_s as f64;
        if self.steps == 1 {
            return (0..self.length).map(at).collect();
        }
        let half = self.steps as f64 * self.step_s as f64 / 2.0;
        (0..self.length).step_by(self.steps).flat_map(|step| [at(step), at(step) + half]).collect()
    }

    /// The values at these times; of a bucket the lowest and the highest, in the order in which they come.
    fn reduced(&self, values: &[f64]) -> Vec<f64> {
        if self.steps == 1 {
            return values.iter().copied().map(rounded).collect();
        }
        let both = |bucket: &[f64]| {
            let place = |is_better: fn(f64, f64) -> bool| {
                let better = |best: usize, next: usize| if is_better(bucket[next], bucket[best]) { next } else { best };
                (0..bucket.len()).reduce(better).unwrap_or(0)
            };
            let (lowest, highest) = (place(|next, best| next < best), place(|next, best| next > best));
            let (first, second) = (lowest.min(highest), lowest.max(highest));
            [bucket[first], bucket[second]].map(rounded)
        };
        values.chunks(self.steps).flat_map(both).collect()
    }
}

/// A number with the digits that a drawing can show.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = 10f64.powi(DIGITS - 1 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

/// The times at which the shares of dead-lettered messages are looked at.
fn times_to_dlq(shown: &[VariantResult]) -> Vec<f64> {
    let longest_s = shown.iter().filter_map(|one| one.time_to_dlq.max_s()).fold(0.0, f64::max);
    if longest_s == 0.0 {
        return Vec::new();
    }
    (0..=POINTS_TO_DLQ).map(|index| rounded(longest_s * 1.02 * index as f64 / POINTS_TO_DLQ as f64)).collect()
}

/// Which share of the dead-lettered messages was there by each time; `None` where there are none.
fn shares(variant: &VariantResult, times_s: &[f64]) -> Option<Vec<f64>> {
    let all = variant.time_to_dlq.count();
    if all == 0 {
        return None;
    }
    let mut steps = variant.time_to_dlq.steps().peekable();
    let mut so_far = 0;
    let share = |time_s: &f64| {
        while let Some((_, count)) = steps.next_if(|(step_s, _)| step_s <= time_s) {
            so_far += count;
        }
        rounded(so_far as f64 / all as f64)
    };
    Some(times_s.iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_peak_is_lost() {
        let buckets = Buckets { steps: 3, step_s: 2, length: 7 };
        assert_eq!(buckets.reduced(&[1.0, 9.0, 0.0, 5.0, 5.0, 5.0, 2.0]), [9.0, 0.0, 5.0, 5.0, 2.0, 2.0]);
        assert_eq!(buckets.times(), [0.0, 3.0, 6.0, 9.0, 12.0, 15.0]);
    }

    #[test]
    fn numbers_keep_five_digits() {
        assert_eq!([1_234_567.0, 0.000_123_456_7, 0.0, 12.0].map(rounded), [1_234_600.0, 0.000_123_46, 0.0, 12.0]);
    }

    #[test]
    fn no_text_ends_the_element() {
        let safe = harmless("[\"</script><!--\u{2028}&\"]");
        assert_eq!(safe, "[\"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026\"]");
        assert_eq!(serde_json::from_str::<Vec<String>>(&safe).unwrap(), ["</script><!--\u{2028}&"]);
    }
}
