//! Findings as a compiler shows them: the line of the file, the spot marked, the remedy below.

use annotate_snippets::{Group, Level, Renderer};

use crate::audit::model::Spot;
use crate::audit::{Audit, Finding, Severity, Unresolved};
use crate::report::words::clean;
use crate::text::snippet;

/// The whole report for people.
pub fn audit_text(audit: &Audit, colours: bool) -> String {
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let mut parts: Vec<String> = Vec::new();
    for unreadable in &audit.unreadable {
        let message = clean(&unreadable.message);
        parts.push(shown(audit, &renderer, Level::ERROR, None, &message, unreadable.spot, None));
    }
    parts.extend(audit.findings.iter().map(|finding| of_finding(audit, &renderer, finding)));
    parts.extend(audit.unresolved.iter().map(|unresolved| of_unresolved(audit, &renderer, unresolved)));
    parts.push(summary(audit));
    parts.join("\n\n") + "\n"
}

fn of_finding(audit: &Audit, renderer: &Renderer, finding: &Finding) -> String {
    let level = match finding.rule.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let (message, remedy) = (clean(&finding.message), clean(&finding.remedy));
    shown(audit, renderer, level, Some(finding.rule.id), &message, Some(finding.spot), Some(&remedy))
}

fn of_unresolved(audit: &Audit, renderer: &Renderer, unresolved: &Unresolved) -> String {
    let message = clean(&format!("{} that is not judged: {}", unresolved.what, unresolved.why));
    shown(audit, renderer, Level::INFO, None, &message, Some(unresolved.spot), None)
}

fn shown<'a>(
    audit: &'a Audit,
    renderer: &Renderer,
    level: Level<'a>,
    id: Option<&'a str>,
    message: &'a str,
    spot: Option<Spot>,
    remedy: Option<&'a str>,
) -> String {
    let title = level.primary_title(message);
    let title = match id {
        Some(id) => title.id(id),
        None => title,
    };
    let main = match spot {
        Some(spot) => {
            let line = audit.sources.line(spot);
            title.element(snippet(&audit.sources.file(spot).name, &line, spot.place, ""))
        }
        None => Group::with_title(title),
    };
    let help = remedy.map(|remedy| Group::with_title(Level::HELP.secondary_title(remedy)));
    renderer.render(&std::iter::once(main).chain(help).collect::<Vec<_>>())
}

/// What was looked at, and how much was found.
fn summary(audit: &Audit) -> String {
    let queues: usize = audit.stacks.iter().map(|stack| stack.queues.len()).sum();
    let files = audit.sources.files().len();
    let counts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter(|severity| audit.count(*severity) > 0)
        .map(|severity| counted(audit.count(severity), severity.name()))
        .collect();
    let found = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    let mut more = Vec::new();
    if !audit.suppressed.is_empty() {
        more.push(format!("{} allowed", audit.suppressed.len()));
    }
    if !audit.unresolved.is_empty() {
        more.push(format!("{} not judged", counted(audit.unresolved.len(), "value")));
    }
    if !audit.unreadable.is_empty() {
        more.push(format!("{} not read", counted(audit.unreadable.len(), "file")));
    }
    let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
    format!("{} in {}: {found}{more}", counted(queues, "queue"), counted(files, "file"))
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
