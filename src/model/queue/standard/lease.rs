//! Leases of a standard queue: how they begin, change and end.

use super::{STRAGGLER_RECEIVES, StandardQueue, is_visible};
use crate::model::queue::message::{Change, NO_LEASE, Place, Receipt};
use crate::model::queue::visible::Entry;
use crate::model::queue::{
    ChangeRefused, Delivery, LeaseEnd, ReceiveCall, RedriveTiming, ReturnOrder, Step, VisibilityChange,
};

/// What becomes of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Luck {
    /// The message is returned and hidden.
    Delivered,
    /// It is returned and stays visible.
    Doubled,
    /// It is hidden and reaches nobody.
    Lost,
}

impl StandardQueue {
    /// A receive of a visible message: its lease begins (rule Q3, lease per receive).
    #[inline(always)]
    pub(super) fn deliver(&mut self, now_us: u64, slot: u32, leased_until_us: u64) -> Step {
        if self.deliveries_vary {
            return self.deliver_by_luck(now_us, slot, leased_until_us);
        }
        let stamp = self.next_stamp();
        let message = &mut self.messages[slot as usize];
        message.count_receive(now_us, stamp);
        message.place = Place::InFlight;
        self.hidden_until_us[slot as usize] = leased_until_us;
        self.visible_count -= 1;
        self.in_flight_count += 1;
        message.hand_out();
        Step::Message { slot }
    }

    /// The same where a delivery may be doubled or lost (rule Q14, duplicates and lost deliveries).
    #[cold]
    fn deliver_by_luck(&mut self, now_us: u64, slot: u32, leased_until_us: u64) -> Step {
        let luck = self.luck(slot);
        let stamp = self.next_stamp();
        let message = &mut self.messages[slot as usize];
        message.count_receive(now_us, stamp);
        if luck == Luck::Doubled {
            message.hand_out();
            self.duplicates.push_back(Entry { slot, stamp });
            self.note_visible_by_age(slot);
            return Step::Message { slot };
        }
        message.place = Place::InFlight;
        self.hidden_until_us[slot as usize] = leased_until_us;
        self.visible_count -= 1;
        self.in_flight_count += 1;
        if luck == Luck::Lost {
            return Step::Lost { slot };
        }
        message.hand_out();
        Step::Message { slot }
    }

    /// When the leases end that a receive call brings (rule Q2, visibility timeout).
    #[inline]
    pub fn leased_until_us(&self, now_us: u64, call: &ReceiveCall) -> u64 {
        now_us + call.visibility_timeout_us.unwrap_or(self.settings.visibility_timeout_us)
    }

    /// What a consumer gets to see of the message that it has just received.
    #[inline(always)]
    pub fn delivery(&self, slot: u32, leased_until_us: u64) -> Delivery {
        self.messages[slot as usize].delivery(slot, leased_until_us)
    }

    /// Rule Q14, duplicates and lost deliveries: drawn for the message and its next receive.
    fn luck(&self, slot: u32) -> Luck {
        let (lost_share, duplicate_share) = (self.settings.lost_share, self.settings.duplicate_share);
        let message = &self.messages[slot as usize];
        let mut draw = self.draws.delivery.draw(message.id, u64::from(message.receive_count) + 1);
        // Both are drawn always, so that a change of one share leaves the luck of the other as it was.
        let (lost, doubled) = (draw.unit() < lost_share, draw.unit() < duplicate_share);
        match (lost, doubled) {
            (true, _) => Luck::Lost,
            (false, true) => Luck::Doubled,
            (false, false) => Luck::Delivered,
        }
    }

    /// The end of a lease of the message in that slot has come. Ends that have been replaced meanwhile do nothing.
    #[inline]
    pub fn lease_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.hidden_until_us[slot as usize] == now_us && self.messages[slot as usize].place == Place::InFlight {
            self.end_lease(now_us, slot)
        } else {
            LeaseEnd::Stale
        }
    }

    /// The end of the delay of the message in that slot has come (rule Q16, delivery delay). The message stands by its
    /// enqueue time.
    pub fn delay_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.hidden_until_us[slot as usize] != now_us || self.messages[slot as usize].place != Place::Delayed {
            return LeaseEnd::Stale;
        }
        let message = &mut self.messages[slot as usize];
        message.place = Place::Visible;
        let (stamp, enqueued_us) = (message.stamp, message.enqueued_us);
        self.hidden_until_us[slot as usize] = NO_LEASE;
        self.delayed_count -= 1;
        self.becomes_visible(slot);
        self.visible.add_fresh(enqueued_us, Entry { slot, stamp });
        LeaseEnd::Visible
    }

    /// Hides a message for `delay_s` seconds from now, in place of what was left of its lease (rule Q4, change replaces).
    ///
    /// # Errors
    /// Where the value or the whole lease would be more than twelve hours, or the message is gone; a lease then stays as
    /// it was.
    #[inline]
    pub fn change_visibility(
        &mut self,
        now_us: u64,
        receipt: Receipt,
        delay_s: u32,
    ) -> Result<VisibilityChange, ChangeRefused> {
        let message = &self.messages[receipt.slot as usize];
        match message.change(now_us, receipt, delay_s, self.settings.twelve_hour_clock)? {
            Change::Nothing => Ok(VisibilityChange::Unchanged),
            Change::End => Ok(VisibilityChange::Ended(self.end_lease(now_us, receipt.slot))),
            Change::Until(at_us) => {
                self.hidden_until_us[receipt.slot as usize] = at_us;
                Ok(VisibilityChange::LeasedUntil { at_us })
            }
        }
    }

    fn end_lease(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.settings.redrive_timing == RedriveTiming::Eager && self.is_used_up(slot) {
            return LeaseEnd::DeadLettered(self.remove(slot));
        }
        self.messages[slot as usize].place = Place::Visible;
        self.hidden_until_us[slot as usize] = NO_LEASE;
        self.in_flight_count -= 1;
        self.becomes_visible(slot);
        self.line_up(now_us, slot);
        LeaseEnd::Visible
    }

    /// Places a message that is visible again (rule Q9, return order).
    #[inline]
    fn line_up(&mut self, now_us: u64, slot: u32) {
        let message = &self.messages[slot as usize];
        let entry = Entry { slot, stamp: message.stamp };
        if self.goes_to_back(message.receives_here()) {
            return self.visible.add_at_back(now_us, entry);
        }
        match self.settings.return_order {
            ReturnOrder::ByVisibleTime => self.visible.add_at_back(now_us, entry),
            ReturnOrder::ByAge => self.visible.add_returned(message.enqueued_us, entry),
            ReturnOrder::Random => {
                let first_us = self.visible.first_rank_us(|entry| is_visible(&self.messages, entry)).unwrap_or(now_us);
                let span_us = now_us.saturating_sub(first_us) as f64;
                let share = self.draws.order.draw(message.id, message.receive_count.into()).unit();
                self.visible.add_returned(first_us + (share * span_us) as u64, entry);
            }
        }
    }

    /// Whether the message in that slot, which is visible again, stands at the back for its receives.
    pub fn is_at_back(&self, slot: u32) -> bool {
        self.goes_to_back(self.messages[slot as usize].receives_here())
    }

    /// Rule Q8, back of queue: from the third receive on, unless a redrive policy ends the message's life by then.
    #[inline]
    fn goes_to_back(&self, receives: u32) -> bool {
        self.settings.back_of_queue
            && receives >= STRAGGLER_RECEIVES
            && self.settings.max_receive_count.is_none_or(|limit| limit > STRAGGLER_RECEIVES)
    }
}
