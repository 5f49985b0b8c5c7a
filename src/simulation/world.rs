//! All the state of a run, and its loop.

use slab::Slab;

use super::Run;
use super::breakers::{BatchId, breaker_count};
use super::event::{Event, Place, lane};
use super::identity::ExtraCopies;
use super::keys::Keys;
use super::line::{Line, LineParts};
use super::observing::Observer;
use super::processes::Deploy;
use crate::engine::agenda::Agenda;
use crate::engine::distribution::TimeSampler;
use crate::engine::random::{KeyedStream, Streams};
use crate::engine::time::{DAY_US, seconds};
use crate::measure::{Fate, Levels, Outcome, Recorder, RecorderPlan, Unbalanced};
use crate::model::MessageClass;
use crate::model::consumer::ConsumerSettings;
use crate::model::downstream::{Downstream, OutageMode, Refused};
use crate::model::operator::{Action, Operation};
use crate::model::policy::{AttemptError, Probe, RetryPolicy};
use crate::model::producer::{ArrivalSource, ClassSampler, Deduplication, ProducerSettings, SentTwice};
use crate::model::queue::{Delivery, Receipt, Removed};
use crate::scenario::Setup;

/// A message in a consumer's hands: what the attempt at it needs again and again. The rest stays in the queue's record,
/// which is kept for as long as the receipt is held, so that a slot fits into one cache line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub receipt: Receipt,
    /// The id of the message.
    pub id: u64,
    /// End of the lease that came with the receive.
    pub leased_until_us: u64,
    /// When what the agenda holds for it is due; of a wait for a permit, the number.
    due_at: u64,
    /// Receives of the message, this one included.
    pub receive_count: u32,
    /// Tries within this receive so far.
    pub tries: u32,
    /// The batch that it came in, where a breaker counts batches.
    pub batch: Option<BatchId>,
    /// Which of a breaker's probes it is, if it is one.
    pub probe: Option<Probe>,
    due: Due,
    /// The class of the message.
    pub class: MessageClass,
    /// The tenant of the message.
    pub tenant: u8,
    /// Whether its call has a place under a limit of concurrent calls.
    pub holds_permit: bool,
    /// Why the try before failed, where a client library tries again.
    pub last_error: Option<AttemptError>,
}

/// What the agenda holds for an attempt. A crash ends attempts and leaves their events behind: one that finds anything
/// but itself here, in a slot that is in use again, is of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing: the downstream knows how it goes on.
    Nothing,
    /// The handler wants to call the downstream.
    Call,
    /// The handler's call has passed its gates, and goes out.
    AdmittedCall,
    /// The handler waits for the calls of others to end. This has no time, but the number of its wait.
    Permit,
    /// The message is known as done: the handler is through with it.
    Skip,
    /// The handler is killed.
    Kill,
    /// The caller learns that its call has failed, and why.
    Failure(AttemptError),
}

impl Attempt {
    /// An attempt that begins.
    #[inline(always)]
    pub fn new(delivery: &Delivery, batch: Option<BatchId>, probe: Option<Probe>) -> Self {
        Self {
            receipt: delivery.receipt,
            id: delivery.id,
            leased_until_us: delivery.leased_until_us,
            due_at: 0,
            receive_count: delivery.receive_count,
            tries: 0,
            batch,
            probe,
            due: Due::Nothing,
            class: delivery.class,
            tenant: delivery.tenant,
            holds_permit: false,
            last_error: None,
        }
    }

    /// The agenda holds that for it.
    #[inline]
    pub fn expect(&mut self, due: Due, at: u64) {
        (self.due, self.due_at) = (due, at);
    }

    /// What is due for it now, or at that number of a wait.
    #[inline]
    pub fn due_at(&self, at: u64) -> Due {
        if self.due_at == at { self.due } else { Due::Nothing }
    }

    /// Whether it waits for a permit.
    pub fn waits_for_permit(&self) -> bool {
        self.due == Due::Permit
    }

    /// The agenda holds nothing for it any more.
    #[inline]
    pub fn expect_nothing(&mut self) {
        self.due = Due::Nothing;
    }
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
    /// The line that it sends to.
    pub line: usize,
    pub source: ArrivalSource,
    pub classes: ClassSampler,
    /// The tenant of its messages.
    pub tenant: u8,
    pub sent_twice: Option<SentTwice>,
    pub deduplication: Deduplication,
    /// Message groups that its messages belong to.
    pub groups: u32,
}

