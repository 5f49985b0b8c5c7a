//! `retrystorm budget`

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use retrystorm::budget::{Budget, BudgetSettings, NoBudget, RetentionVerdict, RideOutVerdict};
use retrystorm::engine::time::seconds;
use retrystorm::report::{self, BudgetEntry, BudgetReport};
use retrystorm::scenario::{self, Scenario};

use super::run::file_name;
use super::{CliError, Ending, print};

/// Where mistakes in the options are shown: they are read as a scenario that the options write.
const OPTIONS: &str = "the options as a scenario";

/// Arguments of `budget`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm budget --visibility-timeout 30s --receives 5
  retrystorm budget --base 10s --cap 5m --jitter full --receives 6 --outage 90s
  retrystorm budget --backoff 'spring_exponential: {}' --receives 10 --handler 2s --retention 4d
  retrystorm budget scenarios/naive-vs-exponential.yaml --out budget

All attempts fail, and a message is received as soon as it is visible. Nothing is simulated: load,
breakers and busy consumers are for `run`. Exit code 3: the retries do not outlast the outage in
every case, or come too close to the retention.")]
pub struct BudgetArguments {
    /// Take queue and policy of each variant from a scenario file, in place of the options
    #[arg(conflicts_with_all = ["backoff", "base", "visibility_timeout", "receives", "retention", "dlq_retention", "floor"])]
    scenario: Option<PathBuf>,
    /// Visibility timeout of the queue
    #[arg(long, value_name = "TIME", default_value = "30s")]
    visibility_timeout: String,
    /// A backoff as a scenario writes it, such as 'exponential: { base: 10s }'; `policies` lists them [default: none]
    #[arg(long, value_name = "BACKOFF", conflicts_with = "base")]
    backoff: Option<String>,
    /// First delay of an exponential backoff
    #[arg(long, value_name = "TIME")]
    base: Option<String>,
    /// Its factor
    #[arg(long, value_name = "NUMBER", requires = "base")]
    factor: Option<String>,
    /// Its largest delay
    #[arg(long, value_name = "TIME", requires = "base")]
    cap: Option<String>,
    /// Its jitter
    #[arg(long, value_name = "JITTER", requires = "base")]
    jitter: Option<String>,
    /// No delay of the backoff is shorter
    #[arg(long, value_name = "TIME")]
    floor: Option<String>,
    /// Receives until a message is dead-lettered (maxReceiveCount)
    #[arg(long, short = 'n', value_name = "N", default_value = "5")]
    receives: String,
    /// Time from a receive to its failure
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = scenario::duration_us)]
    handler: u64,
    /// Retention of the queue
    #[arg(long, value_name = "TIME", default_value = "4d")]
    retention: String,
    /// Retention of the dead-letter queue
    #[arg(long, value_name = "TIME", default_value = "14d")]
    dlq_retention: String,
    /// Length of an outage that the retries shall outlast
    #[arg(long, value_name = "TIME", value_parser = length_us)]
    outage: Option<u64>,
    /// What to print
    #[arg(long, value_enum, default_value_t = BudgetFormat::Text)]
    format: BudgetFormat,
    /// Also write budget.txt, budget.json and a chart (SVG and PNG) into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// A duration that is not nothing.
fn length_us(text: &str) -> Result<u64, String> {
    match scenario::duration_us(text)? {
        0 => Err("an outage takes some time".to_owned()),
        us => Ok(us),
    }
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BudgetFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Works out budgets.
pub fn run(arguments: &BudgetArguments) -> Result<Ending, CliError> {
    let report = report_of(arguments)?;
    if let Some(folder) = &arguments.out {
        report::check_folder(folder)?;
    }
    let files = arguments.out.as_ref().map(|folder| report::render_budget(&report).map(|files| (folder, files)));
    if let Some((folder, files)) = files.transpose()? {
        report::write(folder, &files)?;
        print::note(&format!("{} files written to {}", files.len(), folder.display()));
    }
    print::output(&match arguments.format {
        BudgetFormat::Text => report::budget_text(&report),
        BudgetFormat::Json => report::budget_json(&report)?,
    })?;
    Ok(if report.entries.iter().all(is_sound) { Ending::Done } else { Ending::ExpectationMissed })
}

/// Whether both questions have the answer that one hopes for.
fn is_sound(entry: &BudgetEntry) -> bool {
    let outlasts = entry.budget.ride_out.is_none_or(|found| found.verdict == RideOutVerdict::Always);
    outlasts && entry.budget.retention.verdict == RetentionVerdict::Ample
}

fn report_of(arguments: &BudgetArguments) -> Result<BudgetReport, CliError> {
    let (scenario, source) = match &arguments.scenario {
        Some(path) => (scenario::read_plan(path, &[])?.scenario, Some(file_name(path))),
        None => (of_options(arguments)?, None),
    };
    let entries = scenario.variants.iter().map(|variant| {
        let refused = |refusal: NoBudget| match source {
            Some(_) => CliError::Usage(format!("variant {}: {refusal}", variant.name)),
            None => CliError::Usage(refusal.to_string()),
        };
        let settings = BudgetSettings {
            handler_s: seconds(arguments.handler),
            outage_s: arguments.outage.map(seconds),
            ..BudgetSettings::of_setup(&variant.setup).map_err(refused)?
        };
        let name = if source.is_some() { variant.name.clone() } else { settings.backoff.written() };
        let budget = Budget::of(&settings).map_err(refused)?;
        Ok(BudgetEntry { name, settings, budget })
    });
    Ok(BudgetReport { entries: entries.collect::<Result<_, CliError>>()?, source })
}

/// The options, read as a scenario is: so they have its words, its units and its ranges.
fn of_options(arguments: &BudgetArguments) -> Result<Scenario, CliError> {
    let optional = |key: &str, value: &Option<String>| match value {
        Some(value) => format!(", {key}: {value}"),
        None => String::new(),
    };
    let backoff = match (&arguments.backoff, &arguments.base) {
        (Some(backoff), _) if backoff.contains(':') => format!("{{ {backoff} }}"),
        (Some(name), _) => name.clone(),
        (None, Some(base)) => {
            let rest = [("factor", &arguments.factor), ("cap", &arguments.cap), ("jitter", &arguments.jitter)];
            let rest: String = rest.iter().map(|(key, value)| optional(key, value)).collect();
            format!("{{ exponential: {{ base: {base}{rest} }} }}")
        }
        (None, None) => "none".to_owned(),
    };
    let BudgetArguments { visibility_timeout, retention, receives, dlq_retention, .. } = arguments;
    let floor = optional("floor", &arguments.floor);
    let text = format!(
        "duration: 1h
producers: [ {{ rate: 1/s }} ]
downstream: {{ servers: 1, service_time: 1ms }}
queue:
  visibility_timeout: {visibility_timeout}
  retention: {retention}
  redrive: {{ max_receive_count: {receives} }}
  dead_letter_queue: {{ retention: {dlq_retention} }}
policy: {{ backoff: {backoff}{floor} }}
variants: {{ as-asked: {{}} }}
"
    );
    Ok(scenario::parse(&text, OPTIONS, Path::new("."))?)
}
