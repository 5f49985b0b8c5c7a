//! A line: a queue and the consumers that work on it. A run has one for each source queue, and one for the dead-letter
//! queue that they share.

use super::breakers::Breakers;
use super::world::Attempt;
use crate::engine::distribution::TimeSampler;
use crate::engine::random::Streams;
use crate::model::consumer::{Autoscaler, ConsumerSettings, Fleet};
use crate::model::policy::BreakerSettings;
use crate::model::queue::{Queue, QueueDraws, QueueSettings};

/// A queue and its consumers.
#[derive(Debug)]
pub(super) struct Line<'a, P: ?Sized> {
    pub queue: Queue,
    pub fleet: Fleet<Attempt>,
    pub breakers: Option<Breakers>,
    pub autoscaler: Option<Autoscaler>,
    /// What its consumers do after a failed attempt.
    pub policy: &'a P,
    pub consumers: &'a ConsumerSettings,
    pub handler_time: TimeSampler,
    /// Whether the next removal by retention is scheduled.
    pub expiry_is_set: bool,
    /// Whether an operator has stopped polling.
    pub polling_is_paused: bool,
}

/// What a line is made of.
#[derive(Debug)]
pub(super) struct LineParts<'a, P: ?Sized> {
    pub queue: &'a QueueSettings,
    pub consumers: &'a ConsumerSettings,
    pub breaker: Option<BreakerSettings>,
    pub policy: &'a P,
}

impl<'a, P: ?Sized> Line<'a, P> {
    /// An empty queue and an idle fleet.
    pub fn new(parts: LineParts<'a, P>, streams: &Streams, horizon_us: u64) -> Self {
        Self {
            queue: Queue::new(parts.queue.clone(), horizon_us, QueueDraws::new(streams)),
            fleet: Fleet::new(parts.consumers.clone()),
            breakers: parts.breaker.map(|settings| Breakers::new(settings, parts.consumers)),
            autoscaler: parts.consumers.autoscale.map(|settings| Autoscaler::new(settings, parts.consumers.fleet)),
            policy: parts.policy,
            consumers: parts.consumers,
            handler_time: parts.consumers.handler_time.sampler(),
            expiry_is_set: false,
            polling_is_paused: false,
        }
    }
}
