//! The story of a message as text, as JSON lines and as a picture.

mod json;
mod text;

pub use json::trace_json;
pub use text::trace_text;

use super::files::RenderedFile;
use super::{ReportError, chart};
use crate::model::downstream::Outage;
use crate::trace::Trace;

/// A trace, and which run it is of.
#[derive(Debug, Clone, Copy)]
pub struct TraceReport<'a> {
    /// What happened.
    pub trace: &'a Trace,
    /// The scenario's file name, without its folder.
    pub scenario_file: &'a str,
    /// The name of the variant.
    pub variant: &'a str,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the replication.
    pub replication: u32,
    /// When the downstream is out.
    pub outages: &'a [Outage],
}

/// Renders the files of a trace, without touching the disk: text, JSON lines and the timeline.
///
/// # Errors
/// Where something cannot be rendered: a defect of this program.
pub fn render_trace(report: &TraceReport<'_>) -> Result<Vec<RenderedFile>, ReportError> {
    let mut files = vec![
        RenderedFile::new("trace.txt", trace_text(report).into_bytes()),
        RenderedFile::new("trace.jsonl", trace_json(report).into_bytes()),
    ];
    files.extend(chart::render_timeline(report)?);
    Ok(files)
}
