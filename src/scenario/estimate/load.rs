//! What one run of a setup has to carry.

use super::attempts::{attempts_within, mean_s, tries_a_receive};
use crate::engine::time::seconds;
use crate::model::downstream::{DownstreamSettings, OutageMode};
use crate::model::policy::ErrorClass;
use crate::model::producer::{Arrivals, ProducerSettings};
use crate::scenario::checked::Setup;

/// After an outage, retries and backlog trouble the downstream about as long again.
const AFTERMATH: f64 = 2.0;
/// Shortest time that a call holds a slot.
const SHORTEST_CALL_S: f64 = 0.000_1;

/// Messages, attempts and what is outstanding at the peak.
pub(super) struct Load {
    pub messages: f64,
    pub attempts: f64,
    pub outstanding: f64,
}

impl Load {
    pub fn of(setup: &Setup, run_s: f64) -> Self {
        let messages: f64 = setup.all_producers().map(|(_, producer)| messages(producer)).sum();
        let hopeless: f64 = setup.all_producers().map(|(_, producer)| messages_in_vain(producer)).sum();
        let valid = messages - hopeless;
        let kept_s = run_s.min(seconds(setup.queue.retention_us));
        let backlog = (messages - capacity_per_s(&setup.downstream) * run_s).max(0.0);
        let trouble_s = if backlog > 0.0 { run_s } else { (trouble_s(&setup.downstream) * AFTERMATH).min(run_s) };
        let in_trouble = (valid * trouble_s / run_s).max(burst_of(setup, trouble_s)).min(valid);
        let errors = setup.downstream.error_rate.min(0.99);
        let attempts = hopeless * attempts_within(setup, kept_s, ErrorClass::Permanent)
            + (valid - in_trouble) / (1.0 - errors)
            + in_trouble
                * tries_a_receive(setup)
                * attempts_within(setup, trouble_s.min(kept_s), ErrorClass::Transient);
        // In their queue or in the dead-letter queue.
        let kept_dead_s = run_s.min(seconds(setup.dead_letter_queue.queue.retention_us));
        let hopeless_kept = kept_s.max(kept_dead_s) / run_s;
        let largest_burst = setup.all_producers().map(|(_, producer)| at_once(producer)).fold(0.0, f64::max);
        let outstanding = backlog.max(in_trouble).max(largest_burst) + hopeless * hopeless_kept;
        Self { messages, attempts: attempts.min(most_attempts(setup, run_s)), outstanding: outstanding.min(messages) }
    }
}

/// Messages of a producer, those included that it sends again.
pub(super) fn messages(producer: &ProducerSettings) -> f64 {
    producer.expected_messages(u64::MAX) * (1.0 + producer.sent_twice.map_or(0.0, |twice| twice.share))
}

/// Messages of a producer that can never succeed.
fn messages_in_vain(producer: &ProducerSettings) -> f64 {
    messages(producer) * (producer.classes.permanent + producer.classes.poison).min(1.0)
}

/// Messages of a producer that arrive at the same instant.
fn at_once(producer: &ProducerSettings) -> f64 {
    match &producer.arrivals {
        Arrivals::Burst { messages, .. } => *messages as f64,
        _ => 0.0,
    }
}

/// Messages of bursts that arrive in trouble, if there is any.
fn burst_of(setup: &Setup, trouble_s: f64) -> f64 {
    if trouble_s > 0.0 { setup.all_producers().map(|(_, producer)| at_once(producer)).sum() } else { 0.0 }
}

/// Calls a second that the downstream can do.
fn capacity_per_s(downstream: &DownstreamSettings) -> f64 {
    let of_servers = f64::from(downstream.servers) / mean_s(downstream.service_time).max(1e-6);
    downstream.rate_limit.map_or(of_servers, |limit| limit.rate_per_s.min(of_servers))
}

/// Time in which valid messages fail.
fn trouble_s(downstream: &DownstreamSettings) -> f64 {
    let of_one = |mode: OutageMode, length_s: f64| match mode {
        OutageMode::Errors { share } => length_s * share,
        OutageMode::Refuse { .. } | OutageMode::Hang | OutageMode::Slow { .. } => length_s,
    };
    downstream
        .outages
        .iter()
        .map(|outage| of_one(outage.mode, seconds(outage.until_us.saturating_sub(outage.from_us))))
        .sum()
}

/// Attempts that the slots of the fleet have time for.
fn most_attempts(setup: &Setup, run_s: f64) -> f64 {
    let downstream = &setup.downstream;
    let refusals = downstream.outages.iter().filter_map(|outage| match outage.mode {
        OutageMode::Refuse { after_us } => Some(seconds(after_us)),
        _ => None,
    });
    let throttled = downstream.rate_limit.map(|limit| seconds(limit.answer_after_us));
    let full = downstream.max_waiting.map(|_| seconds(downstream.refuse_after_us));
    let shortest_s = refusals.chain(full).chain(throttled).fold(mean_s(downstream.service_time), f64::min);
    let slots = f64::from(setup.consumers.largest_fleet()) * f64::from(setup.consumers.concurrency);
    slots * run_s / (mean_s(setup.consumers.handler_time) + shortest_s).max(SHORTEST_CALL_S)
}
