//! The processes of a fleet: they die, are told to end, are killed, and come back.

use super::{Fleet, Poll};

impl<W> Fleet<W> {
    /// A consumer's process dies: returns all that it held, in slots and buffer, and its poll. It is down until
    /// [`restart`](Self::restart).
    pub fn crash(&mut self, consumer: u32) -> (Vec<W>, Option<Poll>) {
        let poll = self.stop_waiting(consumer);
        let held = self.empty(consumer);
        let state = &mut self.consumers[consumer as usize];
        self.stopping_count -= u32::from(std::mem::take(&mut state.is_stopping));
        state.is_down = true;
        state.paused_until_us = None;
        (state.killed_us, state.crashes_us) = (None, None);
        (held, poll)
    }

    /// Whether a consumer's process is down.
    pub fn is_down(&self, consumer: u32) -> bool {
        self.consumers[consumer as usize].is_down
    }

    /// A consumer has a new process.
    pub fn restart(&mut self, consumer: u32) {
        let state = &mut self.consumers[consumer as usize];
        state.is_down = false;
        state.restarts += 1;
    }

    /// A consumer's process is told to end: it finishes what it holds, and polls no more. Returns its poll, which ends.
    pub fn stop(&mut self, consumer: u32) -> Option<Poll> {
        let state = &mut self.consumers[consumer as usize];
        self.stopping_count += u32::from(!std::mem::replace(&mut state.is_stopping, true));
        self.stop_waiting(consumer)
    }

    /// Whether any process has been told to end, and has not.
    #[inline]
    pub fn are_some_stopping(&self) -> bool {
        self.stopping_count > 0
    }

    /// Whether a process that was told to end has finished what it held.
    pub fn has_finished(&self, consumer: u32) -> bool {
        self.consumers[consumer as usize].is_stopping && self.held(consumer) == 0
    }

    /// Whether the fleet has been scaled below that consumer.
    pub fn is_dismissed(&self, consumer: u32) -> bool {
        self.consumers[consumer as usize].is_dismissed
    }

    /// A consumer is killed at that time, if it has not ended until then.
    pub fn kill_at(&mut self, consumer: u32, at_us: u64) {
        self.consumers[consumer as usize].killed_us = Some(at_us);
    }

    /// Whether a consumer is to be killed now.
    pub fn is_killed_at(&self, now_us: u64, consumer: u32) -> bool {
        self.consumers[consumer as usize].killed_us == Some(now_us)
    }

    /// A consumer's process crashes at that time, if it has not ended until then.
    pub fn crash_at(&mut self, consumer: u32, at_us: u64) {
        self.consumers[consumer as usize].crashes_us = Some(at_us);
    }

    /// Whether a consumer's process crashes now.
    pub fn crashes_at(&self, now_us: u64, consumer: u32) -> bool {
        self.consumers[consumer as usize].crashes_us == Some(now_us)
    }

    /// Processes that a consumer has had so far, but for the first.
    pub fn restarts(&self, consumer: u32) -> u64 {
        self.consumers[consumer as usize].restarts
    }
}
