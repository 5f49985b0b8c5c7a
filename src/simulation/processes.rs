//! The life of consumers' processes: they start, crash, are told to end, and are killed.

use super::event::{Event, Place};
use super::observing::Observer;
use super::operating::MAIN_LINE;
use super::world::World;
use crate::model::consumer::Rollout;
use crate::model::policy::RetryPolicy;

/// A deploy that is under way.
#[derive(Debug)]
pub(super) struct Deploy {
    rollout: Rollout,
    drain_us: u64,
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// A process begins: it may crash by itself one day.
    pub fn process_begins(&mut self, line: usize, consumer: u32) {
        let Some(lifetime) = &self.lifetimes[line] else { return };
        let place = Place { line, number: consumer };
        let fleet = &mut self.lines[line].fleet;
        let mut draw = self.draws.crash.draw(place.pack().into(), fleet.restarts(consumer));
        let crashes_us = self.now_us + lifetime.sample(&mut draw);
        fleet.crash_at(consumer, crashes_us);
        self.agenda.schedule(crashes_us, Event::ProcessCrashes(place.pack()).pack());
    }

    /// A process crashes by itself, unless it has ended before.
    pub fn process_crashes(&mut self, Place { line, number: consumer }: Place) {
        let fleet = &self.lines[line].fleet;
        let is_gone = fleet.is_dismissed(consumer) && fleet.held(consumer) == 0;
        if is_gone || !fleet.crashes_at(self.now_us, consumer) {
            return self.event_was_stale();
        }
        self.crash(line, consumer);
    }

    /// A consumer's process dies, of a poison message or otherwise: what it held stays leased, and nobody learns of its
    /// calls.
    pub fn crash(&mut self, line: usize, consumer: u32) {
        if self.lines[line].mapping.is_some() {
            return self.environment_dies(line, consumer);
        }
        let restart_us = self.lines[line].consumers.restart_us;
        self.process_ends(line, consumer, restart_us);
    }

    /// A process is told to end: it finishes what it holds, and is killed if that takes longer.
    fn stop_process(&mut self, line: usize, consumer: u32, drain_us: u64) {
        let fleet = &mut self.lines[line].fleet;
        if fleet.is_down(consumer) {
            return; // The next process is a new one anyway.
        }
        let poll = fleet.stop(consumer);
        if drain_us == 0 {
            let start_up_us = self.lines[line].consumers.start_up_us;
            self.process_ends(line, consumer, start_up_us);
        } else {
            self.kill_later(line, consumer, drain_us);
            self.may_have_finished(line, consumer);
        }
        if poll.is_some_and(|poll| poll.is_probe) {
            self.give_probe_back(line, consumer);
        }
    }

    /// A consumer may go on for so long with what it holds.
    pub fn kill_later(&mut self, line: usize, consumer: u32, drain_us: u64) {
        let at_us = self.now_us + drain_us;
        self.lines[line].fleet.kill_at(consumer, at_us);
        self.agenda.schedule(at_us, Event::ConsumerKilled(Place { line, number: consumer }.pack()).pack());
    }

    /// The time of a process that was told to end, or of a dismissed consumer, is over.
    pub fn consumer_killed(&mut self, Place { line, number: consumer }: Place) {
        let state = &self.lines[line];
        if !state.fleet.is_killed_at(self.now_us, consumer) || state.fleet.held(consumer) == 0 {
            return self.event_was_stale();
        }
        let start_up_us = state.consumers.start_up_us;
        self.process_ends(line, consumer, start_up_us);
    }

    /// A process that has been told to end may have nothing left to do. It sends the deletes that it has held back.
    #[cold]
    pub fn may_have_finished(&mut self, line: usize, consumer: u32) {
        if self.lines[line].fleet.has_finished(consumer) {
            self.flush_acknowledgements(line, consumer);
            self.serve_waiting(line);
            let start_up_us = self.lines[line].consumers.start_up_us;
            self.process_ends(line, consumer, start_up_us);
        }
    }

    /// A process is gone, with all that it held; the next one is there after a while.
    fn process_ends(&mut self, line: usize, consumer: u32, back_after_us: u64) {
        self.acknowledgements_die(line, consumer);
        self.rejected_die(line, consumer);
        let state = &mut self.lines[line];
        let (held, poll) = state.fleet.crash(consumer);
        if !held.is_empty() {
            self.abandon_calls(line, consumer);
        }
        self.process_will_begin(line, consumer, back_after_us);
        // A probe among them fails and opens the breaker; only then is it known whether the poll was for one still.
        if let Some(gates) = &mut self.lines[line].gates {
            gates.consumer_died(consumer);
        }
        held.into_iter().for_each(|attempt| self.drop_attempt(line, consumer, attempt));
        if poll.is_some_and(|poll| poll.is_probe) {
            self.give_probe_back(line, consumer);
        }
    }

    fn process_will_begin(&mut self, line: usize, consumer: u32, after_us: u64) {
        let event = Event::ConsumerRestarts(Place { line, number: consumer }.pack());
        self.agenda.schedule(self.now_us + after_us, event.pack());
    }

    /// A consumer has a new process.
    pub fn consumer_restarts(&mut self, Place { line, number: consumer }: Place) {
        self.lines[line].fleet.restart(consumer);
        self.process_begins(line, consumer);
        self.poll(line, consumer);
        let is_replaced = self.deploy.as_mut().is_some_and(|deploy| deploy.rollout.is_back(consumer));
        if is_replaced && line == MAIN_LINE {
            self.roll_on();
        }
    }

    /// A consumer joins the fleet: its process starts, unless it is the old one that goes on.
    pub fn consumer_joins(&mut self, line: usize, consumer: u32, start_up_us: u64) {
        let fleet = &mut self.lines[line].fleet;
        if fleet.is_down(consumer) {
            return; // It will be back.
        }
        if fleet.held(consumer) > 0 {
            return self.poll(line, consumer);
        }
        if start_up_us > 0 {
            fleet.crash(consumer);
            return self.process_will_begin(line, consumer, start_up_us);
        }
        self.process_begins(line, consumer);
        self.poll(line, consumer);
    }

    /// An operator replaces every consumer of the scenario's own queue.
    pub fn begin_deploy(&mut self, drain_us: u64, at_once: u32) {
        if self.lines[MAIN_LINE].mapping.is_some() {
            return; // The pollers of a mapping are the service's own.
        }
        self.deploy = Some(Deploy { rollout: Rollout::new(at_once), drain_us });
        self.roll_on();
    }

    /// The next consumers are told to end.
    fn roll_on(&mut self) {
        let fleet = self.lines[MAIN_LINE].fleet.size();
        while let Some(deploy) = &mut self.deploy {
            let drain_us = deploy.drain_us;
            let Some(consumer) = deploy.rollout.next(fleet) else { return };
            self.stop_process(MAIN_LINE, consumer, drain_us);
        }
    }
}
