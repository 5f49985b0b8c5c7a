//! Messages in the order of a time, for what depends on age.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::visible::{Entry, pack, unpack};

/// Messages by the time from which their age counts. Nearly all come in order and wait in a first-in-first-out queue; the
/// few that are older than the last one (moves to a dead-letter queue keep their enqueue time) need a heap.
///
/// A message that no longer counts stays until it comes to the front or until such entries outnumber the others, so that
/// adding costs O(1), or O(log n) out of order, and memory follows what is outstanding.
#[derive(Debug, Default)]
pub(super) struct AgeIndex {
    in_order: VecDeque<AgeEntry>,
    out_of_order: BinaryHeap<Reverse<AgeEntry>>,
}

/// A message and when its age begins, in one number that orders by this time. The entry has the stamp of the message's
/// entrance and so names it for good: a slot may be used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AgeEntry(u128);

impl AgeEntry {
    #[inline]
    pub fn new(since_us: u64, entrance: Entry) -> Self {
        Self(pack(since_us, entrance))
    }

    /// When its age begins.
    #[inline]
    pub fn since_us(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    pub fn entrance(self) -> Entry {
        unpack(self.0)
    }
}

/// Entries beyond twice the outstanding ones that are tolerated before a clean-up.
pub(super) const SLACK: usize = 1_024;

impl AgeIndex {
    /// Adds a message. `outstanding` is the number of messages that may still count.
    #[inline]
    pub fn add(&mut self, entry: AgeEntry, outstanding: usize, counts: impl Fn(AgeEntry) -> bool) {
        if self.in_order.back().is_none_or(|last| last.since_us() <= entry.since_us()) {
            self.in_order.push_back(entry);
        } else {
            self.add_out_of_order(entry);
        }
        if self.in_order.len() + self.out_of_order.len() > 2 * outstanding + SLACK {
            self.clean_up(counts);
        }
    }

    #[cold]
    fn add_out_of_order(&mut self, entry: AgeEntry) {
        self.out_of_order.push(Reverse(entry));
    }

    #[cold]
    fn clean_up(&mut self, counts: impl Fn(AgeEntry) -> bool) {
        self.in_order.retain(|&entry| counts(entry));
        self.out_of_order.retain(|&Reverse(entry)| counts(entry));
    }

    /// The oldest message that counts.
    #[inline]
    pub fn oldest(&mut self, counts: impl Fn(AgeEntry) -> bool) -> Option<AgeEntry> {
        while self.in_order.front().is_some_and(|&entry| !counts(entry)) {
            self.in_order.pop_front();
        }
        while self.out_of_order.peek().is_some_and(|&Reverse(entry)| !counts(entry)) {
            self.out_of_order.pop();
        }
        let out_of_order = self.out_of_order.peek().map(|&Reverse(entry)| entry);
        self.in_order.front().copied().into_iter().chain(out_of_order).min()
    }
}
