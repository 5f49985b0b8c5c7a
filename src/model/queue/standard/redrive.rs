//! What a message move task takes out of a standard queue.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use slab::Slab;

use super::{StandardQueue, is_visible};
use crate::model::queue::Removed;
use crate::model::queue::ages::SLACK;
use crate::model::queue::message::{Message, Place};
use crate::model::queue::visible::{Entry, pack, unpack};

/// Visible messages from the oldest enqueue time on. Entries of messages that have been received or removed stay until
/// they come to the front or outnumber the others.
#[derive(Debug, Default)]
pub(super) struct VisibleByAge {
    entries: BinaryHeap<Reverse<u128>>,
}

impl VisibleByAge {
    fn of(messages: &Slab<Message>) -> Self {
        let visible = messages.iter().filter(|(_, message)| message.place == Place::Visible);
        Self { entries: visible.map(|(slot, message)| Reverse(packed(message, slot as u32))).collect() }
    }

    /// Adds a message that has become visible; with it there are so many.
    #[cold]
    pub fn add(&mut self, messages: &Slab<Message>, slot: u32, visible_count: usize) {
        self.entries.push(Reverse(packed(&messages[slot as usize], slot)));
        if self.entries.len() > 2 * visible_count + SLACK {
            self.entries.retain(|&Reverse(packed)| is_visible(messages, unpack(packed)));
        }
    }

    fn take_oldest(&mut self, messages: &Slab<Message>) -> Option<Entry> {
        while let Some(Reverse(packed)) = self.entries.pop() {
            let entry = unpack(packed);
            if is_visible(messages, entry) {
                return Some(entry);
            }
        }
        None
    }
}

fn packed(message: &Message, slot: u32) -> u128 {
    pack(message.enqueued_us, Entry { slot, stamp: message.stamp })
}

impl StandardQueue {
    /// Takes up to `count` visible messages out, those with the oldest enqueue time first, and appends them to `taken`:
    /// for a message move task, which sends each of them to the source as a new message (rule R1, message move task).
    pub fn take_oldest_visible(&mut self, count: u32, taken: &mut Vec<Removed>) {
        // Built at the first use: a queue that is never redriven does not pay for it.
        let mut index = self.visible_by_age.take().unwrap_or_else(|| VisibleByAge::of(&self.messages));
        for _ in 0..count {
            let Some(entry) = index.take_oldest(&self.messages) else { break };
            taken.push(self.remove(entry.slot));
        }
        self.visible_by_age = Some(index);
    }

    /// A message is visible, or has a new stamp and still is.
    #[inline]
    pub(super) fn note_visible_by_age(&mut self, slot: u32) {
        if let Some(index) = &mut self.visible_by_age {
            index.add(&self.messages, slot, self.visible_count);
        }
    }
}
