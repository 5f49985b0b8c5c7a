//! What is done of a sweep, kept so that an interrupted one goes on where it was.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use retrystorm::report::{self, RenderedFile};
use retrystorm::shard::{Part, read_part};

use super::print;

/// How long work is done without being kept: what a machine that fails takes with it.
const KEEP_EVERY: Duration = Duration::from_secs(30);

/// A part in the making, and its file.
pub struct Checkpoint {
    folder: PathBuf,
    /// `sweep.part`, or that of a shard.
    name: String,
    state: Mutex<State>,
}

struct State {
    part: Part,
    kept_at: Instant,
}

impl Checkpoint {
    /// With the runs that an earlier run of the same sweep has left in the folder; says so where `talks`. What another
    /// sweep has left is replaced.
    pub fn open(folder: &Path, stem: &str, empty: Part, talks: bool) -> Self {
        let name = format!("{stem}.part");
        let earlier = [name.clone(), format!("{stem}.shard")];
        let found = earlier.iter().filter_map(|name| read_part(&folder.join(name)).ok());
        let usable = found.filter(|part| part.fingerprint == empty.fingerprint && part.share == empty.share);
        let part = usable.max_by_key(|part| part.values.ended()).unwrap_or(empty);
        if talks && part.values.ended() > 0 {
            let (ended, left) = (part.values.ended(), part.missing().len());
            print::note(&format!("{ended} runs are done already, {left} are left"));
        }
        Self { folder: folder.to_owned(), name, state: Mutex::new(State { part, kept_at: Instant::now() }) }
    }

    /// Reads off the part.
    pub fn with_part<T>(&self, read: impl FnOnce(&Part) -> T) -> T {
        read(&self.lock().part)
    }

    /// Takes a run that has ended.
    pub fn keep(&self, run: u64, metrics: &[Option<f64>]) {
        let mut state = self.lock();
        state.part.values.set(run, metrics);
        if state.kept_at.elapsed() >= KEEP_EVERY {
            state.kept_at = Instant::now();
            let bytes = state.part.to_bytes();
            drop(state);
            // A checkpoint that cannot be written costs time later, not results now.
            let _ = self.write(bytes);
        }
    }

    /// Writes the file because the program is about to end, and says so.
    pub fn save_for_later(&self) {
        let (bytes, ended) = self.with_part(|part| (part.to_bytes(), part.values.ended()));
        if ended == 0 {
            return;
        }
        match self.write(bytes) {
            Ok(()) => {
                print::note(&format!("interrupted; {ended} runs are kept, and the same command goes on from there"))
            }
            Err(error) => print::note(&format!("interrupted; the {ended} runs that are done are lost: {error}")),
        }
    }

    /// Takes the file away: what it held is in the results.
    pub fn remove(&self) {
        // It need not be there.
        let _ = fs::remove_file(self.folder.join(&self.name));
    }

    fn write(&self, bytes: Vec<u8>) -> Result<(), report::ReportError> {
        report::write(&self.folder, &[RenderedFile { name: self.name.clone(), bytes }])
    }

    /// A panic elsewhere ends the program; what is held until then is whole.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
