//! The compiled form of every backoff.

use super::LONGEST_S;
use super::decorrelated::{Decorrelated, SETTLED};
use crate::engine::random::KeyedDraw;
use crate::model::policy::jitter::Jitter;
use crate::model::policy::spread::Spread;

/// The largest maxReceiveCount (rule Q7, lazy redrive): a backoff that still grows by then may stop there.
const ATTEMPTS: usize = 1_000;

/// A backoff, ready to compute delays: what a delay is drawn from is worked out once for each attempt, so that a draw is
/// a look-up and an integer multiplication, and nothing overflows at any attempt.
///
/// ```
/// use retrystorm::model::policy::{Backoff, Jitter};
///
/// let backoff = Backoff::new(vec![30, 60, 120, 240, 480, 900], 900, Jitter::None);
/// assert_eq!(backoff.range(2).high_s, 60);
/// assert_eq!(backoff.range(u32::MAX).high_s, 900);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Backoff {
    /// What the delay after each attempt is drawn from, from the first on; the last holds for all further attempts.
    spreads_s: Vec<Spread>,
    /// No delay is below it.
    floor_s: u32,
    /// In place of the spreads, where the delay grows out of the one before.
    decorrelated: Option<Decorrelated>,
}

/// How the delay after an attempt is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelayLaw {
    /// Evenly, whatever was drawn before.
    Even {
        /// What it is drawn from.
        spread: Spread,
        /// What counts at least, in seconds.
        floor_s: u32,
    },
    /// From the base to three times the delay before, at most the cap; before the first it is the base.
    Decorrelated {
        /// The base, in seconds.
        base_s: u32,
        /// The cap, in seconds.
        cap_s: u32,
    },
}

/// What the delays after one attempt are like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The smallest, in seconds.
    pub low_s: u32,
    /// The mean, in seconds.
    pub mean_s: f64,
    /// The largest, in seconds.
    pub high_s: u32,
}

impl Backoff {
    /// A backoff from its delays before jitter, from the first attempt on; the last one repeats. Without any delay it is a
    /// delay of nothing. Only decorrelated jitter looks at the cap: the delays keep to theirs already.
    pub fn new(delays_s: Vec<u32>, cap_s: u32, jitter: Jitter) -> Self {
        let first_s = delays_s.first().copied().unwrap_or(0).min(LONGEST_S);
        let spreads_s = delays_s.into_iter().map(|delay_s| jitter.spread(delay_s.min(LONGEST_S), LONGEST_S)).collect();
        let decorrelated = (jitter == Jitter::Decorrelated)
            .then(|| Decorrelated { base_s: first_s, cap_s: cap_s.clamp(first_s, LONGEST_S) });
        Self { decorrelated, ..Self::of_spreads(spreads_s, jitter.floor_s()) }
    }

    /// A backoff from what each delay is drawn from.
    pub fn of_spreads(mut spreads_s: Vec<Spread>, floor_s: u32) -> Self {
        if spreads_s.is_empty() {
            spreads_s.push(Spread::exactly(0));
        }
        Self { spreads_s, floor_s, decorrelated: None }
    }

    /// What the delay after the given attempt (the first is 1) is drawn from, before any floor.
    #[inline]
    fn spread_s(&self, attempt: u32) -> Spread {
        let last = self.spreads_s.len() - 1;
        self.spreads_s[(attempt.saturating_sub(1) as usize).min(last)]
    }

    /// Draws the delay after the given attempt, in seconds. Only decorrelated jitter looks at the previous delay.
    #[inline]
    pub fn delay_s(&self, attempt: u32, previous_delay_s: Option<u32>, draw: &mut KeyedDraw) -> u32 {
        match self.decorrelated {
            None => self.spread_s(attempt).draw(draw).max(self.floor_s),
            Some(decorrelated) => decorrelated.delay_s(previous_delay_s, draw),
        }
    }

    /// How the delay after the given attempt is drawn.
    pub fn law(&self, attempt: u32) -> DelayLaw {
        match self.decorrelated {
            None => DelayLaw::Even { spread: self.spread_s(attempt), floor_s: self.floor_s },
            Some(Decorrelated { base_s, cap_s }) => DelayLaw::Decorrelated { base_s, cap_s },
        }
    }

    /// What the delays after the given attempt are like.
    pub fn range(&self, attempt: u32) -> Range {
        match &self.decorrelated {
            None => {
                let (spread, floor_s) = (self.spread_s(attempt), self.floor_s);
                let (low_s, high_s) = (spread.low.max(floor_s), spread.high().max(floor_s));
                Range { low_s, mean_s: spread.mean_above(floor_s), high_s }
            }
            Some(decorrelated) => {
                let mut ranges = decorrelated.ranges();
                let first_s = decorrelated.base_s;
                let nothing = Range { low_s: first_s, mean_s: first_s.into(), high_s: first_s };
                ranges.nth(attempt.clamp(1, SETTLED) as usize - 1).unwrap_or(nothing)
            }
        }
    }

    /// What the delays after all attempts are like, from the first on.
    pub fn ranges(&self) -> Box<dyn Iterator<Item = Range> + '_> {
        match self.decorrelated {
            None => Box::new((1..=u32::MAX).map(|attempt| self.range(attempt))),
            Some(decorrelated) => Box::new(decorrelated.ranges()),
        }
    }
}

/// The delays before jitter and rounding that a rule gives, each from the one before, up to the cap.
pub(super) fn delays_s(cap_s: u32, first_s: f64, next_s: impl Fn(f64) -> f64) -> Vec<f64> {
    let cap_s = f64::from(cap_s);
    let mut delays_s = vec![first_s.min(cap_s)];
    let mut delay_s = first_s;
    while delay_s < cap_s && delays_s.len() < ATTEMPTS {
        delay_s = next_s(delay_s);
        delays_s.push(delay_s.min(cap_s));
    }
    delays_s
}
