//! A limit of calls at the same time, fixed or adaptive.

use super::limits::{AdaptiveSettings, ConcurrencySettings, WhenFull};

/// Whether a call may go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admitted {
    /// Now.
    Go,
    /// As soon as [`ConcurrencyLimit::ended`] says that there is room.
    Wait,
    /// Never.
    Rejected,
}

/// How many calls are out, and how many may be.
///
/// ```
/// use retrystorm::model::policy::{Admitted, ConcurrencyLimit, ConcurrencySettings, LimitScope, WhenFull};
///
/// let settings = ConcurrencySettings {
///     calls: 1,
///     scope: LimitScope::Consumer,
///     per_tenant: false,
///     when_full: WhenFull::Reject,
///     adaptive: None,
/// };
/// let mut limit = ConcurrencyLimit::new(&settings);
/// assert_eq!(limit.ask(), Admitted::Go);
/// assert_eq!(limit.ask(), Admitted::Rejected);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ConcurrencyLimit {
    limit: f64,
    out: u32,
    when_full: WhenFull,
    adaptive: Option<AdaptiveSettings>,
    /// Calls that have to end before another failure counts: those that were out at the last one know nothing of the
    /// smaller limit yet.
    settling: u32,
}

impl ConcurrencyLimit {
    /// A limit with no call out.
    pub fn new(settings: &ConcurrencySettings) -> Self {
        Self {
            limit: settings.calls.into(),
            out: 0,
            when_full: settings.when_full,
            adaptive: settings.adaptive,
            settling: 0,
        }
    }

    /// A call wants to go out; where the answer is [`Admitted::Go`], it has.
    #[inline]
    pub fn ask(&mut self) -> Admitted {
        match self.when_full {
            _ if self.has_room() => {
                self.out += 1;
                Admitted::Go
            }
            WhenFull::Wait => Admitted::Wait,
            WhenFull::Reject => Admitted::Rejected,
        }
    }

    /// Whether another call may go out.
    #[inline]
    pub fn has_room(&self) -> bool {
        f64::from(self.out) + 1.0 <= self.limit
    }

    /// A call is back: it worked, or the downstream failed it, or neither (`None`). Calls that wait may ask again.
    #[inline]
    pub fn ended(&mut self, worked: Option<bool>) {
        self.out -= 1;
        let Some(adaptive) = self.adaptive else { return };
        let was_settling = self.settling > 0;
        self.settling = self.settling.saturating_sub(1);
        match worked {
            Some(true) => self.limit = (self.limit + adaptive.increase / self.limit).min(adaptive.most.into()),
            Some(false) if !was_settling => {
                self.limit = (self.limit * adaptive.decrease_to).max(adaptive.least.into());
                self.settling = self.out;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::LimitScope;
    use proptest::prelude::*;

    fn limit(calls: u32, when_full: WhenFull, adaptive: Option<AdaptiveSettings>) -> ConcurrencyLimit {
        ConcurrencyLimit::new(&ConcurrencySettings {
            calls,
            scope: LimitScope::Consumer,
            per_tenant: false,
            when_full,
            adaptive,
        })
    }

    const AIMD: AdaptiveSettings = AdaptiveSettings { least: 1, most: 100, increase: 1.0, decrease_to: 0.5 };

    #[test]
    fn as_many_calls_are_out_as_the_limit_lets() {
        let mut limit = limit(2, WhenFull::Wait, None);
        assert_eq!([limit.ask(), limit.ask(), limit.ask()], [Admitted::Go, Admitted::Go, Admitted::Wait]);
        limit.ended(Some(false));
        assert_eq!([limit.ask(), limit.ask()], [Admitted::Go, Admitted::Wait]);
    }

    /// 10, then + 1/10, + 1/10.1 ...: about one more for each ten successes.
    #[test]
    fn a_limits_worth_of_successes_makes_room_for_one_more() {
        let mut limit = limit(10, WhenFull::Wait, Some(AIMD));
        for _ in 0..11 {
            limit.ask();
            limit.ended(Some(true));
        }
        approx::assert_abs_diff_eq!(limit.limit, 11.05, epsilon = 0.01);
    }

    #[test]
    fn one_outage_halves_the_limit_once_and_not_for_each_call_that_it_hits() {
        let mut limit = limit(16, WhenFull::Wait, Some(AIMD));
        (0..16).for_each(|_| _ = limit.ask());
        (0..16).for_each(|_| limit.ended(Some(false)));
        assert_eq!(limit.limit, 8.0);
        limit.ask();
        limit.ended(Some(false));
        assert_eq!(limit.limit, 4.0, "a call that went out after it tells something new");
    }

    proptest! {
        #[test]
        fn the_limit_stays_within_its_bounds(steps in prop::collection::vec(prop::option::of(any::<bool>()), 0..300)) {
            let mut limit = limit(5, WhenFull::Reject, Some(AdaptiveSettings { least: 2, most: 9, ..AIMD }));
            for worked in steps {
                match worked {
                    None => _ = limit.ask(),
                    Some(_) if limit.out == 0 => {}
                    Some(worked) => limit.ended(Some(worked)),
                }
                prop_assert!((2.0..=9.0).contains(&limit.limit));
                prop_assert!(limit.out <= 9);
            }
        }
    }
}
