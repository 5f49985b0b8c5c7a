//! A timing wheel of two levels that sorts what it turns to.
//!
//! A *fine* bucket covers 2^13 us, about 8 ms; a *coarse* one holds 128 of them, about a second; there are 1 024 coarse
//! buckets, about 18 minutes, and a heap for what lies beyond. An event waits in the coarsest bucket that tells it from
//! now. When the clock reaches a coarse bucket, its events move to fine ones; when it reaches a fine bucket, its few
//! events are sorted. What is scheduled into the bucket that is being used up goes to a small heap beside it.

use super::entry::{Entry, NEVER, time_us};
use super::heap::QuaternaryHeap;

/// Bits of a time within a fine bucket.
const FINE_SHIFT: u32 = 13;
/// Fine buckets of a coarse one.
const FINE_BUCKETS: u64 = 128;
/// Bits of a time within a coarse bucket.
const COARSE_SHIFT: u32 = FINE_SHIFT + FINE_BUCKETS.trailing_zeros();
/// Coarse buckets.
const COARSE_BUCKETS: u64 = 1_024;

/// Pending events, smallest first.
#[derive(Debug)]
pub(super) struct Wheel {
    /// The fine bucket that is being used up, its smallest entry last.
    current: Vec<Entry>,
    /// Events that were scheduled into the current bucket's time.
    near: QuaternaryHeap,
    /// The smaller of the two heads, `NEVER` where both are empty.
    head: Entry,
    /// Number of the first fine bucket that has not been opened; of the coarse bucket that it lies in, those from there on
    /// wait here.
    next_fine: u64,
    fine: Vec<Vec<Entry>>,
    /// A bit for each fine bucket that holds something.
    fine_filled: u128,
    /// Coarse buckets, by number modulo `COARSE_BUCKETS`.
    coarse: Vec<Vec<Entry>>,
    in_coarse: usize,
    /// Number of the first coarse bucket that has not been opened.
    next_coarse: u64,
    /// Events beyond the coarse buckets.
    beyond: QuaternaryHeap,
}

impl Wheel {
    pub fn new() -> Self {
        Self {
            current: Vec::new(),
            near: QuaternaryHeap::default(),
            head: NEVER,
            next_fine: 1,
            fine: vec![Vec::new(); FINE_BUCKETS as usize],
            fine_filled: 0,
            coarse: vec![Vec::new(); COARSE_BUCKETS as usize],
            in_coarse: 0,
            next_coarse: 1,
            beyond: QuaternaryHeap::default(),
        }
    }

    /// Adds an event.
    #[inline]
    pub fn add(&mut self, entry: Entry) {
        let fine = time_us(entry) >> FINE_SHIFT;
        if fine < self.next_fine {
            self.near.push(entry);
            self.head = self.head.min(entry);
        } else if fine < self.next_coarse * FINE_BUCKETS {
            self.add_to_fine(fine, entry);
        } else {
            self.add_to_coarse(entry);
        }
    }

    /// Takes the smallest event out, if it is smaller than `limit`.
    #[inline]
    pub fn pop_before(&mut self, limit: Entry) -> Option<Entry> {
        while self.head == NEVER {
            if !self.open_next(time_us(limit) >> FINE_SHIFT) {
                return None;
            }
        }
        if self.head >= limit {
            return None;
        }
        let popped = self.head;
        let near = self.near.peek().unwrap_or(NEVER);
        if popped == near {
            self.near.pop();
        } else {
            self.current.pop();
        }
        self.find_head();
        Some(popped)
    }

    #[inline]
    fn find_head(&mut self) {
        let near = self.near.peek().unwrap_or(NEVER);
        let current = self.current.last().copied().unwrap_or(NEVER);
        self.head = near.min(current);
    }

    #[inline]
    fn add_to_fine(&mut self, fine: u64, entry: Entry) {
        let position = (fine % FINE_BUCKETS) as usize;
        self.fine[position].push(entry);
        self.fine_filled |= 1 << position;
    }

    #[inline]
    fn add_to_coarse(&mut self, entry: Entry) {
        let coarse = time_us(entry) >> COARSE_SHIFT;
        if coarse - self.next_coarse < COARSE_BUCKETS {
            self.coarse[(coarse % COARSE_BUCKETS) as usize].push(entry);
            self.in_coarse += 1;
        } else {
            self.beyond.push(entry);
        }
    }

    /// Opens the next fine bucket that holds something, unless it lies after bucket `limit`: then whatever is smaller
    /// than the caller's limit is not here. Says whether there may be something now.
    fn open_next(&mut self, limit: u64) -> bool {
        if self.fine_filled == 0 {
            return self.open_next_coarse(limit);
        }
        let position = self.fine_filled.trailing_zeros() as u64;
        // Only the coarse bucket that was opened last has anything in fine ones.
        let fine = (self.next_coarse - 1) * FINE_BUCKETS + position;
        if fine > limit {
            return false;
        }
        self.next_fine = fine + 1;
        self.fine_filled &= !(1 << position);
        // The used-up bucket takes the place of the opened one, so that its memory is used again.
        std::mem::swap(&mut self.current, &mut self.fine[position as usize]);
        self.current.sort_unstable_by(|a, b| b.cmp(a));
        self.find_head();
        true
    }

    /// Spreads the events of the next coarse bucket that holds something over the fine ones.
    fn open_next_coarse(&mut self, limit: u64) -> bool {
        let last = limit / FINE_BUCKETS;
        self.fetch_from_beyond(last);
        while self.in_coarse > 0 && self.next_coarse <= last {
            let position = (self.next_coarse % COARSE_BUCKETS) as usize;
            self.next_fine = self.next_coarse * FINE_BUCKETS;
            self.next_coarse += 1;
            if self.coarse[position].is_empty() {
                continue;
            }
            let mut entries = std::mem::take(&mut self.coarse[position]);
            self.in_coarse -= entries.len();
            for entry in entries.drain(..) {
                self.add_to_fine(time_us(entry) >> FINE_SHIFT, entry);
            }
            self.coarse[position] = entries;
            return true;
        }
        false
    }

    /// Moves into the coarse buckets what has come within their reach. Where they are empty they jump to the earliest
    /// event beyond them, unless that lies after coarse bucket `last`: whoever jumps over the present has to keep
    /// everything that is still to be scheduled there in the small heap.
    fn fetch_from_beyond(&mut self, last: u64) {
        while let Some(entry) = self.beyond.peek() {
            let coarse = time_us(entry) >> COARSE_SHIFT;
            if self.in_coarse == 0 && (self.next_coarse..=last).contains(&coarse) {
                self.next_coarse = coarse;
                self.next_fine = coarse * FINE_BUCKETS;
            }
            if coarse - self.next_coarse >= COARSE_BUCKETS {
                break;
            }
            self.beyond.pop();
            self.coarse[(coarse % COARSE_BUCKETS) as usize].push(entry);
            self.in_coarse += 1;
        }
    }
}
