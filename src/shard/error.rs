//! Why parts cannot be read or joined.

use std::path::PathBuf;

/// Why a part of a sweep cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// A file or folder could not be read.
    #[error("cannot read {}: {reason}", file.display())]
    Read {
        /// The file or folder.
        file: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A file is no part of a sweep.
    #[error("{} is no shard of a sweep", file.display())]
    NoPart {
        /// The file.
        file: PathBuf,
    },
    /// A file ends too early or has changed since it was written.
    #[error("{} is torn: {what}; run its share again", file.display())]
    Torn {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file belongs to another sweep.
    #[error("{} is of another sweep than {}: {what}", file.display(), first.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// The file that it does not fit to.
        first: PathBuf,
        /// In what they differ.
        what: String,
    },
    /// Two files of the same share differ.
    #[error("{} and {} are both shard {share}, and differ", file.display(), other.display())]
    Differs {
        /// One of the files.
        file: PathBuf,
        /// The other.
        other: PathBuf,
        /// The share.
        share: String,
    },
    /// A file has not all runs of its share.
    #[error("{} is not finished: {done} of {all} runs; run its share again, and it goes on from there", file.display())]
    Unfinished {
        /// The file.
        file: PathBuf,
        /// Runs that it has.
        done: u64,
        /// Runs of its share.
        all: u64,
    },
    /// Shares are missing.
    #[error("of {count} shards {} missing: {}", if missing.len() == 1 { "one is" } else { "several are" }, listed(missing))]
    Missing {
        /// How many there should be.
        count: u32,
        /// The numbers of the missing ones.
        missing: Vec<u32>,
    },
    /// There is nothing to join.
    #[error("there is no shard in {}", folder.display())]
    Empty {
        /// Where one was looked for.
        folder: PathBuf,
    },
}

/// Numbers for a message, the first few of them.
fn listed(numbers: &[u32]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(u32::to_string).collect();
    let more = numbers.len().saturating_sub(SHOWN);
    let dots = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &dots
}
