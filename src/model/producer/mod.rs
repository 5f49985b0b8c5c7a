//! Producers: when messages arrive, and of which class they are.

mod arrivals;
mod settings;

pub use arrivals::{ArrivalSource, ClassSampler};
pub use settings::{Arrivals, ClassShares, Deduplication, ProducerSettings, ProfileStep, SentTwice};
