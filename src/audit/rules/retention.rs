//! How long messages are kept, here and in the dead-letter queue.

use super::Ground;
use super::targets::wrong_queue;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::Queue;
use crate::text::number::{duration, human};

/// The longest retention of the service.
const LONGEST_S: f64 = 1_209_600.0;

pub static SHORT: Rule = Rule {
    id: "RS009",
    name: "short-dlq-retention",
    severity: Severity::Warning,
    looks_for: "A dead-letter queue of a standard queue that keeps messages no longer than the queue itself; a retention that is not set is 4 days.",
    leads_to: "A move keeps the time at which the message was enqueued, so its age counts on: late arrivals are deleted soon after they come, some at once.",
    remedy: "let the dead-letter queue keep messages longer than the queue does, for example for 14 days (1209600 s)",
    source: "docs/model.md, rule Q11; Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS009/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS009/passes.tf") },
};

pub static UNREACHABLE: Rule = Rule {
    id: "RS010",
    name: "dlq-unreachable",
    severity: Severity::Error,
    looks_for: "A maxReceiveCount that takes as long as the retention of the queue, or longer.",
    leads_to: "A message that always fails is deleted by retention before its receives are used up: the dead-letter queue stays empty, and the message is lost.",
    remedy: "lower maxReceiveCount or the visibility timeout, or raise the retention",
    source: "docs/model.md, rule Q7, lazy redrive, and rule Q10, retention.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS010/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS010/passes.yaml") },
};

/// Whether retention ends before the receives are used up.
pub fn is_unreachable(queue: &Queue) -> bool {
    time_to_move_s(queue).zip(queue.retention_s()).is_some_and(|(move_s, retention_s)| move_s >= retention_s)
}

/// The time that all leases together take.
fn time_to_move_s(queue: &Queue) -> Option<f64> {
    Some(queue.max_receive_count()? * queue.visibility_timeout_s()?)
}

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let queue = &ground.stack.queues[number];
        let Some(redrive) = &queue.redrive else { continue };
        if is_unreachable(queue) {
            let spot = redrive.max_receive_count.spot().unwrap_or(redrive.spot);
            ground.report(&UNREACHABLE, spot, unreachable(queue));
            continue;
        }
        if wrong_queue(ground, number, queue, redrive).is_some() {
            continue;
        }
        // Queues that are each other's dead-letter queue have a rule of their own.
        let sources = ground.sources_of(number).to_vec();
        let target = ground.stack.queue_number(&redrive.target).filter(|target| !sources.contains(target));
        let Some(target) = target.map(|target| &ground.stack.queues[target]) else { continue };
        if queue.fifo() != Some(false) || target.fifo() != Some(false) {
            continue;
        }
        if let (Some(source_s), Some(target_s)) = (queue.retention_s(), target.retention_s())
            && target_s <= source_s
        {
            short(ground, queue, target, source_s, target_s);
        }
    }
}

fn unreachable(queue: &Queue) -> String {
    let (count, lease_s, retention_s) = (queue.max_receive_count(), queue.visibility_timeout_s(), queue.retention_s());
    let (count, lease_s, retention_s) =
        (count.unwrap_or_default(), lease_s.unwrap_or_default(), retention_s.unwrap_or_default());
    format!(
        "`{}` can never dead-letter: {} receives × {} = {}, and messages are deleted after {}",
        queue.id,
        human(count),
        duration(lease_s),
        duration(count * lease_s),
        duration(retention_s)
    )
}

fn short(ground: &mut Ground<'_>, queue: &Queue, target: &Queue, source_s: f64, target_s: f64) {
    let unset = if target.retention_s.is_absent() { " (it is not set)" } else { "" };
    let than = if target_s < source_s { "shorter than" } else { "no longer than" };
    let left = match time_to_move_s(queue) {
        Some(move_s) if move_s >= target_s => "every message that it takes is deleted on arrival".to_owned(),
        Some(move_s) => format!(
            "a message that fails from the start has {} left there, and one that has waited for {} before is deleted on arrival",
            duration(target_s - move_s),
            duration(target_s - move_s)
        ),
        None => format!("a message that is {} old is deleted on arrival", duration(target_s)),
    };
    let message = format!(
        "`{}` keeps messages for {}{unset}, {than} `{}` with {}; their age counts on: {left}",
        target.id,
        duration(target_s),
        queue.id,
        duration(source_s)
    );
    let spot = target.retention_s.spot().unwrap_or(target.spot);
    if source_s >= LONGEST_S {
        let remedy =
            format!("lower the retention of `{}`: 14 days are the most that a dead-letter queue can have", queue.id);
        ground.report_with(&SHORT, spot, message, remedy);
    } else {
        ground.report(&SHORT, spot, message);
    }
}
