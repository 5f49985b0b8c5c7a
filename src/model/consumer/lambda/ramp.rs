//! How the number of pollers follows the load.

use super::{BatchResponses, LambdaSettings};

/// Looks in a minute.
const LOOKS_A_MINUTE: u32 = 60;

/// What there is to see at a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RampLook {
    /// Whether messages are visible.
    pub messages_wait: bool,
    /// Pollers without a batch.
    pub idle: u32,
}

/// The number of pollers as a state machine: it looks once a second (rule L1, poller scaling).
#[derive(Debug)]
pub struct PollerRamp {
    fewest: u32,
    most: u32,
    per_minute: u32,
    heeds_errors: bool,
    heeds_throttles: bool,
    pollers: u32,
    /// Sixtieths of a poller that the rate has left over.
    sixtieths: u32,
    /// Whether something has happened since the last look that lowers the number.
    has_trouble: bool,
}

impl PollerRamp {
    /// The pollers of such a mapping.
    pub fn new(settings: &LambdaSettings) -> Self {
        let pollers = settings.pollers;
        Self {
            fewest: settings.initial_pollers(),
            most: settings.most_pollers(),
            per_minute: pollers.per_minute,
            // Rule L5, errors slow it down: not where failed items are reported.
            heeds_errors: pollers.backs_off_on_errors && settings.responses == BatchResponses::WholeBatch,
            heeds_throttles: pollers.backs_off_on_throttles,
            pollers: settings.initial_pollers(),
            sixtieths: 0,
            has_trouble: false,
        }
    }

    /// Whether their number never changes, so that nobody need look.
    pub fn is_fixed(&self) -> bool {
        self.fewest == self.most || self.per_minute == 0
    }

    /// An invocation has failed (rule L5, errors slow it down).
    pub fn invocation_failed(&mut self) {
        self.has_trouble |= self.heeds_errors;
    }

    /// A batch has found no room.
    pub fn batch_throttled(&mut self) {
        self.has_trouble |= self.heeds_throttles;
    }

    /// A second has passed: how many pollers there are from now on.
    pub fn look(&mut self, look: RampLook) -> u32 {
        let is_quiet = !look.messages_wait && 2 * look.idle >= self.pollers;
        let has_trouble = std::mem::take(&mut self.has_trouble);
        if has_trouble || is_quiet {
            let step = self.step();
            self.pollers = self.pollers.saturating_sub(step).max(self.fewest);
        } else if look.messages_wait && look.idle == 0 {
            let step = self.step();
            self.pollers = self.pollers.saturating_add(step).min(self.most);
        }
        self.pollers
    }

    /// Whole pollers that a second's share of the rate comes to, with what was left over before.
    fn step(&mut self) -> u32 {
        let sixtieths = self.sixtieths.saturating_add(self.per_minute);
        self.sixtieths = sixtieths % LOOKS_A_MINUTE;
        sixtieths / LOOKS_A_MINUTE
    }
}

#[cfg(test)]
mod tests {
    use super::super::PollerSettings;
    use super::*;

    const BACKLOG: RampLook = RampLook { messages_wait: true, idle: 0 };
    const QUIET: RampLook = RampLook { messages_wait: false, idle: 1_000 };

    fn ramp(change: impl FnOnce(&mut LambdaSettings)) -> PollerRamp {
        let mut settings = LambdaSettings::default();
        change(&mut settings);
        PollerRamp::new(&settings)
    }

    #[test]
    fn a_backlog_brings_300_pollers_a_minute_up_to_1250() {
        let mut ramp = ramp(|_| {});
        let after = |ramp: &mut PollerRamp, seconds: u32| (0..seconds).map(|_| ramp.look(BACKLOG)).last();
        assert_eq!(after(&mut ramp, 1), Some(10));
        assert_eq!(after(&mut ramp, 59), Some(305));
        assert_eq!(after(&mut ramp, 188), Some(1_245));
        assert_eq!(after(&mut ramp, 60), Some(1_250));
    }

    #[test]
    fn rates_below_one_a_second_add_up() {
        let mut ramp = ramp(|settings| settings.pollers.per_minute = 20);
        assert_eq!([(); 6].map(|()| ramp.look(BACKLOG)), [5, 5, 6, 6, 6, 7]);
    }

    #[test]
    fn an_idle_poller_stops_the_growth_and_quiet_brings_it_down_to_the_first_ones() {
        let mut ramp = ramp(|settings| settings.pollers.initial = 2);
        assert_eq!([BACKLOG, BACKLOG].map(|look| ramp.look(look)), [7, 12]);
        assert_eq!(ramp.look(RampLook { messages_wait: true, idle: 1 }), 12);
        assert_eq!(ramp.look(RampLook { messages_wait: false, idle: 5 }), 12, "fewer than half are idle");
        assert_eq!([QUIET, QUIET, QUIET].map(|look| ramp.look(look)), [7, 2, 2]);
    }

    #[test]
    fn errors_lower_the_number_but_not_where_failed_items_are_reported() {
        let after_errors = |responses: BatchResponses, heeds: bool| {
            let mut ramp = ramp(|settings| {
                settings.responses = responses;
                settings.pollers = PollerSettings { backs_off_on_errors: heeds, ..settings.pollers };
            });
            (0..3).for_each(|_| _ = ramp.look(BACKLOG));
            ramp.invocation_failed();
            [ramp.look(BACKLOG), ramp.look(BACKLOG)]
        };
        assert_eq!(after_errors(BatchResponses::WholeBatch, true), [15, 20]);
        assert_eq!(after_errors(BatchResponses::WholeBatch, false), [25, 30]);
        assert_eq!(after_errors(BatchResponses::FailedItems, true), [25, 30]);
    }

    #[test]
    fn throttles_lower_the_number_where_they_are_heeded() {
        let after_throttle = |heeds: bool| {
            let mut ramp = ramp(|settings| settings.pollers.backs_off_on_throttles = heeds);
            ramp.look(BACKLOG);
            ramp.batch_throttled();
            ramp.look(BACKLOG)
        };
        assert_eq!([true, false].map(after_throttle), [5, 15]);
    }

    #[test]
    fn a_cap_on_concurrency_caps_the_pollers() {
        let mut ramp = ramp(|settings| settings.maximum_concurrency = Some(2));
        assert!(ramp.is_fixed());
        assert_eq!(ramp.look(BACKLOG), 2);
    }
}