/// The random streams of a run, by what they decide.
#[derive(Debug)]
pub(super) struct Draws {
    /// Class of a message.
    pub class: KeyedStream,
    /// Message group of a message.
    pub group: KeyedStream,
    /// The handler's own work.
    pub handler: KeyedStream,
    /// Work of a call.
    pub service: KeyedStream,
    /// Whether a call fails.
    pub error: KeyedStream,
    /// What a policy draws.
    pub policy: KeyedStream,
    /// Whether a client library lets a call out.
    pub admission: KeyedStream,
    /// How long a client library waits before it tries again.
    pub client: KeyedStream,
    /// Whether a message is sent twice.
    pub sent_twice: KeyedStream,
    /// Whether an error is taken for another one.
    pub misreading: KeyedStream,
    /// Whether a consumer crashes while it dead-letters a message.
    pub dead_letter_crash: KeyedStream,
    /// When a process crashes by itself.
    pub crash: KeyedStream,
    /// How an invocation starts, and what is wrong with its answer.
    pub invocation: KeyedStream,
}

/// The run: every part, the agenda between them, and the recorder that watches.
pub(super) struct World<'a, P: RetryPolicy + ?Sized, O> {
    pub now_us: u64,
    pub duration_us: u64,
    pub agenda: Agenda,
    pub producers: Vec<Producer>,
    /// The source queues with their consumers, the scenario's own first; then the dead-letter queue.
    pub lines: Vec<Line<'a, P>>,
    /// The last line: the dead-letter queue.
    pub dead_letter_line: usize,
    pub downstream: Downstream,
    pub setup: &'a Setup,
    pub service_time: TimeSampler,
    /// Whether any call can fail by chance; otherwise nothing is drawn for it.
    pub errors_happen: bool,
    /// Whether any message can crash its consumer.
    pub consumers_crash: bool,
    pub draws: Draws,
    /// How long processes live, by line, where they crash by themselves.
    pub lifetimes: Vec<Option<TimeSampler>>,
    /// The deploy of an operator that came last.
    pub deploy: Option<Deploy>,
    pub recorder: Recorder,
    /// Who watches; nobody, most of the time.
    pub observer: O,
    pub next_message_id: u64,
    /// Messages that will be sent a second time: producer and id.
    pub sends_to_repeat: Slab<(u32, u64)>,
    /// What the downstream has taken effect for, where it has a unique constraint.
    pub constraint: Option<Keys>,
    /// Messages that each redrive action has moved.
    pub redriven_by: Vec<u64>,
    /// Copies of messages that stayed where they were.
    pub extra_copies: ExtraCopies,
    /// Messages that left the queue in one step; kept to use their memory again, like the following.
    pub removed: Vec<Removed>,
    /// Calls that the downstream turned away in one step.
    pub refused: Vec<Refused>,
    events: u64,
}

