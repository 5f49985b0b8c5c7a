//! All the state of a run, and its loop.

use super::Run;
use super::breakers::{BatchId, Breakers, breaker_count};
use super::event::{Event, lane};
use crate::engine::agenda::Agenda;
use crate::engine::distribution::TimeSampler;
use crate::engine::random::KeyedStream;
use crate::engine::time::{DAY_US, SECOND_US, seconds};
use crate::measure::{Fate, Levels, Outcome, Recorder, RecorderPlan, Unbalanced};
use crate::model::consumer::Fleet;
use crate::model::downstream::{CallFailure, Downstream, OutageMode, Refused};
use crate::model::policy::RetryPolicy;
use crate::model::producer::{ArrivalSource, Arrivals, ClassSampler, ProducerSettings};
use crate::model::queue::{Delivery, QueueDraws, Removed, StandardQueue};
use crate::scenario::Setup;

/// A message in a consumer's hands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub delivery: Delivery,
    /// Tries within this receive so far.
    pub tries: u32,
    /// What the agenda holds for it.
    pub due: Due,
    /// The batch that it came in, where a breaker counts batches.
    pub batch: Option<BatchId>,
    /// Whether it is a breaker's probe.
    pub is_probe: bool,
}

/// What the agenda holds for an attempt. A crash ends attempts and leaves their events behind: one that finds anything
/// but itself here, in a slot that is in use again, is of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing: the downstream knows how it goes on.
    Nothing,
    /// The handler calls the downstream at that time.
    Call(u64),
    /// At that time the caller learns that its call has failed, and why.
    Failure(u64, CallFailure),
}

/// What is known of an attempt that has just begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outlook {
    /// It will succeed, and its message be deleted, at that time; only the end of its consumer can prevent it.
    DeletedAt {
        /// When.
        at_us: u64,
    },
    /// Anything may happen.
    Open,
}

/// A producer: when it sends, and what.
#[derive(Debug)]
pub(super) struct Producer {
    pub source: ArrivalSource,
    pub classes: ClassSampler,
}

/// The random streams of a run, by what they decide.
#[derive(Debug)]
pub(super) struct Draws {
    /// Class of a message.
    pub class: KeyedStream,
    /// The handler's own work.
    pub handler: KeyedStream,
    /// Work of a call.
    pub service: KeyedStream,
    /// Whether a call fails.
    pub error: KeyedStream,
    /// What a policy draws.
    pub policy: KeyedStream,
}

/// The run: every part, the agenda between them, and the recorder that watches.
pub(super) struct World<'a, P: RetryPolicy + ?Sized> {
    pub now_us: u64,
    pub duration_us: u64,
    pub agenda: Agenda,
    pub producers: Vec<Producer>,
    pub queue: StandardQueue,
    pub fleet: Fleet<Attempt>,
    pub downstream: Downstream,
    pub breakers: Option<Breakers>,
    pub policy: &'a P,
    pub setup: &'a Setup,
    pub handler_time: TimeSampler,
    pub service_time: TimeSampler,
    /// Whether any call can fail by chance; otherwise nothing is drawn for it.
    pub errors_happen: bool,
    /// Whether any message can crash its consumer.
    pub consumers_crash: bool,
    pub draws: Draws,
    pub recorder: Recorder,
    pub next_message_id: u64,
    /// Whether the next removal by retention is scheduled.
    pub expiry_is_set: bool,
    /// Messages that left the queue in one step; kept to use their memory again, like the following.
    pub removed: Vec<Removed>,
    /// Calls that the downstream turned away in one step.
    pub refused: Vec<Refused>,
    events: u64,
}

