//! A circuit breaker that stops polling.

mod ramp;
mod settings;
#[cfg(test)]
mod tests;
mod trips;
mod window;

pub use settings::{
    BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, FailureRate, RampUp, RateWindow, Throttling,
};

use std::num::NonZeroU32;

use ramp::Ramp;
use trips::Trips;

/// Whether a consumer may ask the queue for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// As many as it has room for.
    Free,
    /// As many as it has room for, while it holds no more than so many: the breaker has closed a short time ago.
    Limited {
        /// Most messages that it may hold.
        held: u32,
    },
    /// One message, as a probe.
    OneProbe,
    /// None.
    Denied,
}

/// How an attempt (or a batch, where batches are counted) went, as a breaker sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// It succeeded.
    Success,
    /// It failed.
    Failure,
    /// It failed, since there were too many calls.
    Throttled,
}

/// Names the half-open time in which a message was let through as a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe(NonZeroU32);

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
    Closed {
        /// With a ramp-up: call [`Breaker::ramp_grows`] at that time.
        grows_us: Option<u64>,
    },
    /// A probe has come to nothing: whoever has room may poll for another.
    ProbeGivenBack,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Closed { ramp: Option<Ramp> },
    Open { until_us: u64 },
    HalfOpen { under_way: u32, succeeded: u32 },
}

/// The breaker: closed, open, or half-open with probes under way. Results of other work that is still in hand when it
/// opens are ignored, probes of an earlier half-open time among it.
///
/// ```
/// use retrystorm::model::policy::{
///     Admission, Breaker, BreakerChange, BreakerCounts, BreakerScope, BreakerSettings, BreakerTrips, CallOutcome,
/// };
///
/// let settings = BreakerSettings {
///     trips: BreakerTrips { failures: Some(2), ..BreakerTrips::default() },
///     counts: BreakerCounts::Messages,
///     ignores_permanent: false,
///     scope: BreakerScope::Consumer,
///     cooldown_us: 30_000_000,
///     probes: 1,
///     ramp_up: None,
/// };
/// let mut breaker = Breaker::new(settings, 10);
/// breaker.record(0, CallOutcome::Failure, None);
/// assert_eq!(breaker.record(0, CallOutcome::Failure, None), BreakerChange::Opened { until_us: 30_000_000 });
/// assert_eq!(breaker.admission(0), Admission::Denied);
/// breaker.cooled_down(30_000_000);
/// assert_eq!(breaker.admission(30_000_000), Admission::OneProbe);
/// let probe = breaker.probe_taken();
/// assert_eq!(breaker.admission(30_000_000), Admission::Denied, "one probe, and no second");
/// assert_eq!(breaker.record(31_000_000, CallOutcome::Success, probe), BreakerChange::Closed { grows_us: None });
/// ```
#[derive(Debug, Clone)]
pub struct Breaker {
    cooldown_us: u64,
    probes: u32,
    ramp_up: Option<RampUp>,
    /// Messages that each of its consumers works on at the same time.
    slots: u32,
    state: State,
    /// Half-open times so far: a probe of an earlier one is none any more.
    round: u32,
    trips: Trips,
}

impl Breaker {
    /// A closed breaker of consumers that have so many slots each.
    pub fn new(settings: BreakerSettings, slots: u32) -> Self {
        Self {
            cooldown_us: settings.cooldown_us,
            probes: settings.probes,
            ramp_up: settings.ramp_up,
            slots,
            state: State::Closed { ramp: None },
            round: 0,
            trips: Trips::new(settings.trips),
        }
    }

    /// Whether its consumer may poll now.
    #[inline]
    pub fn admission(&self, now_us: u64) -> Admission {
        match self.state {
            State::Closed { ramp: None } => Admission::Free,
            State::Closed { ramp: Some(ramp) } => Admission::Limited { held: ramp.limit(now_us, self.slots) },
            State::HalfOpen { under_way, succeeded } if under_way + succeeded < self.probes => Admission::OneProbe,
            State::Open { .. } | State::HalfOpen { .. } => Admission::Denied,
        }
    }

