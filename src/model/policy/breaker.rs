//! A circuit breaker that stops polling.

use super::BreakerSettings;

/// Whether a consumer may ask the queue for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// As many as it has room for.
    Free,
    /// One message, as a probe.
    OneProbe,
    /// None.
    Denied,
}

/// What an attempt's result has done to the breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BreakerChange {
    /// Nothing that anybody else need know.
    Unchanged,
    /// It has opened; call [`Breaker::cooled_down`] at that time.
    Opened {
        /// End of the cooldown.
        until_us: u64,
    },
    /// It has closed.
    Closed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed { failures: u32 },
    Open { until_us: u64 },
    HalfOpen { probing: bool },
}

/// The breaker: closed, open, or half-open with exactly one probe under way. Results of other work that is still in
/// hand when it opens are ignored.
///
/// ```
/// use retrystorm::model::policy::{Admission, Breaker, BreakerChange, BreakerCounts, BreakerScope, BreakerSettings};
///
/// let mut breaker = Breaker::new(BreakerSettings {
///     failures: 2,
///     counts: BreakerCounts::Messages,
///     scope: BreakerScope::Consumer,
///     cooldown_us: 30_000_000,
/// });
/// breaker.record(0, false, false);
/// assert_eq!(breaker.record(0, false, false), BreakerChange::Opened { until_us: 30_000_000 });
/// assert_eq!(breaker.admission(), Admission::Denied);
/// breaker.cooled_down(30_000_000);
/// assert_eq!(breaker.admission(), Admission::OneProbe);
/// breaker.probe_taken();
/// assert_eq!(breaker.admission(), Admission::Denied, "one probe, and no second");
/// assert_eq!(breaker.record(31_000_000, true, true), BreakerChange::Closed);
/// ```
#[derive(Debug, Clone)]
pub struct Breaker {
    settings: BreakerSettings,
    state: State,
}

impl Breaker {
    /// A closed breaker.
    pub fn new(settings: BreakerSettings) -> Self {
        Self { settings, state: State::Closed { failures: 0 } }
    }

    /// Whether its consumer may poll now.
    #[inline]
    pub fn admission(&self) -> Admission {
        match self.state {
            State::Closed { .. } => Admission::Free,
            State::HalfOpen { probing: false } => Admission::OneProbe,
            State::Open { .. } | State::HalfOpen { probing: true } => Admission::Denied,
        }
    }

    /// Whether it is anything but closed.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed { .. })
    }

    /// Takes the result of an attempt (or of a batch, where batches are counted).
    #[inline]
    pub fn record(&mut self, now_us: u64, succeeded: bool, is_probe: bool) -> BreakerChange {
        match &mut self.state {
            State::Closed { failures } if succeeded => {
                *failures = 0;
                BreakerChange::Unchanged
            }
            State::Closed { failures } => {
                *failures += 1;
                if *failures >= self.settings.failures { self.open(now_us) } else { BreakerChange::Unchanged }
            }
            State::HalfOpen { probing: true } if is_probe && succeeded => {
                self.state = State::Closed { failures: 0 };
                BreakerChange::Closed
            }
            State::HalfOpen { probing: true } if is_probe => self.open(now_us),
            State::Open { .. } | State::HalfOpen { .. } => BreakerChange::Unchanged,
        }
    }

    /// A cooldown has ended: the next poll is a probe. Says whether it was the one that counts.
    pub fn cooled_down(&mut self, now_us: u64) -> bool {
        let counts = self.state == State::Open { until_us: now_us };
        if counts {
            self.state = State::HalfOpen { probing: false };
        }
        counts
    }

    /// A consumer polls for the probe: nobody else may until its result is there.
    pub fn probe_taken(&mut self) {
        if let State::HalfOpen { probing } = &mut self.state {
            *probing = true;
        }
    }

    /// The probe came to nothing (its poll was cut short): the next poll is a probe again.
    pub fn probe_given_back(&mut self) {
        if let State::HalfOpen { probing } = &mut self.state {
            *probing = false;
        }
    }

    fn open(&mut self, now_us: u64) -> BreakerChange {
        let until_us = now_us + self.settings.cooldown_us;
        self.state = State::Open { until_us };
        BreakerChange::Opened { until_us }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::{BreakerCounts, BreakerScope};

    fn breaker(failures: u32) -> Breaker {
        Breaker::new(BreakerSettings {
            failures,
            counts: BreakerCounts::Messages,
            scope: BreakerScope::Consumer,
            cooldown_us: 30,
        })
    }

    #[test]
    fn a_success_starts_the_count_again() {
        let mut breaker = breaker(3);
        for succeeded in [false, false, true, false, false] {
            assert_eq!(breaker.record(0, succeeded, false), BreakerChange::Unchanged);
        }
        assert_eq!(breaker.record(5, false, false), BreakerChange::Opened { until_us: 35 });
    }

    #[test]
    fn a_failed_probe_opens_it_again_for_a_whole_cooldown() {
        let mut breaker = breaker(1);
        breaker.record(0, false, false);
        assert!(breaker.cooled_down(30));
        breaker.probe_taken();
        assert_eq!(breaker.record(40, false, true), BreakerChange::Opened { until_us: 70 });
    }

    #[test]
    fn late_results_of_other_work_neither_close_nor_reopen_it() {
        let mut breaker = breaker(1);
        breaker.record(0, false, false);
        assert_eq!(breaker.record(1, true, false), BreakerChange::Unchanged);
        assert!(!breaker.cooled_down(29), "not this cooldown");
        assert!(breaker.cooled_down(30));
        breaker.probe_taken();
        assert_eq!(breaker.record(31, true, false), BreakerChange::Unchanged);
        assert_eq!(breaker.record(31, false, false), BreakerChange::Unchanged);
        assert_eq!(breaker.admission(), Admission::Denied);
    }

    #[test]
    fn a_probe_that_was_given_back_may_be_taken_again() {
        let mut breaker = breaker(1);
        breaker.record(0, false, false);
        assert!(breaker.cooled_down(30));
        breaker.probe_taken();
        breaker.probe_given_back();
        assert_eq!(breaker.admission(), Admission::OneProbe);
    }
}
