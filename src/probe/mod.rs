//! What a real queue does, held against the model: the same questions are put to both.
//!
//! A case (`cases/`) is a small script over a [`Service`](service::Service). It runs on the endpoint (`live.rs`) and on
//! the model's own queues under a virtual clock (`modelled.rs`). Queues are created and deleted through `cleanup.rs` alone.
//!
//! This is part of the binary: it talks to the network, and nothing that is simulated may reach it.

mod answer;
mod cases;
mod cleanup;
mod connect;
mod error;
mod expected;
mod interrupt;
mod live;
mod modelled;
mod question;
mod report;
mod run;
mod service;
mod store;

#[cfg(test)]
pub use answer::Answer;
pub use cleanup::Leftover;
pub use error::ProbeError;
pub use report::{ProbeReport, Row};
pub use run::{ProbeOptions, probe};
