//! The sections of a scenario as they are written: every key optional, every value with its place.
//!
//! The comments on the types and keys below are what editors show, so they speak to authors of scenarios.

mod alarm;
mod breaker;
mod consumers;
mod dispositions;
mod distribution;
mod downstream;
mod idempotency;
mod judgement;
mod lambda;
mod like;
mod limits;
mod operator;
mod policy;
mod producer;
mod queue;
mod scenario;

pub(super) use alarm::RawAlarm;
pub(super) use breaker::{RawBreaker, RawFailureRate, RawRampUp, RawThrottling};
pub(super) use consumers::{RawAcknowledge, RawAutoscale, RawConsumers, RawHeartbeat};
pub(super) use dispositions::{RawDispositions, RawMisreading};
pub(super) use distribution::{RawDistribution, RawHandlerTime};
pub(super) use downstream::{OutageKind, RawDownstream, RawOutage, RawRateLimit};
pub(super) use idempotency::RawKeys;
pub(super) use judgement::{RawBound, RawClaim, RawExpectation, RawPair};
pub(super) use lambda::{RawLambda, RawPollers};
pub(super) use like::{RawLike, with_defaults_of_library};
pub(super) use limits::{RawAdaptive, RawCallRateLimit, RawConcurrencyLimit};
pub(super) use operator::{Polling, RawOperation, RawRedriveTask};
pub(super) use policy::RawPolicy;
pub(super) use producer::{ArrivalKind, RawClasses, RawProducer, RawSentTwice};
pub(super) use queue::{RawDeadLetterQueue, RawQueue, RawRedrive};
pub(super) use scenario::{RawOtherQueue, RawScenario, RawSetup};
