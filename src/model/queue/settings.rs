//! What a queue is configured with.

use crate::engine::time::{DAY_US, SECOND_US};

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

/// A standard queue and its redrive policy.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueSettings {
    /// How long a received message stays hidden, 0 s to 12 h (rule Q2).
    pub visibility_timeout_us: u64,
    /// How long a message is kept, counted from its enqueue, 60 s to 14 d (rule Q10).
    pub retention_us: u64,
    /// Receives before the message moves to the dead-letter queue, 1 to 1000 (rule Q7); `None`: no redrive policy.
    pub max_receive_count: Option<u32>,
    /// When the move to the dead-letter queue happens.
    pub redrive_timing: RedriveTiming,
    /// Whether messages with three and more receives go to the back of the queue (rule Q8).
    pub back_of_queue: bool,
    /// Where other returned messages stand.
    pub return_order: ReturnOrder,
    /// Where the twelve-hour clock starts.
    pub twelve_hour_clock: TwelveHourClock,
}

impl Default for QueueSettings {
    /// The defaults of the service: 30 s, 4 d, no redrive policy.
    fn default() -> Self {
        Self {
            visibility_timeout_us: 30 * SECOND_US,
            retention_us: 4 * DAY_US,
            max_receive_count: None,
            redrive_timing: RedriveTiming::Lazy,
            back_of_queue: true,
            return_order: ReturnOrder::ByAge,
            twelve_hour_clock: TwelveHourClock::PerReceive,
        }
    }
}
