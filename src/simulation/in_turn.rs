//! Consumers that work on the messages of a group one after the other.

use super::observing::{Happening, Observer};
use super::world::{Attempt, World};
use crate::model::consumer::SlotId;
use crate::model::policy::{AttemptError, RetryPolicy};

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// Puts a message aside while its consumer has an earlier one of its group in hand; gives it back if there is none.
    pub fn put_aside(&mut self, line: usize, consumer: u32, attempt: Attempt) -> Option<Attempt> {
        let state = &mut self.lines[line];
        let group = state.queue.copy_of(attempt.receipt).group;
        let (fleet, queue) = (&mut state.fleet, &state.queue);
        if fleet.has(consumer, |held| queue.copy_of(held.receipt).group == group) {
            fleet.put_aside(consumer, attempt);
            return None;
        }
        Some(attempt)
    }

    /// An attempt at a message of that group has ended. If it went well the next one of the group may begin, and otherwise
    /// none of them: they are left to their leases, so that the order is kept (rule S1, container defaults).
    #[cold]
    pub fn group_goes_on(&mut self, line: usize, consumer: u32, group: u32, result: Result<(), AttemptError>) {
        while let Some(attempt) = self.next_aside(line, consumer, group) {
            let is_aged = self.lines[line].consumers.drops_aged && attempt.leased_until_us <= self.now_us;
            if result.is_ok() && !is_aged {
                if let Some(slot) = self.lines[line].fleet.take(consumer, attempt) {
                    self.begin(line, slot);
                }
                return;
            }
            if is_aged {
                self.recorder.aged_out();
            }
            self.tell(line, attempt.id, |_| if is_aged { Happening::AgedOut } else { Happening::GroupStopped });
            self.lines[line].queue.let_go(attempt.receipt);
            self.record_nothing(line, consumer, &attempt);
        }
    }

    fn next_aside(&mut self, line: usize, consumer: u32, group: u32) -> Option<Attempt> {
        let state = &mut self.lines[line];
        let queue = &state.queue;
        state.fleet.take_aside(consumer, |aside| queue.copy_of(aside.receipt).group == group)
    }

    /// The group of the message in that slot, where its consumers work on groups in turn.
    pub fn group_in_turn(&mut self, line: usize, slot: SlotId) -> Option<u32> {
        let state = &mut self.lines[line];
        let receipt = state.fleet.work_mut(slot)?.receipt;
        Some(state.queue.copy_of(receipt).group)
    }
}
