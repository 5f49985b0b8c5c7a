//! The model's queues behind the protocol of `tests/conformance/README.md`: one JSON operation a line in, one JSON answer
//! a line out. `scripts/conformance` runs it in lock step with the queue engines of public emulators.
//!
//! An example, because only the comparison needs it: it is in no release.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::error::Error;
use std::io::{BufRead, Write};

use retrystorm::engine::random::Streams;
use retrystorm::engine::time::{MILLISECOND_US, SECOND_US};
use retrystorm::model::queue::{
    DeleteAnswer, Delivery, Enqueued, MessageTag, NewMessage, Queue, QueueDraws, QueueKind, QueueSettings, Receipt,
    ReceiveCall, Received, VisibilityChange,
};
use serde::Deserialize;
use serde_json::{Value, json};

const OK: &str = "ok";
/// What the service answers to a receipt or a value that it refuses.
const INVALID: &str = "InvalidParameterValue";

/// A line of input. Times are in seconds.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
enum Operation {
    Advance { s: u64 },
    Queue(QueueOperation),
    Send(SendOperation),
    Receive { q: String, n: u32, vt: Option<u64> },
    Delete { q: String, h: usize },
    Cmv { q: String, h: usize, vt: u32 },
    Counts { q: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QueueOperation {
    q: String,
    vt: Option<u64>,
    delay: Option<u64>,
    retention: Option<u64>,
    fifo: Option<bool>,
    dlq: Option<String>,
    max: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SendOperation {
    q: String,
    body: String,
    delay: Option<u64>,
    group: Option<String>,
    dedup: Option<String>,
}

/// Gives a text the same number each time.
#[derive(Debug, Default)]
struct Numbers(HashMap<String, u32>);

impl Numbers {
    fn of(&mut self, text: String) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(text).or_insert(next)
    }
}

/// What comes to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    Lease,
    Delay,
}

/// The end of a lease or of a delay of the message in a slot of a queue, in order of time and then of scheduling.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    at_us: u64,
    number: u64,
    ending: Ending,
    queue: usize,
    slot: u32,
}

/// All queues, and what stands around them in a simulation.
#[derive(Debug, Default)]
struct Engine {
    now_us: u64,
    queues: Vec<Queue>,
    /// The dead-letter queue of each.
    dead_letter_queues: Vec<Option<usize>>,
    names: HashMap<String, usize>,
    agenda: BinaryHeap<Reverse<Event>>,
    scheduled: u64,
    /// Bodies by message id.
    bodies: Vec<String>,
    groups: Numbers,
    deduplication_ids: Numbers,
    /// By handle. None is ever let go, so that each keeps its meaning.
    receipts: Vec<Receipt>,
}

impl Engine {
    fn answer(&mut self, operation: Operation) -> Value {
        match operation {
            Operation::Advance { s } => self.advance(s * SECOND_US),
            _ => self.advance(MILLISECOND_US),
        }
        match operation {
            Operation::Advance { .. } => json!(OK),
            Operation::Queue(new) => json!(self.add_queue(new)),
            Operation::Send(new) => json!(self.send(new)),
            Operation::Receive { q, n, vt } => self.receive(self.names[&q], n, vt),
            Operation::Delete { q, h } => json!(self.delete(self.names[&q], h)),
            Operation::Cmv { q, h, vt } => json!(self.change_visibility(self.names[&q], h, vt)),
            Operation::Counts { q } => {
                let queue = &self.queues[self.names[&q]];
                json!([queue.visible_count(), queue.in_flight_count(), queue.delayed_count()])
            }
        }
    }

    /// Lets time pass: all that ends meanwhile ends in its order.
    fn advance(&mut self, by_us: u64) {
        let until_us = self.now_us + by_us;
        while self.agenda.peek().is_some_and(|Reverse(event)| event.at_us <= until_us) {
            let Some(Reverse(event)) = self.agenda.pop() else { break };
            self.expire(event.at_us);
            let queue = &mut self.queues[event.queue];
            match event.ending {
                Ending::Lease => queue.lease_ended(event.at_us, event.slot),
                Ending::Delay => queue.delay_ended(event.at_us, event.slot),
            };
        }
        self.expire(until_us);
        self.now_us = until_us;
    }

    fn expire(&mut self, now_us: u64) {
        for queue in &mut self.queues {
            queue.expire(now_us, &mut Vec::new());
        }
    }

