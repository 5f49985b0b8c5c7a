//! Charts: each a finding, drawn once and written as SVG and as PNG.

mod axis;
mod backlog;
mod breaker;
mod budget;
mod clearing;
mod context;
mod course;
mod curves;
mod fates;
mod font;
mod interactive;
mod labels;
mod load;
mod load_title;
mod loss;
mod marker;
mod marks;
mod page;
mod paint;
mod panes;
mod plot;
mod scale;
mod scene;
mod style;
mod sweep;
#[cfg(test)]
mod tests;
mod time_to_dlq;
mod timeline;
mod tune;

pub use self::axis::time_ticks;
pub use self::budget::render as render_budget;
use self::context::Context;
use self::font::Fonts;
pub use self::interactive::{Facts, LossPart};
use self::scene::Scene;
pub use self::sweep::render as render_sweep;
pub use self::timeline::render as render_timeline;
pub use self::tune::render as render_tune;
use super::files::RenderedFile;
use super::{ReportError, words};
use crate::study::StudyResult;

/// A chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chart {
    /// Calls per second at the downstream.
    Load,
    /// Visible messages and messages in flight.
    Backlog,
    /// Time from first receive to the dead-letter queue.
    TimeToDlq,
    /// What became of the messages.
    Loss,
}

impl Chart {
    /// Every chart.
    pub const ALL: [Self; 4] = [Self::Load, Self::Backlog, Self::TimeToDlq, Self::Loss];

    /// The name of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Backlog => "backlog",
            Self::TimeToDlq => "time-to-dlq",
            Self::Loss => "loss",
        }
    }
}

/// Draws a chart as SVG and as PNG.
pub fn render(chart: Chart, result: &StudyResult, scenario_file: &str) -> Result<[RenderedFile; 2], ReportError> {
    let failed = |reason| ReportError::Render { file: chart.name(), reason };
    let mut scene = Scene::new(Fonts::embedded().map_err(failed)?);
    let context = Context::new(result, scenario_file);
    match chart {
        Chart::Load => load::draw(&mut scene, &context),
        Chart::Backlog => backlog::draw(&mut scene, &context),
        Chart::TimeToDlq => time_to_dlq::draw(&mut scene, &context),
        Chart::Loss => loss::draw(&mut scene, &context),
    }
    scene.description = words::clean(&scene.description);
    let svg = paint::svg(&scene).map_err(failed)?.into_bytes();
    let png = paint::png(&scene).map_err(failed)?;
    Ok([
        RenderedFile::new(format!("{}.svg", chart.name()), svg),
        RenderedFile::new(format!("{}.png", chart.name()), png),
    ])
}
