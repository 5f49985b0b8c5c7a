//! Checks of the queue.

use super::consumers::consumers;
use super::lambda::{check_lambda_on_queue, refuse_breaker};
use super::policy::policy;
use super::range::{duration_us, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MINUTE_US};
use crate::model::queue::QueueSettings;
use crate::scenario::checked::DeadLetterQueue;
use crate::scenario::language::OrNone;
use crate::scenario::problems::Problems;
use crate::scenario::raw::{RawDeadLetterQueue, RawQueue, RawRedrive, with_defaults_of_library};
use std::ops::RangeInclusive;

pub(super) const RETENTION_US: RangeInclusive<u64> = MINUTE_US..=14 * DAY_US;
pub(super) const RETENTION_RULE: &str = "rule Q10, retention";
pub(super) const VISIBILITY_US: RangeInclusive<u64> = 0..=12 * HOUR_US;
pub(super) const VISIBILITY_RULE: &str = "rule Q2, visibility timeout";
pub(super) const REDRIVE_RULE: &str = "rule Q7, lazy redrive";
/// Most messages that a limit may speak of.
const MOST_MESSAGES: u32 = 1_000_000_000;
/// Largest maxReceiveCount (rule Q7, lazy redrive).
pub(super) const MOST_RECEIVES: u32 = 1_000;
/// Receives before the move where a redrive policy names none (rule Q7, lazy redrive).
const DEFAULT_MAX_RECEIVE_COUNT: u32 = 10;

/// The settings of a queue.
pub(super) fn queue(raw: &RawQueue, problems: &mut Problems) -> QueueSettings {
    let defaults = QueueSettings::default();
    let redrive = raw.redrive.value().and_then(OrNone::as_option);
    QueueSettings {
        visibility_timeout_us: whole_seconds_us(
            &raw.visibility_timeout,
            "visibility_timeout",
            defaults.visibility_timeout_us,
            VISIBILITY_US,
            VISIBILITY_RULE,
            problems,
        ),
        retention_us: duration_us(
            &raw.retention,
            "retention",
            defaults.retention_us,
            RETENTION_US,
            RETENTION_RULE,
            problems,
        ),
        max_receive_count: redrive.map(|redrive| max_receive_count(redrive, problems)),
        redrive_timing: redrive.and_then(|redrive| redrive.timing.value().copied()).unwrap_or(defaults.redrive_timing),
        back_of_queue: raw.back_of_queue.value().copied().unwrap_or(defaults.back_of_queue),
        return_order: raw.return_order.value().copied().unwrap_or(defaults.return_order),
        twelve_hour_clock: raw.twelve_hour_clock.value().copied().unwrap_or(defaults.twelve_hour_clock),
        kind: raw.kind.value().copied().unwrap_or(defaults.kind),
        delay_us: whole_seconds_us(&raw.delay, "delay", 0, 0..=15 * MINUTE_US, "rule Q16, delivery delay", problems),
        in_flight_limit: small_count(
            &raw.in_flight_limit,
            "in_flight_limit",
            defaults.in_flight_limit,
            1..=MOST_MESSAGES,
            "",
            problems,
        ),
        stale_delete: raw.stale_delete.value().copied().unwrap_or(defaults.stale_delete),
        duplicate_share: raw.duplicates.value().map_or(0.0, |share| share.value),
        lost_share: raw.lost_deliveries.value().map_or(0.0, |share| share.value),
        look_ahead: small_count(&raw.look_ahead, "look_ahead", defaults.look_ahead, 1..=MOST_MESSAGES, "", problems),
    }
}

fn max_receive_count(raw: &RawRedrive, problems: &mut Problems) -> u32 {
    small_count(
        &raw.max_receive_count,
        "max_receive_count",
        DEFAULT_MAX_RECEIVE_COUNT,
        1..=MOST_RECEIVES,
        REDRIVE_RULE,
        problems,
    )
}

/// The dead-letter queue: as the source queue, but for what has its own settings, and with no redrive policy.
pub(super) fn dead_letter_queue(
    raw: &RawDeadLetterQueue,
    source: &QueueSettings,
    problems: &mut Problems,
) -> DeadLetterQueue {
    let defaults = DeadLetterQueue::of(source);
    let timeout = &raw.visibility_timeout;
    let default_us = defaults.queue.visibility_timeout_us;
    let (own_consumers, own_policy) = with_defaults_of_library(&raw.consumers, &raw.policy);
    let dead_letter_queue = DeadLetterQueue {
        queue: QueueSettings {
            visibility_timeout_us: whole_seconds_us(
                timeout,
                "visibility_timeout",
                default_us,
                VISIBILITY_US,
                VISIBILITY_RULE,
                problems,
            ),
            retention_us: duration_us(
                &raw.retention,
                "retention",
                defaults.queue.retention_us,
                RETENTION_US,
                RETENTION_RULE,
                problems,
            ),
            ..defaults.queue
        },
        consumers: own_consumers.value().map_or(defaults.consumers, |raw| consumers(raw, problems)),
        policy: own_policy.value().map_or(defaults.policy, |raw| policy(raw, problems)),
    };
    let DeadLetterQueue { queue, consumers, .. } = &dead_letter_queue;
    check_lambda_on_queue(own_consumers.value(), consumers, queue, problems);
    refuse_breaker(consumers, own_policy.value(), problems);
    dead_letter_queue
}
