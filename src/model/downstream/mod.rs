//! The downstream: the database or service that handlers call, its capacity, its outages and its overload.

mod condition;
mod rate_limit;
mod server_pool;
mod settings;

pub use server_pool::{Answer, CallFailure, CallId, CallRequest, Downstream, Ended, Finished, Refused, Started};
pub use settings::{DownstreamSettings, Outage, OutageMode, RateLimit, RateLimitScope, WarmUp};
