//! What makes a closed breaker open.

use super::window::Window;
use super::{BreakerTrips, CallOutcome, RateWindow};

/// What a closed breaker has seen.
#[derive(Debug, Clone)]
pub(super) struct Trips {
    settings: BreakerTrips,
    failures_in_a_row: u32,
    failure_rate: Option<Window>,
    throttling: Option<Window>,
    /// When it took its first result: throttling has gone on for no longer.
    since_us: Option<u64>,
}

impl Trips {
    pub fn new(settings: BreakerTrips) -> Self {
        Self {
            settings,
            failures_in_a_row: 0,
            failure_rate: settings.failure_rate.map(|rate| Window::new(rate.window)),
            throttling: settings.throttling.map(|trip| Window::new(RateWindow::Time { length_us: trip.for_us })),
            since_us: None,
        }
    }

    /// Takes a result; says whether the breaker opens.
    #[inline]
    pub fn record(&mut self, now_us: u64, outcome: CallOutcome) -> bool {
        let failed = outcome != CallOutcome::Success;
        self.failures_in_a_row = if failed { self.failures_in_a_row.saturating_add(1) } else { 0 };
        let in_a_row = self.settings.failures.is_some_and(|most| self.failures_in_a_row >= most);
        if self.failure_rate.is_none() && self.throttling.is_none() {
            return in_a_row;
        }
        // Both windows take the result, whatever the other says.
        let by_rate = self.fails_too_often(now_us, failed);
        let by_throttling = self.is_throttled_too_long(now_us, outcome == CallOutcome::Throttled);
        in_a_row || by_rate || by_throttling
    }

    fn fails_too_often(&mut self, now_us: u64, failed: bool) -> bool {
        let (Some(window), Some(trip)) = (&mut self.failure_rate, self.settings.failure_rate) else { return false };
        let counts = window.add(now_us, failed);
        counts.results >= trip.minimum && counts.reach(trip.share)
    }

    fn is_throttled_too_long(&mut self, now_us: u64, is_throttled: bool) -> bool {
        let (Some(window), Some(trip)) = (&mut self.throttling, self.settings.throttling) else { return false };
        let counts = window.add(now_us, is_throttled);
        let since_us = *self.since_us.get_or_insert(now_us);
        now_us - since_us >= trip.for_us && counts.results >= trip.minimum && counts.reach(trip.share)
    }

    /// Forgets all results: the breaker has closed.
    pub fn clear(&mut self) {
        self.failures_in_a_row = 0;
        self.since_us = None;
        let windows = self.failure_rate.iter_mut().chain(&mut self.throttling);
        windows.for_each(Window::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::time::SECOND_US;
    use crate::model::policy::breaker::{FailureRate, Throttling};
    use CallOutcome::{Failure, Success, Throttled};

    fn trips_at(settings: BreakerTrips, results: impl IntoIterator<Item = (u64, CallOutcome)>) -> Option<usize> {
        let mut trips = Trips::new(settings);
        results.into_iter().position(|(at_s, outcome)| trips.record(at_s * SECOND_US, outcome))
    }

    fn rate(share: f64, window: RateWindow, minimum: u32) -> BreakerTrips {
        let failure_rate = Some(FailureRate { share, window, minimum });
        BreakerTrips { failure_rate, ..BreakerTrips::default() }
    }

    #[test]
    fn a_share_of_failures_trips_from_the_minimum_on() {
        let last_four = RateWindow::Results { count: 4 };
        let all_fail = |_| (0, Failure);
        assert_eq!(trips_at(rate(0.5, last_four, 3), (0..9).map(all_fail)), Some(2), "not before three results");
        let results = [Success, Failure, Success, Success, Failure, Failure].map(|outcome| (0, outcome));
        assert_eq!(trips_at(rate(0.5, last_four, 4), results), Some(4), "two of the last four");
    }

    #[test]
    fn a_success_may_complete_the_minimum() {
        let results = [Failure, Success].map(|outcome| (0, outcome));
        assert_eq!(trips_at(rate(0.5, RateWindow::Results { count: 10 }, 2), results), Some(1));
    }

    #[test]
    fn failures_that_have_left_the_window_do_not_count() {
        let window = RateWindow::Time { length_us: 10 * SECOND_US };
        let settings = rate(0.6, window, 2);
        assert_eq!(trips_at(settings, [(0, Failure), (5, Success), (9, Failure)]), Some(2), "two of three");
        assert_eq!(trips_at(settings, [(0, Failure), (5, Success), (10, Failure)]), None, "one of two");
    }

    #[test]
    fn throttling_trips_only_after_it_has_gone_on() {
        let throttling = Some(Throttling { share: 0.5, for_us: 3 * SECOND_US, minimum: 2 });
        let settings = BreakerTrips { throttling, ..BreakerTrips::default() };
        let each_second = |outcome: CallOutcome| (0..6).map(move |second| (second, outcome));
        assert_eq!(trips_at(settings, each_second(Throttled)), Some(3), "at 3 s");
        assert_eq!(trips_at(settings, each_second(Failure)), None, "another error is no throttling");
        let late = [(0, Success), (1, Success), (2, Throttled), (3, Throttled), (4, Success)];
        assert_eq!(trips_at(settings, late), Some(3), "of seconds 1 to 3 two are throttled");
        assert_eq!(trips_at(settings, [(0, Throttled), (9, Throttled)]), None, "one result is no share");
    }

    #[test]
    fn throttling_and_failures_in_a_row_are_failures_of_both_kinds() {
        let settings = BreakerTrips { failures: Some(3), ..BreakerTrips::default() };
        assert_eq!(trips_at(settings, [(0, Failure), (0, Throttled), (0, Failure)]), Some(2));
        assert_eq!(trips_at(settings, [(0, Failure), (0, Success), (0, Failure), (0, Failure)]), None);
    }

    #[test]
    fn nothing_is_left_of_the_time_before_it_closed() {
        let mut trips =
            Trips::new(BreakerTrips { failures: Some(2), ..rate(1.0, RateWindow::Results { count: 5 }, 2) });
        assert!(!trips.record(0, Failure));
        trips.clear();
        assert!(!trips.record(1, Failure));
        assert!(trips.record(2, Failure));
    }
}
