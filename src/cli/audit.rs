//! `retrystorm audit`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use retrystorm::audit::{self, Audit, Options, RULES, Severity};
use retrystorm::report::{self, RenderedFile};
use retrystorm::scenario;

use super::{CliError, Ending, print};

/// Arguments of `audit`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm audit template.yaml
  retrystorm audit infrastructure/ --fail-on error
  retrystorm audit . --format sarif --output audit.sarif
  retrystorm audit cdk.out --allow RS016='one team owns both queues'

It reads CloudFormation, SAM, CDK output, Terraform, serverless.yml, and the answers of
`aws sqs get-queue-attributes`. docs/rules.md tells all rules. A comment such as
`# retrystorm: allow RS004 the handler answers within a second` allows a finding.")]
pub struct AuditArguments {
    /// Files, or folders that are searched for them
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    format: AuditFormat,
    /// Write it into this file instead
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The least severity that ends with exit code 3
    #[arg(long, value_enum, default_value_t = FailOn::Warning)]
    fail_on: FailOn,
    /// Allow the findings of a rule; may be given several times
    #[arg(long, value_name = "RULE=REASON")]
    allow: Vec<String>,
    /// The longest time that a handler takes whose consumer is in none of the files
    #[arg(long, value_name = "SECONDS")]
    handler_time: Option<f64>,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AuditFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code hosts
    Sarif,
}

/// From which severity on findings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors only
    Error,
    /// Errors and warnings
    Warning,
    /// Everything
    Note,
}

impl FailOn {
    fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Note => Severity::Note,
        }
    }
}

/// Audits configurations.
pub fn run(arguments: &AuditArguments) -> Result<Ending, CliError> {
    let options = options(arguments)?;
    if let Some(path) = &arguments.output {
        report::check_file(path)?;
    }
    let audit = audit::audit(&arguments.paths, &options);
    let text = match arguments.format {
        AuditFormat::Text => report::audit_text(&audit, arguments.output.is_none() && print::shows_colours()),
        AuditFormat::Json => report::audit_json(&audit)?,
        AuditFormat::Sarif => report::audit_sarif(&audit)?,
    };
    match &arguments.output {
        Some(path) => write(path, text)?,
        None => print::output(&text)?,
    }
    if let Some(message) = unreadable(&audit) {
        return Err(CliError::Usage(message));
    }
    Ok(if audit.has(arguments.fail_on.severity()) { Ending::Found } else { Ending::Done })
}

fn write(path: &Path, text: String) -> Result<(), CliError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(report::write(folder, &[RenderedFile { name, bytes: text.into_bytes() }])?)
}

fn options(arguments: &AuditArguments) -> Result<Options, CliError> {
    let handler_time_s = arguments.handler_time;
    if handler_time_s.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
        return Err(CliError::Usage("--handler-time takes a number of seconds above 0".to_owned()));
    }
    let allow = arguments.allow.iter().map(|given| allowed(given)).collect::<Result<_, _>>()?;
    Ok(Options { handler_time_s, allow })
}

/// A rule and the reason why its findings are allowed.
fn allowed(given: &str) -> Result<(String, String), CliError> {
    let (id, reason) = given.split_once('=').unwrap_or((given, ""));
    if audit::rule(id).is_none() {
        let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        let nearest =
            scenario::nearest_word(id, &ids).map_or_else(String::new, |nearest| format!("; did you mean {nearest}?"));
        return Err(CliError::Usage(format!("there is no rule `{}` to allow{nearest}", id.escape_default())));
    }
    if reason.trim().is_empty() {
        return Err(CliError::Usage(format!("a finding needs a reason to be allowed: --allow {id}='the reason'")));
    }
    Ok((id.to_owned(), reason.trim().to_owned()))
}

/// What could not be read, in one message.
fn unreadable(audit: &Audit) -> Option<String> {
    let mut message = String::new();
    for unreadable in &audit.unreadable {
        let place = unreadable.spot.map(|spot| audit.sources.line_and_column(spot));
        let place = place.map_or_else(String::new, |(line, column)| format!(" (line {line}, column {column})"));
        let separator = if message.is_empty() { "" } else { "\nerror: " };
        // Writing to a text cannot fail.
        let _ = write!(message, "{separator}{}{place}", unreadable.message);
    }
    (!message.is_empty()).then_some(message)
}
