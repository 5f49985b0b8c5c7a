//! The limit of a third party: how many calls a second it takes.

use super::{RateLimit, RateLimitScope};
use crate::model::TokenBucket;

/// The buckets of a limit: one for all callers, or one for each tenant that has called.
#[derive(Debug)]
pub(super) struct RateLimiter {
    settings: RateLimit,
    buckets: Vec<TokenBucket>,
}

impl RateLimiter {
    pub fn new(settings: RateLimit) -> Self {
        Self { settings, buckets: Vec::new() }
    }

    /// Whether a call may come in now; where not, when its answer reaches the caller.
    #[inline]
    pub fn admit(&mut self, now_us: u64, tenant: u8) -> Result<(), u64> {
        let number = match self.settings.scope {
            RateLimitScope::Fleet => 0,
            RateLimitScope::Tenant => usize::from(tenant),
        };
        if self.buckets.len() <= number {
            self.buckets.resize(number + 1, TokenBucket::new(self.settings.rate_per_s, self.settings.burst));
        }
        let bucket = &mut self.buckets[number];
        if bucket.take(now_us) {
            return Ok(());
        }
        if self.settings.counts_throttled {
            bucket.spend(now_us);
        }
        Err(now_us + self.settings.answer_after_us)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::time::SECOND_US;

    fn limit() -> RateLimit {
        RateLimit {
            rate_per_s: 500.0,
            burst: 1,
            scope: RateLimitScope::Fleet,
            answer_after_us: 5_000,
            retry_after_us: None,
            counts_throttled: false,
        }
    }

    /// Calls that get in, of those that come at that rate for ten seconds.
    fn admitted(limit: RateLimit, calls_per_s: u64) -> usize {
        let mut limiter = RateLimiter::new(limit);
        let gap_us = (SECOND_US / calls_per_s) as usize;
        (0..10 * SECOND_US).step_by(gap_us).filter(|&at_us| limiter.admit(at_us, 0).is_ok()).count()
    }

    #[test]
    fn the_limit_comes_through_whatever_the_storm() {
        assert_eq!(admitted(limit(), 250), 2_500);
        assert_eq!(admitted(limit(), 5_000), 5_000);
    }

    /// Ten times the limit, and every refused call puts the next good one off: after the first, nothing comes through.
    #[test]
    fn where_throttled_calls_count_a_storm_keeps_itself_out() {
        assert_eq!(admitted(RateLimit { counts_throttled: true, ..limit() }, 5_000), 1);
        assert_eq!(admitted(RateLimit { counts_throttled: true, ..limit() }, 250), 2_500);
    }

    #[test]
    fn tenants_have_buckets_of_their_own() {
        let mut limiter = RateLimiter::new(RateLimit { scope: RateLimitScope::Tenant, ..limit() });
        assert_eq!([limiter.admit(0, 3), limiter.admit(0, 3), limiter.admit(0, 1)], [Ok(()), Err(5_000), Ok(())]);
        let mut shared = RateLimiter::new(limit());
        assert_eq!([shared.admit(0, 3), shared.admit(0, 1)], [Ok(()), Err(5_000)]);
    }
}
