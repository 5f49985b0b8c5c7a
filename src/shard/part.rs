//! A part of a sweep in memory.

use std::fs;
use std::path::Path;

use super::text;
use super::{ShardError, Share};
use crate::study::{RunValues, SweepFacts};

/// The metrics of some runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What tells the sweep from any other.
    pub fingerprint: String,
    /// The share that its runs belong to.
    pub share: Share,
    /// What the sweep is.
    pub facts: SweepFacts,
    /// The metrics of the runs that have ended.
    pub values: RunValues,
}

impl Part {
    /// A part without any run.
    pub fn new(fingerprint: String, share: Share, facts: SweepFacts) -> Self {
        let values = RunValues::new(facts.runs());
        Self { fingerprint, share, facts, values }
    }

    /// The runs of its share that are missing, in order.
    pub fn missing(&self) -> Vec<u64> {
        self.share.runs(self.values.runs()).filter(|run| !self.values.has(*run)).collect()
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        text::written(self).into_bytes()
    }
}

/// Reads the file of a part.
///
/// # Errors
/// Where it cannot be read, is none, or is torn.
pub fn read_part(file: &Path) -> Result<Part, ShardError> {
    let bytes = fs::read(file).map_err(|reason| ShardError::Read { file: file.to_owned(), reason })?;
    text::read(file, &bytes)
}
