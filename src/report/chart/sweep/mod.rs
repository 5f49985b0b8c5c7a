//! Charts of a sweep: one axis as lines, two as a heat map. More than two axes are for the tables alone.

mod heat;
mod lines;
pub(super) mod page;
mod scale;

use super::font::Fonts;
use super::paint;
use super::scene::Scene;
use crate::measure::Metric;
use crate::report::files::RenderedFile;
use crate::report::{ReportError, words};
use crate::study::SweepResult;

/// Draws the chart of a metric as SVG and as PNG, if a chart can show the axes.
pub fn render(result: &SweepResult, metric: Metric) -> Result<Option<[RenderedFile; 2]>, ReportError> {
    let failed = |reason| ReportError::Render { file: "sweep", reason };
    let mut scene = Scene::new(Fonts::embedded().map_err(failed)?);
    match result.facts.axes.len() {
        1 => lines::draw(&mut scene, result, metric),
        2 => heat::draw(&mut scene, result, metric),
        _ => return Ok(None),
    }
    scene.description = words::clean(&scene.description);
    let svg = paint::svg(&scene).map_err(failed)?.into_bytes();
    let png = paint::png(&scene).map_err(failed)?;
    let name = |ending: &str| format!("sweep-{}.{ending}", metric.name());
    Ok(Some([RenderedFile::new(name("svg"), svg), RenderedFile::new(name("png"), png)]))
}
