//! The adaptive mode of the AWS SDKs (rule C3, adaptive mode).

use super::aws_quota::Quota;
use super::aws_sdk_standard::mode;
use super::rate_limiter::RateLimiter;
use super::retries::attempts;
use super::{CallAdmission, ClientKind, ClientRules};
use crate::engine::random::KeyedDraw;
use crate::model::policy::AttemptError;
use crate::model::policy::catalogue::{About, Kind};
use crate::model::policy::spread::Spread;

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "aws-sdk-adaptive",
        title: "the adaptive mode of the AWS SDKs",
        summary: "AWS SDKs, mode `adaptive`: standard and a rate limit.",
        formula: "A throttle sets the rate to 0.7 × the measured rate w; t seconds later a success sets it to \
                  0.4 × (t − k)³ + w, k = (0.3 × w / 0.4)^(1/3); at most twice the measured rate, at least one call in \
                  2 s. The rate is measured in steps of 0.5 s, smoothed by 0.8.",
        source: "boto/botocore: botocore/retries/adaptive.py, throttling.py and bucket.py (rule C3, adaptive mode)",
        mistake: "When one client calls several downstreams, or the downstream never throttles: one limit holds for all, \
                  and refusals and timeouts do not lower it.",
        parameters: &[attempts(3)],
        ordered: &[],
        example: &[],
    },
    build: |values| Box::new(Adaptive { quota: Quota::new(mode(values)), limiter: RateLimiter::default() }),
};

#[derive(Debug)]
struct Adaptive {
    quota: Quota,
    limiter: RateLimiter,
}

impl ClientRules for Adaptive {
    fn admit(&mut self, now_us: u64, _draw: &mut KeyedDraw) -> CallAdmission {
        let at_us = self.limiter.reserve(now_us);
        if at_us <= now_us { CallAdmission::Go } else { CallAdmission::WaitUntil { at_us } }
    }

    fn succeeded(&mut self, now_us: u64, _tries: u32, last_error: Option<AttemptError>) {
        self.limiter.answered(now_us, false);
        self.quota.succeeded(last_error);
    }

    fn failed(&mut self, now_us: u64, error: AttemptError, tries: u32, draw: &mut KeyedDraw) -> Option<u64> {
        // A call that never went out has no answer.
        if error != AttemptError::Rejected {
            self.limiter.answered(now_us, error == AttemptError::Throttled);
        }
        self.quota.failed(error, tries, draw)
    }

    fn wait_us(&self, tries: u32) -> Option<Spread> {
        self.quota.fresh_wait_us(tries)
    }
}
