//! A rolling deploy: which consumers are replaced next, a few at a time.

/// A deploy at work, as a state machine.
#[derive(Debug, Clone)]
pub struct Rollout {
    /// Consumers that are replaced at the same time, at least 1.
    at_once: u32,
    /// The first that has not been told to end yet.
    next: u32,
    /// Those that have been told to end, and are not back.
    under_way: Vec<u32>,
}

impl Rollout {
    /// A deploy that replaces so many consumers at the same time.
    pub fn new(at_once: u32) -> Self {
        Self { at_once: at_once.max(1), next: 0, under_way: Vec::new() }
    }

    /// The next consumer to be told to end, of a fleet of that size; `None` while as many as may are under way, and after
    /// the last.
    pub fn next(&mut self, fleet: u32) -> Option<u32> {
        let has_room = self.under_way.len() < self.at_once as usize;
        let consumer = Some(self.next).filter(|next| has_room && *next < fleet)?;
        self.next += 1;
        self.under_way.push(consumer);
        Some(consumer)
    }

    /// A consumer is back, whatever had ended it: says whether it makes room for the next.
    pub fn is_back(&mut self, consumer: u32) -> bool {
        let before = self.under_way.len();
        self.under_way.retain(|other| *other != consumer);
        self.under_way.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_at_a_time_and_each_once() {
        let mut rollout = Rollout::new(2);
        assert_eq!([rollout.next(3), rollout.next(3), rollout.next(3)], [Some(0), Some(1), None]);
        assert!(!rollout.is_back(2), "it had crashed by itself");
        assert!(rollout.is_back(1));
        assert_eq!([rollout.next(3), rollout.next(3)], [Some(2), None]);
        assert!(rollout.is_back(0) && rollout.is_back(2));
        assert_eq!(rollout.next(3), None, "all are replaced");
    }

    #[test]
    fn who_has_been_dismissed_is_not_replaced() {
        let mut rollout = Rollout::new(1);
        assert_eq!(rollout.next(2), Some(0));
        assert!(rollout.is_back(0));
        assert_eq!(rollout.next(1), None);
    }
}
