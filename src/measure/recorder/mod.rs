//! Counts while the run goes on. Every event of the hot path is one addition; everything else waits for the end of the
//! second.

mod invocations;
mod values;

use super::alarm::{AlarmWatch, Sample};
use super::effects::Effects;
use super::{AlarmSettings, Fate, Ledger, Metric, Outcome, SeriesMetric, Step, TimeHistogram, Unbalanced};
use crate::engine::time::SECOND_US;
use crate::model::MessageClass;
use crate::model::policy::AttemptError;
use invocations::InvocationCounters;

/// Share of the ended calls beyond the base error rate that may fail in a sound second.
const SOUND_FAILURE_SHARE: f64 = 0.05;

/// What the recorder must know before the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecorderPlan {
    /// Length of the run.
    pub duration_us: u64,
    /// Time from which on it counts, in whole seconds.
    pub warm_up_us: u64,
    /// Length of a step of the series, in seconds.
    pub step_s: u64,
    /// When the first outage begins; 0 where there is none.
    pub first_outage_us: u64,
    /// When the last outage ends, if there is one.
    pub last_outage_ends_us: Option<u64>,
    /// When the last producer stops.
    pub producing_until_us: u64,
    /// Mean arrivals a second while producers send.
    pub arrivals_per_s: f64,
    /// Share of calls that fail at all times.
    pub base_error_rate: f64,
    /// Circuit breakers in the run.
    pub breakers: u32,
    /// Tenants that producers send messages of.
    pub tenants: usize,
    /// Whether any consumers are Lambda functions.
    pub has_functions: bool,
}

/// Levels at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// Visible messages.
    pub visible: u32,
    /// Messages under a lease.
    pub in_flight: u32,
    /// Consumers of the source queues.
    pub fleet: u32,
    /// Slots in which a consumer works.
    pub busy: u32,
    /// Messages in the dead-letter queue.
    pub dead_letters: u32,
    /// Breakers that are not closed.
    pub breakers_open: u32,
    /// When the oldest message was sent, if there is one.
    pub oldest_enqueued_us: Option<u64>,
}

impl Levels {
    /// Age of the oldest message at that moment; 0 where there is none.
    fn oldest_age_us(&self, now_us: u64) -> u64 {
        self.oldest_enqueued_us.map_or(0, |enqueued_us| now_us - enqueued_us)
    }
}

/// What is only needed second by second.
#[derive(Debug, Clone, Default)]
struct Trackers {
    calls_peak: u32,
    calls_while_producing: u64,
    visible_peak: u32,
    in_flight_peak: u32,
    dead_letters_peak: u32,
    oldest_age_peak_us: u64,
    fleet_peak: u32,
    sound_again_us: u64,
    backlog_cleared_us: u64,
    /// Waiting messages at the ends of the seconds before the first outage: their sum, and how many seconds.
    waiting_before: (u64, u64),
    breaker_opened_us: Option<u64>,
    breaker_closed_us: Option<u64>,
    breaker_last_open_us: Option<u64>,
    first_loss_us: Option<u64>,
}

/// What happens seldom, or only in some runs: one number each.
#[derive(Debug, Default)]
struct Counters {
    calls_throttled: u64,
    calls_rejected: u64,
    calls_skipped: u64,
    failed_by_message: u64,
    handlers_killed: u64,
    attempts_died: u64,
    resent: u64,
    changes_refused: u64,
    overflowed: u64,
    aged_out: u64,
    acknowledgements_lost: u64,
    given_up_by_mistake: u64,
    written_down: u64,
    deduplicated: u64,
    duplicates_in_dlq: u64,
}

/// Counts during a run.
#[derive(Debug)]
pub struct Recorder {
    plan: RecorderPlan,
    /// What became of every message of the source queues so far.
    ledger: Ledger,
    second: Step,
    /// Failures of this second that are not the message's own fault.
    failures_of_downstream: u32,
    /// Deletes of this second that succeeded.
    deletes: u32,
    step: Step,
    steps: Vec<Step>,
    second_ends_us: u64,
    seconds_in_step: u64,
    trackers: Trackers,
    totals: [u64; SeriesMetric::ALL.len()],
    calls_during_outage: u64,
    first_successes: u64,
    duplicates: u64,
    requests: u64,
    dead_lettered_again: u64,
    dead_letters: Ledger,
    counters: Counters,
    invocations: InvocationCounters,
    effects: Effects,
    time_to_dlq: TimeHistogram,
    time_to_success: TimeHistogram,
    /// By tenant; empty where there is only one.
    time_to_success_by_tenant: Vec<TimeHistogram>,
    alarms: Vec<AlarmWatch>,
}

