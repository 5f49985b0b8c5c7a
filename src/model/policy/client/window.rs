//! A sum over the last seconds or minutes, in ten slices.

const SLICES: usize = 10;

/// What was added within a window of time. A slice is forgotten whole, so the window is exact to a tenth of its length.
#[derive(Debug)]
pub(super) struct Window {
    slice_us: u64,
    /// Number of the newest slice since the start of time.
    newest: u64,
    sums: [i64; SLICES],
    total: i64,
}

impl Window {
    pub fn new(length_us: u64) -> Self {
        Self { slice_us: (length_us / SLICES as u64).max(1), newest: 0, sums: [0; SLICES], total: 0 }
    }

    pub fn add(&mut self, now_us: u64, amount: i64) {
        self.forget(now_us);
        let slice = &mut self.sums[(self.newest % SLICES as u64) as usize];
        *slice = slice.saturating_add(amount);
        self.total = self.total.saturating_add(amount);
    }

    pub fn sum(&mut self, now_us: u64) -> i64 {
        self.forget(now_us);
        self.total
    }

    fn forget(&mut self, now_us: u64) {
        let slice = now_us / self.slice_us;
        let passed = slice.saturating_sub(self.newest).min(SLICES as u64);
        for old in (slice.saturating_sub(passed) + 1)..=slice {
            let sum = std::mem::take(&mut self.sums[(old % SLICES as u64) as usize]);
            self.total = self.total.saturating_sub(sum);
        }
        self.newest = self.newest.max(slice);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_the_window_is_forgotten_slice_by_slice() {
        let mut window = Window::new(10_000_000);
        window.add(0, 3);
        window.add(999_999, 4);
        window.add(1_000_000, 10);
        assert_eq!(window.sum(9_999_999), 17);
        assert_eq!(window.sum(10_000_000), 10);
        assert_eq!(window.sum(10_999_999), 10);
        assert_eq!(window.sum(11_000_000), 0);
        window.add(11_000_000, -2);
        assert_eq!(window.sum(500_000_000), 0, "a long pause empties it");
        window.add(u64::MAX, 1);
        assert_eq!(window.sum(u64::MAX), 1);
    }
}
