//! What a study will cost, before it starts: about how many events, about how much memory.
//!
//! The estimate leans to the high side, but only where a scenario really can go there: messages that can never succeed
//! make all their attempts, valid ones only in outages and when more arrives than the downstream can do.

mod attempts;
mod load;
mod refusal;

pub use refusal::refuse_if_too_large;
pub(super) use refusal::{MOST_BYTES, MOST_EVENTS, refuse_in_text, rough};

use super::checked::{Scenario, Setup};
use crate::engine::time::seconds;
use crate::model::consumer::{ConsumerSettings, Polls};
use crate::model::policy::{BreakerScope, PolicySettings, RateWindow};
use load::Load;

/// Events of a message besides its attempts: sent, deleted or removed.
const EVENTS_A_MESSAGE: f64 = 2.0;
/// Events of an attempt: received, called, answered, its lease ended.
const EVENTS_AN_ATTEMPT: f64 = 4.0;
/// Events of an invocation besides those of its messages: its environment has started, its window or its time is over.
const EVENTS_AN_INVOCATION: f64 = 2.0;
/// Bytes of a message in the queue, with its place in the agenda and in the orders that the queue keeps. With the limit on
/// memory it also keeps the messages of a queue within the numbers that an event has for them.
const BYTES_A_MESSAGE: f64 = 256.0;
/// Bytes of a slot of a consumer.
const BYTES_A_SLOT: f64 = 64.0;
/// Bytes of a breaker without its windows.
const BYTES_A_BREAKER: f64 = 256.0;
/// Bytes of a window over time, whatever its length.
const BYTES_A_TIME_WINDOW: f64 = 512.0;
/// Bytes of a step of a variant's course: every metric of the series, and the extremes.
const BYTES_A_STEP: f64 = 128.0;
/// Most steps of a course; longer runs have longer steps.
const MOST_STEPS: f64 = 1_000_000.0;
/// Runs that go on at the same time. Fixed, so that a scenario is refused on every machine or on none.
const RUNS_AT_ONCE: f64 = 8.0;
/// Shortest time between two receive calls of an idle consumer, unless its pause is shorter.
const SHORTEST_POLL_S: f64 = 0.1;

/// Time between two receive calls of a consumer that has no place for what it gets.
const REJECTION_S: f64 = 0.02;

/// About what a study costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Messages of all runs.
    pub messages: f64,
    /// Events of all runs.
    pub events: f64,
    /// Bytes of memory at the peak.
    pub bytes: f64,
}

/// About what a study of this scenario costs.
pub fn estimate(scenario: &Scenario) -> Estimate {
    let run_s = seconds(scenario.duration_us);
    let replications = f64::from(scenario.replications);
    let runs: Vec<Estimate> = scenario.variants.iter().map(|variant| of_run(&variant.setup, run_s)).collect();
    let total = |part: fn(&Estimate) -> f64| runs.iter().map(part).sum::<f64>();
    let largest_run = runs.iter().map(|run| run.bytes).fold(0.0, f64::max);
    let course = run_s.min(MOST_STEPS) * BYTES_A_STEP;
    let variants = scenario.variants.len() as f64;
    let at_once = RUNS_AT_ONCE.min(variants * replications);
    Estimate {
        messages: total(|run| run.messages) * replications,
        events: total(|run| run.events) * replications,
        bytes: at_once * (largest_run + course) + variants * course,
    }
}

/// About what one run of a setup costs.
fn of_run(setup: &Setup, run_s: f64) -> Estimate {
    let load = Load::of(setup, run_s);
    let slots: f64 = setup.all_consumers().map(|consumers| slots(consumers, load.outstanding)).sum();
    let of_mappings: f64 = setup.all_consumers().map(|consumers| events_of_mapping(consumers, &load, run_s)).sum();
    let polls: f64 = setup.all_consumers().map(|consumers| polls(consumers, run_s)).sum();
    let sampled_seconds = run_s;
    Estimate {
        messages: load.messages,
        events: load.messages * EVENTS_A_MESSAGE
            + load.attempts * EVENTS_AN_ATTEMPT
            + polls
            + of_mappings
            + sampled_seconds,
        bytes: load.outstanding * BYTES_A_MESSAGE + slots * BYTES_A_SLOT + bytes_of_breakers(setup),
    }
}

/// Slots of a fleet, and messages that it may hold beyond them.
fn slots(consumers: &ConsumerSettings, outstanding: f64) -> f64 {
    if consumers.lambda.is_some() {
        // A mapping has no place for messages that it does not hold.
        let pollers = f64::from(consumers.largest_fleet());
        return pollers * f64::from(consumers.concurrency) + outstanding.min(pollers * f64::from(consumers.prefetch));
    }
    let each = f64::from(consumers.concurrency) + f64::from(consumers.prefetch);
    f64::from(consumers.largest_fleet()) * each
}

/// Events of a Lambda mapping besides those of its messages: looks at the number of pollers, invocations and offers.
fn events_of_mapping(consumers: &ConsumerSettings, load: &Load, run_s: f64) -> f64 {
    let Some(lambda) = &consumers.lambda else { return 0.0 };
    let offers_each = run_s / seconds(lambda.reoffer_after_us);
    let throttled = lambda.reserved_concurrency.map_or(0.0, |_| f64::from(lambda.most_pollers()) * offers_each);
    run_s + load.attempts * EVENTS_AN_INVOCATION + throttled
}

/// Bytes of all breakers.
fn bytes_of_breakers(setup: &Setup) -> f64 {
    let of_line = |(consumers, policy): (&ConsumerSettings, &PolicySettings)| {
        let breaker = policy.breaker?;
        let count = if breaker.scope == BreakerScope::Fleet { 1.0 } else { f64::from(consumers.largest_fleet()) };
        let of_rate = breaker.trips.failure_rate.map_or(0.0, |rate| match rate.window {
            RateWindow::Time { .. } => BYTES_A_TIME_WINDOW,
            RateWindow::Results { count } => f64::from(count) / 8.0,
        });
        let of_throttling = breaker.trips.throttling.map_or(0.0, |_| BYTES_A_TIME_WINDOW);
        Some(count * (BYTES_A_BREAKER + of_rate + of_throttling))
    };
    setup.all_consumers().zip(setup.policies()).filter_map(of_line).sum()
}

/// Receive calls of an idle fleet, with what they bring in vain where consumers ask for more than they have a place for.
fn polls(consumers: &ConsumerSettings, run_s: f64) -> f64 {
    let fleet = f64::from(consumers.largest_fleet());
    let shortest_s =
        if consumers.wait_us == 0 { seconds(consumers.pause_us).min(SHORTEST_POLL_S) } else { SHORTEST_POLL_S };
    match consumers.polls {
        Polls::Always => fleet * run_s / REJECTION_S * (1.0 + f64::from(consumers.batch)),
        Polls::WhenRoom | Polls::WhenEmpty => fleet * run_s / seconds(consumers.wait_us).max(shortest_s),
    }
}
