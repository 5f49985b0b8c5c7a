//! The arithmetic of retries as text, as JSON and as a picture.

mod json;
mod text;
mod verdicts;

pub use json::budget_json;
pub use text::budget_text;

use super::files::RenderedFile;
use super::{ReportError, chart, number};
use crate::budget::{Budget, BudgetSettings};

/// A budget, and what it is of.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetEntry {
    /// The variant, or the backoff as a scenario writes it.
    pub name: String,
    /// What it was worked out from.
    pub settings: BudgetSettings,
    /// What came out.
    pub budget: Budget,
}

/// Budgets to report.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetReport {
    /// Where the settings are from, for the source line: a scenario's file name, or nothing.
    pub source: Option<String>,
    /// The budgets, at least one.
    pub entries: Vec<BudgetEntry>,
}

/// Renders the files of a report, without touching the disk: text, JSON and the picture.
///
/// # Errors
/// Where something cannot be rendered: a defect of this program.
pub fn render_budget(report: &BudgetReport) -> Result<Vec<RenderedFile>, ReportError> {
    let mut files = vec![
        RenderedFile::new("budget.txt", budget_text(report).into_bytes()),
        RenderedFile::new("budget.json", budget_json(report)?.into_bytes()),
    ];
    files.extend(chart::render_budget(report)?);
    Ok(files)
}

/// A time in one unit, for tables.
fn short(seconds: f64) -> String {
    const UNITS: [(f64, f64, &str); 3] = [(1_000.0, 60.0, "m"), (36_000.0, 3_600.0, "h"), (345_600.0, 86_400.0, "d")];
    let unit = UNITS.iter().rev().find(|(from_s, ..)| seconds >= *from_s);
    unit.map_or_else(
        || time(seconds),
        |(_, unit_s, name)| format!("{}{}{name}", number::human(seconds / unit_s), number::NO_BREAK),
    )
}

/// A time that is a sum: in seconds as long as people add them up themselves.
pub(super) fn time(seconds: f64) -> String {
    /// From here on minutes say more.
    const MANY_S: f64 = 1_000.0;
    match seconds.abs() {
        few if (1.0..MANY_S).contains(&few) || few == 0.0 => format!("{}{}s", number::human(seconds), number::NO_BREAK),
        _ => number::duration(seconds),
    }
}
