//! `retrystorm tune`

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rayon::ThreadPoolBuilder;
use retrystorm::measure::{Direction, Metric};
use retrystorm::report;
use retrystorm::scenario::{self, Condition, Sweep, metric_named};
use retrystorm::study::{Goal, Progress, Search, SweepFacts, TuneResult, Tuning};

use super::progress::ProgressLine;
use super::run;
use super::sweep::{SweepFormat, tell_files, with_variants};
use super::{CliError, Ending, interrupt, print};

/// How long the progress line shows the same best.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// How the candidates are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SearchOption {
    /// A grid up to 1000 runs, else by halving
    Auto,
    /// All replications of every candidate
    Grid,
    /// A few replications of every candidate, twice as many of the better half, and so on
    Halving,
}

/// Arguments of `tune`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm tune scenarios/sweeps/base-and-receives.yaml --objective dead_lettered.valid \\
    --subject-to 'calls_peak_per_s < 120'
  retrystorm tune scenarios/failover.yaml --variant full-jitter --objective dead_lettered.valid \\
    --subject-to 'calls_peak_per_s < 3000' --over policy.backoff.exponential.base=5s,10s,20s,40s \\
    --replications 10

docs/tune.md says how it searches, and what the numbers are worth.")]
pub struct TuneArguments {
    /// The scenario file (YAML)
    scenario: PathBuf,
    /// Metric that shall be as good as it can be
    #[arg(long, value_name = "METRIC", value_parser = metric_named)]
    objective: Metric,
    /// What has to hold all the same; may be given several times
    #[arg(long, value_name = "'METRIC < VALUE'")]
    subject_to: Vec<Condition>,
    /// Values of a key to search; adds an axis to those of the scenario's `sweep` or replaces one
    #[arg(long, value_name = "KEY=A,B,C")]
    over: Vec<String>,
    /// Search with these variants only [default: all]
    #[arg(long, value_name = "VARIANT", num_args = 1..)]
    variant: Vec<String>,
    /// Less of the objective is better; for metrics that have no better way of their own
    #[arg(long, conflicts_with = "maximize")]
    minimize: bool,
    /// More of the objective is better; for metrics that have no better way of their own
    #[arg(long)]
    maximize: bool,
    /// Metric that the objective is traded against in the chart [default: that of the first condition, or calls_peak_per_s]
    #[arg(long, value_name = "METRIC", value_parser = metric_named)]
    against: Option<Metric>,
    /// How to search
    #[arg(long, value_enum, default_value_t = SearchOption::Auto)]
    search: SearchOption,
    /// How many of the best are run anew and shown
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=50))]
    top: u16,
    /// Runs of those that reach the end of the search, and fresh runs of the best, in place of the scenario's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Seed of all random numbers, in place of the scenario's
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Threads to run on [default: one a processor]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Folder for the results [default: output/ and the scenario's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = SweepFormat::Text)]
    format: SweepFormat,
    /// Show no progress and print no table and no notes
    #[arg(long)]
    quiet: bool,
}

/// Searches.
pub fn run(arguments: &TuneArguments) -> Result<Ending, CliError> {
    let goal = goal(arguments)?;
    let (tuning, notes) = tuning(arguments, goal)?;
    let folder = run::output_folder(&arguments.scenario, arguments.out.as_deref());
    report::check_folder(&folder)?;
    if !arguments.quiet {
        notes.iter().for_each(|note| print::note(&format!("note: {note}")));
    }
    let tuning = Arc::new(tuning);
    let progress = Arc::new(Watch::new(arguments, &tuning));
    let ended = {
        let (tuning, progress, folder) = (Arc::clone(&tuning), Arc::clone(&progress), folder.clone());
        let (format, quiet) = (arguments.format, arguments.quiet);
        move || end_early(&tuning, &progress, &folder, format, quiet)
    };
    interrupt::before_exit(ended);
    let threads = arguments.threads.unwrap_or(0); // 0: as many as there are processors
    let pool = ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
    let result = pool.install(|| tuning.run(|state| progress.update(&tuning, state)))?;
    progress.line.finish();
    // Waits for an interrupt that is being carried out, which ends the program.
    interrupt::nothing_before_exit();
    tell(&result, &folder, arguments.format, arguments.quiet)?;
    Ok(if result.holds() { Ending::Done } else { Ending::NothingHolds })
}

