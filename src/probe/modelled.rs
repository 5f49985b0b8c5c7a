//! The model's own queues as a service, under a virtual clock.

use std::cell::RefCell;
use std::time::Duration;

use retrystorm::engine::random::Streams;
use retrystorm::engine::time::SECOND_US;
use retrystorm::model::queue::{
    DeleteAnswer, Delivery, Enqueued, LeaseEnd, MessageTag, NewMessage, Queue as ModelledQueue, QueueDraws, QueueKind,
    QueueSettings as ModelSettings, Receipt, ReceiveCall, Received, Removed, VisibilityChange,
};

use super::answer::Answer;
use super::error::ProbeError;
use super::service::{Message, Outgoing, Queue, QueueSettings, Service};

/// What the service calls the refusals of the model (rule Q5, twelve-hour ceiling; rule F3, late delete refused).
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
    /// Groups and deduplication ids; the model's numbers for them are places here.
    words: Vec<String>,
    /// Receipts that were handed out; a handle is a place here.
    receipts: Vec<Receipt>,
    /// What is to end: when, of which queue and slot, and whether a lease or a delay.
    ends: Vec<(u64, usize, u32, Ends)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ends {
    Lease,
    Delay,
}

struct ModelQueue {
    queue: ModelledQueue,
    dead_letters: Option<usize>,
}

impl State {
    fn create(&mut self, settings: QueueSettings) -> Queue {
        let model_settings = ModelSettings {
            kind: if settings.fifo { QueueKind::Fifo } else { QueueKind::Standard },
            visibility_timeout_us: u64::from(settings.visibility_timeout_s) * SECOND_US,
            max_receive_count: settings.redrive.map(|(_, receives)| receives),
            delay_us: u64::from(settings.delay_s) * SECOND_US,
            ..ModelSettings::default()
        };
        let queue = ModelledQueue::new(model_settings, u64::MAX, QueueDraws::new(&Streams::new(0, 0)));
        self.queues.push(ModelQueue { queue, dead_letters: settings.redrive.map(|(Queue(index), _)| index) });
        Queue(self.queues.len() - 1)
    }

    fn queue(&mut self, queue: usize) -> Result<&mut ModelQueue, ProbeError> {
        self.queues.get_mut(queue).ok_or_else(|| ProbeError::Unexpected("no such queue".to_owned()))
    }