/// A histogram for each of several tenants.
fn by_tenant(tenants: usize) -> Vec<TimeHistogram> {
    let count = if tenants > 1 { tenants } else { 0 };
    (0..count).map(|_| TimeHistogram::default()).collect()
}

impl Recorder {
    /// Starts at time 0.
    pub fn new(plan: RecorderPlan, alarms: &[AlarmSettings]) -> Self {
        Self {
            plan,
            ledger: Ledger::default(),
            second: Step::default(),
            failures_of_downstream: 0,
            deletes: 0,
            step: Step::default(),
            steps: Vec::new(),
            second_ends_us: SECOND_US,
            seconds_in_step: 0,
            trackers: Trackers::default(),
            totals: Default::default(),
            calls_during_outage: 0,
            first_successes: 0,
            duplicates: 0,
            requests: 0,
            dead_lettered_again: 0,
            dead_letters: Ledger::default(),
            counters: Counters::default(),
            invocations: InvocationCounters::default(),
            effects: Effects::default(),
            time_to_dlq: TimeHistogram::default(),
            time_to_success: TimeHistogram::default(),
            time_to_success_by_tenant: by_tenant(plan.tenants),
            alarms: alarms.iter().cloned().map(AlarmWatch::new).collect(),
        }
    }

    /// When the current second ends: [`end_second`](Self::end_second) is due before anything that happens then or later.
    #[inline]
    pub fn second_ends_us(&self) -> u64 {
        self.second_ends_us
    }

    /// A producer has sent a message.
    #[inline]
    pub fn enqueued(&mut self, class: MessageClass) {
        self.ledger.enqueued[class as usize] += 1;
        self.count(SeriesMetric::Enqueued, 1);
        self.requests += 1;
    }

    /// Queue API actions of consumers.
    #[inline]
    pub fn request(&mut self) {
        self.requests += 1;
    }

    /// A receive call has returned messages.
    #[inline]
    pub fn received(&mut self, messages: u32) {
        self.count(SeriesMetric::Receives, messages);
    }

    /// A call to the downstream begins: the first try of a first receive, or a retry.
    #[inline]
    pub fn call(&mut self, is_retry: bool, in_outage: bool) {
        self.count(SeriesMetric::Calls, 1);
        self.count(SeriesMetric::Retries, u32::from(is_retry));
        self.calls_during_outage += u64::from(in_outage);
    }

    /// A call has ended well, the first success of its message or a repeated one.
    #[inline]
    pub fn succeeded(&mut self, first: bool, tenant: u8, since_enqueue_us: u64) {
        self.count(SeriesMetric::Successes, 1);
        if first {
            self.first_successes += 1;
            self.time_to_success.record(since_enqueue_us);
            if !self.time_to_success_by_tenant.is_empty() {
                self.tenant_succeeded(tenant, since_enqueue_us);
            }
        } else {
            self.duplicates += 1;
        }
    }

    #[cold]
    fn tenant_succeeded(&mut self, tenant: u8, since_enqueue_us: u64) {
        if let Some(histogram) = self.time_to_success_by_tenant.get_mut(usize::from(tenant)) {
            histogram.record(since_enqueue_us);
        }
    }

    /// A call has failed.
    #[inline]
    pub fn failed(&mut self, error: AttemptError) {
        self.count(SeriesMetric::Failures, 1);
        let by_message = error == AttemptError::Permanent;
        self.failures_of_downstream += u32::from(!by_message);
        self.counters.failed_by_message += u64::from(by_message);
        self.counters.calls_throttled += u64::from(error == AttemptError::Throttled);
    }

    /// A consumer's own limits did not let a call out.
    pub fn rejected(&mut self) {
        self.counters.calls_rejected += 1;
    }

    /// A consumer's store said that a message was done.
    pub fn skipped(&mut self) {
        self.counters.calls_skipped += 1;
    }

    /// A handler took too long.
    pub fn handler_killed(&mut self) {
        self.counters.handlers_killed += 1;
    }

    /// A message was in the hands of a process that died.
    pub fn attempt_died(&mut self) {
        self.counters.attempts_died += 1;
    }

    /// A consumer received messages that it had no place for.
    pub fn overflowed(&mut self) {
        self.counters.overflowed += 1;
    }

    /// A consumer dropped a message that had aged out in its buffer.
    pub fn aged_out(&mut self) {
        self.counters.aged_out += 1;
    }

    /// A consumer has died with so many deletes held back.
    pub fn acknowledgements_lost(&mut self, count: u64) {
        self.counters.acknowledgements_lost += count;
    }