    fn schedule(&mut self, at_us: u64, ending: Ending, queue: usize, slot: u32) {
        self.scheduled += 1;
        self.agenda.push(Reverse(Event { at_us, number: self.scheduled, ending, queue, slot }));
    }

    fn add_queue(&mut self, new: QueueOperation) -> &'static str {
        let defaults = QueueSettings::default();
        let us = |seconds: Option<u64>, default_us| seconds.map_or(default_us, |seconds| seconds * SECOND_US);
        let settings = QueueSettings {
            kind: if new.fifo == Some(true) { QueueKind::Fifo } else { QueueKind::Standard },
            visibility_timeout_us: us(new.vt, defaults.visibility_timeout_us),
            delay_us: us(new.delay, defaults.delay_us),
            retention_us: us(new.retention, defaults.retention_us),
            max_receive_count: new.max,
            // No emulator has it (rule Q8, back of queue).
            back_of_queue: false,
            ..defaults
        };
        self.names.insert(new.q, self.queues.len());
        self.queues.push(Queue::new(settings, u64::MAX, QueueDraws::new(&Streams::new(0, 0))));
        self.dead_letter_queues.push(new.dlq.map(|name| self.names[&name]));
        OK
    }

    fn send(&mut self, new: SendOperation) -> &'static str {
        let queue = self.names[&new.q];
        let message = NewMessage {
            delay_us: new.delay.map(|seconds| seconds * SECOND_US),
            group: new.group.map_or(0, |group| self.groups.of(group)),
            deduplication_id: new.dedup.map(|id| self.deduplication_ids.of(id).into()),
            ..NewMessage::new(self.bodies.len() as u64, MessageTag::default())
        };
        self.bodies.push(new.body);
        if let Enqueued::DelayedUntil { slot, at_us } = self.queues[queue].enqueue(self.now_us, message) {
            self.schedule(at_us, Ending::Delay, queue, slot);
        }
        OK
    }

    fn receive(&mut self, queue: usize, limit: u32, visibility_timeout_s: Option<u64>) -> Value {
        let visibility_timeout_us = visibility_timeout_s.map(|seconds| seconds * SECOND_US);
        let mut call = visibility_timeout_us.map_or_else(ReceiveCall::new, ReceiveCall::with_visibility_timeout_us);
        let mut answer = Vec::new();
        while answer.len() < limit as usize {
            match self.queues[queue].receive_next(self.now_us, &mut call) {
                Received::Message(delivery) => answer.push(self.hand_over(queue, delivery)),
                Received::DeadLettered(moved) => {
                    if let Some(target) = self.dead_letter_queues[queue] {
                        self.queues[target].enqueue_moved(self.now_us, moved);
                    }
                }
                Received::Nothing | Received::OverLimit => break,
                Received::Lost { .. } => unreachable!("no delivery is lost with the default settings"),
            }
        }
        // A message may have come into a dead-letter queue that keeps none so old (rule Q11, age in the DLQ).
        self.expire(self.now_us);
        Value::Array(answer)
    }

    fn hand_over(&mut self, queue: usize, delivery: Delivery) -> Value {
        self.schedule(delivery.leased_until_us, Ending::Lease, queue, delivery.receipt.slot());
        self.receipts.push(delivery.receipt);
        json!([self.bodies[delivery.id as usize], delivery.receive_count, self.receipts.len() - 1])
    }

    fn delete(&mut self, queue: usize, handle: usize) -> &'static str {
        match self.queues[queue].delete(self.receipts[handle]) {
            DeleteAnswer::Deleted | DeleteAnswer::AlreadyGone | DeleteAnswer::Ignored => OK,
            DeleteAnswer::Refused => INVALID,
        }
    }

    fn change_visibility(&mut self, queue: usize, handle: usize, visibility_s: u32) -> &'static str {
        let receipt = self.receipts[handle];
        match self.queues[queue].change_visibility(self.now_us, receipt, visibility_s) {
            Ok(VisibilityChange::LeasedUntil { at_us }) => {
                self.schedule(at_us, Ending::Lease, queue, receipt.slot());
                OK
            }
            Ok(VisibilityChange::Unchanged | VisibilityChange::Ended(_)) => OK,
            Err(_) => INVALID,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::default();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = engine.answer(serde_json::from_str(&line?)?);
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
