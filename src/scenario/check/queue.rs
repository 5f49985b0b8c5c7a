//! Checks of the queue.

use super::range::{duration_us, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, HOUR_US, MINUTE_US};
use crate::model::queue::QueueSettings;
use crate::scenario::language::{Field, OrNone};
use crate::scenario::problems::Problems;
use crate::scenario::raw::{RawQueue, RawRedrive};
use std::ops::RangeInclusive;

const RETENTION_US: RangeInclusive<u64> = MINUTE_US..=14 * DAY_US;
const RETENTION_RULE: &str = "rule Q10, retention";
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
            0..=12 * HOUR_US,
            "rule Q2, visibility timeout",
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
        dead_letter_retention_us: duration_us(
            raw.dead_letter_queue.value().map_or(&Field::Absent, |queue| &queue.retention),
            "retention",
            defaults.dead_letter_retention_us,
            RETENTION_US,
            RETENTION_RULE,
            problems,
        ),
        redrive_timing: redrive.and_then(|redrive| redrive.timing.value().copied()).unwrap_or(defaults.redrive_timing),
        back_of_queue: raw.back_of_queue.value().copied().unwrap_or(defaults.back_of_queue),
        return_order: raw.return_order.value().copied().unwrap_or(defaults.return_order),
        twelve_hour_clock: raw.twelve_hour_clock.value().copied().unwrap_or(defaults.twelve_hour_clock),
        ..defaults
    }
}

fn max_receive_count(raw: &RawRedrive, problems: &mut Problems) -> u32 {
    small_count(
        &raw.max_receive_count,
        "max_receive_count",
        DEFAULT_MAX_RECEIVE_COUNT,
        1..=1_000,
        "rule Q7, redrive",
        problems,
    )
}
