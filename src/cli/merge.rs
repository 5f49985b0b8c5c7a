//! `retrystorm merge`

use std::path::PathBuf;

use clap::Args;
use retrystorm::report;
use retrystorm::shard::{join, shard_files};
use retrystorm::study::SweepResult;

use super::sweep::{self, SweepFormat};
use super::{CliError, Ending};

/// Arguments of `merge`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm merge shards/ --out output/base-and-receives
  retrystorm merge shard-1-of-2.shard elsewhere/shard-2-of-2.shard --out joined")]
pub struct MergeArguments {
    /// Shard files, or folders with shard files
    #[arg(required = true, value_name = "DIR|FILE")]
    shards: Vec<PathBuf>,
    /// Folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = SweepFormat::Text)]
    format: SweepFormat,
    /// Print no table and no notes
    #[arg(long)]
    quiet: bool,
}

/// Joins shards.
pub fn run(arguments: &MergeArguments) -> Result<Ending, CliError> {
    report::check_folder(&arguments.out)?;
    let joined = join(&shard_files(&arguments.shards)?)?;
    let result = SweepResult::of(joined.facts, &joined.values);
    let files = report::render_sweep(&result)?;
    report::write(&arguments.out, &files)?;
    sweep::tell(&result, arguments.format, arguments.quiet)?;
    sweep::tell_files(arguments.quiet, files.len(), &arguments.out);
    Ok(Ending::Done)
}
