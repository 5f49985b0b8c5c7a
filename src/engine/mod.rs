//! Simulated time, the agenda of pending events and named random streams.
//!
//! Nothing in here knows what a queue is.

pub mod distribution;
pub mod time;
