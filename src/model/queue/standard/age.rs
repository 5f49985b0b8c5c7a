//! What a standard queue does by age, and the attributes that an operator changes.

use super::{StandardQueue, is_there, is_young};
use crate::model::queue::Removed;
use crate::model::queue::ages::{AgeEntry, AgeIndex};
use crate::model::queue::message::{Message, Place};
use crate::model::queue::visible::Entry;

impl StandardQueue {
    /// Whether retention can remove messages within the run.
    pub fn follows_retention(&self) -> bool {
        self.mortal.is_some()
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

    /// When retention removes the next message, if nothing else does before. A move into this queue or a change of the
    /// retention can make it earlier.
    pub fn next_expiry_us(&mut self) -> Option<u64> {
        self.next_expiry().map(|(_, due_us)| due_us)
    }

    /// When the oldest message was sent, or moved here if this is a dead-letter queue; messages with three and more
    /// receives are left out (rule Q18, queue metrics).
    pub fn oldest_enqueued_us(&mut self) -> Option<u64> {
        let messages = &self.messages;
        self.young.oldest(|entry| is_young(messages, entry)).map(AgeEntry::since_us)
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
        if retention_us >= self.horizon_us {
            self.mortal = None;
        } else if self.mortal.is_none() {
            self.mortal = Some(self.all_by_age());
        }
    }

    fn all_by_age(&self) -> AgeIndex {
        let outstanding = self.messages.iter().filter(|(_, message)| message.place != Place::Gone);
        let entry = |slot: usize, message: &Message| {
            AgeEntry::new(message.enqueued_us, Entry { slot: slot as u32, stamp: message.entered })
        };
        let mut entries: Vec<AgeEntry> = outstanding.map(|(slot, message)| entry(slot, message)).collect();
        entries.sort_unstable();
        let mut index = AgeIndex::default();
        entries.iter().for_each(|&entry| index.add(entry, entries.len(), |_| true));
        index
    }

    /// The message that retention removes next, and when.
    fn next_expiry(&mut self) -> Option<(u32, u64)> {
        let messages = &self.messages;
        let oldest = self.mortal.as_mut()?.oldest(|entry| is_there(messages, entry))?;
        Some((oldest.entrance().slot, oldest.since_us() + self.settings.retention_us))
    }
}
