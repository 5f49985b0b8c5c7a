//! The downstream: the database or service that handlers call, its capacity, its outages and its overload.

mod settings;

pub use settings::{DownstreamSettings, Outage, OutageMode, WarmUp};
