//! The visible messages in the order in which receives find them.

use std::collections::VecDeque;

use crate::engine::heap::QuaternaryHeap;

/// Visible messages by rank, which is a time: of the enqueue or of becoming visible. Two kinds of rank come in order of
/// time by themselves and wait in first-in-first-out queues; only messages that return near the front need a heap.
///
/// Entries are not taken out when a message leaves early (retention); whoever takes the first asks whether it is alive.
#[derive(Debug, Default)]
pub(super) struct VisibleMessages {
    /// Never received here, by enqueue time.
    fresh: VecDeque<u128>,
    /// Ranked by the moment at which they became visible again.
    back: VecDeque<u128>,
    /// Ranked by an earlier time, or first visible out of order.
    returned: QuaternaryHeap,
}

/// Names a message in a certain state: its slot, and the stamp that a later receive would have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub slot: u32,
    pub stamp: u32,
}

/// As one number, whose order is that of ranks.
#[inline]
pub(super) fn pack(rank_us: u64, entry: Entry) -> u128 {
    u128::from(rank_us) << 64 | u128::from(entry.stamp) << 32 | u128::from(entry.slot)
}

/// The entry in a packed number.
#[inline]
pub(super) fn unpack(packed: u128) -> Entry {
    Entry { slot: packed as u32, stamp: (packed >> 32) as u32 }
}

impl VisibleMessages {
    /// A message that is visible for the first time. Delays and moves from another queue can bring it out of order.
    #[inline]
    pub fn add_fresh(&mut self, enqueued_us: u64, entry: Entry) {
        let packed = pack(enqueued_us, entry);
        if self.fresh.back().is_none_or(|&last| last <= packed) {
            self.fresh.push_back(packed);
        } else {
            self.add_out_of_order(packed);
        }
    }

    /// A message that is visible again and goes to the back: ranks by this moment. Leases that end together can end out
    /// of order.
    #[inline]
    pub fn add_at_back(&mut self, now_us: u64, entry: Entry) {
        let packed = pack(now_us, entry);
        if self.back.back().is_none_or(|&last| last <= packed) {
            self.back.push_back(packed);
        } else {
            self.add_out_of_order(packed);
        }
    }

    #[cold]
    fn add_out_of_order(&mut self, packed: u128) {
        self.returned.push(packed);
    }

    /// A message that is visible again with an earlier rank.
    #[inline]
    pub fn add_returned(&mut self, rank_us: u64, entry: Entry) {
        self.returned.push(pack(rank_us, entry));
    }

    /// The rank of the first message that is there.
    pub fn first_rank_us(&mut self, is_there: impl Fn(Entry) -> bool) -> Option<u64> {
        let is_gone = |packed| !is_there(unpack(packed));
        while self.fresh.front().is_some_and(|&packed| is_gone(packed)) {
            self.fresh.pop_front();
        }
        while self.back.front().is_some_and(|&packed| is_gone(packed)) {
            self.back.pop_front();
        }
        while self.returned.peek().is_some_and(is_gone) {
            self.returned.pop();
        }
        let heads = [self.fresh.front().copied(), self.back.front().copied(), self.returned.peek()];
        heads.into_iter().flatten().min().map(|packed| (packed >> 64) as u64)
    }

    /// Takes the first entry out.
    #[inline]
    pub fn take_first(&mut self) -> Option<Entry> {
        if self.back.is_empty() && self.returned.is_empty() {
            return self.fresh.pop_front().map(unpack);
        }
        self.take_smallest()
    }

    #[inline]
    fn take_smallest(&mut self) -> Option<Entry> {
        const NONE: u128 = u128::MAX;
        let fresh = self.fresh.front().copied().unwrap_or(NONE);
        let back = self.back.front().copied().unwrap_or(NONE);
        let returned = self.returned.peek().unwrap_or(NONE);
        let packed = if fresh <= back && fresh <= returned {
            self.fresh.pop_front()
        } else if back <= returned {
            self.back.pop_front()
        } else {
            self.returned.pop()
        }?;
        Some(unpack(packed))
    }
}
