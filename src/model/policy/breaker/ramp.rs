//! How admission grows after a breaker has closed.

use super::RampUp;

/// A ramp-up that is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ramp {
    settings: RampUp,
    since_us: u64,
    /// When the limit grows next; the end of the ramp-up in the end.
    pub next_us: u64,
}

impl Ramp {
    pub fn new(settings: RampUp, now_us: u64, slots: u32) -> Self {
        let ramp = Self { settings, since_us: now_us, next_us: now_us };
        Self { next_us: ramp.next_growth_us(now_us, slots), ..ramp }
    }

    /// Messages that a consumer with so many slots may hold: a share of them that grows in a straight line, rounded up.
    pub fn limit(&self, now_us: u64, slots: u32) -> u32 {
        let passed = (now_us - self.since_us) as f64 / self.settings.for_us.max(1) as f64;
        let share = self.settings.from + (1.0 - self.settings.from) * passed.min(1.0);
        // A little less, so that 3.0000000000000004 is 3.
        let limit = (share * f64::from(slots) - 1e-9).ceil() as u32;
        limit.clamp(1, slots.max(1))
    }

    /// Whether it is over.
    pub fn has_ended(&self, now_us: u64) -> bool {
        now_us >= self.end_us()
    }

    /// Goes on to the next growth.
    pub fn grow(&mut self, now_us: u64, slots: u32) {
        self.next_us = self.next_growth_us(now_us, slots);
    }

    /// The first moment after this one at which the limit is higher, or the end.
    fn next_growth_us(&self, now_us: u64, slots: u32) -> u64 {
        let limit = self.limit(now_us, slots);
        let (mut before_us, mut after_us) = (now_us, self.end_us());
        while after_us - before_us > 1 {
            let middle_us = before_us + (after_us - before_us) / 2;
            if self.limit(middle_us, slots) > limit {
                after_us = middle_us;
            } else {
                before_us = middle_us;
            }
        }
        after_us
    }

    fn end_us(&self) -> u64 {
        self.since_us + self.settings.for_us.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(from: f64, for_us: u64, slots: u32) -> Vec<(u64, u32)> {
        let mut ramp = Ramp::new(RampUp { for_us, from }, 100, slots);
        let mut steps = vec![(100, ramp.limit(100, slots))];
        while !ramp.has_ended(ramp.next_us) {
            let now_us = ramp.next_us;
            ramp.grow(now_us, slots);
            steps.push((now_us, ramp.limit(now_us, slots)));
        }
        steps
    }

    #[test]
    fn the_limit_grows_one_by_one_in_a_straight_line() {
        assert_eq!(
            steps(0.1, 90, 10),
            [(100, 1), (101, 2), (111, 3), (121, 4), (131, 5), (141, 6), (151, 7), (161, 8), (171, 9), (181, 10)]
        );
        assert_eq!(steps(0.5, 100, 4), [(100, 2), (101, 3), (151, 4)]);
        assert_eq!(steps(0.0, 4, 2), [(100, 1), (103, 2)]);
        assert_eq!(steps(0.9, 50, 1), [(100, 1)], "a single slot is never less than one");
        assert_eq!(steps(1.0, 50, 3), [(100, 3)]);
    }

    #[test]
    fn it_ends_after_its_time() {
        let ramp = Ramp::new(RampUp { for_us: 50, from: 0.2 }, 100, 1);
        assert_eq!(ramp.next_us, 150);
        assert!(!ramp.has_ended(149) && ramp.has_ended(150));
    }
}