impl<'a, P: RetryPolicy + ?Sized, O: Observer> World<'a, P, O> {
    /// The world at time 0, with nothing in it. `policies` has one for each source queue and one for the consumers of
    /// the dead-letter queue, in the order of the lines.
    pub fn new(setup: &'a Setup, policies: &[&'a P], run: Run, observer: O) -> Self {
        let streams = run.streams();
        let lines = lines(setup, policies, &streams, run.duration_us);
        Self {
            now_us: 0,
            duration_us: run.duration_us,
            agenda: Agenda::new(lane::COUNT),
            producers: producers(setup, streams),
            dead_letter_line: lines.len() - 1,
            lines,
            downstream: Downstream::new(setup.downstream.clone()),
            setup,
            service_time: setup.downstream.service_time.sampler(),
            errors_happen: errors_happen(setup),
            consumers_crash: consumers_crash(setup),
            draws: Draws {
                class: streams.keyed("class"),
                group: streams.keyed("group"),
                handler: streams.keyed("handler"),
                service: streams.keyed("service"),
                error: streams.keyed("error"),
                policy: streams.keyed("policy"),
                admission: streams.keyed("client admission"),
                client: streams.keyed("client"),
                sent_twice: streams.keyed("sent twice"),
                misreading: streams.keyed("misreading"),
                dead_letter_crash: streams.keyed("dead-letter crash"),
                crash: streams.keyed("crash"),
                invocation: streams.keyed("invocation"),
            },
            lifetimes: lifetimes(setup),
            deploy: None,
            recorder: Recorder::new(recorder_plan(setup, run.duration_us), &setup.alarms),
            observer,
            next_message_id: 0,
            sends_to_repeat: Slab::new(),
            constraint: setup.downstream.unique_constraint.map(Keys::new),
            redriven_by: vec![0; setup.operations.len()],
            extra_copies: ExtraCopies::default(),
            removed: Vec::new(),
            refused: Vec::new(),
            events: 0,
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> Result<Outcome, Unbalanced> {
        self.begin_run();
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

    fn begin_run(&mut self) {
        self.schedule_operations();
        (0..self.lines.len()).for_each(|line| self.schedule_look(line));
        (0..self.lines.len()).for_each(|line| self.schedule_ramp(line));
        for producer in 0..self.producers.len() as u32 {
            self.schedule_arrival(producer);
        }
        for line in 0..self.lines.len() {
            for consumer in 0..self.lines[line].fleet.size() {
                self.process_begins(line, consumer);
                self.poll(line, consumer);
            }
        }
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        self.events += 1;
        match event {
            Event::Arrival(producer) => self.message_arrives(producer),
            Event::LeaseEnds(message) => self.lease_ends(Place::unpack(message)),
            Event::PollTimer(consumer) => self.poll_timer(Place::unpack(consumer)),
            Event::HandlerGoesOn(slot) => self.handler_continues(Place::unpack(slot)),
            Event::ServerDone(server) => self.server_done(server),
            Event::PatienceEnds(call) => self.patience_ends(call),
            Event::CallFails(slot) => self.call_fails(Place::unpack(slot)),
            Event::BreakerTimer(breaker) => self.breaker_timer(Place::unpack(breaker)),
            Event::ConsumerRestarts(consumer) => self.consumer_restarts(Place::unpack(consumer)),
            Event::Expiry(line) => self.expire(line as usize),
            Event::DelayEnds(message) => self.delay_ends(Place::unpack(message)),
            Event::Operation(number) => self.operate(number),
            Event::ChangeApplies(number) => self.change_applies(number),
            Event::Redrive(number) => self.redrive_next(number),
            Event::SendAgain(number) => self.send_again(number),
            Event::Heartbeat(slot) => self.heartbeat(Place::unpack(slot)),
            Event::AutoscalerTimer(line) => self.autoscaler_timer(line as usize),
            Event::ConsumerKilled(consumer) => self.consumer_killed(Place::unpack(consumer)),
            Event::ProcessCrashes(consumer) => self.process_crashes(Place::unpack(consumer)),
            Event::PauseEnds(consumer) => self.pause_ends(Place::unpack(consumer)),
            Event::AcknowledgementsDue(consumer) => self.acknowledgements_due(Place::unpack(consumer)),
            Event::MessagesFreed(line) => self.messages_freed(line as usize),
            Event::PollerTimer(poller) => self.poller_timer(Place::unpack(poller)),
            Event::RampTimer(line) => self.ramp_timer(line as usize),
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
            self.end_second();
        }
    }

    /// Cold beside the thousands of events of a second.
    #[cold]
    fn end_second(&mut self) {
        let levels = self.levels();
        self.recorder.end_second(levels);
    }

    fn levels(&mut self) -> Levels {
        let mut levels = Levels::default();
        let dead_letter_line = self.dead_letter_line;
        for (number, line) in self.lines.iter_mut().enumerate() {
            let (visible, in_flight) = (line.queue.visible_count() as u32, line.queue.in_flight_count() as u32);
            if number == dead_letter_line {
                levels.dead_letters = visible + in_flight;
                continue;
            }
            levels.visible += visible;
            levels.in_flight += in_flight;
            levels.busy += line.fleet.busy_count() as u32;
            levels.fleet += line.fleet.size();
            levels.breakers_open += line.breakers.as_ref().map_or(0, |breakers| breakers.open_count);
            let oldest_us = line.queue.oldest_enqueued_us();
            levels.oldest_enqueued_us = [levels.oldest_enqueued_us, oldest_us].into_iter().flatten().min();
        }
        levels
    }

    /// What is still in a queue, or was deleted early and is still worked on, is pending; then every message must have its fate.
    fn close_ledger(mut self) -> Result<Outcome, Unbalanced> {
        for line in 0..self.lines.len() {
            let mut pending: Vec<MessageClass> = self.lines[line].queue.classes_of_outstanding().collect();
            pending.extend(self.classes_of_open(line));
            pending.into_iter().for_each(|class| self.record_left(line, class, Fate::Pending));
        }
        self.recorder.check_ledgers()?;
        Ok(self.recorder.finish(self.events))
    }
}

fn producers(setup: &Setup, streams: Streams) -> Vec<Producer> {
    let producer = |(number, (line, settings)): (usize, (usize, &ProducerSettings))| Producer {
        line,
        source: ArrivalSource::new(settings.clone(), streams.sequential("arrivals", number as u64)),
        classes: ClassSampler::new(settings.classes),
        tenant: settings.tenant,
        sent_twice: settings.sent_twice,
        deduplication: settings.deduplication,
        groups: settings.groups,
    };
    setup.all_producers().enumerate().map(producer).collect()
}

fn lines<'a, P: ?Sized>(setup: &'a Setup, policies: &[&'a P], streams: &Streams, horizon_us: u64) -> Vec<Line<'a, P>> {
    let own = (&setup.queue, &setup.consumers, &setup.policy);
    let others = setup.other_queues.iter().map(|other| (&other.queue, &other.consumers, &other.policy));
    let dead_letters = &setup.dead_letter_queue;
    let last = (&dead_letters.queue, &dead_letters.consumers, &dead_letters.policy);
    let all = std::iter::once(own).chain(others).chain(std::iter::once(last));
    let parts = all.zip(policies).map(|((queue, consumers, settings), policy)| LineParts {
        queue,
        consumers,
        settings,
        policy: *policy,
    });
    parts.map(|parts| Line::new(parts, streams, horizon_us, setup.tenants())).collect()
}

/// Whether a process may die with messages in hand.
fn consumers_crash(setup: &Setup) -> bool {
    let kills = |operation: &Operation| match operation.action {
        Action::Deploy { .. } => true,
        Action::Scale { drain_us, .. } => drain_us.is_some(),
        _ => false,
    };
    setup.all_producers().any(|(_, producer)| producer.classes.poison > 0.0)
        || setup.policies().any(|policy| policy.dead_letter_crash_share > 0.0)
        || setup.operations.iter().any(kills)
        || setup.all_consumers().any(ConsumerSettings::processes_die)
}

/// How long processes live, in the order of the lines.
fn lifetimes(setup: &Setup) -> Vec<Option<TimeSampler>> {
    setup.all_consumers().map(|consumers| consumers.crashes_after.map(|lifetime| lifetime.sampler())).collect()
}

fn errors_happen(setup: &Setup) -> bool {
    let by_outage = |mode: OutageMode| matches!(mode, OutageMode::Errors { .. });
    setup.downstream.error_rate > 0.0 || setup.downstream.outages.iter().any(|outage| by_outage(outage.mode))
}

fn recorder_plan(setup: &Setup, duration_us: u64) -> RecorderPlan {
    let last_stop_us = setup.all_producers().map(|(_, producer)| producer.until_us).max();
    let producing_until_us = last_stop_us.unwrap_or(duration_us).min(duration_us);
    let messages: f64 = setup.all_producers().map(|(_, producer)| producer.expected_messages(duration_us)).sum();
    let own = setup.policy.breaker.map(|breaker| breaker_count(&breaker, largest_fleet(setup)));
    let others = setup.other_queues.iter().map(|source| {
        source.policy.breaker.map_or(0, |breaker| breaker_count(&breaker, source.consumers.largest_fleet()))
    });
    RecorderPlan {
        duration_us,
        warm_up_us: setup.warm_up_us,
        step_s: step_s(duration_us),
        first_outage_us: setup.downstream.outages.first().map_or(0, |outage| outage.from_us),
        last_outage_ends_us: setup.downstream.outages.last().map(|outage| outage.until_us),
        producing_until_us,
        arrivals_per_s: messages / seconds(producing_until_us).max(1.0),
        base_error_rate: setup.downstream.error_rate,
        breakers: own.unwrap_or(0) + others.sum::<u32>(),
        tenants: setup.tenants(),
        has_functions: setup.all_consumers().any(|consumers| consumers.lambda.is_some()),
    }
}

/// Most consumers that the setup's own fleet can have.
fn largest_fleet(setup: &Setup) -> u32 {
    let by_hand = setup.operations.iter().filter_map(|operation| match operation.action {
        Action::Scale { fleet, .. } => Some(fleet),
        _ => None,
    });
    by_hand.chain([setup.consumers.largest_fleet()]).max().unwrap_or_default()
}

/// One second, but for runs of more than a day: then as many as keep the series at the length of a day's.
fn step_s(duration_us: u64) -> u64 {
    duration_us.div_ceil(DAY_US).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_leaves_room_for_its_slot_in_one_cache_line() {
        assert_eq!(size_of::<Option<Attempt>>(), 56, "and the slot needs eight bytes of its own");
    }
}
