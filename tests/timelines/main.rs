//! Short histories of a handful of messages, worked out by hand to the microsecond where the results show it.

mod alarms;
mod autoscaler;
mod breaker;
mod clients;
mod consumers;
mod downstream;
mod errors;
mod gates;
mod lambda;
mod processes;
mod queue;
mod spy;
#[path = "../support/mod.rs"]
mod support;
mod watching;
mod workers;
