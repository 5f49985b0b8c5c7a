//! The downstream: the database or service that handlers call, its capacity, its outages and its overload.

mod condition;
mod server_pool;
mod settings;

pub use server_pool::{Answer, CallFailure, CallId, CallRequest, Downstream, Finished, Refused, Started};
pub use settings::{DownstreamSettings, Outage, OutageMode, WarmUp};
