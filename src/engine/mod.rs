//! Simulated time, the agenda of pending events and named random streams.
//!
//! Nothing in here knows what a queue is.

pub mod agenda;
pub mod distribution;
mod entry;
pub mod heap;
pub mod random;
pub mod time;
mod wheel;
