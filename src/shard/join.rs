//! Shards, joined to the whole sweep.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Part, ShardError, Share, read_part};
use crate::study::{RunValues, SweepFacts};

/// The ending of the files of shards.
const ENDING: &str = "shard";

/// All runs of a sweep.
#[derive(Debug, Clone)]
pub struct Joined {
    /// What the sweep is.
    pub facts: SweepFacts,
    /// The metrics of all its runs.
    pub values: RunValues,
}

/// The files of shards in the order of their names: the paths themselves, and for a folder those in it.
///
/// # Errors
/// Where a folder cannot be read, or has none.
pub fn shard_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ShardError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let failed = |reason| ShardError::Read { file: path.clone(), reason };
        let before = files.len();
        for entry in fs::read_dir(path).map_err(failed)? {
            let file = entry.map_err(failed)?.path();
            if file.extension().is_some_and(|ending| ending == ENDING) {
                files.push(file);
            }
        }
        if files.len() == before {
            return Err(ShardError::Empty { folder: path.clone() });
        }
        files[before..].sort();
    }
    Ok(files)
}

/// Reads shards, in any order, and joins them. A file that is there twice with the same content counts once.
///
/// # Errors
/// Where one is torn, unfinished or of another sweep, two of the same share differ, or one is missing.
pub fn join(files: &[PathBuf]) -> Result<Joined, ShardError> {
    let Some((first_file, others)) = files.split_first() else {
        return Err(ShardError::Empty { folder: PathBuf::new() });
    };
    let first = read_whole(first_file)?;
    let mut joined = Joined { facts: first.facts.clone(), values: RunValues::new(first.facts.runs()) };
    let mut taken: BTreeMap<u32, &Path> = BTreeMap::from([(first.share.number(), first_file.as_path())]);
    take(&mut joined.values, &first);
    for file in others {
        let part = read_whole(file)?;
        check_same_sweep((first_file, &first), (file, &part))?;
        match taken.insert(part.share.number(), file) {
            None => take(&mut joined.values, &part),
            Some(other) => check_same_runs(&joined.values, &part, file, other)?,
        }
    }
    let missing: Vec<u32> = (1..=first.share.count()).filter(|number| !taken.contains_key(number)).collect();
    if !missing.is_empty() {
        return Err(ShardError::Missing { count: first.share.count(), missing });
    }
    Ok(joined)
}

fn read_whole(file: &Path) -> Result<Part, ShardError> {
    let part = read_part(file)?;
    let missing = part.missing().len() as u64;
    if missing > 0 {
        let all = part.share.runs(part.values.runs()).count() as u64;
        return Err(ShardError::Unfinished { file: file.to_owned(), done: all - missing, all });
    }
    Ok(part)
}

fn check_same_sweep((first_file, first): (&Path, &Part), (file, part): (&Path, &Part)) -> Result<(), ShardError> {
    let count = |share: Share| share.count();
    let what = if count(part.share) != count(first.share) {
        format!("it is one of {} shards, not of {}", count(part.share), count(first.share))
    } else if part.fingerprint != first.fingerprint || part.facts != first.facts {
        "another scenario, other options, or another version of this program".to_owned()
    } else {
        return Ok(());
    };
    Err(ShardError::Foreign { file: file.to_owned(), first: first_file.to_owned(), what })
}

fn take(values: &mut RunValues, part: &Part) {
    for run in part.share.runs(part.values.runs()) {
        if let Some(row) = part.values.get(run) {
            let row: Vec<Option<f64>> = row.iter().map(|value| Some(*value).filter(|value| !value.is_nan())).collect();
            values.set(run, &row);
        }
    }
}

fn check_same_runs(values: &RunValues, part: &Part, file: &Path, other: &Path) -> Result<(), ShardError> {
    let same = |run: u64| match (values.get(run), part.values.get(run)) {
        (Some(left), Some(right)) => left.iter().zip(right).all(|(left, right)| left.to_bits() == right.to_bits()),
        _ => false,
    };
    if part.share.runs(part.values.runs()).all(same) {
        return Ok(());
    }
    let share = part.share.to_string();
    Err(ShardError::Differs { file: file.to_owned(), other: other.to_owned(), share })
}
