//! Handlers under watch: leases that a heartbeat extends, and handlers that are killed when they take too long.

use super::event::{Event, Place};
use super::observing::{Happening, Observer};
use super::world::{Due, World};
use crate::model::consumer::{ConsumerSettings, Heartbeat, SlotId};
use crate::model::policy::{AttemptError, RetryPolicy};
use crate::model::queue::VisibilityChange;

/// Stands for a time that will not come.
pub(super) const NEVER: u64 = u64::MAX;

/// What is due for the handler in one slot.
#[derive(Debug, Clone, Copy)]
struct Watched {
    began_us: u64,
    /// When it is killed.
    deadline_us: u64,
    /// When its lease is extended next.
    beat_us: u64,
}

const IDLE: Watched = Watched { began_us: 0, deadline_us: NEVER, beat_us: NEVER };

/// The watch over a fleet's handlers. It stands beside the slots, not in them: most fleets have none.
#[derive(Debug)]
pub(super) struct Watch {
    heartbeat: Option<Heartbeat>,
    handler_timeout_us: Option<u64>,
    /// How often somebody looks for handlers to be killed; 0: at all times.
    checked_every_us: u64,
    slots: Vec<Watched>,
}

impl Watch {
    /// The watch of such a fleet; `None` where it needs none.
    pub fn new(consumers: &ConsumerSettings) -> Option<Self> {
        let (heartbeat, handler_timeout_us) = (consumers.heartbeat, consumers.handler_timeout_us);
        (heartbeat.is_some() || handler_timeout_us.is_some()).then(|| Self {
            heartbeat,
            handler_timeout_us,
            checked_every_us: consumers.timeout_checked_every_us,
            slots: Vec::new(),
        })
    }

    /// A handler begins; returns when its lease is extended first.
    fn begin(&mut self, now_us: u64, slot: SlotId) -> Option<u64> {
        let number = slot.0 as usize;
        if self.slots.len() <= number {
            self.slots.resize(number + 1, IDLE);
        }
        let deadline_us = self.handler_timeout_us.map_or(NEVER, |timeout_us| self.next_check_us(now_us + timeout_us));
        let first_us = self.heartbeat.map(|heartbeat| now_us + heartbeat.every_us);
        self.slots[number] = Watched { began_us: now_us, deadline_us, beat_us: first_us.unwrap_or(NEVER) };
        first_us
    }

    /// The first look from that time on.
    fn next_check_us(&self, at_us: u64) -> u64 {
        if self.checked_every_us == 0 { at_us } else { at_us.next_multiple_of(self.checked_every_us) }
    }

    pub fn end(&mut self, slot: SlotId) {
        if let Some(watched) = self.slots.get_mut(slot.0 as usize) {
            *watched = IDLE;
        }
    }

    fn deadline_us(&self, slot: SlotId) -> u64 {
        self.slots.get(slot.0 as usize).map_or(NEVER, |watched| watched.deadline_us)
    }

    /// The extension that is due now: what it sets, and when the next one is due.
    fn beat(&mut self, now_us: u64, slot: SlotId) -> Option<(u32, Option<u64>)> {
        let heartbeat = self.heartbeat?;
        let watched = self.slots.get_mut(slot.0 as usize).filter(|watched| watched.beat_us == now_us)?;
        let next_us = now_us + heartbeat.every_us;
        let goes_on = heartbeat.at_most_us.is_none_or(|at_most_us| next_us - watched.began_us <= at_most_us);
        watched.beat_us = if goes_on { next_us } else { NEVER };
        Some((heartbeat.extend_to_s, goes_on.then_some(next_us)))
    }
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The handler in that slot begins.
    #[inline]
    pub fn watch_begins(&mut self, line: usize, slot: SlotId) {
        if let Some(watch) = &mut self.lines[line].watch
            && let Some(at_us) = watch.begin(self.now_us, slot)
        {
            self.schedule_heartbeat(line, slot, at_us);
        }
    }

    /// When the handler in that slot is killed.
    #[inline]
    pub fn deadline_us(&self, line: usize, slot: SlotId) -> u64 {
        self.lines[line].watch.as_ref().map_or(NEVER, |watch| watch.deadline_us(slot))
    }

    fn schedule_heartbeat(&mut self, line: usize, slot: SlotId, at_us: u64) {
        self.agenda.schedule(at_us, Event::Heartbeat(Place { line, number: slot.0 }.pack()).pack());
    }

    /// The lease of the message in that slot is extended, if its handler is still the one that set the time.
    pub fn heartbeat(&mut self, Place { line, number }: Place) {
        let (slot, state) = (SlotId(number), &mut self.lines[line]);
        let beat = state.watch.as_mut().and_then(|watch| watch.beat(self.now_us, slot));
        let (Some((extend_to_s, next_us)), Some(attempt)) = (beat, state.fleet.work_mut(slot)) else {
            return self.event_was_stale();
        };
        let receipt = attempt.receipt;
        self.recorder.request();
        // A refused extension leaves the lease as it is (rule Q5, twelve-hour ceiling), and later ones would be refused too.
        let changed = state.queue.change_visibility(self.now_us, receipt, extend_to_s);
        if let Ok(VisibilityChange::LeasedUntil { at_us }) = changed {
            attempt.leased_until_us = at_us;
        }
        self.tell_of(line, receipt, |world| {
            let changed = world.changed(line, receipt.slot(), changed);
            Happening::Extended { extend_to_s, changed }
        });
        let Ok(change) = changed else { return };
        if let Some(at_us) = next_us {
            self.schedule_heartbeat(line, slot, at_us);
        }
        self.visibility_has_changed(line, receipt.slot(), change);
    }

    /// The handler in that slot goes on at that time, unless it is killed before.
    pub fn handler_goes_on(&mut self, line: usize, slot: SlotId, at_us: u64, due: Due) {
        let deadline_us = self.deadline_us(line, slot);
        let (due, at_us) = if at_us < deadline_us { (due, at_us) } else { (Due::Kill, deadline_us) };
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.expect(due, at_us);
            self.agenda.schedule(at_us, Event::HandlerGoesOn(Place { line, number: slot.0 }.pack()).pack());
        }
    }

    /// The handler in that slot has taken too long and is killed: nothing more happens to its message, whose lease runs on.
    pub fn kill_handler(&mut self, line: usize, slot: SlotId) {
        self.recorder.handler_killed();
        self.tell_in(line, slot, |receive_count, _| Happening::HandlerKilled { receive_count });
        self.end_call(line, slot, None);
        self.settle_early(line, slot);
        self.end(line, slot, Err(AttemptError::TimedOut));
    }
}
