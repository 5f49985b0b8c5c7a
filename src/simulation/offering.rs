//! The pollers of a Lambda mapping: how they fill batches, offer them to the function, and what becomes of those that it has
//! no room for.

use super::event::{Event, Place};
use super::mapping::{Mapping, PollerDue};
use super::observing::{Happening, Observer};
use super::watching::NEVER;
use super::world::World;
use crate::engine::time::SECOND_US;
use crate::model::consumer::{Started, ThrottledBatches};
use crate::model::policy::RetryPolicy;

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The mapping of a line; only asked for where there is one.
    fn with_mapping<T>(&mut self, line: usize, act: impl FnOnce(&mut Mapping) -> T) -> Option<T> {
        self.lines[line].mapping.as_deref_mut().map(act)
    }

    pub fn schedule_poller(&mut self, line: usize, poller: u32, at_us: u64) {
        if at_us < self.duration_us {
            self.agenda.schedule(at_us, Event::PollerTimer(Place { line, number: poller }.pack()).pack());
        }
    }

    /// A receive call has brought a poller messages: its batch is complete, or its window begins with the first of them
    /// (rule L2, batch and window).
    #[inline(never)]
    pub fn batch_grows(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let (most, window_us) = (mapping.settings.batch as usize, mapping.settings.window_us);
        let state = mapping.poller(poller);
        if state.gathered.len() >= most || window_us == 0 {
            self.batch_is_read(line, poller);
        } else if state.window_ends_us == NEVER {
            state.window_ends_us = now_us + window_us;
            self.schedule_poller(line, poller, now_us + window_us);
        }
    }

    /// A poller has read a batch: it is the function's turn, unless another batch of this poller comes first.
    fn batch_is_read(&mut self, line: usize, poller: u32) {
        let is_first = self.with_mapping(line, |mapping| {
            mapping.close_batch(poller);
            let state = mapping.poller(poller);
            state.invocation.is_none() && state.batches.len() == 1
        });
        if is_first == Some(true) {
            self.offer(line, poller);
        }
    }

    /// A poller offers its first batch to the function.
    fn offer(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let Some(batch) = mapping.poller(poller).batches.front() else { return };
        let number = batch.number;
        if mapping.has_line() {
            mapping.waiting.insert((number, poller));
            self.offer_waiting(line);
            if self.with_mapping(line, |mapping| mapping.waiting.contains(&(number, poller))) == Some(true) {
                self.batch_is_throttled(line, poller);
            }
            return;
        }
        match mapping.environments.start(now_us) {
            Some(started) => self.invoke(line, poller, started),
            None => self.batch_is_throttled(line, poller),
        }
    }

    /// The function may have room: batches that wait in line get it in the order of reading.
    pub fn offer_waiting(&mut self, line: usize) {
        while let Some((poller, started)) = self.next_waiting(line) {
            self.invoke(line, poller, started);
        }
    }

    fn next_waiting(&mut self, line: usize) -> Option<(u32, Started)> {
        let now_us = self.now_us;
        let mapping = self.lines[line].mapping.as_deref_mut()?;
        let &(number, poller) = mapping.waiting.first()?;
        let started = mapping.environments.start(now_us)?;
        mapping.waiting.remove(&(number, poller));
        Some((poller, started))
    }

    /// The function has no room for a poller's first batch: it is offered again inside its lease, or waits there (rule L6,
    /// over-pull).
    fn batch_is_throttled(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        self.recorder.invocation_throttled();
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        mapping.ramp.batch_throttled();
        let (way, after_us) = (mapping.settings.throttled, mapping.settings.reoffer_after_us);
        let state = mapping.poller(poller);
        let lease_ends_us = state.batches.front().map_or(now_us, |batch| batch.lease_ends_us);
        let due_us = match way {
            ThrottledBatches::Reoffer => lease_ends_us.min(now_us + after_us),
            ThrottledBatches::Prefetch => lease_ends_us,
            ThrottledBatches::Drop => now_us,
        };
        if due_us <= now_us {
            return self.drop_batch(line, poller);
        }
        state.offer_due_us = due_us;
        self.schedule_poller(line, poller, due_us);
    }

    /// A poller gives its first batch up: no handler has seen it, and its leases run to their end (rule L6, over-pull). Were
    /// there no rest, it could do so infinitely often at one moment.
    fn drop_batch(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        let Some(mapping) = self.lines[line].mapping.as_deref_mut() else { return };
        let rests_until_us = now_us + mapping.settings.reoffer_after_us;
        let state = mapping.poller(poller);
        state.offer_due_us = NEVER;
        state.rests_until_us = rests_until_us;
        let Some(batch) = state.batches.pop_front() else { return };
        mapping.waiting.remove(&(batch.number, poller));
        for attempt in batch.attempts {
            self.tell(line, attempt.id, |_| Happening::BatchDropped);
            self.lines[line].queue.let_go(attempt.receipt);
        }
        self.recorder.batch_dropped();
        self.schedule_poller(line, poller, rests_until_us);
        self.offer_next_of(line, poller);
    }

    /// A poller has got its batch off its hands: the one that it has read meanwhile comes next, if its lease still runs.
    pub fn offer_next_of(&mut self, line: usize, poller: u32) {
        let now_us = self.now_us;
        let lease_ends_us =
            self.with_mapping(line, |mapping| mapping.poller(poller).batches.front().map(|batch| batch.lease_ends_us));
        match lease_ends_us.flatten() {
            None => {}
            Some(at_us) if at_us <= now_us => self.drop_batch(line, poller),
            Some(_) => self.offer(line, poller),
        }
    }

    /// Something is due for a poller, unless the event is of the past.
    pub fn poller_timer(&mut self, Place { line, number: poller }: Place) {
        let now_us = self.now_us;
        match self.with_mapping(line, |mapping| mapping.poller(poller).take_due(now_us)).flatten() {
            None => self.event_was_stale(),
            Some(PollerDue::Invocation) => self.invocation_goes_on(line, poller),
            Some(PollerDue::Offer) => {
                self.offer_next_of(line, poller);
                self.poll(line, poller);
            }
            Some(PollerDue::Window) => {
                self.lines[line].fleet.stop_waiting(poller);
                self.batch_is_read(line, poller);
                self.poll(line, poller);
            }
            Some(PollerDue::Rest) => self.poll(line, poller),
        }
    }

    /// The number of pollers is looked at every second, where it can change (rule L1, poller scaling).
    pub fn schedule_ramp(&mut self, line: usize) {
        if self.lines[line].mapping.as_deref().is_some_and(|mapping| !mapping.ramp.is_fixed()) {
            self.agenda.schedule(self.now_us + SECOND_US, Event::RampTimer(line as u32).pack());
        }
    }

    /// A second has passed.
    pub fn ramp_timer(&mut self, line: usize) {
        let state = &mut self.lines[line];
        let (size, visible) = (state.fleet.size(), state.queue.visible_count());
        let Some(mapping) = state.mapping.as_deref_mut() else { return };
        let look = mapping.look(size, visible);
        let pollers = mapping.ramp.look(look);
        if pollers != size {
            self.scale(line, pollers, 0, None);
        }
        self.schedule_ramp(line);
    }
}
