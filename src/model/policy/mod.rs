//! Retry policies: what a consumer does with a message after a failed attempt.

mod settings;

pub use settings::{BackoffSettings, BreakerCounts, BreakerScope, BreakerSettings, Jitter, PolicySettings};
