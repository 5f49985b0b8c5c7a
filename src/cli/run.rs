//! `retrystorm run`

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::ThreadPoolBuilder;
use retrystorm::report::{self, Origin};
use retrystorm::scenario::{self, Scenario};
use retrystorm::study::{RunStatistics, StudyOptions, Until, run_study_with};

use super::live::LiveView;
use super::reports::{Destination, Format, Reports};
use super::{CliError, Ending, again, print, resources, watch};

/// Folder for the results of all scenarios.
const OUTPUT_FOLDER: &str = "output";

/// Arguments of `run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm run scenarios/failover.yaml
  retrystorm run scenarios/failover.yaml --only no-backoff with-breaker --replications 5
  retrystorm run scenarios/failover.yaml --until 'dead_lettered.valid ±5%' --baseline full-jitter
  retrystorm run scenarios/failover.yaml --report junit=results.xml --report markdown=summary.md
  retrystorm run mine.yaml --watch --replications 3
  retrystorm run scenarios/failover.yaml --vary downstream.outages.0.for=60s,90s,120s
  retrystorm run scenarios/sweeps/base-and-receives.yaml --shard 2/7 --out shards")]
pub struct RunArguments {
    /// The scenario file (YAML)
    pub scenario: PathBuf,
    /// Folder for the results [default: output/ and the scenario's name]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of all random numbers, in place of the scenario's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Runs of each variant, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub replications: Option<u32>,
    /// Threads to run on [default: one a processor]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Run these variants only
    #[arg(long, value_name = "VARIANT", num_args = 1..)]
    pub only: Vec<String>,
    /// Run the scenario at each of these values of a key; adds an axis to the sweep or replaces one
    #[arg(long, value_name = "KEY=A,B,C")]
    pub vary: Vec<String>,
    /// Metric that the table and the charts of a sweep show [default: dead_lettered.valid]
    #[arg(long, value_name = "NAME")]
    pub metric: Vec<String>,
    /// Run only this share of a sweep and write it to a file for `merge`; `auto` or `auto/N` in a job of an array
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,
    /// The variant that the others are held against [default: the first]
    #[arg(long, value_name = "VARIANT")]
    pub baseline: Option<String>,
    /// Replications until the 95 % interval of a metric is that narrow for every variant
    #[arg(long, value_name = "'METRIC ±WIDTH'")]
    pub until: Option<Until>,
    /// With --until: replications after which it ends [default: 1000]
    #[arg(long, value_name = "N", requires = "until", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub at_most: Option<u32>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print a report (text, json, junit or markdown), or write it to a file; may be given several times
    #[arg(long, value_name = "KIND[=FILE]")]
    pub report: Vec<Destination>,
    /// Run again whenever the scenario or one of its profiles is saved, until Ctrl-C
    #[arg(long, conflicts_with = "shard")]
    pub watch: bool,
    /// Show no progress and print no table and no notes
    #[arg(long)]
    pub quiet: bool,
    /// Say how fast it went and how much memory it took
    #[arg(long)]
    pub verbose: bool,
}

/// Runs a scenario.
pub fn run(arguments: &RunArguments) -> Result<Ending, CliError> {
    if arguments.watch { watch::run(&arguments.scenario, || run_as_it_is(arguments)) } else { run_as_it_is(arguments) }
}

/// Runs a scenario as its file is now.
fn run_as_it_is(arguments: &RunArguments) -> Result<Ending, CliError> {
    let plan = scenario::read_plan(&arguments.scenario, &arguments.vary)?;
    match plan.sweep {
        Some(sweep) => super::sweep::run(arguments, sweep),
        None => run_one(arguments, plan.scenario, &plan.text),
    }
}

