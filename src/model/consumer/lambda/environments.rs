//! Execution environments of a function: how many run, and which are warm.

use super::LambdaSettings;

/// An invocation has got an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Started {
    /// Whether it is a new one.
    pub is_cold: bool,
}

/// The environments as a state machine.
#[derive(Debug)]
pub struct Environments {
    most: Option<u32>,
    kept_warm_us: u64,
    running: u32,
    /// Since when idle ones are idle, the latest last: it is the first to be used again.
    idle_since_us: Vec<u64>,
}

impl Environments {
    /// None yet.
    pub fn new(settings: &LambdaSettings) -> Self {
        Self {
            most: settings.reserved_concurrency,
            kept_warm_us: settings.cold_starts.kept_warm_us,
            running: 0,
            idle_since_us: Vec::new(),
        }
    }

    /// Whether the function may run once more.
    pub fn has_room(&self) -> bool {
        self.most.is_none_or(|most| self.running < most)
    }

    /// An invocation begins; `None` where it is throttled.
    pub fn start(&mut self, now_us: u64) -> Option<Started> {
        if !self.has_room() {
            return None;
        }
        self.running += 1;
        let is_warm = self.idle_since_us.pop().is_some_and(|since_us| now_us - since_us < self.kept_warm_us);
        if !is_warm {
            // Where the latest is gone, so are all others.
            self.idle_since_us.clear();
        }
        Some(Started { is_cold: !is_warm })
    }

    /// An invocation has ended, and has left an environment that can be used again, or none.
    pub fn end(&mut self, now_us: u64, is_sound: bool) {
        self.running -= 1;
        if is_sound {
            self.idle_since_us.push(now_us);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environments(most: Option<u32>) -> Environments {
        let mut settings = LambdaSettings { reserved_concurrency: most, ..LambdaSettings::default() };
        settings.cold_starts.kept_warm_us = 100;
        Environments::new(&settings)
    }

    fn is_cold(started: Option<Started>) -> Option<bool> {
        started.map(|started| started.is_cold)
    }

    #[test]
    fn no_more_run_than_are_reserved() {
        let mut environments = environments(Some(1));
        assert_eq!(is_cold(environments.start(0)), Some(true));
        assert!(!environments.has_room());
        assert_eq!(environments.start(5), None);
        environments.end(10, true);
        assert_eq!(is_cold(environments.start(10)), Some(false));
    }

    #[test]
    fn an_environment_is_warm_for_a_time_and_one_that_has_died_is_not() {
        let mut environments = environments(None);
        environments.start(0);
        environments.end(0, true);
        assert_eq!(is_cold(environments.start(99)), Some(false));
        environments.end(99, true);
        assert_eq!(is_cold(environments.start(199)), Some(true));
        environments.end(200, false);
        assert_eq!(is_cold(environments.start(201)), Some(true));
    }
}
