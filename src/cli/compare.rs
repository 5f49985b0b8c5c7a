//! `retrystorm compare`

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use retrystorm::report::{StudyComparison, StudySummary};

use super::{CliError, Ending, print};

/// Arguments of `compare`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm compare main/summary.json output/failover/summary.json
  retrystorm compare old.json new.json --fail-on worse --format markdown >> \"$GITHUB_STEP_SUMMARY\"")]
pub struct CompareArguments {
    /// The summary.json of the earlier study
    old: PathBuf,
    /// The summary.json of the later study
    new: PathBuf,
    /// End with exit code 3 where a metric has become worse
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A metric that has moved in the wrong direction
    Worse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A table for people
    Text,
    /// Markdown for a pull request
    Markdown,
}

/// Compares two results.
pub fn run(arguments: &CompareArguments) -> Result<Ending, CliError> {
    let comparison = StudyComparison::of(read(&arguments.old)?, read(&arguments.new)?);
    if comparison.changes.is_empty() {
        let [old, new] = [&arguments.old, &arguments.new].map(|path| path.display());
        return Err(CliError::Usage(format!("{old} and {new} have no variant in common")));
    }
    print::output(&match arguments.format {
        Form::Text => comparison.text(),
        Form::Markdown => comparison.markdown(),
    })?;
    let fails = arguments.fail_on == Some(FailOn::Worse) && comparison.is_worse();
    Ok(if fails { Ending::Worse } else { Ending::Done })
}

fn read(path: &Path) -> Result<StudySummary, CliError> {
    let bytes = fs::read(path).map_err(|error| CliError::Usage(format!("cannot read {}: {error}", path.display())))?;
    let text = String::from_utf8_lossy(&bytes);
    StudySummary::read(&text).map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}
