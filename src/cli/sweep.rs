//! `retrystorm run` of a sweep: all of it, or the share of one job of several.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueEnum;
use rayon::ThreadPoolBuilder;
use retrystorm::measure::Metric;
use retrystorm::report::{self, RenderedFile};
use retrystorm::scenario::{Sweep, metric_named};
use retrystorm::shard::{Part, Share, fingerprint, share_of_environment};
use retrystorm::study::{Progress, RunStatistics, SweepFacts, SweepResult, run_sweep};

use super::checkpoint::Checkpoint;
use super::progress::ProgressLine;
use super::reports::Format;
use super::run::{self, RunArguments};
use super::{CliError, Ending, interrupt, print};

/// What a table and a chart show if nothing else is asked for.
const OBJECTIVE: Metric = Metric::DeadLetteredValid;

/// How a sweep is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    /// A table for people
    Text,
    /// The contents of sweep.json
    Json,
}

/// Runs a sweep.
pub fn run(arguments: &RunArguments, sweep: Sweep) -> Result<Ending, CliError> {
    let format = format_of(arguments)?;
    let sweep = prepare(arguments, sweep)?;
    let share = arguments.shard.as_deref().map(share).transpose()?;
    let folder = run::output_folder(&arguments.scenario, arguments.out.as_deref());
    report::check_folder(&folder)?;
    let facts = SweepFacts::of(&sweep, &run::file_name(&arguments.scenario), &shown(&arguments.metric)?);
    let part = Part::new(fingerprint(&sweep.points, &facts), share.unwrap_or(Share::WHOLE), facts);
    if !arguments.quiet {
        sweep.notes.iter().for_each(|note| print::note(&format!("note: {note}")));
        if let Some(share) = share {
            print::note(&format!("shard {share} of the sweep"));
        }
    }
    let stem = share.map_or("sweep".to_owned(), Share::file_stem);
    let checkpoint = Arc::new(Checkpoint::open(&folder, &stem, part, !arguments.quiet));
    let on_interrupt = Arc::clone(&checkpoint);
    interrupt::before_exit(move || on_interrupt.save_for_later());
    let threads = arguments.threads.unwrap_or(0); // 0: as many as there are processors
    let pool = ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
    let statistics = pool.install(|| run_missing(arguments, &sweep, &checkpoint))?;

    match share {
        Some(_) => write_shard(arguments, &folder, &stem, &checkpoint)?,
        None => {
            let result =
                pool.install(|| checkpoint.with_part(|part| SweepResult::of(part.facts.clone(), &part.values)));
            let files = pool.install(|| report::render_sweep(&result))?;
            report::write(&folder, &files)?;
            tell(&result, format, arguments.quiet)?;
            tell_files(arguments.quiet, files.len(), &folder);
        }
    }
    interrupt::nothing_before_exit();
    checkpoint.remove();
    if arguments.verbose {
        print::note(&run::used(statistics));
    }
    Ok(Ending::Done)
}

/// How it is printed; refuses what only a single study has.
fn format_of(arguments: &RunArguments) -> Result<SweepFormat, CliError> {
    let of_studies = [
        ("--baseline", arguments.baseline.is_some()),
        ("--until", arguments.until.is_some()),
        ("--report", !arguments.report.is_empty()),
        ("--format junit", arguments.format == Format::Junit),
        ("--format markdown", arguments.format == Format::Markdown),
    ];
    if let Some((option, _)) = of_studies.into_iter().find(|(_, is_given)| *is_given) {
        return Err(CliError::Usage(format!("{option} is for a single scenario, and this is a sweep")));
    }
    Ok(if arguments.format == Format::Json { SweepFormat::Json } else { SweepFormat::Text })
}

