//! The rate limiter of the adaptive mode: a token bucket whose rate follows a cubic curve.

use crate::engine::time::{SECOND_US, seconds};

/// What the curve is scaled by.
const SCALE: f64 = 0.4;
/// What a throttle multiplies the rate with.
const BETA: f64 = 0.7;
/// The rate is at most this multiple of the measured one.
const MOST_OF_MEASURED: f64 = 2.0;
/// The bucket always fills, in tokens a second.
const LEAST_PER_S: f64 = 0.5;
/// Weight of the newest step in the measured rate.
const SMOOTHING: f64 = 0.8;
/// Length of a step of the measurement.
const STEP_US: u64 = SECOND_US / 2;

/// A limit on the calls of one client. It sleeps until the first throttle.
#[derive(Debug)]
pub(super) struct RateLimiter {
    is_awake: bool,
    measured: Measured,
    curve: Curve,
    bucket: Bucket,
}

impl Default for RateLimiter {
    fn default() -> Self {
        let bucket = Bucket { per_s: 1.0, capacity: 1.0, tokens: 0.0, filled_at_us: 0 };
        Self { is_awake: false, measured: Measured::default(), curve: Curve::default(), bucket }
    }
}

impl RateLimiter {
    /// When a call may go out; its token is taken.
    pub fn reserve(&mut self, now_us: u64) -> u64 {
        if self.is_awake { self.bucket.reserve(now_us) } else { now_us }
    }

    /// A call was answered.
    pub fn answered(&mut self, now_us: u64, is_throttled: bool) {
        let measured_per_s = self.measured.count(now_us);
        let per_s = if is_throttled {
            let used_per_s = if self.is_awake { measured_per_s.min(self.bucket.per_s) } else { measured_per_s };
            self.is_awake = true;
            self.curve.throttled(used_per_s, now_us)
        } else {
            self.curve.rate_per_s(now_us)
        };
        self.bucket.set_rate(per_s.min(MOST_OF_MEASURED * measured_per_s), now_us);
    }

    /// The rate in calls a second; nothing while it sleeps.
    #[cfg(test)]
    pub fn rate_per_s(&self) -> Option<f64> {
        self.is_awake.then_some(self.bucket.per_s)
    }
}

/// The rate of answers, measured in steps and smoothed.
#[derive(Debug, Default)]
struct Measured {
    per_s: f64,
    answers: u32,
    step_from_us: u64,
}

impl Measured {
    fn count(&mut self, now_us: u64) -> f64 {
        self.answers = self.answers.saturating_add(1);
        let step_from_us = now_us - now_us % STEP_US;
        if step_from_us > self.step_from_us {
            let current_per_s = f64::from(self.answers) / seconds(step_from_us - self.step_from_us);
            self.per_s = current_per_s * SMOOTHING + self.per_s * (1.0 - SMOOTHING);
            self.answers = 0;
            self.step_from_us = step_from_us;
        }
        self.per_s
    }
}

/// The cubic curve through the rate at the last throttle.
#[derive(Debug, Default)]
struct Curve {
    throttled_per_s: f64,
    throttled_at_us: u64,
}

impl Curve {
    fn throttled(&mut self, per_s: f64, now_us: u64) -> f64 {
        self.throttled_per_s = per_s;
        self.throttled_at_us = now_us;
        per_s * BETA
    }

    fn rate_per_s(&self, now_us: u64) -> f64 {
        let flat_s = libm::cbrt(self.throttled_per_s * (1.0 - BETA) / SCALE);
        let from_flat_s = seconds(now_us - self.throttled_at_us.min(now_us)) - flat_s;
        SCALE * from_flat_s * from_flat_s * from_flat_s + self.throttled_per_s
    }
}

#[derive(Debug)]
struct Bucket {
    per_s: f64,
    capacity: f64,
    /// Below 0 while reserved tokens are still to come.
    tokens: f64,
    filled_at_us: u64,
}

impl Bucket {
    fn fill(&mut self, now_us: u64) {
        let passed_us = now_us.saturating_sub(self.filled_at_us);
        self.tokens = (self.tokens + seconds(passed_us) * self.per_s).min(self.capacity);
        self.filled_at_us = self.filled_at_us.max(now_us);
    }

    fn reserve(&mut self, now_us: u64) -> u64 {
        self.fill(now_us);
        self.tokens -= 1.0;
        let missing = (-self.tokens).max(0.0);
        now_us.saturating_add((missing / self.per_s * SECOND_US as f64).ceil() as u64)
    }

    fn set_rate(&mut self, per_s: f64, now_us: u64) {
        self.fill(now_us);
        self.per_s = per_s.max(LEAST_PER_S);
        self.capacity = per_s.max(1.0);
        self.tokens = self.tokens.min(self.capacity);
    }
}
