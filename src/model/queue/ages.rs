//! Messages in the order of their enqueue, for what depends on age.

use std::collections::VecDeque;

/// Messages by enqueue time. A message that no longer counts stays until it comes to the front or until such entries
/// outnumber the others, so that adding costs O(1) and memory follows what is outstanding.
#[derive(Debug, Default)]
pub(super) struct AgeIndex {
    by_enqueue: VecDeque<AgeEntry>,
}

/// Names a message for good: a slot may be used again, an id never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AgeEntry {
    pub id: u64,
    pub slot: u32,
}

/// Entries beyond twice the outstanding ones that are tolerated before a clean-up.
const SLACK: usize = 1_024;

impl AgeIndex {
    /// Adds the youngest message. `outstanding` is the number of messages that may still count.
    #[inline]
    pub fn add(&mut self, entry: AgeEntry, outstanding: usize, counts: impl Fn(AgeEntry) -> bool) {
        self.by_enqueue.push_back(entry);
        if self.by_enqueue.len() > 2 * outstanding + SLACK {
            self.by_enqueue.retain(|&entry| counts(entry));
        }
    }

    /// The oldest message that counts.
    pub fn oldest(&mut self, counts: impl Fn(AgeEntry) -> bool) -> Option<AgeEntry> {
        while let Some(&entry) = self.by_enqueue.front() {
            if counts(entry) {
                return Some(entry);
            }
            self.by_enqueue.pop_front();
        }
        None
    }
}