    /// The queue refused to hide a message that long.
    pub fn change_refused(&mut self) {
        self.counters.changes_refused += 1;
    }

    /// A consumer gave a message up, by mistake or not.
    pub fn given_up(&mut self, by_mistake: bool) {
        self.counters.given_up_by_mistake += u64::from(by_mistake);
    }

    /// A consumer wrote a message down elsewhere.
    pub fn written_down(&mut self) {
        self.counters.written_down += 1;
    }

    /// A queue did not take a message that was sent again.
    pub fn deduplicated(&mut self) {
        self.counters.deduplicated += 1;
        self.requests += 1;
    }

    /// A message was sent to the dead-letter queue and is still in its own.
    pub fn copied_to_dead_letter_queue(&mut self, class: MessageClass) {
        self.dead_letters.enqueued[class as usize] += 1;
        self.counters.duplicates_in_dlq += 1;
    }

    /// A good call takes effect for a business key.
    #[inline]
    pub fn takes_effect(&mut self, key: u64) {
        self.effects.happen(key);
    }

    /// A delete in a source queue has succeeded, also one that found the message gone.
    #[inline]
    pub fn deleted(&mut self) {
        self.deletes += 1;
    }

    /// A message has left the queue.
    #[inline]
    pub fn left(&mut self, class: MessageClass, fate: Fate) {
        self.ledger.fates[fate as usize][class as usize] += 1;
    }

    /// A message has moved to the dead-letter queue, so long after its first receive. `again`: a redrive had sent it back
    /// before.
    #[inline]
    pub fn dead_lettered(&mut self, class: MessageClass, since_first_receive_us: u64, again: bool) {
        self.left(class, Fate::DeadLettered);
        self.dead_letters.enqueued[class as usize] += 1;
        self.count(SeriesMetric::DeadLettered, 1);
        self.time_to_dlq.record(since_first_receive_us);
        self.dead_lettered_again += u64::from(again);
    }

    /// A redrive has taken a message out of the dead-letter queue and sent it anew.
    pub fn redriven(&mut self, class: MessageClass) {
        self.left_dead_letter_queue(class, Fate::Redriven);
        self.ledger.redriven[class as usize] += 1;
    }

    /// A consumer has sent a copy of a message anew.
    pub fn resent(&mut self, class: MessageClass) {
        self.ledger.redriven[class as usize] += 1;
        self.counters.resent += 1;
    }

    /// A message has left the dead-letter queue, or is still there at the end.
    #[inline]
    pub fn left_dead_letter_queue(&mut self, class: MessageClass, fate: Fate) {
        self.dead_letters.fates[fate as usize][class as usize] += 1;
    }

    /// Checks that every message has exactly one fate in its queue, and every dead letter in the dead-letter queue.
    ///
    /// # Errors
    /// Where that does not hold.
    pub fn check_ledgers(&self) -> Result<(), Unbalanced> {
        self.ledger.check()?;
        self.dead_letters.check()
    }

    #[inline]
    fn count(&mut self, metric: SeriesMetric, by: u32) {
        self.second.values[metric as usize] += by;
    }

    /// The current second ends with these levels.
    pub fn end_second(&mut self, levels: Levels) {
        let end_us = self.second_ends_us;
        self.second.values[SeriesMetric::Visible as usize] = levels.visible;
        self.second.values[SeriesMetric::InFlight as usize] = levels.in_flight;
        self.second.values[SeriesMetric::DlqDepth as usize] = levels.dead_letters;
        self.second.values[SeriesMetric::BreakerOpen as usize] = levels.breakers_open;
        self.second.values[SeriesMetric::Fleet as usize] = levels.fleet;
        self.track(end_us, levels);
        self.watch(end_us, levels);
        self.add_second_to_step(end_us);
        self.second = Step::default();
        self.failures_of_downstream = 0;
        self.deletes = 0;
        self.second_ends_us = (end_us + SECOND_US).min(self.plan.duration_us.max(end_us + 1));
        if end_us == self.plan.warm_up_us {
            self.forget_warm_up();
        }
    }

    /// From now on it counts, and what is outstanding counts as sent now. The series goes on: it shows all of the run.
    #[cold]
    fn forget_warm_up(&mut self) {
        let fresh = Self::new(self.plan, &[]);
        let warm = std::mem::replace(self, fresh);
        self.ledger = warm.ledger.begun_anew();
        self.dead_letters = warm.dead_letters.begun_anew();
        self.effects = warm.effects.count_anew();
        self.alarms = warm.alarms.into_iter().map(AlarmWatch::begun_anew).collect();
        (self.step, self.steps, self.seconds_in_step) = (warm.step, warm.steps, warm.seconds_in_step);
        self.second_ends_us = warm.second_ends_us;
    }