/// The sweep with what the arguments say in place.
fn prepare(arguments: &RunArguments, sweep: Sweep) -> Result<Sweep, CliError> {
    let mut sweep = with_variants(sweep, &arguments.only, "--only")?;
    if let Some(seed) = arguments.seed {
        sweep.set_seed(seed);
    }
    if let Some(replications) = arguments.replications {
        sweep.set_replications(replications)?;
    }
    Ok(sweep)
}

/// The sweep with the variants that an option names, or with all if it names none.
pub fn with_variants(sweep: Sweep, names: &[String], option: &str) -> Result<Sweep, CliError> {
    if names.is_empty() {
        return Ok(sweep);
    }
    let sweep = sweep.only(names).map_err(|unknown| CliError::Usage(unknown.to_string()))?;
    match sweep.idle_axis() {
        Some(axis) => {
            let path = &axis.path;
            Err(CliError::Usage(format!("{option} leaves no variant that the axis `{path}` changes")))
        }
        None => Ok(sweep),
    }
}

/// The metrics that are asked for, each once.
fn shown(names: &[String]) -> Result<Vec<Metric>, CliError> {
    let mut metrics = Vec::new();
    for name in names {
        let metric = metric_named(name).map_err(CliError::Usage)?;
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    Ok(if metrics.is_empty() { vec![OBJECTIVE] } else { metrics })
}

/// The share that the option names: `K/N`, `auto`, or `auto/N`.
fn share(option: &str) -> Result<Share, CliError> {
    let look_up = |name: &str| std::env::var(name).ok();
    let share = match option.strip_prefix("auto") {
        Some("") => share_of_environment(None, look_up),
        Some(count) => match count.strip_prefix('/').and_then(|count| count.parse().ok()) {
            Some(count) => share_of_environment(Some(count), look_up),
            None => Err(format!("`{}` is not auto or auto/N, such as auto/7", option.escape_debug())),
        },
        None => option.parse(),
    };
    share.map_err(|why| CliError::Usage(format!("--shard: {why}")))
}

/// Carries out what the checkpoint does not have yet.
fn run_missing(arguments: &RunArguments, sweep: &Sweep, checkpoint: &Checkpoint) -> Result<RunStatistics, CliError> {
    let (missing, facts) = checkpoint.with_part(|part| (part.missing(), part.facts.clone()));
    let before = checkpoint.with_part(|part| part.values.ended());
    let (done, events) = (AtomicU64::new(before), AtomicU64::new(0));
    let total = before + missing.len() as u64;
    let progress = ProgressLine::new(!arguments.quiet);
    progress.begin_at(before, total);
    let statistics = run_sweep(&sweep.points, &facts, &missing, |run, metrics, events_of_run| {
        checkpoint.keep(run, metrics);
        progress.update(Progress {
            done: done.fetch_add(1, Ordering::Relaxed) + 1,
            total,
            events: events.fetch_add(events_of_run, Ordering::Relaxed) + events_of_run,
        });
    })?;
    progress.finish();
    Ok(statistics)
}

fn write_shard(arguments: &RunArguments, folder: &Path, stem: &str, checkpoint: &Checkpoint) -> Result<(), CliError> {
    let name = format!("{stem}.shard");
    let bytes = checkpoint.with_part(Part::to_bytes);
    report::write(folder, &[RenderedFile { name: name.clone(), bytes }])?;
    if !arguments.quiet {
        print::note(&format!("written to {}", folder.join(name).display()));
    }
    Ok(())
}

/// Prints what a sweep has found.
pub fn tell(result: &SweepResult, format: SweepFormat, is_quiet: bool) -> Result<(), CliError> {
    match format {
        SweepFormat::Json => print::output(&report::sweep_json(result)?),
        SweepFormat::Text if is_quiet => Ok(()),
        SweepFormat::Text => print::output(&report::sweep_text(result, print::shows_colours())),
    }
}

/// Says how many files there are now.
pub fn tell_files(is_quiet: bool, files: usize, folder: &Path) {
    if !is_quiet {
        print::note(&format!("{files} files written to {}", folder.display()));
    }
}
