//! The agenda: pending events in order of time, and in order of scheduling where times are equal.
//!
//! Two structures share the work, because two kinds of events make up a run:
//!
//! * **lanes** for delays that are always the same (a lease, a timeout): the events of a lane come in order of time, so
//!   a first-in-first-out queue holds them;
//! * a **wheel** for all others: events far away lie unsorted in buckets of a second, nearer ones in buckets of
//!   milliseconds, and only the bucket whose time has come is sorted.
//!
//! Both cost O(1) an event for all practical purposes. Whatever the structure, [`Agenda::pop`] returns the globally
//! smallest (time, scheduling order).

use std::collections::VecDeque;

use super::entry::{Entry, NEVER, pack, payload, time_us};
use super::wheel::Wheel;

/// The pending events of a run. The payload is the caller's own number, of at most 36 bits.
///
/// ```
/// use retrystorm::engine::agenda::Agenda;
///
/// let mut agenda = Agenda::new(1);
/// agenda.schedule(2_000_000, 7);
/// agenda.schedule_in_lane(0, 1_000_000, 8);
/// agenda.schedule(1_000_000, 9);
/// assert_eq!(agenda.pop(), Some((1_000_000, 8)));
/// assert_eq!(agenda.pop(), Some((1_000_000, 9)), "equal times: in the order of scheduling");
/// assert_eq!(agenda.pop(), Some((2_000_000, 7)));
/// assert_eq!(agenda.pop(), None);
/// ```
#[derive(Debug)]
pub struct Agenda {
    wheel: Wheel,
    lanes: Vec<Lane>,
    /// The lane with the smallest head, and that head.
    first_lane: usize,
    first_lane_head: Entry,
    scheduled: u64,
}

/// Events in order of time.
#[derive(Debug)]
struct Lane {
    /// The first event, `NEVER` where there is none.
    head: Entry,
    behind: VecDeque<Entry>,
    /// Time of the last event that came in.
    end_us: u64,
}

impl Agenda {
    /// An empty agenda with that many lanes.
    pub fn new(lanes: usize) -> Self {
        let lane = || Lane { head: NEVER, behind: VecDeque::new(), end_us: 0 };
        Self {
            wheel: Wheel::new(),
            lanes: (0..lanes).map(|_| lane()).collect(),
            first_lane: 0,
            first_lane_head: NEVER,
            scheduled: 0,
        }
    }

    /// Schedules an event at any time not before the last popped one.
    #[inline]
    pub fn schedule(&mut self, at_us: u64, payload: u64) {
        self.scheduled += 1;
        self.wheel.add(pack(at_us, self.scheduled, payload));
    }

    /// Schedules an event whose time is not before that of the lane's last one. Where it is, the event goes the general
    /// way: a lane is a matter of speed, never of order.
    ///
    /// # Panics
    /// Where the lane does not exist.
    #[inline]
    pub fn schedule_in_lane(&mut self, lane: usize, at_us: u64, payload: u64) {
        let events = &mut self.lanes[lane];
        if at_us < events.end_us {
            return self.schedule(at_us, payload);
        }
        events.end_us = at_us;
        self.scheduled += 1;
        let entry = pack(at_us, self.scheduled, payload);
        if events.head != NEVER {
            return events.behind.push_back(entry);
        }
        events.head = entry;
        if entry < self.first_lane_head {
            (self.first_lane, self.first_lane_head) = (lane, entry);
        }
    }

    /// Takes the next event out: its time and payload.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, u64)> {
        let entry = match self.wheel.pop_before(self.first_lane_head) {
            Some(entry) => entry,
            None if self.first_lane_head == NEVER => return None,
            None => self.pop_first_lane(),
        };
        Some((time_us(entry), payload(entry)))
    }

    #[inline]
    fn pop_first_lane(&mut self) -> Entry {
        let popped = self.first_lane_head;
        let lane = &mut self.lanes[self.first_lane];
        lane.head = lane.behind.pop_front().unwrap_or(NEVER);
        let mut first = (0, NEVER);
        for (number, lane) in self.lanes.iter().enumerate() {
            if lane.head < first.1 {
                first = (number, lane.head);
            }
        }
        (self.first_lane, self.first_lane_head) = first;
        popped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One step of a random run: (microseconds from now, lane or none, whether to pop afterwards).
    fn steps() -> impl Strategy<Value = Vec<(u64, Option<usize>, bool)>> {
        let delay = prop_oneof![0..2_000_u64, 0..100_000_u64, 0..5_000_000_u64, 0..4_000_000_000_u64];
        prop::collection::vec((delay, prop::option::of(0..2_usize), any::<bool>()), 1..400)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Against a sorted list: the same events, in the same order, whatever structure holds them.
        #[test]
        fn pops_by_time_then_by_order_of_scheduling(steps in steps()) {
            let mut agenda = Agenda::new(2);
            let mut expected: Vec<(u64, u64)> = Vec::new();
            let mut now_us = 0;
            for (number, (delay_us, lane, pops)) in steps.into_iter().enumerate() {
                let event = (now_us + delay_us, number as u64);
                match lane {
                    Some(lane) => agenda.schedule_in_lane(lane, event.0, event.1),
                    None => agenda.schedule(event.0, event.1),
                }
                expected.push(event);
                if pops {
                    expected.sort_unstable();
                    let next = expected.remove(0);
                    prop_assert_eq!(agenda.pop(), Some(next));
                    now_us = next.0;
                }
            }
            expected.sort_unstable();
            for event in expected {
                prop_assert_eq!(agenda.pop(), Some(event));
            }
            prop_assert_eq!(agenda.pop(), None);
        }
    }
}