    /// The model's number for a group or a deduplication id.
    fn number(&mut self, word: &str) -> usize {
        let known = self.words.iter().position(|known| known == word);
        known.unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        })
    }

    fn send(&mut self, Queue(queue): Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError> {
        let mut new = NewMessage::new(self.bodies.len() as u64, MessageTag::default());
        new.delay_us = message.delay_s.map(|delay_s| u64::from(delay_s) * SECOND_US);
        if let Some((group, deduplication)) = message.fifo {
            new.group = self.number(group) as u32;
            new.deduplication_id = Some(self.number(deduplication) as u64);
        }
        self.bodies.push(message.body.to_owned());
        let now_us = self.now_us;
        if let Enqueued::DelayedUntil { slot, at_us } = self.queue(queue)?.queue.enqueue(now_us, new) {
            self.ends.push((at_us, queue, slot, Ends::Delay));
        }
        Ok(Answer::Accepted)
    }

    /// One look at the queue.
    fn receive(&mut self, queue: usize, limit: usize) -> Result<Vec<Message>, ProbeError> {
        let (mut messages, mut call) = (Vec::new(), ReceiveCall::new());
        while messages.len() < limit {
            let now_us = self.now_us;
            match self.queue(queue)?.queue.receive_next(now_us, &mut call) {
                Received::Message(delivery) => messages.push(self.hand_out(queue, delivery)),
                Received::DeadLettered(removed) => self.bury(queue, removed)?,
                Received::Lost { .. } | Received::Nothing | Received::OverLimit => break,
            }
        }
        Ok(messages)
    }

    fn hand_out(&mut self, queue: usize, delivery: Delivery) -> Message {
        self.ends.push((delivery.leased_until_us, queue, delivery.receipt.slot(), Ends::Lease));
        self.receipts.push(delivery.receipt);
        Message {
            id: delivery.id.to_string(),
            body: self.bodies.get(delivery.id as usize).cloned().unwrap_or_default(),
            handle: (self.receipts.len() - 1).to_string(),
            receives: delivery.receive_count,
        }
    }

    /// Puts a message into the dead-letter queue.
    fn bury(&mut self, queue: usize, removed: Removed) -> Result<(), ProbeError> {
        let now_us = self.now_us;
        if let Some(dead_letters) = self.queue(queue)?.dead_letters {
            self.queue(dead_letters)?.queue.enqueue_moved(now_us, removed);
        }
        Ok(())
    }

    /// Goes to the next end of a lease or a delay, but not beyond `until_us`; `false` where none is left before that.
    fn step(&mut self, until_us: u64) -> Result<bool, ProbeError> {
        let next = self.ends.iter().copied().enumerate().min_by_key(|(_, (at_us, ..))| *at_us);
        let Some((place, (at_us, queue, slot, ends))) = next.filter(|(_, (at_us, ..))| *at_us <= until_us) else {
            self.now_us = self.now_us.max(until_us);
            return Ok(false);
        };
        self.ends.swap_remove(place);
        self.now_us = self.now_us.max(at_us);
        let model = &mut self.queue(queue)?.queue;
        let end = match ends {
            Ends::Lease => model.lease_ended(at_us, slot),
            Ends::Delay => model.delay_ended(at_us, slot),
        };
        if let LeaseEnd::DeadLettered(removed) = end {
            self.bury(queue, removed)?;
        }
        Ok(true)
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
            Ok(VisibilityChange::LeasedUntil { at_us }) => {
                self.ends.push((at_us, queue, receipt.slot(), Ends::Lease));
            }
            Ok(VisibilityChange::Ended(LeaseEnd::DeadLettered(removed))) => self.bury(queue, removed)?,
            Ok(VisibilityChange::Ended(_) | VisibilityChange::Unchanged) => {}
        }
        Ok(Answer::Accepted)
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Service for Modelled {
    async fn create(&self, settings: QueueSettings) -> Result<Queue, ProbeError> {
        Ok(self.state.borrow_mut().create(settings))
    }

    async fn send(&self, queue: Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError> {
        self.state.borrow_mut().send(queue, message)
    }

    async fn receive(&self, Queue(queue): Queue, limit: u32, wait_s: u32) -> Result<Vec<Message>, ProbeError> {
        let mut state = self.state.borrow_mut();
        let until_us = state.now_us + u64::from(wait_s) * SECOND_US;
        loop {
            let messages = state.receive(queue, limit as usize)?;
            if !messages.is_empty() || !state.step(until_us)? {
                return Ok(messages);
            }
        }
    }

    async fn delete(&self, Queue(queue): Queue, handle: &str) -> Result<Answer, ProbeError> {
        let mut state = self.state.borrow_mut();
        let receipt = state.receipt(handle)?;
        Ok(match state.queue(queue)?.queue.delete(receipt) {
            DeleteAnswer::Deleted | DeleteAnswer::AlreadyGone | DeleteAnswer::Ignored => Answer::Accepted,
            DeleteAnswer::Refused => Answer::Refused(INVALID_VALUE.to_owned()),
        })
    }

    async fn change_visibility(&self, Queue(queue): Queue, handle: &str, seconds: u32) -> Result<Answer, ProbeError> {
        self.state.borrow_mut().change_visibility(queue, handle, seconds)
    }

    async fn sleep(&self, time: Duration) {
        let mut state = self.state.borrow_mut();
        let until_us = state.now_us + microseconds(time);
        // A queue that an end names is there; if not, that end is void.
        while state.step(until_us).unwrap_or(true) {}
    }

    fn now(&self) -> Duration {
        Duration::from_micros(self.state.borrow().now_us)
    }
}
