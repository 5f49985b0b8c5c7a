//! The agenda: pending events in order of time, and in order of scheduling where times are equal.
//!
//! Three structures share the work, because three kinds of events make up a run:
//!
//! * **lanes** for delays that are always the same (a lease, a timeout): the events of a lane come in order of time, so
//!   a first-in-first-out queue holds them, O(1);
//! * a **near heap** for what is due within the current window of about a second, small enough to stay in the cache;
//! * a **ring of buckets** for what is due later: unsorted until its window comes, then sorted once.
//!
//! Whatever the structure, [`Agenda::pop`] returns the globally smallest (time, scheduling order).

use std::collections::VecDeque;

use super::heap::QuaternaryHeap;

/// Bits of a packed entry that hold the payload.
const PAYLOAD_BITS: u32 = 32;
/// Bits that hold the scheduling order: more events than any accepted scenario has.
const ORDER_BITS: u32 = 40;
/// Position of the time in a packed entry; 56 bits of microseconds are 2 284 years.
const TIME_SHIFT: u32 = PAYLOAD_BITS + ORDER_BITS;
/// Width of a bucket: 2^20 microseconds, about a second.
const BUCKET_SHIFT: u32 = 20;
/// Buckets in the ring: about 18 minutes; later events wait in a heap of their own.
const BUCKETS: u64 = 1024;
/// Stands for "nothing there" in the array of heads.
const EMPTY: u128 = u128::MAX;
/// Position of the near heap's head in the array of heads.
const NEAR: usize = 0;
/// Position of the current bucket's head.
const BUCKET: usize = 1;
/// Position of the first lane's head.
const FIRST_LANE: usize = 2;
/// Heads in all: a fixed number, so that the search for the smallest is a straight line of instructions.
const HEADS: usize = 7;

/// The pending events of a run. The payload is the caller's own 32 bits.
///
/// ```
/// use retrystorm::engine::agenda::Agenda;
///
/// let mut agenda = Agenda::new(1);
/// agenda.schedule(2_000_000, 7);
/// agenda.schedule_in_lane(0, 1_000_000, 8);
/// agenda.schedule(1_000_000, 9);
/// assert_eq!(agenda.pop(), Some((1_000_000, 8)));
/// assert_eq!(agenda.pop(), Some((1_000_000, 9)), "equal times: in the order of scheduling");
/// assert_eq!(agenda.pop(), Some((2_000_000, 7)));
/// assert_eq!(agenda.pop(), None);
/// ```
#[derive(Debug)]
pub struct Agenda {
    /// Smallest entry of each structure, `EMPTY` where there is none; `pop` looks at nothing else.
    heads: [u128; HEADS],
    near: QuaternaryHeap,
    /// The opened bucket, sorted so that its smallest entry is last.
    bucket: Vec<u128>,
    /// Entries of each lane behind its head.
    lanes: Vec<VecDeque<u128>>,
    /// Largest time of each lane so far.
    lane_ends_us: Vec<u64>,
    /// Buckets that have not been opened; bucket number modulo `BUCKETS`.
    ring: Vec<Vec<u128>>,
    in_ring: usize,
    /// Events beyond the ring.
    beyond: QuaternaryHeap,
    /// Number of the first bucket that has not been opened; everything before it is in the near heap or the bucket.
    next_bucket: u64,
    scheduled: u64,
}

impl Agenda {
    /// The most lanes that an agenda can have.
    pub const LANES_MAX: usize = HEADS - FIRST_LANE;

    /// An empty agenda with that many lanes.
    ///
    /// # Panics
    /// Where that is more than [`LANES_MAX`](Self::LANES_MAX).
    pub fn new(lanes: usize) -> Self {
        assert!(lanes <= Self::LANES_MAX, "an agenda has at most {} lanes", Self::LANES_MAX);
        Self {
            heads: [EMPTY; HEADS],
            near: QuaternaryHeap::default(),
            bucket: Vec::new(),
            lanes: vec![VecDeque::new(); lanes],
            lane_ends_us: vec![0; lanes],
            ring: vec![Vec::new(); BUCKETS as usize],
            in_ring: 0,
            beyond: QuaternaryHeap::default(),
            next_bucket: 1,
            scheduled: 0,
        }
    }

    /// Schedules an event at any time not before the last popped one.
    #[inline]
    pub fn schedule(&mut self, at_us: u64, payload: u32) {
        let entry = self.pack(at_us, payload);
        self.insert(entry);
    }

    /// Schedules an event whose time is not before that of the lane's last one. Where it is, the event goes the general
    /// way: a lane is a matter of speed, never of order.
    ///
    /// # Panics
    /// Where the lane does not exist.
    #[inline]
    pub fn schedule_in_lane(&mut self, lane: usize, at_us: u64, payload: u32) {
        let entry = self.pack(at_us, payload);
        if at_us < self.lane_ends_us[lane] {
            return self.insert(entry);
        }
        self.lane_ends_us[lane] = at_us;
        let head = &mut self.heads[FIRST_LANE + lane];
        if *head == EMPTY {
            *head = entry;
        } else {
            self.lanes[lane].push_back(entry);
        }
    }

