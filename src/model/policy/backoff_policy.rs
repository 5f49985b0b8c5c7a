//! A backoff as a policy: with a floor, with what the downstream asks for, and with an eye on the ceiling.

use super::{Backoff, CeilingGuard, Disposition, FailedAttempt, PolicySettings, RetryAfter, RetryPolicy};
use crate::engine::random::KeyedDraw;
use crate::engine::time::SECOND_US;

/// The part of a policy that sets delays. Whoever tells errors apart can ask it for those that deserve a delay.
///
/// ```
/// use retrystorm::engine::random::Streams;
/// use retrystorm::model::policy::catalogue::{Settings, Value};
/// use retrystorm::model::policy::{
///     AttemptError, BackoffPolicy, Disposition, FailedAttempt, PolicySettings, RetryAfter, backoff,
/// };
///
/// let kind = backoff("fixed").expect("it is in the catalogue");
/// let settings = PolicySettings {
///     backoff: Settings::new(kind, &[("delay", Value::seconds(10))])?,
///     retry_after: RetryAfter::Honour,
///     ..PolicySettings::default()
/// };
/// let attempt = FailedAttempt {
///     receive_count: 1,
///     tries: 1,
///     error: AttemptError::Throttled,
///     since_first_receive_us: 0,
///     lease_left_us: 30_000_000,
///     previous_delay_s: None,
///     retry_after_us: Some(59_100_000),
///     visibility_left_us: 43_200_000_000,
/// };
/// let mut draw = Streams::new(42, 0).keyed("policy").draw(0, 1);
/// let disposition = BackoffPolicy::new(&settings).back_off(&attempt, &mut draw);
/// assert_eq!(disposition, Disposition::ChangeVisibility { delay_s: 60 });
/// # Ok::<(), retrystorm::model::policy::catalogue::Refusal>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BackoffPolicy {
    backoff: Option<Backoff>,
    floor_s: u32,
    retry_after: RetryAfter,
    ceiling_guard: CeilingGuard,
}

impl BackoffPolicy {
    /// The backoff of these settings.
    pub fn new(settings: &PolicySettings) -> Self {
        Self {
            backoff: settings.backoff.build(),
            floor_s: settings.floor_s,
            retry_after: settings.retry_after,
            ceiling_guard: settings.ceiling_guard,
        }
    }

    /// The delay after a failed attempt. Without a backoff the lease runs out, unless the downstream asks for a time and
    /// the policy heeds it.
    #[inline]
    pub fn back_off(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition {
        let asked_s = self.asked_s(attempt);
        let drawn_s = match &self.backoff {
            None if asked_s == 0 => return Disposition::LetLeaseExpire,
            None => 0,
            Some(backoff) => backoff.delay_s(attempt.receive_count, attempt.previous_delay_s, draw),
        };
        let delay_s = drawn_s.max(self.floor_s).max(asked_s);
        Disposition::ChangeVisibility { delay_s: self.guarded_s(delay_s, attempt) }
    }

    /// What the downstream asks for, rounded up: a visibility is whole seconds.
    #[inline]
    fn asked_s(&self, attempt: &FailedAttempt) -> u32 {
        match (self.retry_after, attempt.retry_after_us) {
            (RetryAfter::Honour, Some(us)) => u32::try_from(us.div_ceil(SECOND_US)).unwrap_or(u32::MAX),
            _ => 0,
        }
    }

    /// Rule Q5, twelve-hour ceiling: what is left of it, rounded down.
    #[inline]
    fn guarded_s(&self, delay_s: u32, attempt: &FailedAttempt) -> u32 {
        match self.ceiling_guard {
            CeilingGuard::None => delay_s,
            CeilingGuard::Remaining => {
                delay_s.min(u32::try_from(attempt.visibility_left_us / SECOND_US).unwrap_or(u32::MAX))
            }
        }
    }
}

impl RetryPolicy for BackoffPolicy {
    #[inline]
    fn decide(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition {
        self.back_off(attempt, draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Streams;
    use crate::model::policy::catalogue::{Settings, Value};
    use crate::model::policy::{AttemptError, backoff};

    fn policy(delay_s: Option<u32>, change: impl Fn(&mut PolicySettings)) -> BackoffPolicy {
        let mut settings = PolicySettings::default();
        if let Some(delay_s) = delay_s {
            let kind = backoff("fixed").expect("a kind");
            settings.backoff = Settings::new(kind, &[("delay", Value::seconds(delay_s))]).expect("a sound delay");
        }
        change(&mut settings);
        BackoffPolicy::new(&settings)
    }

    fn decided(policy: &BackoffPolicy, retry_after_us: Option<u64>, visibility_left_us: u64) -> Option<u32> {
        let attempt = FailedAttempt {
            receive_count: 1,
            tries: 1,
            error: AttemptError::Throttled,
            since_first_receive_us: 0,
            lease_left_us: 0,
            previous_delay_s: None,
            retry_after_us,
            visibility_left_us,
        };
        let mut draw = Streams::new(1, 0).keyed("policy").draw(1, 1);
        match policy.decide(&attempt, &mut draw) {
            Disposition::LetLeaseExpire => None,
            Disposition::ChangeVisibility { delay_s } => Some(delay_s),
            other => panic!("{other:?}"),
        }
    }

    const AMPLE_US: u64 = 43_200 * SECOND_US;

    #[test]
    fn a_floor_lifts_what_is_shorter_and_nothing_else() {
        let with_floor = |delay_s| policy(Some(delay_s), |settings| settings.floor_s = 20);
        assert_eq!(decided(&with_floor(5), None, AMPLE_US), Some(20));
        assert_eq!(decided(&with_floor(50), None, AMPLE_US), Some(50));
        assert_eq!(decided(&policy(None, |settings| settings.floor_s = 20), None, AMPLE_US), None, "no delay to lift");
    }

    #[test]
    fn retry_after_is_honoured_rounded_up_or_ignored() {
        let honour = |delay_s| policy(delay_s, |settings| settings.retry_after = RetryAfter::Honour);
        for (delay_s, asked_us, expected) in [
            (Some(5), Some(7_000_001), Some(8)),
            (Some(5), Some(7_000_000), Some(7)),
            (Some(50), Some(7_000_000), Some(50)),
            (Some(5), None, Some(5)),
            (Some(5), Some(u64::MAX), Some(u32::MAX)),
            (None, Some(500_000), Some(1)),
            (None, None, None),
        ] {
            assert_eq!(decided(&honour(delay_s), asked_us, AMPLE_US), expected, "{delay_s:?} {asked_us:?}");
        }
        assert_eq!(decided(&policy(Some(5), |_| ()), Some(7_000_000), AMPLE_US), Some(5));
    }

    #[test]
    fn a_guarded_delay_is_cut_to_what_the_ceiling_leaves_rounded_down() {
        let guarded = policy(Some(43_200), |settings| settings.ceiling_guard = CeilingGuard::Remaining);
        assert_eq!(decided(&guarded, None, AMPLE_US - 1), Some(43_199));
        assert_eq!(decided(&guarded, None, 0), Some(0));
        assert_eq!(decided(&policy(Some(43_200), |_| ()), None, 0), Some(43_200), "the queue will refuse it");
        let all = policy(Some(5), |settings| {
            settings.ceiling_guard = CeilingGuard::Remaining;
            settings.retry_after = RetryAfter::Honour;
            settings.floor_s = 30;
        });
        assert_eq!(decided(&all, Some(90_000_000), 60_000_000), Some(60), "the ceiling has the last word");
    }
}
