//! Consumers: a fleet of processes that poll the queue and handle messages.

mod autoscaler;
mod fleet;
pub mod presets;
mod rollout;
mod settings;

pub use autoscaler::{AutoscaleSettings, Autoscaler, ScalesOn, Scaling};
pub use fleet::{Fleet, Poll, PollTimer, SlotId};
pub use rollout::Rollout;
pub use settings::{Acknowledge, ConsumerSettings, Heartbeat, Idempotency, Overflow, Polls};
