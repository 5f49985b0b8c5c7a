//! The view of a study that runs: small plots of each variant, above the progress.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use retrystorm::report::Courses;
use retrystorm::scenario::Scenario;
use retrystorm::study::Ended;

use super::progress::ProgressLine;

/// Variants that have a line; more would push the results off the screen.
const MOST_LINES: usize = 8;
/// How often the plots are drawn anew.
const DRAWN_EVERY: Duration = Duration::from_millis(100);

/// Load and backlog of each variant, on the mean of the runs so far, and the progress line. Where standard error is a
/// terminal that cannot place its cursor there is the progress line alone, and where it is none, nothing.
pub struct LiveView {
    progress: ProgressLine,
    plots: Option<Plots>,
}

/// What is shown above the progress line.
struct Plots {
    lines: Vec<ProgressBar>,
    state: Mutex<State>,
}

struct State {
    courses: Courses,
    drawn: Option<Instant>,
}

impl LiveView {
    /// Begins to show a study, unless nothing is wanted.
    pub fn new(scenario: &Scenario, wanted: bool) -> Self {
        if !wanted || !shows_plots() {
            return Self { progress: ProgressLine::new(wanted), plots: None };
        }
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        // The first line holds the headings.
        let count = scenario.variants.len().min(MOST_LINES) + 1;
        let lines = (0..count).map(|_| screen.add(line())).collect();
        let progress = ProgressLine::within(&screen);
        let state = State { courses: Courses::of(scenario), drawn: None };
        Self { progress, plots: Some(Plots { lines, state: Mutex::new(state) }) }
    }

    /// A run has ended.
    pub fn update(&self, ended: &Ended<'_>) {
        if let Some(plots) = &self.plots {
            plots.update(ended);
        }
        self.progress.update(ended.progress);
    }

    /// Takes all of it away.
    pub fn finish(&self) {
        for line in self.plots.iter().flat_map(|plots| &plots.lines) {
            line.finish_and_clear();
        }
        self.progress.finish();
    }
}

impl Plots {
    fn update(&self, ended: &Ended<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.courses.add(ended.variant, ended.outcome);
        if state.drawn.is_some_and(|drawn| drawn.elapsed() < DRAWN_EVERY) {
            return;
        }
        state.drawn = Some(Instant::now());
        for (line, text) in self.lines.iter().zip(state.courses.lines(MOST_LINES)) {
            line.set_message(text);
        }
    }
}

fn line() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{msg}") {
        bar.set_style(style);
    }
    bar
}

/// Whether standard error is a terminal that can draw over what it has shown.
fn shows_plots() -> bool {
    let is_dumb = std::env::var_os("TERM").is_none_or(|kind| kind == "dumb");
    std::io::stderr().is_terminal() && !is_dumb
}
