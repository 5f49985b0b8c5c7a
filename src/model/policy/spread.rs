//! Whole numbers that a delay is drawn from, evenly.

use crate::engine::random::KeyedDraw;

/// The numbers from `low` to `low + more`, all equally likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The smallest.
    pub low: u32,
    /// How far above it the largest is.
    pub more: u32,
}

impl Spread {
    /// One number.
    pub fn exactly(number: u32) -> Self {
        Self { low: number, more: 0 }
    }

    /// The largest number.
    pub fn high(self) -> u32 {
        self.low.saturating_add(self.more)
    }

    /// Draws a number; where there is only one, nothing is drawn.
    #[inline]
    pub fn draw(self, draw: &mut KeyedDraw) -> u32 {
        if self.more == 0 { self.low } else { self.low.saturating_add(draw.up_to(self.more)) }
    }

    /// The mean of what is drawn, where nothing counts as less than the floor.
    pub fn mean_above(self, floor: u32) -> f64 {
        let (low, high, floor) = (f64::from(self.low), f64::from(self.high()), f64::from(floor));
        if floor <= low {
            return (low + high) / 2.0;
        }
        if floor >= high {
            return floor;
        }
        let at_floor = floor - low;
        let above = high - floor + 1.0;
        (at_floor * floor + above * (floor + high) / 2.0) / (at_floor + above)
    }
}
