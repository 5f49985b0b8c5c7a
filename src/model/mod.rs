//! The parts that are simulated. Each is a state machine that knows no other part: it takes the time, its input and a
//! random draw, and returns what happened.

mod class;
pub mod consumer;
pub mod downstream;
pub mod operator;
pub mod policy;
pub mod producer;
pub mod queue;

pub use class::MessageClass;
