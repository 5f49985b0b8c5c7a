//! The rules of the queue, one by one, by their numbers (docs/model.md).

mod age;
mod delivery;
mod fifo;
mod lease;
mod order;
mod recorded;
mod redrive;

use super::*;
use crate::engine::random::Streams;
use crate::engine::time::{HOUR_US, SECOND_US};

/// A queue with times in seconds, and room for what its calls return.
struct Desk {
    queue: Queue,
    /// Ids of messages that receive calls moved to the dead-letter queue.
    moved: Vec<u64>,
}

impl Desk {
    fn new(settings: QueueSettings) -> Self {
        Self { queue: Queue::new(settings, u64::MAX, draws()), moved: Vec::new() }
    }

    fn send(&mut self, now_s: u64, ids: impl IntoIterator<Item = u64>) {
        ids.into_iter().for_each(|id| assert_eq!(self.enqueue(now_s, message(id)), Enqueued::Visible));
    }

    fn enqueue(&mut self, now_s: u64, new: NewMessage) -> Enqueued {
        self.queue.enqueue(now_s * SECOND_US, new)
    }

    /// One receive call, step by step.
    fn steps(&mut self, now_s: u64, limit: usize, mut call: ReceiveCall) -> Vec<Received> {
        let mut steps = Vec::new();
        let mut returned = 0;
        while returned < limit {
            let step = self.queue.receive_next(now_s * SECOND_US, &mut call);
            steps.push(step);
            match step {
                Received::Message(_) | Received::Lost { .. } => returned += 1,
                Received::DeadLettered(removed) => self.moved.push(removed.id),
                Received::Nothing | Received::OverLimit => break,
            }
        }
        steps
    }

    fn receive(&mut self, now_s: u64, limit: usize) -> Vec<Delivery> {
        let steps = self.steps(now_s, limit, ReceiveCall::new());
        let delivery = |step| if let Received::Message(delivery) = step { Some(delivery) } else { None };
        steps.into_iter().filter_map(delivery).collect()
    }

    /// Receives one message, which there has to be.
    fn receive_one(&mut self, now_s: u64) -> Delivery {
        self.receive(now_s, 1).pop().expect("a visible message")
    }

    fn receive_ids(&mut self, now_s: u64, limit: usize) -> Vec<u64> {
        self.receive(now_s, limit).iter().map(|delivery| delivery.id).collect()
    }

    fn lease_ends(&mut self, now_s: u64, delivery: Delivery) -> LeaseEnd {
        self.queue.lease_ended(now_s * SECOND_US, delivery.receipt.slot())
    }

    /// Receives everything and lets all of the leases run out, so many times; returns the time of the last end.
    fn rounds(&mut self, now_s: u64, rounds: u64) -> u64 {
        for round in 0..rounds {
            let from_s = now_s + round * 30;
            for delivery in self.receive(from_s, 10) {
                assert_eq!(self.lease_ends(from_s + 30, delivery), LeaseEnd::Visible);
            }
        }
        now_s + rounds * 30
    }

    fn change(&mut self, now_s: u64, delivery: Delivery, delay_s: u32) -> Result<VisibilityChange, ChangeRefused> {
        self.queue.change_visibility(now_s * SECOND_US, delivery.receipt, delay_s)
    }

    fn delete(&mut self, delivery: Delivery) -> DeleteAnswer {
        self.queue.delete(delivery.receipt)
    }

    /// The id of the message that a delete has removed.
    fn deleted_id(&mut self, delivery: Delivery) -> Option<u64> {
        self.delete(delivery).has_deleted().then_some(delivery.id)
    }

    /// What retention removes now, and when the next is due.
    fn expire(&mut self, now_s: u64) -> (Vec<u64>, Option<u64>) {
        let mut expired = Vec::new();
        let next_us = self.queue.expire(now_s * SECOND_US, &mut expired);
        (expired.iter().map(|removed| removed.id).collect(), next_us.map(|at_us| at_us / SECOND_US))
    }

    /// The messages that a move task takes.
    fn take(&mut self, count: u32) -> Vec<Removed> {
        let mut taken = Vec::new();
        self.queue.take_oldest_visible(count, &mut taken);
        taken
    }

    /// Receives one message that has used up its receives: it moves.
    fn dead_letter(&mut self, now_s: u64) -> Removed {
        match self.steps(now_s, 1, ReceiveCall::new())[..] {
            [Received::DeadLettered(removed), ..] => removed,
            ref steps => panic!("nothing has moved: {steps:?}"),
        }
    }

    /// Visible messages and messages in flight.
    fn counts(&self) -> (usize, usize) {
        (self.queue.visible_count(), self.queue.in_flight_count())
    }
}

fn draws() -> QueueDraws {
    QueueDraws::new(&Streams::new(42, 0))
}

fn message(id: u64) -> NewMessage {
    NewMessage::new(id, MessageTag::default())
}

fn ids(removed: &[Removed]) -> Vec<u64> {
    removed.iter().map(|removed| removed.id).collect()
}

fn redrive(max_receive_count: u32) -> QueueSettings {
    QueueSettings { max_receive_count: Some(max_receive_count), ..QueueSettings::default() }
}

const NOTHING: [u64; 0] = [];

fn leased_until(at_s: u64) -> Result<VisibilityChange, ChangeRefused> {
    Ok(VisibilityChange::LeasedUntil { at_us: at_s * SECOND_US })
}

const UNCHANGED: Result<VisibilityChange, ChangeRefused> = Ok(VisibilityChange::Unchanged);
const VISIBLE: Result<VisibilityChange, ChangeRefused> = Ok(VisibilityChange::Ended(LeaseEnd::Visible));
