//! What configurations of queues will lead to.

pub mod model;
mod readers;
