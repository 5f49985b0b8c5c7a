//! A line: a queue and the consumers that work on it. A run has one for each source queue, and one for the dead-letter
//! queue that they share.

use super::acknowledging::Acknowledging;
use super::breakers::Breakers;
use super::gates::Gates;
use super::mapping::Mapping;
use super::overflowing::Overflowing;
use super::watching::Watch;
use super::world::Attempt;
use crate::engine::distribution::TimeSampler;
use crate::engine::random::Streams;
use crate::model::consumer::{Autoscaler, ConsumerSettings, Fleet, GroupOrder};
use crate::model::policy::PolicySettings;
use crate::model::queue::{Queue, QueueDraws, QueueKind, QueueSettings};

/// A queue and its consumers.
#[derive(Debug)]
pub(super) struct Line<'a, P: ?Sized> {
    pub queue: Queue,
    pub fleet: Fleet<Attempt>,
    pub breakers: Option<Breakers>,
    pub autoscaler: Option<Autoscaler>,
    /// The mapping whose pollers its consumers are, if they are.
    pub mapping: Option<Box<Mapping>>,
    /// What its consumers do after a failed attempt.
    pub policy: &'a P,
    /// What it is made of, and what does not depend on the attempt.
    pub settings: &'a PolicySettings,
    /// What stands in front of its calls, if anything.
    pub gates: Option<Gates>,
    /// The watch over its handlers, if there is one.
    pub watch: Option<Watch>,
    /// How its consumers delete, where it is not each message by itself after its work.
    pub acknowledging: Option<Acknowledging>,
    /// What becomes of messages that its consumers have no place for, where they ask for so many.
    pub overflowing: Option<Overflowing>,
    pub consumers: &'a ConsumerSettings,
    pub handler_time: TimeSampler,
    /// Whether a handler is let alone: nothing stands in front of its calls, and nobody watches it. So it is in most runs,
    /// which then look no further.
    pub is_unguarded: bool,
    /// Whether a handler calls as soon as it begins, and nothing else has to be done for it.
    pub calls_at_once: bool,
    /// Whether its consumers work on the messages of a group one after the other.
    pub groups_in_turn: bool,
    /// Whether its consumers ever misread an error.
    pub misreads: bool,
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
    pub settings: &'a PolicySettings,
    pub policy: &'a P,
}

impl<'a, P: ?Sized> Line<'a, P> {
    /// An empty queue and an idle fleet.
    pub fn new(parts: LineParts<'a, P>, streams: &Streams, horizon_us: u64, tenants: usize) -> Self {
        let gates = Gates::new(parts.consumers, parts.settings, tenants);
        let watch = Watch::new(parts.consumers);
        let lambda = parts.consumers.lambda.as_deref();
        let is_unguarded = gates.is_none() && watch.is_none();
        let acknowledging = Acknowledging::new(parts.consumers, parts.queue.kind);
        let calls_at_once = is_unguarded && acknowledging.is_none() && parts.consumers.handler_time.is_zero();
        Self {
            queue: Queue::new(parts.queue.clone(), horizon_us, QueueDraws::new(streams)),
            fleet: Fleet::new(parts.consumers.clone()),
            breakers: parts.settings.breaker.map(|settings| Breakers::new(settings, parts.consumers)),
            autoscaler: parts.consumers.autoscale.map(|settings| Autoscaler::new(settings, parts.consumers.fleet)),
            mapping: lambda.map(|lambda| Box::new(Mapping::new(lambda, parts.queue.kind))),
            policy: parts.policy,
            settings: parts.settings,
            gates,
            watch,
            acknowledging,
            overflowing: Overflowing::new(parts.consumers),
            is_unguarded,
            calls_at_once,
            groups_in_turn: parts.consumers.groups == GroupOrder::InTurn && parts.queue.kind == QueueKind::Fifo,
            misreads: parts.settings.misreading.happens(),
            consumers: parts.consumers,
            handler_time: parts.consumers.handler_time.sampler(),
            expiry_is_set: false,
            polling_is_paused: false,
        }
    }

    /// Whether messages may be removed by retention, and nobody looks.
    #[inline]
    pub fn must_look_at_retention(&self) -> bool {
        self.queue.follows_retention() && !self.expiry_is_set
    }

    /// Whether there may be a waiting poll and a message for it; cheap, since most events ask and most need no answer.
    #[inline]
    pub fn may_serve_polls(&self) -> bool {
        self.queue.has_receivable() && self.fleet.may_have_waiting()
    }
}
