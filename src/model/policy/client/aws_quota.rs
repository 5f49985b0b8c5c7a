//! What the retry modes of the AWS SDKs have in common: exponential waits, and a bucket of tokens that retries are paid
//! from.

use super::may_pass;
use crate::engine::random::KeyedDraw;
use crate::model::policy::AttemptError;
use crate::model::policy::spread::Spread;

/// The numbers of a mode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mode {
    /// Tries in one receive.
    pub attempts: u32,
    /// The wait after the first try is drawn from 0 to this.
    pub base_us: u32,
    /// The same after throttling.
    pub throttled_base_us: u32,
    /// Tokens that a retry takes.
    pub cost: Cost,
}

/// Tokens that a retry takes, by the error before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub usual: u32,
    pub timed_out: u32,
    pub throttled: u32,
}

impl Cost {
    fn after(self, error: AttemptError) -> u32 {
        match error {
            AttemptError::TimedOut => self.timed_out,
            AttemptError::Throttled => self.throttled,
            _ => self.usual,
        }
    }
}

/// Longest wait of all modes.
const CAP_US: u32 = 20_000_000;
/// Tokens of a full bucket.
const BUCKET: u32 = 500;
/// What a success at the first try puts into the bucket.
const FIRST_TRY: u32 = 1;

/// The waits and the bucket of one client.
#[derive(Debug)]
pub(super) struct Quota {
    mode: Mode,
    tokens: u32,
}

impl Quota {
    pub fn new(mode: Mode) -> Self {
        Self { mode, tokens: BUCKET }
    }

    /// Tokens in the bucket.
    #[cfg(test)]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// A retry that succeeds gets back what it has taken.
    pub fn succeeded(&mut self, last_error: Option<AttemptError>) {
        let back = last_error.map_or(FIRST_TRY, |error| self.mode.cost.after(error));
        self.tokens = (self.tokens + back).min(BUCKET);
    }

    /// The wait before the next try; nothing where the tries or the tokens are spent.
    pub fn failed(&mut self, error: AttemptError, tries: u32, draw: &mut KeyedDraw) -> Option<u64> {
        if !may_pass(error) || tries >= self.mode.attempts {
            return None;
        }
        self.tokens = self.tokens.checked_sub(self.mode.cost.after(error))?;
        Some(self.wait_us(error, tries).draw(draw).into())
    }

    /// U(0, 1) x min(cap, base x 2^(tries - 1)), in whole microseconds.
    pub fn wait_us(&self, error: AttemptError, tries: u32) -> Spread {
        let base_us = match error {
            AttemptError::Throttled => self.mode.throttled_base_us,
            _ => self.mode.base_us,
        };
        let doubled_us = u64::from(base_us) << tries.saturating_sub(1).min(31);
        Spread { low: 0, more: u32::try_from(doubled_us).unwrap_or(CAP_US).min(CAP_US) }
    }

    /// The waits that a fresh client has.
    pub fn fresh_wait_us(&self, tries: u32) -> Option<Spread> {
        (1..self.mode.attempts).contains(&tries).then(|| self.wait_us(AttemptError::Errored, tries))
    }
}
