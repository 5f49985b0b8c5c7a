//! Checks of the operator's actions.

use super::Context;
use super::queue::{MOST_RECEIVES, REDRIVE_RULE, RETENTION_RULE, RETENTION_US, VISIBILITY_RULE, VISIBILITY_US};
use super::range::{count, duration_us, small_count, whole_seconds_us};
use crate::engine::time::MINUTE_US;
use crate::model::operator::{Action, Attribute, Operation};
use crate::scenario::language::{Field, List, Located};
use crate::scenario::problems::Finding;
use crate::scenario::raw::{Polling, RawOperation, RawRedriveTask};
use crate::scenario::text::Place;
use crate::scenario::value::Duration;

/// Fastest redrive (rule R1, message move task).
const FASTEST_REDRIVE_PER_S: f64 = 500.0;
/// Most messages of one redrive task.
const MOST_REDRIVEN: u64 = 1_000_000_000;
/// Longest time that a change takes to apply (rule Q17, slow attribute changes).
const LONGEST_CHANGE_US: u64 = 15 * MINUTE_US;
/// Most consumers of a fleet.
const LARGEST_FLEET: u32 = 1_000_000;

/// The actions in order of time.
pub(super) fn operations(list: &Field<List<RawOperation>>, context: &mut Context<'_>) -> Vec<Operation> {
    let Some(list) = list.value() else { return Vec::new() };
    let mut operations: Vec<Operation> = list.readable().filter_map(|raw| operation(raw, context)).collect();
    operations.sort_by_key(|operation| operation.at_us);
    operations
}

fn operation(raw: &Located<RawOperation>, context: &mut Context<'_>) -> Option<Operation> {
    let key = only_action(raw, context)?;
    let at = raw.value.at.given()?;
    if let Some(end_us) = context.duration_us.filter(|end_us| at.value.us >= *end_us) {
        let title = format!("this is done at {}, but the run ends at {}", at.value, Duration { us: end_us });
        context.problems.report(Finding::new(at.place, title, "beyond the end of the run"));
    }
    Some(Operation { at_us: at.value.us, action: action(&raw.value, key, context)? })
}

/// The one thing that is done.
fn only_action(raw: &Located<RawOperation>, context: &mut Context<'_>) -> Option<&'static str> {
    let given = given_actions(&raw.value);
    match given[..] {
        [(key, _)] => {
            let changes = matches!(key, "visibility_timeout" | "max_receive_count" | "retention");
            if let Some(place) = raw.value.applies_after.place().filter(|_| !changes) {
                let title = format!("`applies_after` does not belong to `{key}`, which takes effect at once");
                context.problems.report(Finding::new(place, title, "only changes of attributes take time"));
            }
            Some(key)
        }
        [] => {
            let title = "an operation does one thing, and this does none";
            let help =
                "add one of `visibility_timeout`, `max_receive_count`, `retention`, `fleet`, `polling`, `redrive`";
            context.problems.report(Finding::new(raw.place, title, "says nothing to do").help(help));
            None
        }
        [(first, _), (second, place), ..] => {
            let title = format!("an operation does one thing, not `{first}` and `{second}`");
            context.problems.report(Finding::new(place, title, "make it one operation for each"));
            None
        }
    }
}

fn given_actions(raw: &RawOperation) -> Vec<(&'static str, Place)> {
    let places = [
        ("visibility_timeout", raw.visibility_timeout.place()),
        ("max_receive_count", raw.max_receive_count.place()),
        ("retention", raw.retention.place()),
        ("fleet", raw.fleet.place()),
        ("polling", raw.polling.place()),
        ("redrive", raw.redrive.place()),
    ];
    places.into_iter().filter_map(|(key, place)| Some((key, place?))).collect()
}

fn action(raw: &RawOperation, key: &str, context: &mut Context<'_>) -> Option<Action> {
    let problems = &mut *context.problems;
    let attribute = match key {
        "visibility_timeout" => {
            let timeout = &raw.visibility_timeout;
            let timeout_us = whole_seconds_us(timeout, key, 0, VISIBILITY_US, VISIBILITY_RULE, problems);
            Attribute::VisibilityTimeout { timeout_us }
        }
        "max_receive_count" => {
            let receives = small_count(&raw.max_receive_count, key, 1, 1..=MOST_RECEIVES, REDRIVE_RULE, problems);
            Attribute::MaxReceiveCount { receives }
        }
        "retention" => {
            let shortest_us = *RETENTION_US.start();
            let retention_us = duration_us(&raw.retention, key, shortest_us, RETENTION_US, RETENTION_RULE, problems);
            Attribute::Retention { retention_us }
        }
        "fleet" => {
            return Some(Action::Scale { fleet: small_count(&raw.fleet, key, 1, 1..=LARGEST_FLEET, "", problems) });
        }
        "polling" => {
            return Some(match raw.polling.value()? {
                Polling::Pause => Action::PausePolling,
                Polling::Resume => Action::ResumePolling,
            });
        }
        _ => return redrive(raw.redrive.value()?, context),
    };
    let default_us = if key == "retention" { LONGEST_CHANGE_US } else { MINUTE_US };
    let rule = "rule Q17, slow attribute changes";
    let applies_after_us =
        duration_us(&raw.applies_after, "applies_after", default_us, 0..=LONGEST_CHANGE_US, rule, problems);
    Some(Action::Change { attribute, applies_after_us })
}

fn redrive(raw: &RawRedriveTask, context: &mut Context<'_>) -> Option<Action> {
    let rate_per_s = raw.rate.value().map_or(FASTEST_REDRIVE_PER_S, |rate| rate.per_s);
    if let Some(place) = raw.rate.place().filter(|_| rate_per_s > FASTEST_REDRIVE_PER_S) {
        let title = format!("a redrive moves at most {FASTEST_REDRIVE_PER_S} messages a second");
        context.problems.report(Finding::new(place, title, "rule R1, message move task"));
        return None;
    }
    let messages =
        raw.messages.given().map(|_| count(&raw.messages, "messages", 1, 1..=MOST_REDRIVEN, "", context.problems));
    let receive_count = raw.receive_count.value().copied().unwrap_or_default();
    Some(Action::Redrive { rate_per_s, messages, receive_count })
}
