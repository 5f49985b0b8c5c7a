//! Finds the message that is worth a look.

use std::collections::{HashMap, HashSet};

use super::TraceError;
use crate::model::queue::DeleteAnswer;
use crate::scenario::Setup;
use crate::simulation::{DeadLettering, Happening, Run, Sight, simulate_watched};

/// Which message is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// The first that goes to the dead-letter queue.
    DeadLettered,
    /// The one that waits longest for its success, from its first send on. One that still waits at the end has waited until
    /// then; one that was dead-lettered, deleted or has expired waits no more.
    Slowest,
    /// The first with a second success.
    Duplicated,
}

impl Pick {
    /// A sentence for runs that have no such message.
    pub(super) fn none(self) -> &'static str {
        match self {
            Self::DeadLettered => "no message was dead-lettered in this run",
            Self::Slowest => "no message of this run was a success, and none is pending at its end",
            Self::Duplicated => "no message was processed twice in this run",
        }
    }
}

/// The message of that run: only what the pick needs is kept of each.
// Compiled where it is called, as `simulate_watched` says.
#[inline]
pub(super) fn picked(setup: &Setup, run: Run, pick: Pick) -> Result<u64, TraceError> {
    let key = match pick {
        Pick::DeadLettered => first(setup, run, |sight| matches!(sight.happening, Happening::DeadLettered(_)))?,
        Pick::Duplicated => {
            let mut succeeded = HashSet::new();
            first(setup, run, |sight| {
                matches!(sight.happening, Happening::CallWorked { .. }) && !succeeded.insert(sight.message.key)
            })?
        }
        Pick::Slowest => {
            let mut waits = Waits::new(setup.other_queues.len() + 1);
            simulate_watched(setup, run, &mut |sight| waits.note(sight))?;
            waits.longest(run.duration_us)
        }
    };
    key.ok_or(TraceError::NonePicked(pick))
}

/// The first message that something happens to.
fn first(setup: &Setup, run: Run, mut is_it: impl FnMut(&Sight) -> bool) -> Result<Option<u64>, TraceError> {
    let mut found = None;
    simulate_watched(setup, run, &mut |sight| {
        if found.is_none() && is_it(sight) {
            found = Some(sight.message.key);
        }
    })?;
    Ok(found)
}

/// How long messages wait for their first success.
#[derive(Debug)]
struct Waits {
    dead_letter_line: usize,
    /// Those that have had none yet.
    waiting: HashMap<u64, Waiting>,
    /// The longest wait so far that has ended, and whose it was.
    longest: Option<(u64, u64)>,
}

/// A message without a success.
#[derive(Debug)]
struct Waiting {
    sent_us: u64,
    /// How many of it are in the source queues.
    copies: u32,
}

impl Waits {
    fn new(dead_letter_line: usize) -> Self {
        Self { dead_letter_line, waiting: HashMap::new(), longest: None }
    }

    fn note(&mut self, sight: &Sight) {
        let (key, is_at_source) = (sight.message.key, sight.line != self.dead_letter_line);
        match sight.happening {
            Happening::CallWorked { .. } => {
                if let Some(waiting) = self.waiting.remove(&key) {
                    self.compare(sight.at_us - waiting.sent_us, key);
                }
            }
            Happening::Entered { .. } if is_at_source => {
                let is_first_send = sight.message.times_anew == 0 && !sight.message.is_second_send;
                if is_first_send {
                    self.waiting.insert(key, Waiting { sent_us: sight.at_us, copies: 1 });
                } else if let Some(waiting) = self.waiting.get_mut(&key) {
                    waiting.copies += 1;
                }
            }
            happening if is_at_source && ends(happening) => {
                if let Some(waiting) = self.waiting.get_mut(&key) {
                    waiting.copies = waiting.copies.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    /// Of two that waited as long, the first.
    fn compare(&mut self, waited_us: u64, key: u64) {
        let is_longer = |(longest_us, first)| waited_us > longest_us || (waited_us == longest_us && key < first);
        if self.longest.is_none_or(is_longer) {
            self.longest = Some((waited_us, key));
        }
    }

    fn longest(mut self, end_us: u64) -> Option<u64> {
        // The order of the map has no say: of equals the first wins.
        for (key, waiting) in std::mem::take(&mut self.waiting) {
            if waiting.copies > 0 {
                self.compare(end_us - waiting.sent_us, key);
            }
        }
        self.longest.map(|(_, key)| key)
    }
}

/// Whether a message has left its queue.
fn ends(happening: Happening) -> bool {
    match happening {
        Happening::Deleted { answer } => answer == DeleteAnswer::Deleted,
        Happening::DeadLettered(way) => way != DeadLettering::Copied,
        Happening::Expired => true,
        _ => false,
    }
}
