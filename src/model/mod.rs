//! The parts that are simulated. Each is a state machine that knows no other part: it takes the time, its input and a
//! random draw, and returns what happened.

mod class;
pub mod consumer;
pub mod downstream;
mod key_store;
pub mod operator;
pub mod policy;
pub mod producer;
pub mod queue;
mod token_bucket;

pub use class::MessageClass;
pub use key_store::{IdempotencyKey, KeySettings, KeyStore};
pub use token_bucket::TokenBucket;
