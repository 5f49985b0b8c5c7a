//! The model's own queue as a service: `StandardQueue` under a virtual clock.

use std::cell::RefCell;
use std::time::Duration;

use retrystorm::engine::random::Streams;
use retrystorm::engine::time::SECOND_US;
use retrystorm::model::queue::{
    Delivery, LeaseEnd, MessageTag, QueueSettings as ModelSettings, Receipt, Removed, StandardQueue, VisibilityChange,
};

use super::answer::Answer;
use super::error::ProbeError;
use super::service::{Message, Outgoing, Queue, QueueSettings, Service};

/// What the service answers to a change that the model refuses (rule Q5, twelve-hour ceiling).
const INVALID_VALUE: &str = "InvalidParameterValue";

/// Modelled queues and their clock.
#[derive(Default)]
pub struct Modelled {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    now_us: u64,
    queues: Vec<ModelQueue>,
    /// Bodies of the messages; an id is a place here.
    bodies: Vec<String>,
    /// Receipts that were handed out; a handle is a place here.
    receipts: Vec<Receipt>,
    /// Ends of leases to come: when, and of which queue and slot.
    lease_ends: Vec<(u64, usize, u32)>,
}

struct ModelQueue {
    queue: StandardQueue,
    dead_letters: Option<usize>,
}

impl State {
    fn create(&mut self, settings: QueueSettings) -> Result<Queue, ProbeError> {
        if settings.fifo || settings.delay_s > 0 {
            return Err(not_modelled());
        }
        let model_settings = ModelSettings {
            visibility_timeout_us: u64::from(settings.visibility_timeout_s) * SECOND_US,
            max_receive_count: settings.redrive.map(|(_, receives)| receives),
            ..ModelSettings::default()
        };
        let queue = StandardQueue::new(model_settings, u64::MAX, Streams::new(0, 0).keyed("order"));
        self.queues.push(ModelQueue { queue, dead_letters: settings.redrive.map(|(Queue(index), _)| index) });
        Ok(Queue(self.queues.len() - 1))
    }

    fn queue(&mut self, queue: usize) -> Result<&mut ModelQueue, ProbeError> {
        self.queues.get_mut(queue).ok_or_else(|| ProbeError::Unexpected("no such queue".to_owned()))
    }

