//! An autoscaler: how many consumers a backlog asks for, and when they are there.

use std::collections::VecDeque;

/// Messages that an autoscaler counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ScalesOn {
    /// Those that wait.
    #[default]
    Visible,
    /// Those that wait and those under a lease. A fleet that works off all that there is keeps its size.
    VisibleAndInFlight,
}

/// What an autoscaler is configured with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutoscaleSettings {
    /// Which messages it counts.
    pub scales_on: ScalesOn,
    /// Messages a consumer, at least 1.
    pub target: u32,
    /// Fewest consumers, at least 1.
    pub min: u32,
    /// Most consumers, at least as many.
    pub max: u32,
    /// Time from one look at the backlog to the next, above 0; the first comes so long after the start.
    pub every_us: u64,
    /// Time since the last change before consumers are dismissed.
    pub cooldown_us: u64,
    /// How long a new consumer takes to start.
    pub start_up_us: u64,
    /// How long a dismissed consumer may go on with what it holds before it is killed; `None`: to its end.
    pub drain_us: Option<u64>,
}

/// What a look at the backlog leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scaling {
    /// Nothing.
    Unchanged,
    /// More consumers: call [`Autoscaler::started`] at that time.
    Out {
        /// When they have started.
        at_us: u64,
    },
    /// There are to be no more than so many consumers, at once.
    In {
        /// How many.
        fleet: u32,
    },
}

/// The autoscaler as a state machine.
#[derive(Debug)]
pub struct Autoscaler {
    settings: AutoscaleSettings,
    /// When it looks at the backlog next.
    looks_us: u64,
    /// Consumers that there are or will be.
    wanted: u32,
    changed_us: Option<u64>,
    /// When consumers will have started, and how many there are to be then.
    starting: VecDeque<(u64, u32)>,
}

impl Autoscaler {
    /// Of a fleet of that size.
    pub fn new(settings: AutoscaleSettings, fleet: u32) -> Self {
        Self { settings, looks_us: settings.every_us, wanted: fleet, changed_us: None, starting: VecDeque::new() }
    }

    /// When it looks at the backlog next: call [`evaluate`](Self::evaluate) then.
    pub fn looks_us(&self) -> u64 {
        self.looks_us
    }

    /// A look at the backlog.
    pub fn evaluate(&mut self, now_us: u64, visible: u64, in_flight: u64) -> Scaling {
        self.looks_us = now_us + self.settings.every_us;
        let messages = match self.settings.scales_on {
            ScalesOn::Visible => visible,
            ScalesOn::VisibleAndInFlight => visible.saturating_add(in_flight),
        };
        let needed = messages.div_ceil(u64::from(self.settings.target.max(1)));
        let needed = u32::try_from(needed).unwrap_or(u32::MAX).clamp(self.settings.min, self.settings.max);
        let has_cooled = self.changed_us.is_none_or(|changed_us| now_us - changed_us >= self.settings.cooldown_us);
        if needed > self.wanted {
            let at_us = now_us + self.settings.start_up_us;
            self.wanted = needed;
            self.changed_us = Some(now_us);
            self.starting.push_back((at_us, needed));
            Scaling::Out { at_us }
        } else if needed < self.wanted && has_cooled {
            self.changed_us = Some(now_us);
            self.limit(needed);
            Scaling::In { fleet: needed }
        } else {
            Scaling::Unchanged
        }
    }

    /// Consumers may have started: how many there are to be now.
    pub fn started(&mut self, now_us: u64) -> Option<u32> {
        let has_started = |(at_us, _): &(u64, u32)| *at_us <= now_us;
        let count = self.starting.iter().take_while(|start| has_started(start)).count();
        self.starting.drain(..count).map(|(_, fleet)| fleet).max()
    }

    /// Somebody else has scaled the fleet.
    pub fn scaled_to(&mut self, fleet: u32) {
        self.starting.clear();
        self.wanted = fleet;
    }

