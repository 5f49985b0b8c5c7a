//! Why there is no story to tell.

use super::Pick;
use crate::measure::Unbalanced;

/// Why a message could not be traced.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// No message has that number.
    #[error("there is no message {key}: {}", sent_words(*.sent))]
    NoSuchMessage {
        /// The number that was asked for.
        key: u64,
        /// Messages that producers have sent.
        sent: u64,
    },
    /// No message fits.
    #[error("{}", .0.none())]
    NonePicked(Pick),
    /// The run failed: a defect of this program.
    #[error("{0}")]
    Run(#[from] Unbalanced),
}

fn sent_words(sent: u64) -> String {
    match sent {
        0 => "nothing is sent in this run".to_owned(),
        1 => "this run has one, with the number 0".to_owned(),
        sent => format!("the messages of this run have the numbers 0 to {}", sent - 1),
    }
}