fn goal(arguments: &TuneArguments) -> Result<Goal, CliError> {
    let wants = match (arguments.minimize, arguments.maximize) {
        (true, _) => Some(Direction::Lower),
        (_, true) => Some(Direction::Higher),
        _ => None,
    };
    Goal::new(arguments.objective, wants, arguments.subject_to.clone(), arguments.against).map_err(CliError::Usage)
}

/// The search, and what the author should know.
fn tuning(arguments: &TuneArguments, goal: Goal) -> Result<(Tuning, Vec<String>), CliError> {
    let plan = scenario::read_search(&arguments.scenario, &arguments.over)?;
    let Some(sweep) = plan.sweep else {
        let why = "there is nothing to search: give --over KEY=A,B,C, or a `sweep` in the scenario";
        return Err(CliError::Usage(why.to_owned()));
    };
    let mut sweep = with_variants(sweep, &arguments.variant, "--variant")?;
    if let Some(seed) = arguments.seed {
        sweep.set_seed(seed);
    }
    let replications = arguments.replications.unwrap_or(plan.scenario.replications);
    let facts = SweepFacts::of(&sweep, &run::file_name(&arguments.scenario), &goal.metrics());
    let facts = SweepFacts { replications, ..facts };
    let search = match arguments.search {
        SearchOption::Auto => None,
        SearchOption::Grid => Some(Search::Grid),
        SearchOption::Halving => Some(Search::Halving),
    };
    let folder = arguments.scenario.parent().unwrap_or(Path::new("")).to_owned();
    let notes = sweep.notes.clone();
    let tuning = Tuning::new(sweep.clone(), facts, goal, search, arguments.top.into(), folder);
    refuse_if_too_large(sweep, tuning.runs())?;
    Ok((tuning, notes))
}

/// Refuses a search that costs as much as a sweep that is too large: as if its runs were spread over all points alike.
fn refuse_if_too_large(mut sweep: Sweep, runs: u64) -> Result<(), CliError> {
    sweep.set_replications(1)?;
    let replications = runs.div_ceil(sweep.runs().max(1));
    sweep.set_replications(u32::try_from(replications).unwrap_or(u32::MAX))?;
    Ok(())
}

/// Prints a result, after its files have been written.
fn tell(result: &TuneResult, folder: &Path, format: SweepFormat, is_quiet: bool) -> Result<(), CliError> {
    let files = report::render_tune(result)?;
    report::write(folder, &files)?;
    match format {
        SweepFormat::Json => print::output(&report::tune_json(result)?)?,
        SweepFormat::Text if is_quiet => {}
        SweepFormat::Text => print::output(&report::tune_text(result, print::shows_colours()))?,
    }
    tell_files(is_quiet, files.len(), folder);
    Ok(())
}

/// Tells and writes what is known because the program is about to end.
fn end_early(tuning: &Tuning, watch: &Watch, folder: &Path, format: SweepFormat, is_quiet: bool) {
    watch.stop();
    let Some(result) = tuning.so_far() else { return };
    match tell(&result, folder, format, is_quiet) {
        Ok(()) if is_quiet => {}
        Ok(()) => print::note(&format!("interrupted after {} of {} runs", result.runs, tuning.runs())),
        Err(error) => print::error(&error),
    }
}

/// The progress line with the best so far.
struct Watch {
    line: ProgressLine,
    objective: Metric,
    is_wanted: bool,
    is_stopped: AtomicBool,
    best: Mutex<(Instant, String)>,
}

impl Watch {
    fn new(arguments: &TuneArguments, tuning: &Tuning) -> Self {
        let line = ProgressLine::new(!arguments.quiet);
        line.begin_at(0, tuning.runs());
        Self {
            line,
            objective: arguments.objective,
            is_wanted: !arguments.quiet,
            is_stopped: AtomicBool::new(false),
            best: Mutex::new((Instant::now(), String::new())),
        }
    }

    fn update(&self, tuning: &Tuning, state: Progress) {
        if !self.is_wanted || self.is_stopped.load(Ordering::Relaxed) {
            return;
        }
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if best.0.elapsed() >= TELL_EVERY {
            let remark = |(name, mean): (String, f64)| report::best_so_far(self.objective, &name, mean);
            *best = (Instant::now(), tuning.leader().map_or(String::new(), remark));
        }
        self.line.update_with(state, &best.1);
    }

    /// From now on it shows nothing.
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.line.finish();
    }
}
