//! Consumers: a fleet of processes that poll the queue and handle messages.

mod autoscaler;
mod fleet;
pub mod presets;
mod settings;

pub use autoscaler::{AutoscaleSettings, Autoscaler, Scaling};
pub use fleet::{Fleet, Poll, PollTimer, SlotId};
pub use settings::{Acknowledge, ConsumerSettings, Heartbeat, Idempotency, Overflow, Polls};
