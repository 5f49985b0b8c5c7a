//! Reports of a search: text, CSV, JSON and the chart of the trade-off front.

mod json;
mod rows;
mod text;

pub use json::tune_json;
pub(super) use text::label;
pub use text::{best_so_far, tune_text};

use super::files::RenderedFile;
use super::{ReportError, chart};
use crate::study::TuneResult;

/// Renders every file of a search's result folder, without touching the disk.
pub fn render_tune(result: &TuneResult) -> Result<Vec<RenderedFile>, ReportError> {
    let mut files = vec![
        RenderedFile::new("tune.json", tune_json(result)?.into_bytes()),
        RenderedFile::new("tune.csv", rows::csv(result)?),
    ];
    files.extend(chart::render_tune(result)?);
    Ok(files)
}
