//! Is the time to the dead-letter queue far enough below the retention?

use super::sums::Sum;
use super::{BudgetSettings, Moment};

/// Share of the retention that the retries may take: as much again is left for the time before the first receive, and for a
/// backlog.
const AMPLE: f64 = 0.5;

/// Whether it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetentionVerdict {
    /// Even the longest time is at most half of the retention.
    Ample,
    /// It is below the retention, but the longest is over half of it: a message that has waited before its first receive may
    /// not get that far.
    Close,
    /// Some messages are deleted by retention before their receives are used up.
    Reached,
    /// All of them are: the dead-letter queue stays empty.
    Unreachable,
}

/// How the retries stand to the retentions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RetentionCheck {
    /// Retention of the queue.
    pub retention_s: f64,
    /// How they stand.
    pub verdict: RetentionVerdict,
    /// The chance that retention deletes a message before it is dead-lettered, where it is received as soon as it is sent.
    pub expires_chance: f64,
    /// Time that is left to a dead letter on the mean: it keeps its age (rule Q11, age in the DLQ). Below 0 it is deleted as
    /// soon as it arrives.
    pub left_in_dead_letter_queue_s: f64,
}

impl RetentionCheck {
    pub(super) fn of(settings: &BudgetSettings, to_dead_letter_queue: &Moment, all: &Sum) -> Self {
        let retention_s = settings.retention_s;
        // Where both fall on the same moment retention comes first (rule Q10, retention).
        let reached = |(at_s, _): &(f64, f64)| *at_s >= retention_s;
        let expires: f64 = all.cases().filter(reached).map(|(_, chance)| chance).sum();
        let (verdict, expires_chance) = match to_dead_letter_queue {
            moment if moment.low_s >= retention_s => (RetentionVerdict::Unreachable, 1.0),
            moment if moment.high_s >= retention_s => (RetentionVerdict::Reached, expires.clamp(0.0, 1.0)),
            moment if moment.high_s > AMPLE * retention_s => (RetentionVerdict::Close, 0.0),
            _ => (RetentionVerdict::Ample, 0.0),
        };
        let left_in_dead_letter_queue_s = settings.dead_letter_retention_s - to_dead_letter_queue.mean_s;
        Self { retention_s, verdict, expires_chance, left_in_dead_letter_queue_s }
    }
}
