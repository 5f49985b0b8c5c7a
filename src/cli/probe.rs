//! `retrystorm probe`

use clap::{Args, ValueEnum};
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

use crate::probe::{Leftover, ProbeError, ProbeOptions, ProbeReport, Row, probe};

use super::{CliError, Ending, print};

/// Longest prefix: a name may have 80 characters, and the rest of it needs up to 25.
const LONGEST_PREFIX: usize = 55;

/// Arguments of `probe`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm probe --region eu-central-1
  AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any retrystorm probe --endpoint-url http://127.0.0.1:4566

Exit codes:
  0    the endpoint does what the model does
  1    internal failure, or a queue could not be deleted
  2    bad usage, or no way to the endpoint: network, credentials, permissions
  3    at least one answer differs
  130  interrupted; the queues are deleted")]
pub struct ProbeArguments {
    /// The endpoint [default: the service itself, in the region that is given]
    #[arg(long, value_name = "URL", value_parser = endpoint_url, required_unless_present = "region")]
    endpoint_url: Option<String>,
    /// The region [default: as configured]
    #[arg(long, value_name = "REGION", value_parser = region)]
    region: Option<String>,
    /// What the names of all queues begin with
    #[arg(long, value_name = "PREFIX", default_value = "retrystorm-probe", value_parser = queue_prefix)]
    queue_prefix: String,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people
    Text,
    /// The same for programs
    Json,
}

fn endpoint_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.starts_with('/') && !rest.contains(char::is_whitespace) => {
            Ok(text.to_owned())
        }
        _ => Err("an endpoint begins with http:// or https:// and a host".to_owned()),
    }
}

fn region(text: &str) -> Result<String, String> {
    // It becomes part of a host name.
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Ok(text.to_owned());
    }
    Err("a region has letters, digits and hyphens, as in eu-central-1".to_owned())
}

fn queue_prefix(text: &str) -> Result<String, String> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=LONGEST_PREFIX).contains(&text.len()) && text.bytes().all(allowed) {
        return Ok(text.to_owned());
    }
    Err(format!("a prefix has 1 to {LONGEST_PREFIX} letters, digits, hyphens and underscores"))
}

/// Probes an endpoint and prints what it has found.
pub fn run(arguments: &ProbeArguments) -> Result<Ending, CliError> {
    let options = ProbeOptions {
        endpoint_url: arguments.endpoint_url.clone(),
        region: arguments.region.clone(),
        queue_prefix: arguments.queue_prefix.clone(),
    };
    let probed = probe(&options, |run| print::note(&format!("Creating queues {run}-*; this takes up to two minutes.")));
    if let Ok(report) = &probed.outcome {
        print::output(&rendered(report, arguments.format))?;
    }
    if !probed.left.is_empty() {
        print::note(&leftovers(&probed.left));
    }
    match probed.outcome {
        Err(ProbeError::Interrupted) => Ok(Ending::Interrupted),
        Err(error) => Err(CliError::Probe(error)),
        Ok(_) if !probed.left.is_empty() => Ok(Ending::QueuesLeft),
        Ok(report) if report.different > 0 => Ok(Ending::ProbeDiffers),
        Ok(_) => Ok(Ending::Done),
    }
}

fn rendered(report: &ProbeReport, format: Format) -> String {
    match format {
        Format::Text => text(report),
        // Texts, numbers and lists are always JSON.
        Format::Json => serde_json::to_string_pretty(report).unwrap_or_default() + "\n",
    }
}

fn text(report: &ProbeReport) -> String {
    let rule = LineStyle::none().fill('─').junction('─').left('─').right('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["rule", "question", "model", "this endpoint", ""]);
    for row in &report.rows {
        table.add_row(cells(row));
    }
    let answers = report.rows.len();
    let verdict = match report.different {
        0 => format!("All {answers} answers are those of the model."),
        different => format!("{different} of {answers} answers differ from the model."),
    };
    let table = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>();
    format!("{}\n\n{table}\n{verdict}\n", report.endpoint)
}

fn cells(row: &Row) -> [String; 5] {
    [
        format!("{}, {}", row.rule, row.title),
        row.question.to_owned(),
        row.model.to_string(),
        row.endpoint.to_string(),
        if row.same { "same" } else { "DIFFERENT" }.to_owned(),
    ]
}

fn leftovers(left: &[Leftover]) -> String {
    let names: Vec<String> = left.iter().map(|queue| format!("  {}: {}", queue.name, queue.why)).collect();
    format!("These queues may still be there. Please delete them:\n{}", names.join("\n"))
}
