//! Windows over results: how many of them are hits. A result costs the same whatever the window holds.

use super::RateWindow;

/// Most buckets of a window over time: one a second up to a minute, and longer ones beyond it.
const MOST_BUCKETS: u64 = 60;
const BUCKET_US: u64 = 1_000_000;

/// Results and the hits among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub hits: u32,
    pub results: u32,
}

impl Counts {
    /// Whether the hits are at least that share. A division and no product: a share that was written in per cent is the
    /// nearest number to a fraction, and so is the quotient.
    pub fn reach(self, share: f64) -> bool {
        self.results > 0 && f64::from(self.hits) / f64::from(self.results) >= share
    }
}

/// A window of either kind.
#[derive(Debug, Clone)]
pub(super) enum Window {
    Time(TimeWindow),
    Results(ResultWindow),
}

impl Window {
    pub fn new(window: RateWindow) -> Self {
        match window {
            RateWindow::Time { length_us } => Self::Time(TimeWindow::new(length_us)),
            RateWindow::Results { count } => Self::Results(ResultWindow::new(count)),
        }
    }

    /// Takes a result, and says what the window holds with it.
    #[inline]
    pub fn add(&mut self, now_us: u64, is_hit: bool) -> Counts {
        match self {
            Self::Time(window) => window.add(now_us, is_hit),
            Self::Results(window) => window.add(is_hit),
        }
    }

    /// Forgets all results.
    pub fn clear(&mut self) {
        match self {
            Self::Time(window) => window.clear(),
            Self::Results(window) => window.clear(),
        }
    }
}

/// The results of the last so long: a ring of buckets of equal length, the latest of which is not over yet.
#[derive(Debug, Clone)]
pub(super) struct TimeWindow {
    bucket_us: u64,
    buckets: Vec<Counts>,
    /// Number of the latest bucket, counted from time 0.
    latest: u64,
    sum: Counts,
}

impl TimeWindow {
    pub fn new(length_us: u64) -> Self {
        let count = length_us.div_ceil(BUCKET_US).clamp(1, MOST_BUCKETS);
        let buckets = vec![Counts::default(); count as usize];
        Self { bucket_us: length_us.div_ceil(count).max(1), buckets, latest: 0, sum: Counts::default() }
    }

    #[inline]
    pub fn add(&mut self, now_us: u64, is_hit: bool) -> Counts {
        self.advance(now_us / self.bucket_us);
        let place = self.place(self.latest);
        for counts in [&mut self.buckets[place], &mut self.sum] {
            counts.results += 1;
            counts.hits += u32::from(is_hit);
        }
        self.sum
    }

    /// Empties the buckets that have left the window: at most all of them, however much time has passed.
    #[inline]
    fn advance(&mut self, bucket: u64) {
        let passed = bucket.saturating_sub(self.latest).min(self.buckets.len() as u64);
        for number in bucket + 1 - passed..=bucket {
            let place = self.place(number);
            let left = std::mem::take(&mut self.buckets[place]);
            self.sum.hits -= left.hits;
            self.sum.results -= left.results;
        }
        self.latest = self.latest.max(bucket);
    }

    fn place(&self, bucket: u64) -> usize {
        (bucket % self.buckets.len() as u64) as usize
    }

    pub fn clear(&mut self) {
        self.buckets.fill(Counts::default());
        self.sum = Counts::default();
    }
}

/// The last so many results: a ring of bits.
#[derive(Debug, Clone)]
pub(super) struct ResultWindow {
    bits: Vec<u64>,
    capacity: u32,
    next: u32,
    sum: Counts,
}

impl ResultWindow {
    pub fn new(count: u32) -> Self {
        let capacity = count.max(1);
        Self { bits: vec![0; capacity.div_ceil(u64::BITS) as usize], capacity, next: 0, sum: Counts::default() }
    }

    #[inline]
    pub fn add(&mut self, is_hit: bool) -> Counts {
        let (word, bit) = ((self.next / u64::BITS) as usize, 1 << (self.next % u64::BITS));
        if self.sum.results == self.capacity {
            self.sum.hits -= u32::from(self.bits[word] & bit != 0);
        } else {
            self.sum.results += 1;
        }
        self.sum.hits += u32::from(is_hit);
        if is_hit {
            self.bits[word] |= bit;
        } else {
            self.bits[word] &= !bit;
        }
        self.next = (self.next + 1) % self.capacity;
        self.sum
    }

    pub fn clear(&mut self) {
        self.sum = Counts::default();
        self.next = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    const SECOND_US: u64 = 1_000_000;

    fn counts(hits: u32, results: u32) -> Counts {
        Counts { hits, results }
    }

    #[test]
    fn a_share_is_reached_exactly() {
        assert!(counts(7, 100).reach(0.07));
        assert!(counts(15, 100).reach(0.15));
        assert!(!counts(6, 100).reach(0.07));
        assert!(counts(1, 3).reach(1.0 / 3.0));
        assert!(!counts(0, 0).reach(0.5));
    }

    #[test]
    fn the_last_results_push_out_the_first() {
        let mut window = ResultWindow::new(3);
        let seen: Vec<Counts> = [true, true, false, false, false, true].map(|hit| window.add(hit)).to_vec();
        assert_eq!(seen, [counts(1, 1), counts(2, 2), counts(2, 3), counts(1, 3), counts(0, 3), counts(1, 3)]);
        window.clear();
        assert_eq!(window.add(false), counts(0, 1));
    }

    #[test]
    fn a_window_of_three_seconds_has_the_current_second_and_the_two_before() {
        let mut window = TimeWindow::new(3 * SECOND_US);
        assert_eq!(window.add(500_000, true), counts(1, 1));
        assert_eq!(window.add(2 * SECOND_US, false), counts(1, 2));
        assert_eq!(window.add(2_999_999, true), counts(2, 3));
        assert_eq!(window.add(3 * SECOND_US, false), counts(1, 3), "the first second has left");
        assert_eq!(window.add(1_000 * SECOND_US, false), counts(0, 1));
    }

    proptest! {
        /// Against the plain list of all results.
        #[test]
        fn windows_count_as_a_list_does(
            results in prop::collection::vec((0..3_000_000_u64, any::<bool>()), 1..300),
            length_s in 1..200_u64,
            count in 1..200_u32,
        ) {
            let (mut by_time, mut by_number) = (TimeWindow::new(length_s * SECOND_US), ResultWindow::new(count));
            let buckets = by_time.buckets.len() as u64;
            let mut list: VecDeque<(u64, bool)> = VecDeque::new();
            let mut now_us = 0;
            for (after_us, is_hit) in results {
                now_us += after_us;
                list.push_back((now_us / by_time.bucket_us, is_hit));
                let latest = now_us / by_time.bucket_us;
                let in_time = list.iter().filter(|(bucket, _)| bucket + buckets > latest);
                let hits = in_time.clone().filter(|(_, is_hit)| *is_hit).count() as u32;
                prop_assert_eq!(by_time.add(now_us, is_hit), counts(hits, in_time.count() as u32));
                let last = list.iter().rev().take(count as usize);
                let hits = last.clone().filter(|(_, is_hit)| *is_hit).count() as u32;
                prop_assert_eq!(by_number.add(is_hit), counts(hits, last.count() as u32));
            }
        }
    }
}
