//! Findings for programs.

use serde_json::{Value, json};

use crate::audit::model::Spot;
use crate::audit::{Audit, Finding, Severity};
use crate::report::ReportError;

/// The whole report as one JSON object.
///
/// # Errors
/// Never for what an audit can hold.
pub fn audit_json(audit: &Audit) -> Result<String, ReportError> {
    let allowed = audit.suppressed.iter().map(|suppressed| {
        let mut value = finding(audit, &suppressed.finding);
        value["reason"] = json!(suppressed.reason);
        value["allowed_in"] = json!(if suppressed.in_source { "source" } else { "command" });
        value
    });
    let unresolved = audit.unresolved.iter().map(|unresolved| {
        let mut value = place(audit, Some(unresolved.spot));
        value["what"] = json!(unresolved.what);
        value["why"] = json!(unresolved.why);
        value
    });
    let unreadable = audit.unreadable.iter().map(|unreadable| {
        let mut value = place(audit, unreadable.spot);
        value["message"] = json!(unreadable.message);
        value
    });
    let whole = json!({
        "files": audit.sources.files().iter().map(|file| &file.name).collect::<Vec<_>>(),
        "queues": audit.stacks.iter().map(|stack| stack.queues.len()).sum::<usize>(),
        "counts": {
            "error": audit.count(Severity::Error),
            "warning": audit.count(Severity::Warning),
            "note": audit.count(Severity::Note),
            "allowed": audit.suppressed.len(),
            "unresolved": audit.unresolved.len(),
            "unreadable": audit.unreadable.len(),
        },
        "findings": audit.findings.iter().map(|found| finding(audit, found)).collect::<Vec<_>>(),
        "allowed": allowed.collect::<Vec<_>>(),
        "unresolved": unresolved.collect::<Vec<_>>(),
        "unreadable": unreadable.collect::<Vec<_>>(),
    });
    pretty(&whole, "audit.json")
}

/// JSON with a line end, as all files of this program have it.
pub fn pretty(value: &Value, file: &'static str) -> Result<String, ReportError> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| ReportError::Render { file, reason: error.to_string() })
}

fn finding(audit: &Audit, finding: &Finding) -> Value {
    let mut value = place(audit, Some(finding.spot));
    value["rule"] = json!(finding.rule.id);
    value["name"] = json!(finding.rule.name);
    value["severity"] = json!(finding.rule.severity.name());
    value["message"] = json!(finding.message);
    value["remedy"] = json!(finding.remedy);
    value
}

fn place(audit: &Audit, spot: Option<Spot>) -> Value {
    match spot {
        Some(spot) => {
            let (line, column) = audit.sources.line_and_column(spot);
            json!({ "file": audit.sources.file(spot).name, "line": line, "column": column })
        }
        None => json!({}),
    }
}
