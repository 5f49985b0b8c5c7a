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
    Delivery, MessageTag, QueueSettings, Receipt, Removed, StandardQueue, VisibilityChange,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the service answers to a change of visibility that it refuses.
const INVALID: &str = "InvalidParameterValue";
/// What this engine answers to what the model does not do.
const UNSUPPORTED: &str = "unsupported";

/// A line of input.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase", deny_unknown_fields)]
enum Operation {
    Queue(NewQueue),
    Advance { s: u64 },
    Send(NewMessage),
    Receive { q: String, n: u32 },
    Delete { q: String, h: usize },
    Cmv { q: String, h: usize, vt: u32 },
    Counts { q: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NewQueue {
    q: String,
    #[serde(default = "default_visibility_timeout_s")]
    vt: u64,
    #[serde(default)]
    delay: u64,
    #[serde(default = "default_retention_s")]
    retention: u64,
    #[serde(default)]
    fifo: bool,
    dlq: Option<String>,
    max: Option<u32>,
}

fn default_visibility_timeout_s() -> u64 {
    30
}

fn default_retention_s() -> u64 {
    345_600
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "groups and deduplication ids are for FIFO queues")]
struct NewMessage {
    q: String,
    body: String,
    #[serde(default)]
    delay: u64,
    group: Option<String>,
    dedup: Option<String>,
}

/// A lease that ends, in order of time and then of scheduling.
type LeaseEnd = Reverse<(u64, u64, usize, u32)>;

/// All queues, and what stands around them in a simulation.
#[derive(Default)]
struct Engine {
    now_us: u64,
    queues: Vec<StandardQueue>,
    /// The dead-letter queue of each.
    dead_letter_queues: Vec<Option<usize>>,
    by_name: HashMap<String, usize>,
    agenda: BinaryHeap<LeaseEnd>,
    scheduled: u64,
    /// Receipts by handle, with the message. None is ever let go, so all of them keep their meaning.
    receipts: Vec<(Receipt, u64)>,
    messages: Vec<MessageRecord>,
}

/// What the queue does not keep of a message: its body, and whether a deletion has ended it.
struct MessageRecord {
    body: String,
    /// Receives so far, and those before it moved.
    receives: u32,
    receives_before_move: u32,
    gone: bool,
}

impl Engine {
    fn answer(&mut self, operation: Operation) -> Value {
        let passed_us = if let Operation::Advance { s } = operation { s * SECOND_US } else { MILLISECOND_US };
        self.advance_to(self.now_us + passed_us);
        match operation {
            Operation::Advance { .. } => json!("ok"),
            Operation::Queue(new) => json!(self.add_queue(new)),
            Operation::Send(new) => json!(self.send(new)),
            Operation::Receive { q, n } => self.receive(self.by_name[&q], n),
            Operation::Delete { q, h } => json!(self.delete(self.by_name[&q], h)),
            Operation::Cmv { q, h, vt } => json!(self.change_visibility(self.by_name[&q], h, vt)),
            Operation::Counts { q } => {
                let queue = &self.queues[self.by_name[&q]];
                json!([queue.visible_count(), queue.in_flight_count(), 0])
            }
        }
    }

    /// Ends the leases that end until then, in their order.
    fn advance_to(&mut self, until_us: u64) {
        while let Some(&Reverse((at_us, _, queue, slot))) = self.agenda.peek() {
            if at_us > until_us {
                break;
            }
            self.agenda.pop();
            self.expire(at_us);
            self.queues[queue].lease_ended(at_us, slot);
        }
        self.expire(until_us);
        self.now_us = until_us;
    }

    fn expire(&mut self, now_us: u64) {
        for queue in &mut self.queues {
            queue.expire(now_us, &mut Vec::new());
        }
    }

    fn add_queue(&mut self, new: NewQueue) -> &'static str {
        if new.fifo || new.delay > 0 {
            return UNSUPPORTED;
        }
        let settings = QueueSettings {
            visibility_timeout_us: new.vt * SECOND_US,
            retention_us: new.retention * SECOND_US,
            max_receive_count: new.max,
            // No emulator has it (rule Q8, back of queue).
            back_of_queue: false,
            ..QueueSettings::default()
        };
        let order = Streams::new(0, 0).keyed("order");
        self.by_name.insert(new.q, self.queues.len());
        self.queues.push(StandardQueue::new(settings, u64::MAX, order));
        self.dead_letter_queues.push(new.dlq.map(|name| self.by_name[&name]));
        "ok"
    }

    fn send(&mut self, new: NewMessage) -> &'static str {
        if new.delay > 0 {
            return UNSUPPORTED;
        }
        let id = self.messages.len() as u64;
        self.queues[self.by_name[&new.q]].enqueue(self.now_us, id, MessageTag::default());
        self.messages.push(MessageRecord { body: new.body, receives: 0, receives_before_move: 0, gone: false });
        "ok"
    }

    fn receive(&mut self, queue: usize, limit: u32) -> Value {
        let (mut deliveries, mut moved) = (Vec::new(), Vec::new());
        self.queues[queue].receive(self.now_us, limit, &mut deliveries, &mut moved);
        for removed in moved {
            self.move_to_dead_letter_queue(queue, removed);
        }
        deliveries.into_iter().map(|delivery| self.hand_over(queue, delivery)).collect()
    }

    fn move_to_dead_letter_queue(&mut self, source: usize, removed: Removed) {
        if let Some(target) = self.dead_letter_queues[source] {
            let record = &mut self.messages[removed.id as usize];
            record.receives_before_move = record.receives;
            self.queues[target].enqueue(self.now_us, removed.id, removed.tag);
        }
    }

    fn hand_over(&mut self, queue: usize, delivery: Delivery) -> Value {
        self.schedule_lease_end(queue, delivery.receipt.slot(), delivery.leased_until_us);
        self.receipts.push((delivery.receipt, delivery.id));
        let record = &mut self.messages[delivery.id as usize];
        record.receives = record.receives_before_move + delivery.receive_count;
        json!([record.body, record.receives, self.receipts.len() - 1])
    }

    fn schedule_lease_end(&mut self, queue: usize, slot: u32, at_us: u64) {
        self.scheduled += 1;
        self.agenda.push(Reverse((at_us, self.scheduled, queue, slot)));
    }

    /// Deleting succeeds whatever it does, as at the service.
    fn delete(&mut self, queue: usize, handle: usize) -> &'static str {
        let (receipt, message) = self.receipts[handle];
        if self.queues[queue].delete(receipt).is_some() {
            self.messages[message as usize].gone = true;
        }
        "ok"
    }

    fn change_visibility(&mut self, queue: usize, handle: usize, visibility_s: u32) -> &'static str {
        let (receipt, message) = self.receipts[handle];
        if self.messages[message as usize].gone {
            return INVALID;
        }
        match self.queues[queue].change_visibility(self.now_us, receipt, visibility_s) {
            Ok(VisibilityChange::LeasedUntil { at_us }) => {
                self.schedule_lease_end(queue, receipt.slot(), at_us);
                "ok"
            }
            Ok(VisibilityChange::Unchanged | VisibilityChange::Ended(_)) => "ok",
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
