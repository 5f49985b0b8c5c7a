//! Fleets that grow and shrink.

use super::event::Event;
use super::observing::Observer;
use super::world::World;
use crate::model::consumer::Scaling;
use crate::model::policy::RetryPolicy;

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// A line's fleet has that many consumers from now on: new ones poll once they have started, dismissed ones finish what
    /// they hold, and are killed if that takes longer than they may.
    pub fn scale(&mut self, line: usize, fleet: u32, start_up_us: u64, drain_us: Option<u64>) {
        let state = &mut self.lines[line];
        let before = state.fleet.size();
        let dismissed = state.fleet.scale(fleet);
        if let Some(breakers) = &mut state.breakers {
            breakers.grow(fleet);
        }
        for (consumer, poll) in dismissed {
            if poll.is_probe {
                self.give_probe_back(line, consumer);
            }
        }
        if fleet < before && self.lines[line].acknowledging.is_some() {
            // What those who go still work on is sent in its time.
            (fleet..before).for_each(|consumer| self.flush_acknowledgements(line, consumer));
            self.serve_waiting(line);
        }
        if let Some(drain_us) = drain_us {
            (fleet..before).for_each(|consumer| self.kill_later(line, consumer, drain_us));
        }
        (before.min(fleet)..fleet).for_each(|consumer| self.consumer_joins(line, consumer, start_up_us));
    }

    /// The autoscaler looks again after its time, if the line has one.
    pub fn schedule_look(&mut self, line: usize) {
        if let Some(autoscaler) = &self.lines[line].autoscaler {
            self.agenda.schedule(autoscaler.looks_us(), Event::AutoscalerTimer(line as u32).pack());
        }
    }

    /// Consumers have started, or it is time for a look. Where both fall on one moment, there is an event for each.
    pub fn autoscaler_timer(&mut self, line: usize) {
        let state = &mut self.lines[line];
        let Some(autoscaler) = &mut state.autoscaler else { return };
        if let Some(fleet) = autoscaler.started(self.now_us) {
            self.grow_to(line, fleet);
        } else if autoscaler.looks_us() == self.now_us {
            let (visible, in_flight) = (state.queue.visible_count() as u64, state.queue.in_flight_count() as u64);
            let scaling = autoscaler.evaluate(self.now_us, visible, in_flight);
            self.schedule_look(line);
            self.apply(line, scaling);
        } else {
            self.event_was_stale();
        }
    }

    fn apply(&mut self, line: usize, scaling: Scaling) {
        let state = &mut self.lines[line];
        match scaling {
            Scaling::Out { at_us } if at_us == self.now_us => {
                let started = state.autoscaler.as_mut().and_then(|autoscaler| autoscaler.started(self.now_us));
                started.into_iter().for_each(|fleet| self.grow_to(line, fleet));
            }
            Scaling::Out { at_us } => self.agenda.schedule(at_us, Event::AutoscalerTimer(line as u32).pack()),
            Scaling::In { fleet } if fleet < state.fleet.size() => {
                let drain_us = state.consumers.autoscale.and_then(|autoscale| autoscale.drain_us);
                self.scale(line, fleet, 0, drain_us);
            }
            // Those that are too many have not started yet.
            Scaling::In { .. } | Scaling::Unchanged => {}
        }
    }

    /// Those that were called off meanwhile do not come.
    fn grow_to(&mut self, line: usize, fleet: u32) {
        if fleet > self.lines[line].fleet.size() {
            // Their time to start is behind them.
            self.scale(line, fleet, 0, None);
        }
    }
}
