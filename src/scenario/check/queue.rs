//! Checks of the queue.

use super::consumers::consumers;
use super::policy::policy;
use super::range::{duration_us, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MINUTE_US, SECOND_US};
use crate::model::consumer::ConsumerSettings;
use crate::model::policy::{BackoffSettings, PolicySettings};
use crate::model::queue::QueueSettings;
use crate::scenario::checked::DeadLetterQueue;
use crate::scenario::language::OrNone;
use crate::scenario::problems::Problems;
use crate::scenario::raw::{RawConsumers, RawDeadLetterQueue, RawQueue, RawRedrive};
use std::ops::RangeInclusive;

pub(super) const RETENTION_US: RangeInclusive<u64> = MINUTE_US..=14 * DAY_US;
pub(super) const RETENTION_RULE: &str = "rule Q10, retention";
pub(super) const VISIBILITY_US: RangeInclusive<u64> = 0..=12 * HOUR_US;
pub(super) const VISIBILITY_RULE: &str = "rule Q2, visibility timeout";
pub(super) const REDRIVE_RULE: &str = "rule Q7, lazy redrive";
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
    let none = PolicySettings { backoff: BackoffSettings::None, breaker: None };
    let nobody = ConsumerSettings { fleet: 0, ..consumers(&RawConsumers::default(), problems) };
    DeadLetterQueue {
        queue: QueueSettings {
            visibility_timeout_us: whole_seconds_us(
                &raw.visibility_timeout,
                "visibility_timeout",
                30 * SECOND_US,
                VISIBILITY_US,
                VISIBILITY_RULE,
                problems,
            ),
            retention_us: duration_us(
                &raw.retention,
                "retention",
                *RETENTION_US.end(),
                RETENTION_US,
                RETENTION_RULE,
                problems,
            ),
            max_receive_count: None,
            ..source.clone()
        },
        consumers: raw.consumers.value().map_or(nobody, |raw| consumers(raw, problems)),
        policy: raw.policy.value().map_or(none, |raw| policy(raw, problems)),
    }
}
