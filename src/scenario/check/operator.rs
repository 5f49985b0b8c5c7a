//! Checks of the operator's actions.

use super::Context;
use super::downstream::some_of;
use super::queue::{MOST_RECEIVES, REDRIVE_RULE, RETENTION_RULE, RETENTION_US, VISIBILITY_RULE, VISIBILITY_US};
use super::range::{count, duration_us, small_count, whole_seconds_us};
use crate::engine::time::{DAY_US, MINUTE_US, SECOND_US};
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
/// How long a process has to end in a deploy: the default of Kubernetes (`terminationGracePeriodSeconds`) and of Amazon ECS
/// (`stopTimeout`).
const DEPLOY_DRAIN_US: u64 = 30 * SECOND_US;
/// Most actions of a run.
const MOST_OPERATIONS: usize = 10_000;
/// Most consumers of a fleet.
const LARGEST_FLEET: u32 = 1_000_000;

/// The actions in order of time.
pub(super) fn operations(list: &Field<List<RawOperation>>, context: &mut Context<'_>) -> Vec<Operation> {
    let Some(Located { value: list, place }) = list.given() else { return Vec::new() };
    let mut operations: Vec<Operation> = Vec::new();
    for raw in list.readable() {
        if let Some(first) = operation(raw, context) {
            operations.extend(repeated(first, &raw.value, context));
        }
    }
    if operations.len() > MOST_OPERATIONS {
        let title = format!("operators act more than {MOST_OPERATIONS} times");
        let finding = Finding::new(*place, title, "too many for a run");
        context.problems.report(finding.help("make `every` longer"));
        operations.clear();
    }
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

/// An operation at all its times.
fn repeated(first: Operation, raw: &RawOperation, context: &mut Context<'_>) -> impl Iterator<Item = Operation> {
    let every = raw
        .every
        .given()
        .map(|_| duration_us(&raw.every, "every", DAY_US, SECOND_US..=365 * DAY_US, "", context.problems));
    let end_us = context.duration_us.unwrap_or(0);
    let again = move |last: &Operation| {
        let at_us = last.at_us + every?;
        (at_us < end_us).then_some(Operation { at_us, ..*last })
    };
    std::iter::successors(Some(first), again).take(MOST_OPERATIONS + 1)
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
            if let Some(place) = raw.value.drain.place().filter(|_| key != "fleet") {
                let title = format!("`drain` belongs to `fleet`, not to `{key}`");
                let finding = Finding::new(place, title, "nobody is dismissed here");
                let help = "a deploy has its own: `deploy: { drain: 30s }`";
                context.problems.report(if key == "deploy" { finding.help(help) } else { finding });
            }
            Some(key)
        }
        [] => {
            let title = "an operation does one thing, and this does none";
            let help = "add one of `visibility_timeout`, `max_receive_count`, `retention`, `fleet`, `deploy`, `polling`, `redrive`";
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
        ("deploy", raw.deploy.place()),
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
            let fleet = small_count(&raw.fleet, key, 1, 1..=LARGEST_FLEET, "", problems);
            let drain = some_of(&raw.drain);
            let drain_us = drain.given().map(|_| duration_us(&drain, "drain", 0, 0..=DAY_US, "", problems));
            return Some(Action::Scale { fleet, drain_us });
        }
        "deploy" => {
            let deploy = raw.deploy.value()?;
            let drain_us = duration_us(&deploy.drain, "drain", DEPLOY_DRAIN_US, 0..=DAY_US, "", problems);
            let at_once = small_count(&deploy.at_once, "at_once", 1, 1..=LARGEST_FLEET, "", problems);
            return Some(Action::Deploy { drain_us, at_once });
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
