//! In which condition the downstream is: sound, in an outage, or warming up after one.

use super::{Outage, OutageMode, WarmUp};

/// The condition at a moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Condition {
    /// Nothing special.
    Sound,
    /// An outage lasts.
    Outage(OutageMode),
    /// An outage has ended at `since_us` and the warm-up lasts.
    WarmingUp { since_us: u64, warm_up: WarmUp },
}

/// Follows the condition through time.
#[derive(Debug, Clone)]
pub(super) struct ConditionTimeline {
    /// From when on which condition holds, in order of time; the first is 0.
    changes: Vec<(u64, Condition)>,
    current: usize,
    /// When the next change is due; `u64::MAX` after the last.
    next_change_us: u64,
}

impl ConditionTimeline {
    /// The timeline of outages in order of time that do not overlap.
    pub fn new(outages: &[Outage]) -> Self {
        let mut changes = vec![(0, Condition::Sound)];
        for outage in outages {
            // What an outage cuts short, such as a warm-up of the one before, ends with it.
            changes.retain(|&(from_us, _)| from_us < outage.from_us || from_us == 0);
            changes.push((outage.from_us, Condition::Outage(outage.mode)));
            if let Some(warm_up) = outage.warm_up {
                changes.push((outage.until_us, Condition::WarmingUp { since_us: outage.until_us, warm_up }));
                changes.push((outage.until_us + warm_up.for_us, Condition::Sound));
            } else {
                changes.push((outage.until_us, Condition::Sound));
            }
        }
        let next_change_us = changes.get(1).map_or(u64::MAX, |&(from_us, _)| from_us);
        Self { changes, current: 0, next_change_us }
    }

    /// The condition now; time never goes back.
    #[inline]
    pub fn at(&mut self, now_us: u64) -> Condition {
        while now_us >= self.next_change_us {
            self.current += 1;
            self.next_change_us = self.changes.get(self.current + 1).map_or(u64::MAX, |&(from_us, _)| from_us);
        }
        self.changes[self.current].1
    }
}

impl Condition {
    /// The factor on the service time.
    #[inline]
    pub fn slowness(self, now_us: u64) -> f64 {
        match self {
            Self::Outage(OutageMode::Slow { factor }) => factor,
            Self::WarmingUp { since_us, warm_up } => {
                let left = 1.0 - (now_us - since_us) as f64 / warm_up.for_us as f64;
                1.0 + (warm_up.factor - 1.0) * left
            }
            _ => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_one_another() {
        let warm_up = WarmUp { for_us: 10, factor: 3.0 };
        let outages = [
            Outage { from_us: 0, until_us: 5, mode: OutageMode::Hang, warm_up: None },
            Outage { from_us: 20, until_us: 30, mode: OutageMode::Slow { factor: 4.0 }, warm_up: Some(warm_up) },
        ];
        let mut timeline = ConditionTimeline::new(&outages);
        let slowness = |timeline: &mut ConditionTimeline, now_us| timeline.at(now_us).slowness(now_us);
        assert_eq!(timeline.at(0), Condition::Outage(OutageMode::Hang));
        assert_eq!(timeline.at(5), Condition::Sound);
        assert_eq!(slowness(&mut timeline, 20), 4.0);
        assert_eq!(slowness(&mut timeline, 30), 3.0);
        assert_eq!(slowness(&mut timeline, 35), 2.0);
        assert_eq!(slowness(&mut timeline, 40), 1.0);
    }

    #[test]
    fn an_outage_cuts_the_warm_up_before_it_short() {
        let warm_up = Some(WarmUp { for_us: 100, factor: 3.0 });
        let outages = [
            Outage { from_us: 0, until_us: 10, mode: OutageMode::Hang, warm_up },
            Outage { from_us: 50, until_us: 60, mode: OutageMode::Hang, warm_up: None },
        ];
        let mut timeline = ConditionTimeline::new(&outages);
        assert!(matches!(timeline.at(49), Condition::WarmingUp { .. }));
        assert_eq!(timeline.at(50), Condition::Outage(OutageMode::Hang));
        assert_eq!(timeline.at(110), Condition::Sound);
    }
}