    /// No more than so many are wanted: of those that are starting, the others will not come.
    fn limit(&mut self, fleet: u32) {
        self.wanted = fleet;
        self.starting.iter_mut().for_each(|(_, size)| *size = (*size).min(fleet));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn autoscaler(start_up_us: u64) -> Autoscaler {
        Autoscaler::new(settings(start_up_us), 3)
    }

    fn settings(start_up_us: u64) -> AutoscaleSettings {
        AutoscaleSettings {
            scales_on: ScalesOn::Visible,
            target: 100,
            min: 2,
            max: 10,
            every_us: 60,
            cooldown_us: 300,
            start_up_us,
            drain_us: None,
        }
    }

    #[test]
    fn messages_in_flight_count_only_where_they_are_asked_for() {
        for (scales_on, scaling) in
            [(ScalesOn::Visible, Scaling::In { fleet: 2 }), (ScalesOn::VisibleAndInFlight, Scaling::Out { at_us: 60 })]
        {
            let mut autoscaler = Autoscaler::new(AutoscaleSettings { scales_on, ..settings(0) }, 3);
            assert_eq!(autoscaler.evaluate(60, 100, 400), scaling, "{scales_on:?}");
        }
    }

    #[test]
    fn the_backlog_decides_within_the_limits() {
        for (visible, scaling, fleet) in [
            (0, Scaling::In { fleet: 2 }, None),
            (201, Scaling::Unchanged, None),
            (300, Scaling::Unchanged, None),
            (301, Scaling::Out { at_us: 60 }, Some(4)),
            (u64::MAX, Scaling::Out { at_us: 60 }, Some(10)),
        ] {
            let mut autoscaler = autoscaler(0);
            assert_eq!(autoscaler.evaluate(60, visible, 0), scaling, "{visible}");
            assert_eq!(autoscaler.started(60), fleet, "{visible}");
        }
    }

    #[test]
    fn it_goes_up_at_once_and_down_only_after_the_cooldown() {
        let mut autoscaler = autoscaler(0);
        assert_eq!(autoscaler.evaluate(60, 500, 0), Scaling::Out { at_us: 60 });
        assert_eq!(autoscaler.evaluate(120, 0, 0), Scaling::Unchanged);
        assert_eq!(autoscaler.evaluate(180, 600, 0), Scaling::Out { at_us: 180 });
        assert_eq!(autoscaler.evaluate(479, 0, 0), Scaling::Unchanged, "300 since the last change");
        assert_eq!(autoscaler.evaluate(480, 0, 0), Scaling::In { fleet: 2 });
        assert_eq!(autoscaler.evaluate(540, 300, 0), Scaling::Out { at_us: 540 });
    }

    #[test]
    fn who_is_starting_counts_and_may_be_called_off() {
        let mut autoscaler = autoscaler(400);
        assert_eq!(autoscaler.evaluate(60, 800, 0), Scaling::Out { at_us: 460 });
        assert_eq!(autoscaler.evaluate(120, 800, 0), Scaling::Unchanged, "eight are on their way");
        assert_eq!(autoscaler.started(120), None);
        assert_eq!(autoscaler.evaluate(360, 500, 0), Scaling::In { fleet: 5 });
        assert_eq!(autoscaler.evaluate(420, 900, 0), Scaling::Out { at_us: 820 });
        assert_eq!(autoscaler.started(460), Some(5));
        assert_eq!(autoscaler.started(820), Some(9));
    }

    #[test]
    fn an_operator_has_the_last_word_until_the_next_look() {
        let mut autoscaler = autoscaler(400);
        autoscaler.evaluate(60, 800, 0);
        autoscaler.scaled_to(4);
        assert_eq!(autoscaler.started(460), None);
        assert_eq!(autoscaler.evaluate(480, 500, 0), Scaling::Out { at_us: 880 });
    }
}
