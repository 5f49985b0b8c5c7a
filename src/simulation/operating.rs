//! What an operator does while the run goes on.

use super::event::Event;
use super::observing::Observer;
use super::world::World;
use crate::model::operator::{Action, Attribute};
use crate::model::policy::RetryPolicy;

/// The line that operators act on: the queue that the scenario is about.
pub(super) const MAIN_LINE: usize = 0;

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    pub fn schedule_operations(&mut self) {
        for (number, operation) in self.setup.operations.iter().enumerate() {
            self.agenda.schedule(operation.at_us, Event::Operation(number as u32).pack());
        }
    }

    /// An operator acts.
    pub fn operate(&mut self, number: u32) {
        match self.setup.operations[number as usize].action {
            Action::Change { applies_after_us, .. } => {
                self.agenda.schedule(self.now_us + applies_after_us, Event::ChangeApplies(number).pack());
            }
            Action::Scale { fleet, drain_us } => self.scale_by_hand(fleet, drain_us),
            Action::Deploy { drain_us, at_once } => self.begin_deploy(drain_us, at_once),
            Action::PausePolling => self.pause_polling(),
            Action::ResumePolling => self.resume_polling(),
            Action::Redrive { .. } => self.redrive_next(number),
        }
    }

    /// A changed attribute takes effect (rule Q17, slow attribute changes): for what is received or looked at from now on.
    pub fn change_applies(&mut self, number: u32) {
        let Action::Change { attribute, .. } = self.setup.operations[number as usize].action else { return };
        let queue = &mut self.lines[MAIN_LINE].queue;
        match attribute {
            Attribute::VisibilityTimeout { timeout_us } => queue.set_visibility_timeout_us(timeout_us),
            Attribute::MaxReceiveCount { receives } => queue.set_max_receive_count(Some(receives)),
            Attribute::Retention { retention_us } => {
                queue.set_retention_us(retention_us);
                self.expire(MAIN_LINE);
            }
        }
    }

    fn scale_by_hand(&mut self, fleet: u32, drain_us: Option<u64>) {
        if self.lines[MAIN_LINE].mapping.is_some() {
            return; // The pollers of a mapping are the service's own.
        }
        if let Some(autoscaler) = &mut self.lines[MAIN_LINE].autoscaler {
            autoscaler.scaled_to(fleet);
        }
        let start_up_us = self.lines[MAIN_LINE].consumers.start_up_us;
        self.scale(MAIN_LINE, fleet, start_up_us, drain_us);
    }

    fn pause_polling(&mut self) {
        self.lines[MAIN_LINE].polling_is_paused = true;
        for consumer in 0..self.lines[MAIN_LINE].fleet.size() {
            let poll = self.lines[MAIN_LINE].fleet.stop_waiting(consumer);
            if poll.is_some_and(|poll| poll.is_probe) {
                self.with_breakers(MAIN_LINE, |breakers| breakers.probe_given_back(consumer));
            }
        }
    }

    fn resume_polling(&mut self) {
        self.lines[MAIN_LINE].polling_is_paused = false;
        (0..self.lines[MAIN_LINE].fleet.size()).for_each(|consumer| self.poll(MAIN_LINE, consumer));
    }
}
