//! Reports of a sweep: tables, JSON and charts.

#[cfg(feature = "parquet")]
mod columns;
mod json;
mod long;
mod table;

pub(super) use json::ScenarioFacts;
pub use json::sweep_json;
pub use table::sweep_text;

use rayon::prelude::*;

use super::ReportError;
use super::chart;
use super::files::RenderedFile;
use crate::study::SweepResult;

/// Renders every file of a sweep's result folder, without touching the disk.
pub fn render_sweep(result: &SweepResult) -> Result<Vec<RenderedFile>, ReportError> {
    let mut files = vec![
        RenderedFile::new("sweep.json", sweep_json(result)?.into_bytes()),
        RenderedFile::new("sweep.csv", long::csv(result)?),
    ];
    #[cfg(feature = "parquet")]
    files.push(RenderedFile::new("sweep.parquet", columns::parquet(result)?));
    let metrics = result.facts.shown_metrics();
    let charts: Vec<Option<[RenderedFile; 2]>> = metrics
        .into_par_iter()
        .map(|metric| chart::render_sweep(result, metric))
        .collect::<Result<_, ReportError>>()?;
    files.extend(charts.into_iter().flatten().flatten());
    Ok(files)
}
