//! Messages that a consumer has received and does not begin on: those that it has no place for, and those that age in its
//! buffer.

use super::event::{Event, Place};
use super::observing::{Happening, Observer};
use super::world::World;
use crate::engine::time::MILLISECOND_US;
use crate::model::consumer::{ConsumerSettings, Overflow, Polls, SlotId};
use crate::model::policy::RetryPolicy;
use crate::model::queue::{Delivery, Receipt};

/// How long a consumer is busy with messages that it has no place for, before it polls again: about the time of a receive
/// and of giving them back. An assumption. Were it no time, it could receive and release the same message infinitely often
/// at one moment.
const REJECTING_US: u64 = 20 * MILLISECOND_US;

/// What becomes of messages that the consumers of a fleet have no place for.
#[derive(Debug)]
pub(super) struct Overflowing {
    overflow: Overflow,
    /// By consumer: what it is about to release.
    rejected: Vec<Vec<Receipt>>,
}

impl Overflowing {
    /// Of such a fleet; `None` where no consumer ever asks for more than it has a place for.
    pub fn new(consumers: &ConsumerSettings) -> Option<Self> {
        let is_possible = consumers.polls == Polls::Always;
        is_possible.then(|| Self { overflow: consumers.overflow, rejected: Vec::new() })
    }

    fn of(&mut self, consumer: u32) -> &mut Vec<Receipt> {
        let number = consumer as usize;
        if self.rejected.len() <= number {
            self.rejected.resize_with(number + 1, Vec::new);
        }
        &mut self.rejected[number]
    }

    fn take(&mut self, consumer: u32) -> Vec<Receipt> {
        std::mem::take(self.of(consumer))
    }
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// Whether that consumer has no place for the message that it has just received. If so, the message is rejected, and the
    /// consumer pauses.
    #[inline]
    pub fn overflows(&mut self, line: usize, consumer: u32, delivery: &Delivery) -> bool {
        let state = &self.lines[line];
        let is_full = state.overflowing.is_some() && !state.fleet.has_place(consumer) && !state.fleet.is_down(consumer);
        if is_full {
            self.reject(line, consumer, delivery);
        }
        is_full
    }

    #[cold]
    fn reject(&mut self, line: usize, consumer: u32, delivery: &Delivery) {
        self.recorder.overflowed();
        self.tell(line, delivery.id, |_| Happening::NoPlace);
        self.schedule_lease_end(Place { line, number: delivery.receipt.slot() }, delivery.leased_until_us);
        let state = &mut self.lines[line];
        match &mut state.overflowing {
            Some(overflowing) if overflowing.overflow == Overflow::Release => {
                overflowing.of(consumer).push(delivery.receipt);
            }
            _ => state.queue.let_go(delivery.receipt),
        }
        if !state.fleet.is_pausing(consumer) {
            self.pause(line, consumer, REJECTING_US);
        }
    }

    /// The consumer does not poll for a while.
    pub fn pause(&mut self, line: usize, consumer: u32, pause_us: u64) {
        let again_us = self.now_us + pause_us;
        self.lines[line].fleet.pause(consumer, again_us);
        self.agenda.schedule(again_us, Event::PauseEnds(Place { line, number: consumer }.pack()).pack());
    }

    /// A consumer's pause may have ended: it gives back what it had no place for, and polls.
    pub fn pause_ends(&mut self, Place { line, number: consumer }: Place) {
        if !self.lines[line].fleet.pause_ended(self.now_us, consumer) {
            return self.event_was_stale();
        }
        if self.lines[line].overflowing.is_some() {
            self.release_rejected(line, consumer);
        }
        self.poll(line, consumer);
    }

    /// One request makes all of them visible again (rule Q4, change replaces).
    fn release_rejected(&mut self, line: usize, consumer: u32) {
        let rejected = self.take_rejected(line, consumer);
        if rejected.is_empty() {
            return;
        }
        self.recorder.request();
        for receipt in rejected {
            let queue = &mut self.lines[line].queue;
            let change = queue.change_visibility(self.now_us, receipt, 0);
            self.tell_of(line, receipt, |world| {
                let changed = world.changed(line, receipt.slot(), change);
                Happening::VisibilityChanged { delay_s: 0, changed }
            });
            self.lines[line].queue.let_go(receipt);
            if let Ok(change) = change {
                self.visibility_has_changed(line, receipt.slot(), change);
            }
        }
    }

    /// A consumer's process dies: what it was about to release stays leased.
    pub fn rejected_die(&mut self, line: usize, consumer: u32) {
        for receipt in self.take_rejected(line, consumer) {
            self.lines[line].queue.let_go(receipt);
        }
    }

    fn take_rejected(&mut self, line: usize, consumer: u32) -> Vec<Receipt> {
        let overflowing = self.lines[line].overflowing.as_mut();
        overflowing.map_or_else(Vec::new, |overflowing| overflowing.take(consumer))
    }

    /// A slot has turned to a buffered message. Where the consumer looks at the lease first, one whose lease is over is
    /// dropped: no handler, and no delete.
    #[inline(never)]
    pub fn begin_buffered(&mut self, line: usize, slot: SlotId) {
        while self.lines[line].consumers.drops_aged && self.is_aged(line, slot) {
            let state = &mut self.lines[line];
            let consumer = state.fleet.consumer_of(slot);
            let (dropped, goes_on) = state.fleet.finish(slot);
            self.recorder.aged_out();
            if let Some(attempt) = &dropped {
                self.tell(line, attempt.id, |_| Happening::AgedOut);
            }
            if let Some(attempt) = dropped {
                self.lines[line].queue.let_go(attempt.receipt);
                self.record_nothing(line, consumer, &attempt);
            }
            if !goes_on {
                return;
            }
        }
        self.begin(line, slot);
    }

    /// Whether the lease of the message in that slot has ended, as its consumer knows it.
    fn is_aged(&mut self, line: usize, slot: SlotId) -> bool {
        self.lines[line].fleet.work_mut(slot).is_some_and(|attempt| attempt.leased_until_us <= self.now_us)
    }
}
