//! What a FIFO queue does by age, and the attributes that an operator changes.
//!
//! Since a move sets the enqueue time anew (rule Q11, age in the DLQ), the order of arrival is that of age.

use super::FifoQueue;
use crate::model::queue::{ReceiveCall, Removed};

impl FifoQueue {
    /// Whether retention can remove messages within the run.
    pub fn follows_retention(&self) -> bool {
        self.settings.retention_us < self.horizon_us
    }

    /// Removes what retention has run out for (rule Q10, retention) and appends it to `expired`, messages in flight
    /// included; returns when the next one is due.
    pub fn expire(&mut self, now_us: u64, expired: &mut Vec<Removed>) -> Option<u64> {
        while let Some((slot, due_us)) = self.next_expiry() {
            if due_us > now_us {
                return Some(due_us);
            }
            expired.push(self.remove(slot));
        }
        None
    }

    /// When retention removes the next message, if nothing else does before. A change of the retention can make it
    /// earlier.
    pub fn next_expiry_us(&self) -> Option<u64> {
        self.next_expiry().map(|(_, due_us)| due_us)
    }

    /// When the oldest message was sent, or moved here if this is a dead-letter queue (rule Q18, queue metrics). Nothing
    /// is left out: on a FIFO queue no message goes to the back.
    pub fn oldest_enqueued_us(&self) -> Option<u64> {
        self.order.first().map(|slot| self.messages[slot as usize].message.enqueued_us)
    }

    /// Takes up to `count` messages out that could be delivered, the earliest first, and appends them to `taken`: for a
    /// message move task, which sends each of them to the source as a new message (rule R1, message move task).
    pub fn take_oldest_visible(&mut self, count: u32, taken: &mut Vec<Removed>) {
        for _ in 0..count {
            let Some(member) = self.next_deliverable(&mut ReceiveCall::new()) else { return };
            taken.push(self.remove(member.slot));
        }
    }

    /// Sets the visibility timeout of receives to come; running leases keep their end (rule Q17, slow attribute changes).
    pub fn set_visibility_timeout_us(&mut self, visibility_timeout_us: u64) {
        self.settings.visibility_timeout_us = visibility_timeout_us;
    }

    /// Sets or takes away the redrive policy, for receives to come and for leases that end from now on.
    pub fn set_max_receive_count(&mut self, max_receive_count: Option<u32>) {
        self.settings.max_receive_count = max_receive_count;
    }

    /// Sets the retention, for the messages that are there too: call [`expire`](Self::expire).
    pub fn set_retention_us(&mut self, retention_us: u64) {
        self.settings.retention_us = retention_us;
    }

    /// The message that retention removes next, and when.
    fn next_expiry(&self) -> Option<(u32, u64)> {
        let slot = self.order.first().filter(|_| self.follows_retention())?;
        Some((slot, self.messages[slot as usize].message.enqueued_us + self.settings.retention_us))
    }
}
