//! The two questions of a budget, answered in words.

use super::{BudgetEntry, time};
use crate::budget::{RetentionVerdict, RideOutVerdict};
use crate::report::number;

/// Are the retries long enough for the outage? Nothing where none was asked for.
pub fn ride_out(entry: &BudgetEntry) -> Option<String> {
    let found = entry.budget.ride_out?;
    let last = entry.budget.attempts.last()?;
    let outage = time(found.outage_s);
    let lost =
        format!("{} of the messages that come in the outage are dead-lettered", number::percent(found.lost_share));
    Some(match found.verdict {
        RideOutVerdict::Always => {
            format!(
                "Long enough for an outage of {outage}: the last attempt begins after {} at the earliest.",
                time(last.begins.low_s)
            )
        }
        RideOutVerdict::Sometimes => format!(
            "Not always long enough for an outage of {outage}: a message that comes when it begins survives it in {} of \
             the cases; {lost}.",
            number::percent(found.chance)
        ),
        RideOutVerdict::Never => format!(
            "Too short for an outage of {outage}: the last attempt begins after {} at the latest; {lost}.",
            time(last.begins.high_s)
        ),
    })
}

/// Are they short enough for the retention?
pub fn retention(entry: &BudgetEntry) -> String {
    let found = entry.budget.retention;
    let (retention, longest) = (time(found.retention_s), time(entry.budget.to_dead_letter_queue.high_s));
    match found.verdict {
        RetentionVerdict::Ample => {
            let share = number::percent(entry.budget.to_dead_letter_queue.high_s / found.retention_s);
            format!(
                "Far enough below the retention of {retention}: the longest way to the dead-letter queue is {longest}, {share} of it."
            )
        }
        RetentionVerdict::Close => format!(
            "Close to the retention of {retention}: the longest way to the dead-letter queue is {longest}, over half of it. \
             A message that has waited long before its first receive is deleted on the way (rule Q10, retention)."
        ),
        RetentionVerdict::Reached => format!(
            "Over the retention of {retention} in {} of the cases: those messages are deleted and never dead-lettered (rule \
             Q10, retention).",
            number::percent(found.expires_chance)
        ),
        RetentionVerdict::Unreachable => format!(
            "The dead-letter queue is never reached: retention deletes every message after {retention}, before its receives \
             are used up (rule Q10, retention)."
        ),
    }
}

/// What is left to a dead letter, where that is little or nothing.
pub fn dead_letters(entry: &BudgetEntry) -> Option<String> {
    let left_s = entry.budget.retention.left_in_dead_letter_queue_s;
    let of = time(entry.settings.dead_letter_retention_s);
    (entry.budget.retention.verdict != RetentionVerdict::Unreachable && left_s < entry.settings.dead_letter_retention_s / 2.0)
        .then(|| match left_s {
            left_s if left_s > 0.0 => {
                let left = time(left_s);
                format!("A dead letter keeps its age: of the {of} of the dead-letter queue {left} are left (rule Q11, age in the DLQ).")
            }
            _ => format!(
                "A dead letter keeps its age, and is older than the {of} of the dead-letter queue when it arrives: it is \
                 deleted at once (rule Q11, age in the DLQ)."
            ),
        })
}
