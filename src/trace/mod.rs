//! The story of one message in one run: everything that happened to it, why, and where its time went.

mod answer;
mod error;
mod gap;
mod names;
mod pick;
mod recording;
mod span;
mod walk;
mod words;

pub use answer::Answer;
pub use error::TraceError;
pub use gap::{Gap, GapEnd, Part};
pub use names::event_name;
pub use pick::Pick;
pub use recording::{Drawn, Entry, Trace, Wanted, copy_words};
pub use span::exact;
pub use walk::{Ending, Handling, Stretch, Track, Whereabouts};
pub use words::{Told, tell};

use crate::scenario::Variant;
use crate::simulation::{Run, simulate_watched};

/// Runs a variant and records one message. Where the message has to be picked first, the variant runs twice: a run is the
/// same each time, so the message of the first is that of the second.
///
/// # Errors
/// Where there is no such message.
///
/// # Example
/// ```
/// use retrystorm::simulation::Run;
/// use retrystorm::trace::{Pick, Wanted, trace};
///
/// let scenario = retrystorm::scenario::parse(
///     "
/// duration: 5m
/// queue: { redrive: { max_receive_count: 3 } }
/// producers: [ { burst: 1, classes: { permanent: 100% } } ]
/// downstream: { servers: 5, service_time: 20ms }
/// variants: { no-backoff: {} }
/// ",
///     "example.yaml",
///     std::path::Path::new("."),
/// )?;
/// let run = Run { seed: scenario.seed, replication: 0, duration_us: scenario.duration_us };
/// let found = trace(&scenario.variants[0], run, Wanted::Picked(Pick::DeadLettered))?;
/// assert_eq!(found.answer().receives, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Compiled where it is called, as `simulate_watched` says.
#[inline]
pub fn trace(variant: &Variant, run: Run, wanted: Wanted) -> Result<Trace, TraceError> {
    let key = match wanted {
        Wanted::Message(key) => key,
        Wanted::Picked(pick) => pick::picked(&variant.setup, run, pick)?,
    };
    let mut recording = recording::Recording::new(&variant.setup, key);
    simulate_watched(&variant.setup, run, &mut |sight| recording.note(sight))?;
    recording.finish(run.duration_us)
}