    /// Whether it is anything but closed.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed { .. })
    }

    /// Takes the result of an attempt (or of a batch, where batches are counted).
    #[inline]
    pub fn record(&mut self, now_us: u64, outcome: CallOutcome, probe: Option<Probe>) -> BreakerChange {
        match self.state {
            State::Closed { .. } if self.trips.record(now_us, outcome) => self.open(now_us),
            State::HalfOpen { under_way, succeeded } if self.is_current(probe) => {
                if outcome != CallOutcome::Success {
                    return self.open(now_us);
                }
                if succeeded + 1 == self.probes {
                    return self.close(now_us);
                }
                self.state = State::HalfOpen { under_way: under_way.saturating_sub(1), succeeded: succeeded + 1 };
                BreakerChange::Unchanged
            }
            State::Closed { .. } | State::Open { .. } | State::HalfOpen { .. } => BreakerChange::Unchanged,
        }
    }

    /// An attempt has ended in a way that says nothing: a probe among such attempts is given back.
    pub fn ignore(&mut self, probe: Option<Probe>) -> BreakerChange {
        if !self.is_current(probe) {
            return BreakerChange::Unchanged;
        }
        self.probe_given_back();
        BreakerChange::ProbeGivenBack
    }

    /// A cooldown has ended: the next polls are probes. Says whether it was the one that counts.
    pub fn cooled_down(&mut self, now_us: u64) -> bool {
        let counts = self.state == State::Open { until_us: now_us };
        if counts {
            self.state = State::HalfOpen { under_way: 0, succeeded: 0 };
            self.round += 1;
        }
        counts
    }

    /// A consumer polls for a probe: one less for the others, until its result is there.
    pub fn probe_taken(&mut self) -> Option<Probe> {
        if let State::HalfOpen { under_way, .. } = &mut self.state {
            *under_way += 1;
        }
        self.probe()
    }

    /// The name of the probes that are under way, while it is half-open.
    pub fn probe(&self) -> Option<Probe> {
        NonZeroU32::new(self.round).filter(|_| matches!(self.state, State::HalfOpen { .. })).map(Probe)
    }

    /// A probe came to nothing (its poll was cut short): the next poll is a probe again.
    pub fn probe_given_back(&mut self) {
        if let State::HalfOpen { under_way, .. } = &mut self.state {
            *under_way = under_way.saturating_sub(1);
        }
    }

    /// The limit of a ramp-up may have grown. Says whether it has just now, and when to call again.
    pub fn ramp_grows(&mut self, now_us: u64) -> Option<Growth> {
        let State::Closed { ramp: Some(ramp) } = &mut self.state else { return None };
        if ramp.next_us != now_us {
            return None;
        }
        if ramp.has_ended(now_us) {
            self.state = State::Closed { ramp: None };
            return Some(Growth { next_us: None });
        }
        ramp.grow(now_us, self.slots);
        Some(Growth { next_us: Some(ramp.next_us) })
    }

    fn is_current(&self, probe: Option<Probe>) -> bool {
        probe.is_some() && probe == self.probe()
    }

    fn open(&mut self, now_us: u64) -> BreakerChange {
        let until_us = now_us + self.cooldown_us;
        self.state = State::Open { until_us };
        BreakerChange::Opened { until_us }
    }

    fn close(&mut self, now_us: u64) -> BreakerChange {
        self.trips.clear();
        let ramp = self.ramp_up.map(|settings| Ramp::new(settings, now_us, self.slots));
        self.state = State::Closed { ramp };
        BreakerChange::Closed { grows_us: ramp.map(|ramp| ramp.next_us) }
    }
}

/// The limit of a ramp-up has grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// When it grows again; `None` where it has come to its end.
    pub next_us: Option<u64>,
}
