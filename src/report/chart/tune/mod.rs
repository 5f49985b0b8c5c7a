//! The chart of a search: every candidate by its objective and by what that is traded against, and the front.

mod cloud;
mod names;

use super::font::Fonts;
use super::paint;
use super::scene::Scene;
use crate::report::files::RenderedFile;
use crate::report::{ReportError, words};
use crate::study::TuneResult;

/// Draws the chart as SVG and as PNG.
pub fn render(result: &TuneResult) -> Result<[RenderedFile; 2], ReportError> {
    let failed = |reason| ReportError::Render { file: "tune-front", reason };
    let mut scene = Scene::new(Fonts::embedded().map_err(failed)?);
    cloud::draw(&mut scene, result);
    scene.description = words::clean(&scene.description);
    let svg = paint::svg(&scene).map_err(failed)?.into_bytes();
    let png = paint::png(&scene).map_err(failed)?;
    Ok([RenderedFile::new("tune-front.svg", svg), RenderedFile::new("tune-front.png", png)])
}
