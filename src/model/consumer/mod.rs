//! Consumers: a fleet of processes that poll the queue and handle messages.

mod settings;

pub use settings::ConsumerSettings;
