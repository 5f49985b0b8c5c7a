//! What a queue is configured with.

use crate::engine::random::{KeyedStream, Streams};
use crate::engine::time::{DAY_US, SECOND_US};

/// The kind of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueueKind {
    /// At-least-once delivery, best-effort order.
    #[default]
    Standard,
    /// Message groups in order.
    Fifo,
}

/// When a message that has used up its receives moves to the dead-letter queue (rule Q7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RedriveTiming {
    /// When a later receive call meets it: what the service does.
    #[default]
    Lazy,
    /// At the moment its last lease ends: what one emulator does.
    Eager,
}

/// Where a returned message stands while it has fewer than three receives (rule Q9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReturnOrder {
    /// By its enqueue time: near the front.
    #[default]
    ByAge,
    /// By the moment at which it became visible again: at the back.
    ByVisibleTime,
    /// Anywhere among the visible messages.
    Random,
}

/// Where the twelve hours of the visibility ceiling start (rule Q5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TwelveHourClock {
    /// At the receive that the lease belongs to.
    #[default]
    PerReceive,
    /// At the first receive of the message.
    Lifetime,
}

/// What a delete does whose receipt is older than the latest receive (rule Q15, stale handles). Standard queues only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StaleDelete {
    /// It deletes: what one emulator does.
    Deletes,
    /// It succeeds and changes nothing.
    #[default]
    Ignored,
}

/// A queue and its redrive policy.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueSettings {
    /// Standard or FIFO.
    pub kind: QueueKind,
    /// How long a received message stays hidden, 0 s to 12 h (rule Q2).
    pub visibility_timeout_us: u64,
    /// How long a message is kept, counted from its enqueue, 60 s to 14 d (rule Q10).
    pub retention_us: u64,
    /// Receives before the message moves to the dead-letter queue, 1 to 1000 (rule Q7); `None`: no redrive policy.
    pub max_receive_count: Option<u32>,
    /// Retention of the dead-letter queue; on standard queues it counts from the original enqueue (rule Q11).
    pub dead_letter_retention_us: u64,
    /// When the move to the dead-letter queue happens.
    pub redrive_timing: RedriveTiming,
    /// Whether messages with three and more receives go to the back of the queue (rule Q8).
    pub back_of_queue: bool,
    /// Where other returned messages stand.
    pub return_order: ReturnOrder,
    /// Where the twelve-hour clock starts.
    pub twelve_hour_clock: TwelveHourClock,
    /// How long a new message is held back, 0 s to 900 s (rule Q16, delivery delay).
    pub delay_us: u64,
    /// Messages that may be in flight at the same time (rule Q12, in-flight limit).
    pub in_flight_limit: u32,
    /// What a delete with an old receipt does.
    pub stale_delete: StaleDelete,
    /// Share of deliveries whose message stays visible as well, and so is returned twice (rule Q14, duplicates and lost
    /// deliveries). Standard queues only, like the next.
    pub duplicate_share: f64,
    /// Share of deliveries that reach nobody.
    pub lost_share: f64,
    /// Messages that a FIFO queue searches for groups that are free (rule F6, search depth).
    pub look_ahead: u32,
}

impl Default for QueueSettings {
    /// The defaults of the service: a standard queue, 30 s, 4 d, no redrive policy.
    fn default() -> Self {
        Self {
            kind: QueueKind::Standard,
            visibility_timeout_us: 30 * SECOND_US,
            retention_us: 4 * DAY_US,
            max_receive_count: None,
            dead_letter_retention_us: 14 * DAY_US,
            redrive_timing: RedriveTiming::Lazy,
            back_of_queue: true,
            return_order: ReturnOrder::ByAge,
            twelve_hour_clock: TwelveHourClock::PerReceive,
            delay_us: 0,
            in_flight_limit: 120_000,
            stale_delete: StaleDelete::Ignored,
            duplicate_share: 0.0,
            lost_share: 0.0,
            look_ahead: 120_000,
        }
    }
}

/// The random streams that decide for a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDraws {
    /// Places returned messages where their order is random.
    pub order: KeyedStream,
    /// Whether a delivery is doubled or lost.
    pub delivery: KeyedStream,
}

impl QueueDraws {
    /// Those of a run. Several queues may share them, since draws belong to messages and receives.
    pub fn new(streams: &Streams) -> Self {
        Self { order: streams.keyed("order"), delivery: streams.keyed("delivery") }
    }
}
