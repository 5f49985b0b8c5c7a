//! `retrystorm trace`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use retrystorm::report::{self, TraceReport};
use retrystorm::scenario::{self, Scenario};
use retrystorm::simulation::Run;
use retrystorm::study::StudyError;
use retrystorm::trace::{self, Pick, TraceError, Wanted};

use super::run::file_name;
use super::{CliError, Ending, print};

/// Arguments of `trace`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm trace scenarios/naive-vs-exponential.yaml --variant exponential
  retrystorm trace scenarios/failover.yaml --variant full-jitter --pick slowest --out trace
  retrystorm trace scenarios/failover.yaml --variant no-backoff --message 17 --format jsonl

A run is the same each time. With --pick, the variant runs twice: once to find the message, once
to follow it.")]
pub struct TraceArguments {
    /// The scenario file (YAML)
    scenario: PathBuf,
    /// The variant to run; may be left out where there is only one
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    /// The number that the producer gave the message, from 0 on; all its copies are followed
    #[arg(long, value_name = "ID", conflicts_with = "pick")]
    message: Option<u64>,
    /// Which message to look for, where no number is given
    #[arg(long, value_enum, default_value_t = PickOption::DeadLettered)]
    pick: PickOption,
    /// Seed of all random numbers, in place of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Which replication, from 0 on
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..100_000))]
    replication: u32,
    /// What to print
    #[arg(long, value_enum, default_value_t = TraceFormat::Text)]
    format: TraceFormat,
    /// Also write trace.txt, trace.jsonl and the timeline (SVG and PNG) into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Which message to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PickOption {
    /// The first that goes to the dead-letter queue
    DeadLettered,
    /// The one that waits longest for its success, or still waits at the end
    Slowest,
    /// The first that is processed a second time
    Duplicated,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// For people
    Text,
    /// One JSON object a line
    Jsonl,
}

/// Traces a message.
pub fn run(arguments: &TraceArguments) -> Result<Ending, CliError> {
    let plan = scenario::read_plan(&arguments.scenario, &[])?;
    if plan.sweep.is_some() {
        return Err(CliError::Usage("a sweep has no one run to trace: take a scenario without `sweep`".to_owned()));
    }
    let scenario = plan.scenario;
    let variant = &scenario.variants[variant_number(arguments, &scenario)?];
    if let Some(folder) = &arguments.out {
        report::check_folder(folder)?;
    }
    let seed = arguments.seed.unwrap_or(scenario.seed);
    let run = Run { seed, replication: arguments.replication, duration_us: scenario.duration_us };
    let trace = trace::trace(variant, run, wanted(arguments)).map_err(|error| of_trace(error, &variant.name, run))?;
    let scenario_file = file_name(&arguments.scenario);
    let report = TraceReport {
        trace: &trace,
        scenario_file: &scenario_file,
        variant: &variant.name,
        seed,
        replication: arguments.replication,
        outages: &variant.setup.downstream.outages,
    };
    // All is rendered before anything is written.
    let files = arguments.out.as_ref().map(|folder| report::render_trace(&report).map(|files| (folder, files)));
    if let Some((folder, files)) = files.transpose()? {
        report::write(folder, &files)?;
        print::note(&format!("{} files written to {}", files.len(), folder.display()));
    }
    print::output(&match arguments.format {
        TraceFormat::Text => report::trace_text(&report),
        TraceFormat::Jsonl => report::trace_json(&report),
    })?;
    Ok(Ending::Done)
}

fn variant_number(arguments: &TraceArguments, scenario: &Scenario) -> Result<usize, CliError> {
    match (&arguments.variant, scenario.variants.as_slice()) {
        (Some(name), _) => scenario.variant(name).map_err(|unknown| CliError::Usage(unknown.to_string())),
        (None, [_]) => Ok(0),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|variant| variant.name.as_str()).collect();
            let names = names.join(", ");
            Err(CliError::Usage(format!("the scenario has several variants: say which with --variant ({names})")))
        }
    }
}

fn wanted(arguments: &TraceArguments) -> Wanted {
    match (arguments.message, arguments.pick) {
        (Some(key), _) => Wanted::Message(key),
        (None, PickOption::DeadLettered) => Wanted::Picked(Pick::DeadLettered),
        (None, PickOption::Slowest) => Wanted::Picked(Pick::Slowest),
        (None, PickOption::Duplicated) => Wanted::Picked(Pick::Duplicated),
    }
}

/// A message that is not there is the user's to mend; books that do not balance are not.
fn of_trace(error: TraceError, variant: &str, run: Run) -> CliError {
    match error {
        TraceError::Run(source) => {
            let (variant, replication) = (variant.to_owned(), run.replication);
            CliError::Study(StudyError::Unbalanced { variant, replication, source })
        }
        other => CliError::Usage(other.to_string()),
    }
}
