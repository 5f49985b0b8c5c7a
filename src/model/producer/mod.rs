//! Producers: when messages arrive, and of which class they are.

mod settings;

pub use settings::{Arrivals, ClassShares, MessageClass, ProducerSettings, ProfileStep};