    /// Takes the next event out: its time and payload.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        loop {
            let (position, entry) = self.smallest_head();
            let due_bucket = (entry >> (TIME_SHIFT + BUCKET_SHIFT)) as u64;
            // An entry of a lane may lie beyond the buckets that have been opened: what they hold comes first.
            if due_bucket >= self.next_bucket && self.open_next_bucket(due_bucket) {
                continue;
            }
            if entry == EMPTY {
                return None;
            }
            self.advance(position);
            return Some(((entry >> TIME_SHIFT) as u64, entry as u32));
        }
    }

    /// Number of pending events.
    pub fn len(&self) -> usize {
        let heads_of_lanes = self.heads[FIRST_LANE..].iter().filter(|&&head| head != EMPTY).count();
        let behind: usize = self.lanes.iter().map(VecDeque::len).sum();
        self.near.len() + self.bucket.len() + self.in_ring + self.beyond.len() + heads_of_lanes + behind
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn pack(&mut self, at_us: u64, payload: u32) -> u128 {
        self.scheduled += 1;
        u128::from(at_us) << TIME_SHIFT | u128::from(self.scheduled) << PAYLOAD_BITS | u128::from(payload)
    }

    #[inline]
    fn insert(&mut self, entry: u128) {
        let number = (entry >> (TIME_SHIFT + BUCKET_SHIFT)) as u64;
        if number < self.next_bucket {
            self.near.push(entry);
            self.heads[NEAR] = self.heads[NEAR].min(entry);
        } else if number - self.next_bucket < BUCKETS {
            self.ring[(number % BUCKETS) as usize].push(entry);
            self.in_ring += 1;
        } else {
            self.beyond.push(entry);
        }
    }

    #[inline]
    fn smallest_head(&self) -> (usize, u128) {
        let smaller = |a: (usize, u128), b: (usize, u128)| if b.1 < a.1 { b } else { a };
        let head = |position: usize| (position, self.heads[position]);
        // A tournament: three rounds that the processor can overlap, instead of six comparisons in a row.
        let first = smaller(smaller(head(0), head(1)), smaller(head(2), head(3)));
        let second = smaller(smaller(head(4), head(5)), head(6));
        smaller(first, second)
    }

    /// Removes the head at that position and puts the next of its structure in its place.
    #[inline]
    fn advance(&mut self, position: usize) {
        self.heads[position] = match position {
            NEAR => {
                self.near.pop();
                self.near.peek().unwrap_or(EMPTY)
            }
            BUCKET => {
                self.bucket.pop();
                self.bucket.last().copied().unwrap_or(EMPTY)
            }
            lane => self.lanes[lane - FIRST_LANE].pop_front().unwrap_or(EMPTY),
        };
    }

    /// Opens the next bucket that holds something, if there is one not after `limit`; says whether it did.
    fn open_next_bucket(&mut self, limit: u64) -> bool {
        debug_assert!(self.bucket.is_empty(), "a bucket is used up before the next is opened");
        self.fetch_from_beyond();
        while self.in_ring > 0 && self.next_bucket <= limit {
            let position = (self.next_bucket % BUCKETS) as usize;
            self.next_bucket += 1;
            if !self.ring[position].is_empty() {
                // The emptied bucket takes the place of the opened one, so that its memory is used again.
                std::mem::swap(&mut self.bucket, &mut self.ring[position]);
                self.in_ring -= self.bucket.len();
                self.bucket.sort_unstable_by(|a, b| b.cmp(a));
                self.heads[BUCKET] = self.bucket.last().copied().unwrap_or(EMPTY);
                self.fetch_from_beyond();
                return true;
            }
        }
        false
    }

    /// Moves into the ring what has come within its reach; an empty ring jumps to the earliest event beyond it.
    fn fetch_from_beyond(&mut self) {
        while let Some(entry) = self.beyond.peek() {
            let number = (entry >> (TIME_SHIFT + BUCKET_SHIFT)) as u64;
            if self.in_ring == 0 {
                self.next_bucket = self.next_bucket.max(number);
            }
            if number >= self.next_bucket + BUCKETS {
                break;
            }
            self.beyond.pop();
            self.ring[(number % BUCKETS) as usize].push(entry);
            self.in_ring += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One step of a random run: (microseconds from now, lane or none, whether to pop afterwards).
    fn steps() -> impl Strategy<Value = Vec<(u64, Option<usize>, bool)>> {
        let delay = prop_oneof![0..2_000_u64, 0..5_000_000_u64, 0..4_000_000_000_u64];
        prop::collection::vec((delay, prop::option::of(0..2_usize), any::<bool>()), 1..400)
    }

    proptest! {
        /// Against a sorted list: the same events, in the same order, whatever structure holds them.
        #[test]
        fn pops_by_time_then_by_order_of_scheduling(steps in steps()) {
            let mut agenda = Agenda::new(2);
            let mut expected: Vec<(u64, u32)> = Vec::new();
            let mut now_us = 0;
            for (number, (delay_us, lane, pops)) in steps.into_iter().enumerate() {
                let event = (now_us + delay_us, number as u32);
                match lane {
                    Some(lane) => agenda.schedule_in_lane(lane, event.0, event.1),
                    None => agenda.schedule(event.0, event.1),
                }
                expected.push(event);
                if pops {
                    expected.sort_unstable();
                    let next = expected.remove(0);
                    prop_assert_eq!(agenda.pop(), Some(next));
                    now_us = next.0;
                }
            }
            prop_assert_eq!(agenda.len(), expected.len());
            expected.sort_unstable();
            for event in expected {
                prop_assert_eq!(agenda.pop(), Some(event));
            }
            prop_assert_eq!(agenda.pop(), None);
        }
    }
}
