//! Messages on their way into the dead-letter queue, and back out of it.

use super::event::Event;
use super::identity::redriven;
use super::observing::{DeadLettering, Happening, Observer};
use super::world::World;
use crate::engine::time::SECOND_US;
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::model::operator::{Action, CountAfterRedrive};
use crate::model::policy::RetryPolicy;
use crate::model::queue::{MessageTag, NewMessage, Receipt, Removed};

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The queue moves a message that has used up its receives (rule Q7, lazy redrive).
    pub fn move_to_dead_letter_queue(&mut self, line: usize, removed: Removed) {
        self.record_dead_letter(line, &removed);
        let dead_letter_line = self.dead_letter_line;
        self.lines[dead_letter_line].queue.enqueue_moved(self.now_us, removed);
        self.tell(dead_letter_line, removed.id, |world| {
            let (class, others) = (removed.tag.class, world.others(dead_letter_line));
            Happening::Entered { class, delayed_until_us: None, others }
        });
        self.follow_retention(dead_letter_line);
        self.serve_waiting(dead_letter_line);
    }

    /// A consumer sends a message to the dead-letter queue itself: a new message there, with its own age and no receives.
    pub fn send_to_dead_letter_queue(&mut self, line: usize, removed: Removed) {
        self.tell(line, removed.id, |_| Happening::DeadLettered(DeadLettering::ByConsumer));
        self.record_dead_letter(line, &removed);
        let dead_letter_line = self.dead_letter_line;
        self.enqueue(dead_letter_line, NewMessage { group: removed.group, ..NewMessage::new(removed.id, removed.tag) });
        self.serve_waiting(dead_letter_line);
    }

    /// A consumer sends a message to the dead-letter queue without deleting it: it is in both now.
    pub fn copy_to_dead_letter_queue(&mut self, line: usize, receipt: Receipt) {
        let copied = self.lines[line].queue.copy_of(receipt);
        self.recorder.copied_to_dead_letter_queue(copied.tag.class);
        self.tell(line, copied.id, |_| Happening::DeadLettered(DeadLettering::Copied));
        let dead_letter_line = self.dead_letter_line;
        let tag = MessageTag { previous_delay_s: None, ..copied.tag };
        let id = self.extra_copies.next_of(copied.id);
        self.enqueue(dead_letter_line, NewMessage { group: copied.group, ..NewMessage::new(id, tag) });
        self.serve_waiting(dead_letter_line);
    }

    fn record_dead_letter(&mut self, line: usize, removed: &Removed) {
        debug_assert_ne!(line, self.dead_letter_line, "the dead-letter queue has no redrive policy of its own");
        let first_received_us = removed.first_received_us.unwrap_or(self.now_us);
        self.recorder.dead_lettered(removed.tag.class, self.now_us - first_received_us, removed.tag.redriven);
    }

    /// A message has left its queue for good.
    #[inline]
    pub fn record_left(&mut self, line: usize, class: MessageClass, fate: Fate) {
        if line == self.dead_letter_line {
            self.recorder.left_dead_letter_queue(class, fate);
        } else {
            self.recorder.left(class, fate);
        }
    }

    /// A redrive task moves the next message, if there is one, and comes back for the one after it (rule R1, message
    /// move task).
    pub fn redrive_next(&mut self, action: u32) {
        let Action::Redrive { rate_per_s, messages, receive_count } = self.setup.operations[action as usize].action
        else {
            return;
        };
        let moved = self.redriven_by[action as usize];
        if messages.is_some_and(|most| moved >= most) {
            return;
        }
        let mut taken = std::mem::take(&mut self.removed);
        self.lines[self.dead_letter_line].queue.take_oldest_visible(1, &mut taken);
        let removed = taken.pop();
        self.removed = taken;
        let Some(removed) = removed else { return };
        self.redriven_by[action as usize] += 1;
        self.recorder.redriven(removed.tag.class);
        self.tell(self.dead_letter_line, removed.id, |_| Happening::Redriven);
        let line = usize::from(removed.tag.source);
        let tag = MessageTag { redriven: true, previous_delay_s: None, ..removed.tag };
        let receive_count = match receive_count {
            CountAfterRedrive::Reset => 0,
            CountAfterRedrive::Kept => removed.receive_count,
        };
        let new = NewMessage::new(redriven(removed.id), tag);
        self.enqueue(line, NewMessage { group: removed.group, receive_count, ..new });
        self.serve_waiting(line);

        let began_us = self.setup.operations[action as usize].at_us;
        let next_us = began_us + ((moved + 1) as f64 * SECOND_US as f64 / rate_per_s) as u64;
        self.agenda.schedule(next_us.max(self.now_us), Event::Redrive(action).pack());
    }
}
