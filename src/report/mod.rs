//! Tables, CSV, JSON, JUnit XML, Markdown, charts and a page with all of it, and what has changed from one study to the next.
//!
//! Everything is rendered in memory by [`render`] first and written by [`write()`] after that, so that a failure while
//! rendering leaves no trace on the disk. The bytes depend on the study alone: no clock, no machine, no thread count.

mod alarms;
mod audit;
mod budget;
mod chart;
mod compare;
mod courses;
mod delimited;
mod differences;
mod files;
mod folder;
mod happened;
mod junit;
mod markdown;
mod origin;
mod page;
mod probabilities;
#[cfg(test)]
mod sample;
mod summary;
mod sweep;
mod table;
mod terminal;
mod trace;
mod tune;
mod verdicts;
mod words;

pub use audit::{audit_json, audit_sarif, audit_text};
pub use budget::{BudgetEntry, BudgetReport, budget_json, budget_text, render_budget};
pub use compare::{Change, ChangeVerdict, StudyComparison, StudySummary, SummaryError};
pub use courses::Courses;
pub use files::{RenderedFile, check_file, check_folder, hold_writes, write};
pub use folder::folder_name;
pub use junit::junit;
pub use markdown::markdown;
pub use origin::Origin;
pub use summary::json;
pub use sweep::{render_sweep, sweep_json, sweep_text};
pub use terminal::text;
pub use trace::{TraceReport, render_trace, trace_json, trace_text};
pub use tune::{best_so_far, render_tune, tune_json, tune_text};

use std::path::PathBuf;

use rayon::prelude::*;

use crate::study::StudyResult;
use crate::text::number;

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be written.
    #[error("cannot write {}: {reason}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// Something could not be rendered; a defect, not a matter of input.
    #[error("cannot render {file}: {reason}")]
    Render {
        /// The file that was being made.
        file: &'static str,
        /// What went wrong.
        reason: String,
    },
}

/// Renders every file of a study's result folder, without touching the disk.
///
/// `origin` says what shall stand in them of where the study came from.
pub fn render(result: &StudyResult, origin: Origin) -> Result<Vec<RenderedFile>, ReportError> {
    let scenario_file = origin.file;
    let mut files = vec![
        RenderedFile::new("summary.json", json(result, scenario_file)?.into_bytes()),
        RenderedFile::new("summary.csv", delimited::metrics(result)?),
        RenderedFile::new("probabilities.csv", delimited::probabilities(result)?),
        RenderedFile::new("series.csv", delimited::series(result)?),
        RenderedFile::new("time_to_dlq.csv", delimited::time_to_dlq(result)?),
    ];
    if result.variants.len() > 1 {
        files.push(RenderedFile::new("differences.csv", delimited::differences(result)?));
    }
    if !result.scenario.alarms.is_empty() {
        files.push(RenderedFile::new("alarms.csv", delimited::alarms(result)?));
    }
    let charts: Vec<[RenderedFile; 2]> = chart::Chart::ALL
        .into_par_iter()
        .map(|chart| chart::render(chart, result, scenario_file))
        .collect::<Result<_, ReportError>>()?;
    files.extend(charts.into_iter().flatten());
    files.push(page::render(result, origin, &files)?);
    Ok(files)
}
