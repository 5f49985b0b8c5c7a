//! Whether there is a dead-letter queue, and whose it is.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::Queue;
use crate::text::number::{duration, human};

pub static NO_REDRIVE: Rule = Rule {
    id: "RS001",
    name: "no-redrive-policy",
    severity: Severity::Warning,
    looks_for: "A queue without a redrive policy that is no dead-letter queue itself.",
    leads_to: "A message that always fails comes back after each visibility timeout until its retention ends, takes capacity from the others, and is then deleted without a trace.",
    remedy: "add a dead-letter queue and a redrive policy with a maxReceiveCount of 5 or more",
    source: "docs/model.md, rule Q7, lazy redrive, and rule Q10, retention; Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS001/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS001/passes.yaml") },
};

/// Most queues that a message names.
const MOST_NAMED: usize = 5;

pub static SHARED: Rule = Rule {
    id: "RS016",
    name: "shared-dlq",
    severity: Severity::Note,
    looks_for: "A dead-letter queue that several queues share.",
    leads_to: "One alarm stands for several queues, and a redrive of one queue's messages is a redrive of all.",
    remedy: "give each queue a dead-letter queue of its own",
    source: "Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS016/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS016/passes.yaml") },
};

/// Whether something or its name says that the queue takes what has failed.
pub fn takes_failures(ground: &Ground<'_>, number: usize) -> bool {
    let queue = &ground.stack.queues[number];
    queue.takes_failures
        || queue.redrive_allow.is_some()
        || queue.is_called_dead_letter_queue()
        || !ground.sources_of(number).is_empty()
}

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let queue = &ground.stack.queues[number];
        let has_none = queue.redrive.is_none() && queue.redrive_as_written.is_absent();
        if has_none && !takes_failures(ground, number) {
            ground.report(&NO_REDRIVE, queue.spot, without(queue));
        }
        let sources = ground.sources_of(number).to_vec();
        if sources.len() > 1 {
            let names: Vec<String> = sources
                .iter()
                .take(MOST_NAMED)
                .map(|source| format!("`{}`", ground.stack.queues[*source].id))
                .collect();
            let message =
                format!("`{}` is the dead-letter queue of {} queues: {}", queue.id, sources.len(), names.join(", "));
            let message = if sources.len() > MOST_NAMED { message + " and others" } else { message };
            ground.report(&SHARED, queue.spot, message);
        }
    }
}

fn without(queue: &Queue) -> String {
    let circulates = match (queue.visibility_timeout_s(), queue.retention_s()) {
        (Some(timeout_s), Some(retention_s)) if timeout_s > 0.0 => format!(
            "a message that always fails is received up to {} times, every {} for {}, and then deleted",
            human((retention_s / timeout_s).floor()),
            duration(timeout_s),
            duration(retention_s)
        ),
        (_, Some(retention_s)) => {
            format!("a message that always fails comes back for {}, and is then deleted", duration(retention_s))
        }
        _ => "a message that always fails comes back until its retention ends, and is then deleted".to_owned(),
    };
    let blocks = if queue.fifo() == Some(true) { "; its message group stands still until then" } else { "" };
    format!("`{}` has no redrive policy: {circulates}{blocks}", queue.id)
}