    fn send(&mut self, Queue(queue): Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError> {
        if message.fifo.is_some() || message.delay_s.is_some() {
            return Err(not_modelled());
        }
        let (now_us, id) = (self.now_us, self.bodies.len() as u64);
        self.queue(queue)?.queue.enqueue(now_us, id, MessageTag::default());
        self.bodies.push(message.body.to_owned());
        Ok(Answer::Accepted)
    }

    /// One look at the queue.
    fn receive(&mut self, queue: usize, limit: u32) -> Result<Vec<Message>, ProbeError> {
        let (mut deliveries, mut moved) = (Vec::new(), Vec::new());
        let now_us = self.now_us;
        self.queue(queue)?.queue.receive(now_us, limit, &mut deliveries, &mut moved);
        for removed in moved {
            self.bury(queue, removed)?;
        }
        Ok(deliveries.into_iter().map(|delivery| self.hand_out(queue, delivery)).collect())
    }

    fn hand_out(&mut self, queue: usize, delivery: Delivery) -> Message {
        self.lease_ends.push((delivery.leased_until_us, queue, delivery.receipt.slot()));
        self.receipts.push(delivery.receipt);
        Message {
            id: delivery.id.to_string(),
            body: self.bodies.get(delivery.id as usize).cloned().unwrap_or_default(),
            handle: (self.receipts.len() - 1).to_string(),
            receives: delivery.receive_count,
        }
    }

    /// Puts a message into the dead-letter queue, under the id that the move leaves it (rule Q19, message id).
    fn bury(&mut self, queue: usize, removed: Removed) -> Result<(), ProbeError> {
        let now_us = self.now_us;
        if let Some(dead_letters) = self.queue(queue)?.dead_letters {
            self.queue(dead_letters)?.queue.enqueue(now_us, removed.id, removed.tag);
        }
        Ok(())
    }

    /// Goes to the next end of a lease, but not beyond `until_us`; `false` where none is left before that.
    fn step(&mut self, until_us: u64) -> Result<bool, ProbeError> {
        let next = self.lease_ends.iter().copied().enumerate().min_by_key(|(_, (at_us, ..))| *at_us);
        match next {
            Some((place, (at_us, queue, slot))) if at_us <= until_us => {
                self.lease_ends.swap_remove(place);
                self.now_us = self.now_us.max(at_us);
                if let LeaseEnd::DeadLettered(removed) = self.queue(queue)?.queue.lease_ended(at_us, slot) {
                    self.bury(queue, removed)?;
                }
                Ok(true)
            }
            _ => {
                self.now_us = self.now_us.max(until_us);
                Ok(false)
            }
        }
    }

    fn receipt(&self, handle: &str) -> Result<Receipt, ProbeError> {
        let place = handle.parse::<usize>().ok();
        let receipt = place.and_then(|place| self.receipts.get(place).copied());
        receipt.ok_or_else(|| ProbeError::Unexpected(format!("no such handle: {handle}")))
    }

    fn change_visibility(&mut self, queue: usize, handle: &str, seconds: u32) -> Result<Answer, ProbeError> {
        let (now_us, receipt) = (self.now_us, self.receipt(handle)?);
        match self.queue(queue)?.queue.change_visibility(now_us, receipt, seconds) {
            Err(_) => return Ok(Answer::Refused(INVALID_VALUE.to_owned())),
            Ok(VisibilityChange::LeasedUntil { at_us }) => self.lease_ends.push((at_us, queue, receipt.slot())),
            Ok(VisibilityChange::Ended(LeaseEnd::DeadLettered(removed))) => self.bury(queue, removed)?,
            Ok(VisibilityChange::Ended(_) | VisibilityChange::Unchanged) => {}
        }
        Ok(Answer::Accepted)
    }
}

fn not_modelled() -> ProbeError {
    ProbeError::Unexpected("the model has no such queue yet".to_owned())
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Service for Modelled {
    async fn create(&self, settings: QueueSettings) -> Result<Queue, ProbeError> {
        self.state.borrow_mut().create(settings)
    }

    async fn send(&self, queue: Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError> {
        self.state.borrow_mut().send(queue, message)
    }

    async fn receive(&self, Queue(queue): Queue, limit: u32, wait_s: u32) -> Result<Vec<Message>, ProbeError> {
        let mut state = self.state.borrow_mut();
        let until_us = state.now_us + u64::from(wait_s) * SECOND_US;
        loop {
            let messages = state.receive(queue, limit)?;
            if !messages.is_empty() || !state.step(until_us)? {
                return Ok(messages);
            }
        }
    }

    /// The model's delete has no errors: on a standard queue each succeeds, whatever it does.
    async fn delete(&self, Queue(queue): Queue, handle: &str) -> Result<Answer, ProbeError> {
        let mut state = self.state.borrow_mut();
        let receipt = state.receipt(handle)?;
        state.queue(queue)?.queue.delete(receipt);
        Ok(Answer::Accepted)
    }

    async fn change_visibility(&self, Queue(queue): Queue, handle: &str, seconds: u32) -> Result<Answer, ProbeError> {
        self.state.borrow_mut().change_visibility(queue, handle, seconds)
    }

    async fn sleep(&self, time: Duration) {
        let mut state = self.state.borrow_mut();
        let until_us = state.now_us + microseconds(time);
        // A queue that an end of a lease names is there; if not, that end is void.
        while state.step(until_us).unwrap_or(true) {}
    }

    fn now(&self) -> Duration {
        Duration::from_micros(self.state.borrow().now_us)
    }
}
