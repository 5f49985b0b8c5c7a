//! What a fleet is configured with.

use super::{AutoscaleSettings, LambdaSettings};
use crate::engine::distribution::TimeDistribution;
use crate::engine::time::SECOND_US;
use crate::model::KeySettings;

/// Most messages of one receive call (rule Q13, receive call).
const LARGEST_RECEIVE: u32 = 10;

/// A fleet of equal consumers.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsumerSettings {
    /// Consumer processes, at least 1.
    pub fleet: u32,
    /// Slots of each consumer: messages that it handles at the same time, at least 1.
    pub concurrency: u32,
    /// Messages that one receive call asks for at most, 1 to 10 (rule Q13).
    pub batch: u32,
    /// Long-poll wait, 0 s to 20 s (rule Q13).
    pub wait_us: u64,
    /// Pause of a consumer after a poll that came back empty. Not nothing where `wait_us` is: it would poll infinitely often
    /// in no time.
    pub pause_us: u64,
    /// Messages that a consumer may hold beyond its slots; their leases run meanwhile (rule Q3).
    pub prefetch: u32,
    /// When consumers poll.
    pub polls: Polls,
    /// How a consumer works on the messages of one group (FIFO queues).
    pub groups: GroupOrder,
    /// What becomes of received messages that a consumer has no place for.
    pub overflow: Overflow,
    /// Whether a buffered message whose lease has ended is dropped when its turn comes.
    pub drops_aged: bool,
    /// When consumers delete what they have done.
    pub acknowledge: Acknowledge,
    /// The handler's own work on a message before it calls the downstream.
    pub handler_time: TimeDistribution,
    /// The same, listed: the first message takes the first of them, and so on, in turn; empty: it is drawn.
    /// `handler_time` is their mean then.
    pub handler_times_us: Vec<u64>,
    /// How long a crashed consumer needs to come back.
    pub restart_us: u64,
    /// How long a new process takes before its first poll: after a deploy, and when the fleet is scaled out by hand.
    pub start_up_us: u64,
    /// How long a process lives before it crashes by itself, if it does.
    pub crashes_after: Option<TimeDistribution>,
    /// How consumers extend the leases of messages that they work on, if they do.
    pub heartbeat: Option<Heartbeat>,
    /// When a handler that is still at work is killed, counted from its start; `None`: never.
    pub handler_timeout_us: Option<u64>,
    /// How often somebody looks for handlers to be killed, counted from the start of the run; 0: at all times.
    pub timeout_checked_every_us: u64,
    /// How they keep a message from taking effect twice.
    pub idempotency: Idempotency,
    /// Who changes the size of the fleet, if anybody.
    pub autoscale: Option<AutoscaleSettings>,
    /// The mapping and its function, where consumers are the pollers of one: see [`of_lambda`](Self::of_lambda).
    pub lambda: Option<Box<LambdaSettings>>,
}

impl ConsumerSettings {
    /// The pollers of such a mapping as a fleet: each has a receive call under way or a batch in hand, and a slot for each
    /// message that the function handles at the same time.
    pub fn of_lambda(lambda: LambdaSettings) -> Self {
        Self {
            fleet: lambda.initial_pollers(),
            concurrency: lambda.slots(),
            batch: lambda.batch.min(LARGEST_RECEIVE),
            // The mapping says when a poller reads; its fleet always has room.
            prefetch: lambda.batch.saturating_mul(lambda.batches_in_hand() as u32),
            lambda: Some(Box::new(lambda)),
            ..Self::default()
        }
    }

    /// Whether its processes may die with messages in hand, but for what messages and operators do.
    pub fn processes_die(&self) -> bool {
        self.crashes_after.is_some() || self.autoscale.is_some_and(|autoscale| autoscale.drain_us.is_some())
    }

    /// Most consumers that the fleet can have, but for what an operator does.
    pub fn largest_fleet(&self) -> u32 {
        if let Some(lambda) = &self.lambda {
            return lambda.most_pollers();
        }
        self.autoscale.map_or(self.fleet, |autoscale| self.fleet.max(autoscale.max))
    }
}

impl Default for ConsumerSettings {
    /// One consumer with ten slots, as the service's own examples have it; handlers do nothing but call.
    fn default() -> Self {
        Self {
            fleet: 1,
            concurrency: 10,
            batch: 10,
            wait_us: 20 * SECOND_US,
            pause_us: 0,
            prefetch: 0,
            polls: Polls::WhenRoom,
            groups: GroupOrder::AtOnce,
            overflow: Overflow::Leave,
            drops_aged: false,
            acknowledge: Acknowledge::Each,
            handler_time: TimeDistribution::Constant { value_us: 0 },
            handler_times_us: Vec::new(),
            restart_us: 10 * SECOND_US,
            start_up_us: 0,
            crashes_after: None,
            heartbeat: None,
            handler_timeout_us: None,
            timeout_checked_every_us: 0,
            idempotency: Idempotency::None,
            autoscale: None,
            lambda: None,
        }
    }
}

/// When a consumer polls. It never has more than one poll under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polls {
    /// For as long as it has room in its slots and its buffer.
    #[default]
    WhenRoom,
    /// When it holds nothing at all: a batch is done before the next one is asked for.
    WhenEmpty,
    /// All the time, room or not.
    Always,
}

/// How a consumer works on messages of the same group that it has in hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GroupOrder {
    /// Side by side, as far as it has slots.
    #[default]
    AtOnce,
    /// One after the other. After a failure the others are left to their leases, so that the order is kept.
    InTurn,
}

/// What becomes of received messages that a consumer has no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overflow {
    /// They are left to their leases.
    #[default]
    Leave,
    /// They are made visible again (rule Q4, change replaces).
    Release,
}

/// When a consumer deletes the messages that it works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Acknowledge {
    /// Each as soon as its work is done.
    #[default]
    Each,
    /// Each before its handler begins.
    Early,
    /// Several with one request (rule S2, batched acknowledgements): so many, or all so long after the first of them was
    /// done.
    Batched {
        /// How many, at least 1.
        messages: u32,
        /// How long after, at least 1 ms.
        every_us: u64,
    },
}

/// A lease that is extended again and again while the handler works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heartbeat {
    /// Time from one extension to the next, the first being that long after the handler's start.
    pub every_us: u64,
    /// The visibility that each extension sets, counted from then (rule Q4, change replaces).
    pub extend_to_s: u32,
    /// Time from the handler's start after which nothing is extended any more; `None`: as long as the queue lets it.
    pub at_most_us: Option<u64>,
}

/// How consumers keep a message from taking effect twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Idempotency {
    /// Not at all: every good call takes effect.
    #[default]
    None,
    /// A store of keys: looked up before a call, written after a good one. Between the two, another consumer may do the
    /// same.
    Store(KeySettings),
}