impl<'a, P: RetryPolicy + ?Sized> World<'a, P> {
    /// The world at time 0, with nothing in it.
    pub fn new(setup: &'a Setup, policy: &'a P, run: Run) -> Self {
        let streams = run.streams();
        let producers = setup.producers.iter().enumerate().map(|(number, producer)| Producer {
            source: ArrivalSource::new(producer.clone(), streams.sequential("arrivals", number as u64)),
            classes: ClassSampler::new(producer.classes),
        });
        Self {
            now_us: 0,
            duration_us: run.duration_us,
            agenda: Agenda::new(lane::COUNT),
            producers: producers.collect(),
            queue: StandardQueue::new(setup.queue.clone(), run.duration_us, QueueDraws::new(&streams)),
            fleet: Fleet::new(setup.consumers.clone()),
            downstream: Downstream::new(setup.downstream.clone()),
            breakers: setup.policy.breaker.map(|settings| Breakers::new(settings, &setup.consumers)),
            policy,
            setup,
            handler_time: setup.consumers.handler_time.sampler(),
            service_time: setup.downstream.service_time.sampler(),
            errors_happen: errors_happen(setup),
            consumers_crash: setup.producers.iter().any(|producer| producer.classes.poison > 0.0),
            draws: Draws {
                class: streams.keyed("class"),
                handler: streams.keyed("handler"),
                service: streams.keyed("service"),
                error: streams.keyed("error"),
                policy: streams.keyed("policy"),
            },
            recorder: Recorder::new(recorder_plan(setup, run.duration_us)),
            next_message_id: 0,
            expiry_is_set: false,
            removed: Vec::new(),
            refused: Vec::new(),
            events: 0,
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Result<Outcome, Unbalanced> {
        for producer in 0..self.producers.len() as u32 {
            self.schedule_arrival(producer);
        }
        for consumer in 0..self.fleet.size() {
            self.poll(consumer);
        }
        while let Some((at_us, payload)) = self.agenda.pop() {
            if at_us >= self.duration_us {
                break;
            }
            self.end_seconds_until(at_us);
            self.now_us = at_us;
            self.handle(Event::unpack(payload));
        }
        self.end_seconds_until(self.duration_us);
        self.close_ledger()
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        self.events += 1;
        match event {
            Event::Arrival(producer) => self.message_arrives(producer),
            Event::LeaseEnds(message) => self.lease_ends(message),
            Event::PollTimer(consumer) => self.poll_timer(consumer),
            Event::HandlerCalls(slot) => self.handler_calls(slot),
            Event::ServerDone(server) => self.server_done(server),
            Event::PatienceEnds(call) => self.patience_ends(call),
            Event::CallFails(slot) => self.call_fails(slot),
            Event::BreakerCooled(breaker) => self.breaker_cooled(breaker),
            Event::ConsumerRestarts(consumer) => self.consumer_restarts(consumer),
            Event::Expiry => self.expire(),
        }
    }

    /// An event turned out to be of something that had ended before: it does not count as one.
    #[inline]
    pub fn event_was_stale(&mut self) {
        self.events -= 1;
    }

    #[inline]
    fn end_seconds_until(&mut self, at_us: u64) {
        while self.recorder.second_ends_us() <= at_us {
            let levels = Levels {
                visible: self.queue.visible_count() as u32,
                in_flight: self.queue.in_flight_count() as u32,
                busy: self.fleet.busy_count() as u32,
                breakers_open: self.breakers.as_ref().map_or(0, |breakers| breakers.open_count),
                oldest_enqueued_us: self.queue.oldest_enqueued_us(),
            };
            self.recorder.end_second(levels);
        }
    }

    /// What is still in the queue is pending; then every message must have its fate.
    fn close_ledger(mut self) -> Result<Outcome, Unbalanced> {
        for class in self.queue.classes_of_outstanding() {
            self.recorder.left(class, Fate::Pending);
        }
        self.recorder.ledger.check()?;
        Ok(self.recorder.finish(self.events))
    }

    /// A message has moved to the dead-letter queue.
    pub fn record_dead_letter(&mut self, removed: Removed) {
        let first_received_us = removed.first_received_us.unwrap_or(self.now_us);
        // Rule Q11, age in the DLQ: the dead-letter queue's retention counts from the original enqueue.
        let expires_us = removed.enqueued_us.saturating_add(self.setup.queue.dead_letter_retention_us);
        let expires_there = expires_us < self.duration_us;
        self.recorder.dead_lettered(removed.tag.class, self.now_us - first_received_us, expires_there);
    }
}

fn errors_happen(setup: &Setup) -> bool {
    let by_outage = |mode: OutageMode| matches!(mode, OutageMode::Errors { .. });
    setup.downstream.error_rate > 0.0 || setup.downstream.outages.iter().any(|outage| by_outage(outage.mode))
}

fn recorder_plan(setup: &Setup, duration_us: u64) -> RecorderPlan {
    let producing_until_us =
        setup.producers.iter().map(|producer| producer.until_us).max().unwrap_or(duration_us).min(duration_us);
    let messages: f64 = setup.producers.iter().map(|producer| expected_messages(producer, duration_us)).sum();
    RecorderPlan {
        duration_us,
        step_s: step_s(duration_us),
        first_outage_us: setup.downstream.outages.first().map_or(0, |outage| outage.from_us),
        producing_until_us,
        arrivals_per_s: messages / seconds(producing_until_us).max(1.0),
        base_error_rate: setup.downstream.error_rate,
        breakers: setup.policy.breaker.map_or(0, |breaker| breaker_count(&breaker, &setup.consumers)),
    }
}

/// One second, but for runs of more than a day: then as many as keep the series at the length of a day's.
fn step_s(duration_us: u64) -> u64 {
    duration_us.div_ceil(DAY_US).max(1)
}

/// Messages that a producer sends on average.
fn expected_messages(producer: &ProducerSettings, duration_us: u64) -> f64 {
    let until_us = producer.until_us.min(duration_us);
    let length_s = seconds(until_us.saturating_sub(producer.from_us));
    match &producer.arrivals {
        Arrivals::Poisson { rate_per_s } | Arrivals::Constant { rate_per_s } => rate_per_s * length_s,
        Arrivals::Burst { messages, every_us } => {
            let bursts = every_us.map_or(1.0, |every_us| (length_s * SECOND_US as f64 / every_us as f64).ceil());
            *messages as f64 * bursts
        }
        Arrivals::Profile { steps } => steps.iter().map(|step| step.messages as f64).sum(),
    }
}