/// Runs a scenario that is no sweep.
fn run_one(arguments: &RunArguments, scenario: Scenario, text: &str) -> Result<Ending, CliError> {
    refuse_options_of_sweeps(arguments)?;
    let scenario = prepare(arguments, scenario)?;
    let options = options(arguments, &scenario)?;
    let folder = output_folder(&arguments.scenario, arguments.out.as_deref());
    report::check_folder(&folder)?;
    let reports = reports(arguments);
    reports.check()?;
    let view = LiveView::new(&scenario, !arguments.quiet);
    let threads = arguments.threads.unwrap_or(0); // 0: as many as there are processors
    let pool = ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
    let file_name = file_name(&arguments.scenario);

    let (result, files) = pool.install(|| -> Result<_, CliError> {
        let result = run_study_with(&scenario, &options, |ended| view.update(&ended))?;
        let command = again::command(arguments, &file_name, &result);
        let origin = Origin { file: &file_name, text, command: &command };
        let files = report::render(&result, origin)?;
        Ok((result, files))
    })?;
    view.finish();

    // All are rendered before the first is written.
    let more = reports.files(&result, &file_name)?;
    let printed = reports.printed(&result, &file_name)?;
    report::write(&folder, &files)?;
    for (folder, file) in &more {
        report::write(folder, std::slice::from_ref(file))?;
    }
    print::output(&printed)?;
    if !arguments.quiet {
        print::note(&format!("{} files written to {}", files.len(), folder.display()));
    }
    if arguments.verbose {
        print::note(&used(result.statistics));
    }
    let missed = result.expectations.iter().any(|expectation| !expectation.met);
    Ok(if missed { Ending::ExpectationMissed } else { Ending::Done })
}

fn refuse_options_of_sweeps(arguments: &RunArguments) -> Result<(), CliError> {
    let given = [("--shard", arguments.shard.is_some()), ("--metric", !arguments.metric.is_empty())];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(CliError::Usage(format!(
            "{option} is for sweeps, and the scenario is none: it has no `sweep`, and there is no --vary"
        ))),
        None => Ok(()),
    }
}

/// The scenario of the file with what the arguments say in place.
fn prepare(arguments: &RunArguments, mut scenario: Scenario) -> Result<Scenario, CliError> {
    if !arguments.only.is_empty() {
        scenario = scenario.only(&arguments.only).map_err(|unknown| CliError::Usage(unknown.to_string()))?;
    }
    scenario.seed = arguments.seed.unwrap_or(scenario.seed);
    if let Some(replications) = arguments.replications {
        scenario.replications = replications;
        scenario::refuse_if_too_large(&scenario)?;
    }
    Ok(scenario)
}

/// The folder for the results.
pub fn output_folder(scenario: &Path, asked: Option<&Path>) -> PathBuf {
    match asked {
        Some(folder) => folder.to_owned(),
        None => Path::new(OUTPUT_FOLDER).join(report::folder_name(scenario)),
    }
}

/// The name of the scenario's file, without the folder: results must not depend on where it lies.
pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// What is printed, and what goes to files.
fn reports(arguments: &RunArguments) -> Reports {
    let is_silent = arguments.quiet && arguments.format == Format::Text;
    Reports::of(&arguments.report, (!is_silent).then_some(arguments.format))
}

/// What is not the scenario's business.
fn options(arguments: &RunArguments, scenario: &Scenario) -> Result<StudyOptions, CliError> {
    let baseline = match &arguments.baseline {
        None => 0,
        Some(name) => scenario.variant(name).map_err(|unknown| CliError::Usage(unknown.to_string()))?,
    };
    let at_most = arguments.at_most;
    let until = arguments.until.map(|until| Until { at_most: at_most.unwrap_or(until.at_most), ..until });
    if let Some(until) = until {
        let longest = Scenario { replications: until.at_most, ..scenario.clone() };
        scenario::refuse_if_too_large(&longest).map_err(|_| {
            let at_most = until.at_most;
            CliError::Usage(format!("{at_most} replications are too large to run: set `--at-most` to fewer"))
        })?;
    }
    Ok(StudyOptions { baseline, until })
}

/// How fast it went and how much memory it took.
pub fn used(statistics: RunStatistics) -> String {
    let events_per_s = statistics.events as f64 / statistics.busy_s.max(1e-9);
    let memory = match resources::peak_memory_bytes() {
        Some(bytes) => format!("{:.0} MB of memory at the peak", bytes as f64 / 1e6),
        None => "peak memory not known on this system".to_owned(),
    };
    format!(
        "{:.1} M events in {:.2} s; {:.1} M events/s a thread; {memory}",
        statistics.events as f64 / 1e6,
        statistics.wall_s,
        events_per_s / 1e6,
    )
}
