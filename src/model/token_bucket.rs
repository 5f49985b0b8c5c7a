//! A token bucket, which limits how often something may happen.

use crate::engine::time::SECOND_US;

/// A bucket that fills at a constant rate up to its size; it is full at first. It is kept as one number, the time at which
/// it will be full again (the generic cell rate algorithm), so that taking a token is a comparison and an addition.
///
/// ```
/// use retrystorm::model::TokenBucket;
///
/// let mut bucket = TokenBucket::new(10.0, 2);
/// assert!(bucket.take(0) && bucket.take(0), "two at once");
/// assert!(!bucket.take(99_999), "and then one every 100 ms");
/// assert!(bucket.take(100_000));
/// assert_eq!(bucket.reserve(100_000), 200_000);
/// assert_eq!(bucket.reserve(100_000), 300_000, "who waits stands in line");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenBucket {
    /// Time from one token to the next.
    interval_us: f64,
    /// How far ahead of now the bucket's full time may be: all tokens but one.
    tolerance_us: f64,
    full_at_us: f64,
}

impl TokenBucket {
    /// A full bucket of that rate (above 0) and size (at least 1).
    pub fn new(rate_per_s: f64, size: u32) -> Self {
        let interval_us = SECOND_US as f64 / rate_per_s;
        Self { interval_us, tolerance_us: interval_us * f64::from(size.max(1) - 1), full_at_us: 0.0 }
    }

    /// Takes a token, if there is one.
    #[inline]
    pub fn take(&mut self, now_us: u64) -> bool {
        let is_there = self.next_token_us(now_us) <= now_us;
        if is_there {
            self.spend(now_us);
        }
        is_there
    }

    /// Takes the next token that nobody else has reserved; returns when it is there, now or later.
    #[inline]
    pub fn reserve(&mut self, now_us: u64) -> u64 {
        let at_us = self.next_token_us(now_us);
        self.spend(now_us);
        at_us
    }

    /// Spends a token even where there is none: the next one is later for it.
    #[inline]
    pub fn spend(&mut self, now_us: u64) {
        self.full_at_us = self.full_at_us.max(now_us as f64) + self.interval_us;
    }

    #[inline]
    fn next_token_us(&self, now_us: u64) -> u64 {
        // Rounded to the nearest microsecond: a third of a second is not a whole number of them.
        now_us.max((self.full_at_us - self.tolerance_us + 0.5).max(0.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over a long time exactly the rate comes through, after the burst.
    #[test]
    fn a_bucket_lets_its_burst_and_then_its_rate_through() {
        let mut bucket = TokenBucket::new(450.0, 100);
        let taken = (0..10 * SECOND_US).step_by(100).filter(|&at_us| bucket.take(at_us)).count();
        assert!((4_598..=4_600).contains(&taken), "100 at once and 450 a second for 10 s: {taken}");
    }

    #[test]
    fn a_bucket_that_has_rested_is_no_fuller_than_full() {
        let mut bucket = TokenBucket::new(1.0, 3);
        let hour_us = 3_600 * SECOND_US;
        assert_eq!((0..10).filter(|_| bucket.take(hour_us)).count(), 3);
    }

    #[test]
    fn reserved_tokens_are_one_interval_apart_at_any_rate() {
        let mut bucket = TokenBucket::new(3.0, 1);
        let times_us: Vec<u64> = (0..4).map(|_| bucket.reserve(0)).collect();
        assert_eq!(times_us, [0, 333_333, 666_667, 1_000_000]);
    }

    #[test]
    fn spending_what_is_not_there_puts_the_next_token_off() {
        let mut bucket = TokenBucket::new(1.0, 1);
        assert!(bucket.take(0));
        (0..4).for_each(|_| bucket.spend(0));
        assert_eq!(bucket.reserve(0), 5 * SECOND_US);
    }
}
