//! Findings as SARIF 2.1.0, which code hosts show beside the lines.

use serde_json::{Value, json};

use super::json::pretty;
use crate::audit::model::Spot;
use crate::audit::{Audit, Finding, RULES, Rule};
use crate::report::ReportError;

/// The whole report in SARIF.
///
/// # Errors
/// Never for what an audit can hold.
pub fn audit_sarif(audit: &Audit) -> Result<String, ReportError> {
    let standing = audit.findings.iter().map(|finding| result(audit, finding));
    let allowed = audit.suppressed.iter().map(|suppressed| {
        let mut value = result(audit, &suppressed.finding);
        let kind = if suppressed.in_source { "inSource" } else { "external" };
        value["suppressions"] = json!([{ "kind": kind, "justification": suppressed.reason }]);
        value
    });
    let results: Vec<Value> = standing.chain(allowed).collect();
    let unreadable = audit.unreadable.iter().map(|unreadable| {
        let mut value = json!({ "level": "error", "message": { "text": unreadable.message } });
        if let Some(spot) = unreadable.spot {
            value["locations"] = json!([location(audit, spot)]);
        }
        value
    });
    let whole = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "retrystorm",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": audit.unreadable.is_empty(),
                "toolExecutionNotifications": unreadable.collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    pretty(&whole, "audit.sarif")
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "name": rule.name,
        "shortDescription": { "text": rule.looks_for },
        "fullDescription": { "text": rule.leads_to },
        "help": { "text": rule.remedy },
        "defaultConfiguration": { "level": rule.severity.name() },
    })
}

fn result(audit: &Audit, finding: &Finding) -> Value {
    json!({
        "ruleId": finding.rule.id,
        "ruleIndex": RULES.iter().position(|rule| rule.id == finding.rule.id),
        "level": finding.rule.severity.name(),
        "message": { "text": format!("{}. Remedy: {}.", finding.message, finding.remedy) },
        "locations": [location(audit, finding.spot)],
    })
}

fn location(audit: &Audit, spot: Spot) -> Value {
    let (line, column) = audit.sources.line_and_column(spot);
    let end = Spot { file: spot.file, place: crate::text::Place { start: spot.place.end, end: spot.place.end } };
    let (end_line, end_column) = audit.sources.line_and_column(end);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&audit.sources.file(spot).name) },
        "region": { "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column },
    } })
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    let path = path.replace('\\', "/");
    for byte in path.strip_prefix("./").unwrap_or(&path).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => uri.push(char::from(byte)),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./a b/ü.tf"), "a%20b/%C3%BC.tf");
    }
}
