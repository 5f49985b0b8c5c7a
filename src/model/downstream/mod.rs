//! The downstream: the database or service that handlers call, its capacity, its outages and its overload.

mod call;
mod condition;
mod rate_limit;
mod server_pool;
mod settings;

pub use call::{Answer, CallFailure, CallId, CallRequest, Ended, Finished, Refused, Started};
pub use server_pool::Downstream;
pub use settings::{DownstreamSettings, Outage, OutageMode, RateLimit, RateLimitScope, WarmUp};
