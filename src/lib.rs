//! What will this retry policy do to us when the downstream fails?
//!
//! A discrete-event simulator of retry policies for message queues. It models Amazon SQS (visibility leases, receive
//! counts, redrive to a dead-letter queue), fleets of consumers, and a downstream that fails and can be overwhelmed.
//!
//! ```
//! use std::path::Path;
//!
//! use retrystorm::measure::Metric;
//! use retrystorm::{report, scenario, study};
//!
//! let text = "
//! duration: 5m
//! replications: 4
//! queue: { visibility_timeout: 30s, redrive: { max_receive_count: 3 } }
//! producers: [ { rate: 20/s, until: 3m } ]
//! downstream: { servers: 10, service_time: 20ms, outages: [ { at: 10s, for: 90s, mode: refuse } ] }
//! variants:
//!   no-backoff: {}
//!   full-jitter: { policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } } }
//! ";
//! let scenario = scenario::parse(text, "example.yaml", Path::new("."))?;
//! let result = study::run_study(&scenario, |_progress| {})?;
//!
//! // Three receives: leases of 30 s outlast more of the outage than full jitter from 10 s.
//! let lost = |variant: usize| result.variants[variant].metric(Metric::DeadLetteredValid).unwrap().mean;
//! assert!(lost(1) > 2.0 * lost(0));
//! println!("{}", report::text(&result, false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The way through
//!
//! It goes one way: YAML text becomes a checked [`scenario::Scenario`]; [`study::run_study`] runs each of its variants
//! several times, in parallel; each run is a [`simulation`] that ends in a [`measure::Outcome`]; and [`report`] makes
//! tables, files and charts of the [`study::StudyResult`].
//!
//! * [`scenario`]: the scenario language
//! * [`engine`]: simulated time, the agenda of pending events, random streams
//! * [`model`]: the queue, producers, consumers, the downstream, retry policies; [`model::policy::RetryPolicy`] is where
//!   a policy of one's own comes in
//! * [`simulation`]: one run
//! * [`measure`]: what is counted
//! * [`study`]: many runs, and what they say together
//! * [`trace`]: the story of one message
//! * [`report`]: what people see
//!
//! # What it does not do
//!
//! It talks to no queue and measures no system: it computes what follows from a model, and the model is written down in
//! `docs/model.md` with its sources and its limits.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod audit;
pub mod budget;
pub mod engine;
pub mod measure;
pub mod model;
pub mod report;
pub mod scenario;
pub mod shard;
pub mod simulation;
pub mod study;
pub mod text;
pub mod trace;
