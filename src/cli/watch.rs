//! `retrystorm run --watch`: once more whenever a file is saved.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use retrystorm::scenario;

use super::{CliError, Ending, print};

/// How often the files are looked at.
const EVERY: Duration = Duration::from_millis(200);

/// When a file was written last and how long it is; `None` where there is no such file.
type Stamp = Option<(SystemTime, u64)>;

/// Runs a scenario again and again. Mistakes are told and can be mended, but a file that is not there at the start ends it.
pub fn run(scenario: &Path, once: impl Fn() -> Result<Ending, CliError>) -> Result<Ending, CliError> {
    if stamp(scenario).is_none() {
        return once();
    }
    loop {
        // As of before the run, so that what is saved meanwhile is not missed.
        let before = stamps(scenario);
        if let Err(error) = once() {
            print::error(&error);
        }
        print::note(&format!("watching {}; Ctrl-C ends it", scenario.display()));
        await_change(&before);
    }
}

/// The scenario and its profiles as they are now.
fn stamps(scenario: &Path) -> Vec<(PathBuf, Stamp)> {
    let files = std::iter::once(scenario.to_owned()).chain(scenario::profiles_of(scenario));
    files.map(|file| (file.clone(), stamp(&file))).collect()
}

fn stamp(file: &Path) -> Stamp {
    let metadata = std::fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Waits until a file is another one than before and has been left in peace for a moment: editors write in several steps,
/// and some take the file away in between.
fn await_change(before: &[(PathBuf, Stamp)]) {
    let now = || -> Vec<Stamp> { before.iter().map(|(file, _)| stamp(file)).collect() };
    let old: Vec<Stamp> = before.iter().map(|(_, stamp)| *stamp).collect();
    let mut last = now();
    loop {
        let is_changed = last != old && last.first().is_some_and(Option::is_some);
        thread::sleep(EVERY);
        let current = now();
        if is_changed && current == last {
            return;
        }
        last = current;
    }
}
