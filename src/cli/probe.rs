//! `retrystorm probe`

use clap::{ArgGroup, Args, ValueEnum};
use comfy_table::{ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width};

use crate::probe::{Leftover, ProbeError, ProbeOptions, ProbeReport, Row, probe};

use super::{CliError, Ending, print};

/// Longest prefix: a name may have 80 characters, and the rest of it needs up to 25.
const LONGEST_PREFIX: usize = 55;
/// Width of the table, in columns.
const WIDTH: u16 = 120;
/// Room for the questions; wide answers are broken before them.
const QUESTION_WIDTH: u16 = 55;

/// Arguments of `probe`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("target").required(true).multiple(true)))]
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
    #[arg(long, value_name = "URL", group = "target", value_parser = endpoint_url)]
    endpoint_url: Option<String>,
    /// The region [default: as configured]
    #[arg(long, value_name = "REGION", group = "target", value_parser = region)]
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
    let probed = probe(&options, |run| {
        print::note(&format!("Creating queues {run}-*, to be deleted again; this takes about ten seconds."))
    });
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
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(["rule and question", "model", "this endpoint", ""]);
    let mut rule = "";
    for row in &report.rows {
        if row.rule != rule {
            table.add_row([format!("{}, {}", row.rule, row.title)]);
            rule = row.rule;
        }
        table.add_row(cells(row));
    }
    if let Some(questions) = table.column_mut(0) {
        questions.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(QUESTION_WIDTH)));
    }
    let answers = report.rows.len();
    let verdict = match report.different {
        0 => format!("All {answers} answers are those of the model."),
        different => format!("{different} of {answers} answers differ from the model."),
    };
    let table = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect::<String>();
    format!("{}\n\n{table}\n{verdict}\n", report.endpoint)
}

fn cells(row: &Row) -> [String; 4] {
    [
        format!("- {}", row.question),
        row.model.to_string(),
        row.endpoint.to_string(),
        if row.same { "same" } else { "DIFFERENT" }.to_owned(),
    ]
}

fn leftovers(left: &[Leftover]) -> String {
    let names: Vec<String> = left.iter().map(|queue| format!("  {}: {}", queue.name, queue.why)).collect();
    format!("These queues may still be there. Please delete them:\n{}", names.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::probe::Answer;

    #[derive(Debug, Parser)]
    struct Probe {
        #[command(flatten)]
        arguments: ProbeArguments,
    }

    fn parsed(arguments: &[&str]) -> Result<ProbeArguments, String> {
        let words = ["probe"].iter().chain(arguments);
        Probe::try_parse_from(words).map(|probe| probe.arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn an_endpoint_or_a_region_is_enough() {
        let endpoint = parsed(&["--endpoint-url", "http://127.0.0.1:4566"]).expect("an endpoint");
        assert_eq!((endpoint.queue_prefix.as_str(), endpoint.format), ("retrystorm-probe", Format::Text));
        let region = parsed(&["--region", "eu-central-1", "--format", "json"]).expect("a region");
        assert_eq!((region.endpoint_url, region.format), (None, Format::Json));
        let neither = parsed(&[]).expect_err("nothing to probe");
        assert!(neither.contains("--endpoint-url") && neither.contains("--region"), "{neither}");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for url in ["", "127.0.0.1:4566", "http://", "https:///path", "http://a b", "ftp://host"] {
            assert!(parsed(&["--endpoint-url", url]).is_err(), "{url}");
        }
        for region in ["", "evil.example/", "eu central"] {
            assert!(parsed(&["--region", region]).is_err(), "{region}");
        }
        let too_long = "p".repeat(LONGEST_PREFIX + 1);
        for prefix in ["", "a b", "a.fifo", "ä", &too_long] {
            assert!(parsed(&["--region", "x", "--queue-prefix", prefix]).is_err(), "{prefix}");
        }
        assert!(parsed(&["--region", "x", "--queue-prefix", &too_long[1..]]).is_ok());
    }

    fn report() -> ProbeReport {
        let row = |question, endpoint: Answer| Row {
            rule: "Q15",
            title: "stale handles",
            question,
            same: endpoint == Answer::Accepted,
            model: Answer::Accepted,
            endpoint,
        };
        let refused = Answer::Refused("ReceiptHandleIsInvalid".to_owned());
        let rows = vec![row("delete", Answer::Accepted), row("the same delete once more", refused)];
        ProbeReport::new("http://here".to_owned(), "probe-x".to_owned(), rows)
    }

    #[test]
    fn the_table_has_both_answers_under_their_rule() {
        let text = text(&report());
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["http://here"]);
        assert!(lines.contains(&vec!["Q15,", "stale", "handles"]));
        assert!(lines.contains(&vec!["-", "delete", "accepted", "accepted", "same"]));
        let different = "- the same delete once more accepted refused: ReceiptHandleIsInvalid DIFFERENT";
        assert!(lines.contains(&different.split(' ').collect()), "{text}");
        assert!(text.ends_with("\n1 of 2 answers differ from the model.\n"));
    }

    #[test]
    fn programs_get_the_same_as_people() {
        let json: serde_json::Value = serde_json::from_str(&rendered(&report(), Format::Json)).expect("JSON");
        assert_eq!((&json["same"], &json["different"]), (&1.into(), &1.into()));
        assert_eq!(json["rows"][1]["endpoint"], "refused: ReceiptHandleIsInvalid");
        assert_eq!(json["rows"][0]["rule"], "Q15");
    }

    #[test]
    fn queues_that_are_left_are_named() {
        let left = [Leftover { name: "probe-x-0".to_owned(), why: "no answer".to_owned() }];
        assert!(leftovers(&left).ends_with("\n  probe-x-0: no answer"));
    }
}
