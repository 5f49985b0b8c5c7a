//! Consumers: a fleet of processes that poll the queue and handle messages.

mod fleet;
mod settings;

pub use fleet::{Fleet, Poll, PollTimer, SlotId};
pub use settings::{ConsumerSettings, Heartbeat, Idempotency};
