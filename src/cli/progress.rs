//! Progress on a terminal while a study runs.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use retrystorm::study::Progress;

/// A bar on standard error; invisible where that is not a terminal.
pub struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// Begins to show progress, unless it is not wanted.
    pub fn new(wanted: bool) -> Self {
        let target = if wanted { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self::begun(ProgressBar::with_draw_target(None, target))
    }

    /// The same, below what a screen shows already.
    pub fn within(screen: &MultiProgress) -> Self {
        Self::begun(screen.add(ProgressBar::no_length()))
    }

    fn begun(bar: ProgressBar) -> Self {
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {msg}, {eta} left") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar }
    }

    /// Some runs had ended before; the time that is left is told from the others.
    pub fn begin_at(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// A run has ended.
    pub fn update(&self, progress: Progress) {
        self.update_with(progress, "");
    }

    /// A run has ended; a remark stands behind the speed.
    pub fn update_with(&self, progress: Progress, remark: &str) {
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        let seconds = self.bar.elapsed().as_secs_f64().max(0.001);
        self.bar.set_message(format!("{:.1} M events/s{remark}", progress.events as f64 / seconds / 1e6));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
