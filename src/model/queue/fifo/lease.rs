//! Leases of a FIFO queue: how they begin, change and end.

use super::FifoQueue;
use super::groups::Member;
use crate::model::queue::message::{Change, NO_LEASE, Place, Receipt};
use crate::model::queue::{ChangeRefused, Delivery, LeaseEnd, ReceiveCall, RedriveTiming, VisibilityChange};

impl FifoQueue {
    /// A receive of a visible message: its lease begins (rule Q3, lease per receive), and its group is blocked.
    pub(super) fn lease(&mut self, now_us: u64, member: Member, leased_until_us: u64) {
        let stamp = self.next_stamp();
        let record = &mut self.messages[member.slot as usize];
        record.hidden_until_us = leased_until_us;
        record.message.place = Place::InFlight;
        record.message.count_receive(now_us, stamp);
        self.groups.hide(record.group, member);
        self.visible_count -= 1;
        self.in_flight_count += 1;
        record.message.hand_out();
    }

    /// When the leases end that a receive call brings (rule Q2, visibility timeout).
    pub fn leased_until_us(&self, now_us: u64, call: &ReceiveCall) -> u64 {
        now_us + call.visibility_timeout_us.unwrap_or(self.settings.visibility_timeout_us)
    }

    /// What a consumer gets to see of the message that it has just received.
    pub fn delivery(&self, slot: u32, leased_until_us: u64) -> Delivery {
        self.messages[slot as usize].message.delivery(slot, leased_until_us)
    }

    /// The end of a lease of the message in that slot has come. Ends that have been replaced meanwhile do nothing.
    pub fn lease_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if self.is_hidden_until(now_us, slot, Place::InFlight) { self.end_lease(slot) } else { LeaseEnd::Stale }
    }

    /// The end of the delay of the message in that slot has come (rule Q16, delivery delay).
    pub fn delay_ended(&mut self, now_us: u64, slot: u32) -> LeaseEnd {
        if !self.is_hidden_until(now_us, slot, Place::Delayed) {
            return LeaseEnd::Stale;
        }
        self.delayed_count -= 1;
        self.show(slot);
        LeaseEnd::Visible
    }

    /// Hides a message for `delay_s` seconds from now, in place of what was left of its lease (rule Q4, change replaces).
    ///
    /// # Errors
    /// Where the value or the whole lease would be more than twelve hours, or the message is gone; a lease then stays as
    /// it was.
    pub fn change_visibility(
        &mut self,
        now_us: u64,
        receipt: Receipt,
        delay_s: u32,
    ) -> Result<VisibilityChange, ChangeRefused> {
        let record = &mut self.messages[receipt.slot as usize];
        match record.message.change(now_us, receipt, delay_s, self.settings.twelve_hour_clock)? {
            Change::Nothing => Ok(VisibilityChange::Unchanged),
            Change::End => Ok(VisibilityChange::Ended(self.end_lease(receipt.slot))),
            Change::Until(at_us) => {
                record.hidden_until_us = at_us;
                Ok(VisibilityChange::LeasedUntil { at_us })
            }
        }
    }

    fn is_hidden_until(&self, at_us: u64, slot: u32, place: Place) -> bool {
        let record = self.messages.get(slot as usize);
        record.is_some_and(|record| record.hidden_until_us == at_us && record.message.place == place)
    }

    fn end_lease(&mut self, slot: u32) -> LeaseEnd {
        if self.settings.redrive_timing == RedriveTiming::Eager && self.is_used_up(slot) {
            return LeaseEnd::DeadLettered(self.remove(slot));
        }
        self.in_flight_count -= 1;
        self.show(slot);
        LeaseEnd::Visible
    }

    /// A hidden message takes its old place again, before all that arrived later (rule F2, one group first).
    fn show(&mut self, slot: u32) {
        let record = &mut self.messages[slot as usize];
        record.message.place = Place::Visible;
        record.hidden_until_us = NO_LEASE;
        self.visible_count += 1;
        self.groups.show(record.group, Member { sequence: record.sequence, slot });
    }
}
