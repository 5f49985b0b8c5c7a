//! Why a probe ends without a result.

use std::io;
use std::time::Duration;

/// Why a probe, or one of its cases, could not go on.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ProbeError {
    /// Nobody answers.
    #[error("cannot reach {endpoint}: {cause}")]
    Unreachable {
        /// The endpoint.
        endpoint: String,
        /// What the client says.
        cause: String,
    },
    /// Somebody answers, but not as SQS does.
    #[error("{endpoint} does not answer like SQS: {cause}")]
    NotSqs {
        /// The endpoint.
        endpoint: String,
        /// What the client says.
        cause: String,
    },
    /// The credential chain has come to its end.
    #[error(
        "no credentials: {0}\nFor AWS, set a profile or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. For an emulator, any \
         values will do."
    )]
    NoCredentials(String),
    /// Neither the arguments nor the configuration name a region.
    #[error("no region: give --region, or set AWS_REGION")]
    NoRegion,
    /// The credentials are wrong or may not do this.
    #[error("access denied to {action}: {code}: {message}\nThe permissions that a probe needs are in docs/probe.md.")]
    Denied {
        /// What was asked for.
        action: &'static str,
        /// The error code.
        code: String,
        /// What the service says.
        message: String,
    },
    /// The service has refused what it should not; ends a case.
    #[error("{action} was refused: {code}: {message}")]
    Refused {
        /// What was asked for.
        action: &'static str,
        /// The error code.
        code: String,
        /// What the service says.
        message: String,
    },
    /// A queue did not do what a case needs to go on; ends the case.
    #[error("{0}")]
    Unexpected(String),
    /// A queue of that name is there, and so belongs to somebody else.
    #[error("the queue {0} exists already; nothing was done to it")]
    Exists(String),
    /// The time for all is over.
    #[error("not done within {} s", .0.as_secs())]
    TooSlow(Duration),
    /// Somebody has pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
    /// The system refuses what every program needs.
    #[error("the system refuses: {0}")]
    System(String),
}

impl ProbeError {
    /// Whether the whole probe ends, and not just one of its cases.
    pub fn ends_the_probe(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::Unexpected(_))
    }

    /// Whether a call that ended so may have been carried out all the same.
    pub fn leaves_open(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::Denied { .. })
    }
}

impl From<io::Error> for ProbeError {
    fn from(error: io::Error) -> Self {
        Self::System(error.to_string())
    }
}
