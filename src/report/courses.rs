//! The courses of the variants while a study runs, as lines of small plots.

use super::{number, words};
use crate::measure::{Outcome, SeriesMetric};
use crate::scenario::Scenario;

/// Columns of a plot.
const PLOT: usize = 26;
/// Columns of a number behind a plot.
const NUMBER: usize = 7;
/// Columns of a variant's name.
const NAME: usize = 20;
/// Heights that a column can have.
const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// What is shown, and what it is called.
const SHOWN: [(SeriesMetric, &str); 2] =
    [(SeriesMetric::Calls, "calls a second"), (SeriesMetric::Visible, "messages that wait")];

/// What the runs of each variant have shown so far.
///
/// # Example
/// ```
/// # use retrystorm::{report::Courses, scenario, study};
/// let text = "
/// duration: 1m
/// producers: [ { rate: 10/s } ]
/// downstream: { servers: 5, service_time: 20ms }
/// variants: { no-backoff: {} }
/// ";
/// let scenario = scenario::parse(text, "example.yaml", std::path::Path::new("."))?;
/// let courses = std::sync::Mutex::new(Courses::of(&scenario));
/// study::run_study(&scenario, |ended| courses.lock().unwrap().add(ended.variant, ended.outcome))?;
/// assert!(courses.into_inner()?.lines(8)[1].starts_with("no-backoff"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Courses {
    courses: Vec<Course>,
}

/// Sums over the runs of a variant.
#[derive(Debug)]
struct Course {
    name: String,
    runs: u64,
    step_s: u64,
    sums: [Vec<u64>; SHOWN.len()],
}

impl Courses {
    /// Of the variants of a scenario; no run has ended yet.
    pub fn of(scenario: &Scenario) -> Self {
        let course = |name: &String| Course { name: name.clone(), runs: 0, step_s: 1, sums: Default::default() };
        Self { courses: scenario.variants.iter().map(|variant| course(&variant.name)).collect() }
    }

    /// A run of a variant has ended. One that is not known is left out.
    pub fn add(&mut self, variant: usize, outcome: &Outcome) {
        let Some(course) = self.courses.get_mut(variant) else { return };
        course.runs += 1;
        course.step_s = outcome.step_s;
        for (sums, (metric, _)) in course.sums.iter_mut().zip(SHOWN) {
            sums.resize(outcome.steps.len(), 0);
            sums.iter_mut().zip(outcome.series(metric)).for_each(|(sum, value)| *sum += u64::from(value));
        }
    }

    /// A line of headings, and one for each of the first variants: plots of the mean so far and their highest values. The
    /// plots of one kind share a scale, so that the worst is seen.
    pub fn lines(&self, most: usize) -> Vec<String> {
        let shown = &self.courses[..self.courses.len().min(most)];
        let plots: Vec<[Vec<f64>; SHOWN.len()]> = shown.iter().map(Course::plots).collect();
        let highest = |plot: &[f64]| plot.iter().copied().fold(0.0, f64::max);
        let scales: [f64; SHOWN.len()] =
            std::array::from_fn(|kind| plots.iter().map(|plots| highest(&plots[kind])).fold(0.0, f64::max));
        let headings = SHOWN.map(|(_, heading)| format!("  {heading:<width$}", width = PLOT + NUMBER + 1));
        let mut lines = vec![format!("{:NAME$}{}", "", headings.concat()).trim_end().to_owned()];
        for (course, plots) in shown.iter().zip(&plots) {
            let mut line = words::padded(&words::truncated(&course.name, NAME), NAME);
            for (plot, scale) in plots.iter().zip(scales) {
                let value = if course.runs > 0 { number::human(highest(plot)) } else { String::new() };
                line.push_str(&format!("  {} {value:<NUMBER$}", drawn(plot, scale)));
            }
            lines.push(line.trim_end().to_owned());
        }
        lines
    }
}

impl Course {
    /// The highest value in each column of its plots; a flow is by the second.
    fn plots(&self) -> [Vec<f64>; SHOWN.len()] {
        std::array::from_fn(|kind| {
            let sums = &self.sums[kind];
            let by_s = if SHOWN[kind].0.is_level() { 1 } else { self.step_s };
            let scale = (self.runs.max(1) * by_s) as f64;
            let column = |number: usize| {
                let [from, until] = [number, number + 1].map(|edge| edge * sums.len() / PLOT);
                let values = sums.get(from..until.max(from + 1)).unwrap_or_default();
                values.iter().copied().max().unwrap_or(0) as f64 / scale
            };
            (0..PLOT).map(column).collect()
        })
    }
}

/// Columns as characters: anything above nothing is seen.
fn drawn(plot: &[f64], scale: f64) -> String {
    let highest = (HEIGHTS.len() - 1) as f64;
    let height = |value: f64| if scale > 0.0 { (value / scale * highest).ceil().clamp(0.0, highest) } else { 0.0 };
    plot.iter().map(|&value| HEIGHTS[height(value) as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(name: &str, calls: Vec<u64>, visible: Vec<u64>) -> Course {
        Course { name: name.to_owned(), runs: 2, step_s: 1, sums: [calls, visible] }
    }

    #[test]
    fn plots_share_a_scale_and_nothing_is_lost_between_columns() {
        let mut spike = vec![20; 10 * PLOT];
        spike[125] = 1600;
        let courses = Courses {
            courses: vec![
                course("no-backoff", spike, vec![0; 10 * PLOT]),
                course("full-jitter", vec![100; PLOT], vec![2; PLOT]),
            ],
        };
        let lines = courses.lines(8);
        let spike = format!("{}█{}", "▁".repeat(12), "▁".repeat(13));
        assert_eq!(lines[1], format!("no-backoff{}{spike} 800      {} 0", " ".repeat(12), " ".repeat(26)));
        assert_eq!(lines[2], format!("full-jitter{}{} 50       {} 1", " ".repeat(11), "▁".repeat(26), "█".repeat(26)));
        assert_eq!(courses.lines(1).len(), 2);
    }

    #[test]
    fn a_run_that_has_not_ended_has_an_empty_plot() {
        let courses = Courses { courses: vec![Course { runs: 0, ..course("x\u{1b}[31m", Vec::new(), Vec::new()) }] };
        let lines = courses.lines(8);
        assert!(!lines[1].contains('\u{1b}'), "{lines:?}");
        assert!(!lines[1].contains('▁'), "{lines:?}");
    }
}
