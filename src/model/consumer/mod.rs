//! Consumers: a fleet of processes that poll the queue and handle messages.

mod autoscaler;
mod fleet;
mod lambda;
pub mod presets;
mod rollout;
mod settings;

pub use autoscaler::{AutoscaleSettings, Autoscaler, ScalesOn, Scaling};
pub use fleet::{Fleet, Poll, PollTimer, SlotId};
pub use lambda::{
    BatchResponses, ColdStarts, Environments, LambdaSettings, PollerRamp, PollerSettings, RampLook, RecordOrder,
    Started, ThrottledBatches, WrongAnswers,
};
pub use rollout::Rollout;
pub use settings::{Acknowledge, ConsumerSettings, GroupOrder, Heartbeat, Idempotency, Overflow, Polls};
