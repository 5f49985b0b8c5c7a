//! How a command ends.

use std::io;
use std::process::ExitCode;

use retrystorm::report::ReportError;
use retrystorm::scenario::ScenarioError;
use retrystorm::shard::ShardError;
use retrystorm::study::StudyError;

/// The end of a command that did what it was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All is well.
    Done,
    /// At least one expectation of the scenario is missed.
    ExpectationMissed,
    /// A comparison has found something worse.
    Worse,
    /// An audit has findings.
    Found,
    /// A search has found nothing that is shown to keep to its conditions.
    NothingHolds,
    /// An endpoint differs from the model.
    #[cfg(feature = "probe")]
    ProbeDiffers,
    /// A probe could not delete all its queues.
    #[cfg(feature = "probe")]
    QueuesLeft,
    /// Ctrl-C has ended a command that had to tidy up first.
    #[cfg(feature = "probe")]
    Interrupted,
}

impl Ending {
    /// The exit code.
    pub fn code(self) -> ExitCode {
        match self {
            Self::Done => ExitCode::SUCCESS,
            Self::ExpectationMissed | Self::Worse | Self::Found | Self::NothingHolds => ExitCode::from(3),
            #[cfg(feature = "probe")]
            Self::ProbeDiffers => ExitCode::from(3),
            #[cfg(feature = "probe")]
            Self::QueuesLeft => ExitCode::FAILURE,
            #[cfg(feature = "probe")]
            Self::Interrupted => ExitCode::from(super::interrupt::INTERRUPTED),
        }
    }
}

/// Why a command could not do what it was asked to do.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The scenario was refused.
    #[error("{0}")]
    Scenario(Box<ScenarioError>),
    /// The arguments fit neither the scenario nor the files that they name.
    #[error("{0}")]
    Usage(String),
    /// A probe came to no result.
    #[cfg(feature = "probe")]
    #[error("{0}")]
    Probe(crate::probe::ProbeError),
    /// A run failed: a defect of this program.
    #[error("{0}")]
    Study(#[from] StudyError),
    /// The results could not be rendered or written.
    #[error("{0}")]
    Report(#[from] ReportError),
    /// Shards cannot be joined.
    #[error("{0}")]
    Shard(#[from] ShardError),
    /// Standard output does not take any more.
    #[error("cannot write to standard output: {0}")]
    Output(io::Error),
    /// The threads that were asked for could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<ScenarioError> for CliError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(Box::new(error))
    }
}

impl CliError {
    /// The exit code: 2 for what the user can mend in the input, 1 for everything else.
    pub fn code(&self) -> ExitCode {
        match self {
            Self::Scenario(_) | Self::Usage(_) | Self::Shard(_) => ExitCode::from(2),
            #[cfg(feature = "probe")]
            Self::Probe(crate::probe::ProbeError::System(_)) => ExitCode::FAILURE,
            #[cfg(feature = "probe")]
            Self::Probe(_) => ExitCode::from(2),
            Self::Report(ReportError::Write { .. }) => ExitCode::from(2),
            Self::Study(_) | Self::Report(_) | Self::Output(_) | Self::Threads(_) => ExitCode::FAILURE,
        }
    }
}
