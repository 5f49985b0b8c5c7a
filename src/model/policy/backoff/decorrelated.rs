//! The one rule with a memory: decorrelated jitter.

use super::delays::Range;
use crate::engine::random::KeyedDraw;

/// min(cap, U{base .. 3 x previous}), the previous delay of a first failure being the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decorrelated {
    /// First delay, in seconds.
    pub base_s: u32,
    /// Largest delay, in seconds.
    pub cap_s: u32,
}

/// Attempts after which the distribution of the delays hardly changes any more.
pub(super) const SETTLED: u32 = 40;

impl Decorrelated {
    #[inline]
    pub fn delay_s(&self, previous_delay_s: Option<u32>, draw: &mut KeyedDraw) -> u32 {
        let upper_s = self.upper_s(previous_delay_s.unwrap_or(self.base_s));
        // At most the upper end, so it cannot overflow.
        (self.base_s + draw.up_to(upper_s - self.base_s)).min(self.cap_s)
    }

    #[inline]
    fn upper_s(&self, previous_s: u32) -> u32 {
        (previous_s.min(u32::MAX / 3) * 3).max(self.base_s)
    }

    /// What the delays of a message are like, after its first failure and the further ones.
    pub fn ranges(self) -> impl Iterator<Item = Range> {
        let mut high_s = self.base_s;
        // Chances of the delays base..=cap.
        let mut chances = vec![0.0; (self.cap_s - self.base_s + 1) as usize];
        chances[0] = 1.0;
        let mut settled = None;
        (1_u32..).map_while(move |attempt| {
            if settled.is_none() {
                high_s = self.upper_s(high_s).min(self.cap_s);
                chances = self.chances_after(&chances);
                let mean_s =
                    chances.iter().zip(self.base_s..).map(|(chance, delay_s)| chance * f64::from(delay_s)).sum();
                let range = Range { low_s: self.base_s, mean_s, high_s };
                settled = (attempt >= SETTLED).then_some(range);
                return Some(range);
            }
            settled
        })
    }

    /// The chances of the next delay: each delay spreads its own chance evenly from the base to three times itself, and
    /// what lies beyond the cap falls on it. Steps of the density are summed up at the end.
    fn chances_after(&self, chances: &[f64]) -> Vec<f64> {
        let mut steps = vec![0.0; chances.len() + 1];
        let mut at_cap = 0.0;
        for (chance, delay_s) in chances.iter().zip(self.base_s..) {
            let (upper_s, each) = (self.upper_s(delay_s), *chance / f64::from(self.upper_s(delay_s) - self.base_s + 1));
            steps[0] += each;
            let behind = (upper_s - self.base_s + 1) as usize;
            if let Some(step) = steps.get_mut(behind) {
                *step -= each;
            } else {
                at_cap += each * f64::from(upper_s - self.cap_s);
            }
        }
        let mut density = 0.0;
        let mut next: Vec<f64> = steps[..chances.len()]
            .iter()
            .map(|step| {
                density += step;
                density
            })
            .collect();
        next[chances.len() - 1] += at_cap;
        next
    }
}