    /// Shows the second to the alarms.
    fn watch(&mut self, end_us: u64, levels: Levels) {
        if self.alarms.is_empty() {
            return;
        }
        let sample = Sample {
            visible: levels.visible,
            in_flight: levels.in_flight,
            dead_letters: levels.dead_letters,
            oldest_age_us: levels.oldest_age_us(end_us),
            breakers_open: f64::from(levels.breakers_open) / f64::from(self.plan.breakers.max(1)),
            received: self.second.values[SeriesMetric::Receives as usize],
            deleted: self.deletes,
        };
        let run_ends_us = self.plan.duration_us;
        self.alarms.iter_mut().for_each(|alarm| alarm.end_second(end_us, &sample, run_ends_us));
    }

    fn add_second_to_step(&mut self, end_us: u64) {
        for &metric in SeriesMetric::ALL {
            let value = self.second.values[metric as usize];
            if metric.is_level() {
                self.step.values[metric as usize] = value;
            } else {
                self.step.values[metric as usize] += value;
                self.totals[metric as usize] += u64::from(value);
            }
        }
        self.seconds_in_step += 1;
        if self.seconds_in_step == self.plan.step_s || end_us >= self.plan.duration_us {
            self.steps.push(std::mem::take(&mut self.step));
            self.seconds_in_step = 0;
        }
    }

    fn track(&mut self, end_us: u64, levels: Levels) {
        let flow = |metric: SeriesMetric| self.second.values[metric as usize];
        let trackers = &mut self.trackers;
        trackers.calls_peak = trackers.calls_peak.max(flow(SeriesMetric::Calls));
        if end_us <= self.plan.producing_until_us {
            trackers.calls_while_producing += u64::from(flow(SeriesMetric::Calls));
        }
        trackers.visible_peak = trackers.visible_peak.max(levels.visible);
        trackers.in_flight_peak = trackers.in_flight_peak.max(levels.in_flight);
        trackers.fleet_peak = trackers.fleet_peak.max(levels.fleet);
        trackers.dead_letters_peak = trackers.dead_letters_peak.max(levels.dead_letters);
        trackers.oldest_age_peak_us = trackers.oldest_age_peak_us.max(levels.oldest_age_us(end_us));
        if trackers.first_loss_us.is_none() && self.ledger.lost_valid() > 0 {
            trackers.first_loss_us = Some(end_us);
        }

        let waiting = (levels.visible + levels.in_flight).saturating_sub(levels.busy);
        if end_us <= self.plan.first_outage_us {
            trackers.waiting_before.0 += u64::from(waiting);
            trackers.waiting_before.1 += 1;
        } else {
            let (sum, seconds) = trackers.waiting_before;
            let mean_before = sum as f64 / seconds.max(1) as f64;
            if f64::from(waiting) > self.plan.arrivals_per_s.max(2.0 * mean_before) {
                trackers.backlog_cleared_us = end_us;
            }
            let ended = f64::from(flow(SeriesMetric::Successes) + flow(SeriesMetric::Failures));
            let sound_share = self.plan.base_error_rate + SOUND_FAILURE_SHARE;
            if f64::from(self.failures_of_downstream) > sound_share * ended {
                trackers.sound_again_us = end_us;
            }
        }
        if levels.breakers_open > 0 && 2 * levels.breakers_open >= self.plan.breakers {
            trackers.breaker_opened_us.get_or_insert(end_us);
            trackers.breaker_last_open_us = Some(end_us);
        } else if trackers.breaker_opened_us.is_some() {
            trackers.breaker_closed_us.get_or_insert(end_us);
        }
    }

    /// The run is over: all seconds have ended and the pending messages are in the ledger.
    pub fn finish(self, events: u64) -> Outcome {
        let metrics = Metric::ALL.iter().map(|&metric| self.value(metric)).collect();
        let (end_us, loss_us) = (self.plan.duration_us, self.trackers.first_loss_us);
        Outcome {
            alarms: self.alarms.iter().map(|alarm| alarm.finish(end_us, loss_us)).collect(),
            metrics,
            ledger: self.ledger,
            step_s: self.plan.step_s,
            steps: self.steps,
            breakers: self.plan.breakers,
            time_to_dlq: self.time_to_dlq,
            time_to_success: self.time_to_success,
            events,
        }
    }
}
