//! Whether a redrive policy points at the right queue, and is attached to it.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::{Arn, Queue, QueueRef, Redrive, RedrivePermission, Setting, Spot};

pub static MIXED_KINDS: Rule = Rule {
    id: "RS011",
    name: "mixed-kinds",
    severity: Severity::Error,
    looks_for: "A FIFO queue with a standard dead-letter queue, or the other way round.",
    leads_to: "The service refuses the redrive policy.",
    remedy: "the dead-letter queue of a FIFO queue has to be a FIFO queue, that of a standard queue a standard queue",
    source: "Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS011/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS011/passes.yaml") },
};

pub static ELSEWHERE: Rule = Rule {
    id: "RS012",
    name: "dlq-elsewhere",
    severity: Severity::Error,
    looks_for: "A dead-letter queue in another account or region.",
    leads_to: "The service refuses the redrive policy.",
    remedy: "take a dead-letter queue of the same account and region",
    source: "Amazon SQS Developer Guide, `sqs-configure-dead-letter-queue.html`.",
    fails: Example { file: "queue.json", text: include_str!("examples/RS012/fails.json") },
    passes: Example { file: "queue.json", text: include_str!("examples/RS012/passes.json") },
};

pub static WRONG_QUEUE: Rule = Rule {
    id: "RS019",
    name: "wrong-redrive-queue",
    severity: Severity::Error,
    looks_for: "A redrive policy that points at nothing, at its own queue, at a queue that does not allow it or at one that is not declared; or one that is attached to the wrong queue.",
    leads_to: "The service refuses it, or messages that fail go where nobody looks for them.",
    remedy: "attach the redrive policy to the source queue, and let it point at the dead-letter queue",
    source: "docs/model.md, rule Q7, lazy redrive; Amazon SQS API Reference, `API_SetQueueAttributes.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS019/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS019/passes.tf") },
};

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let queue = &ground.stack.queues[number];
        let Some(redrive) = &queue.redrive else { continue };
        if let Some((message, spot)) = wrong_queue(ground, number, queue, redrive) {
            ground.report(&WRONG_QUEUE, spot, message);
            continue;
        }
        let spot = redrive.target.spot().unwrap_or(redrive.spot);
        if let Some(message) = elsewhere(ground, queue, redrive) {
            ground.report(&ELSEWHERE, spot, message);
        } else if let Some(message) = mixed(ground, queue, redrive) {
            ground.report(&MIXED_KINDS, spot, message);
        }
    }
    for stray in &ground.stack.stray_redrives {
        let message = format!("the redrive policy is attached to `{}`, which is not declared", stray.queue);
        ground.report(&WRONG_QUEUE, stray.spot, message);
    }
}

/// What is wrong with where the policy of a queue points, or is attached.
pub fn wrong_queue(ground: &Ground<'_>, number: usize, queue: &Queue, redrive: &Redrive) -> Option<(String, Spot)> {
    let id = &queue.id;
    let target = match &redrive.target {
        Setting::Absent => {
            return Some((format!("the redrive policy of `{id}` names no deadLetterTargetArn"), redrive.spot));
        }
        Setting::Known { value, spot } => (value, *spot),
        _ => return None,
    };
    let message = match target.0 {
        QueueRef::Missing(name) => format!("`{id}` sends what fails to `{name}`, which is not declared"),
        QueueRef::Declared(target) if *target == number => format!("`{id}` is its own dead-letter queue"),
        QueueRef::Declared(target) => {
            let target = &ground.stack.queues[*target];
            if refuses(number, target) {
                format!("`{id}` sends what fails to `{}`, whose redrive allow policy refuses it", target.id)
            } else if ground.sources_of(number).is_empty() && is_reversed(queue, target) {
                format!(
                    "`{id}` is called a dead-letter queue, and sends what fails to `{}`: the other way round?",
                    target.id
                )
            } else {
                return None;
            }
        }
        QueueRef::Elsewhere(_) => return None,
    };
    Some((message, target.1))
}

/// Whether the allow policy of a dead-letter queue leaves a source out.
fn refuses(source: usize, target: &Queue) -> bool {
    match target.redrive_allow.as_ref().map(|allow| &allow.permission) {
        Some(RedrivePermission::None) => true,
        Some(RedrivePermission::Queues(queues)) => {
            let all_known = queues.iter().all(|queue| queue.known().is_some());
            all_known && !queues.iter().any(|queue| queue.known() == Some(&QueueRef::Declared(source)))
        }
        _ => false,
    }
}

/// Whether the names say that the policy is attached to the dead-letter queue instead of the source.
fn is_reversed(queue: &Queue, target: &Queue) -> bool {
    queue.is_called_dead_letter_queue()
        && !target.is_called_dead_letter_queue()
        && target.redrive.is_none()
        && !target.takes_failures
}

fn elsewhere(ground: &Ground<'_>, queue: &Queue, redrive: &Redrive) -> Option<String> {
    let own = queue.arn.as_ref()?;
    let other: &Arn = match redrive.target.known()? {
        QueueRef::Elsewhere(arn) => arn,
        QueueRef::Declared(target) => ground.stack.queues[*target].arn.as_ref()?,
        QueueRef::Missing(_) => return None,
    };
    let differs = |own: &Option<String>, other: &Option<String>| match (own, other) {
        (Some(own), Some(other)) if own != other => Some((own.clone(), other.clone())),
        _ => None,
    };
    let (what, (own, other)) = differs(&own.region, &other.region)
        .map(|pair| ("region", pair))
        .or_else(|| differs(&own.account, &other.account).map(|pair| ("account", pair)))?;
    Some(format!("`{}` is in the {what} {own}, and its dead-letter queue in {other}", queue.id))
}

fn mixed(ground: &Ground<'_>, queue: &Queue, redrive: &Redrive) -> Option<String> {
    let (name, target_is_fifo) = match redrive.target.known()? {
        QueueRef::Declared(target) => {
            let target = &ground.stack.queues[*target];
            (target.id.clone(), target.fifo()?)
        }
        QueueRef::Elsewhere(arn) => (arn.name.clone()?, arn.name.as_ref()?.ends_with(".fifo")),
        QueueRef::Missing(_) => return None,
    };
    let kind = |is_fifo: bool| if is_fifo { "a FIFO queue" } else { "a standard queue" };
    let own = queue.fifo()?;
    (own != target_is_fifo).then(|| {
        format!("`{}` is {}, and its dead-letter queue `{name}` {}", queue.id, kind(own), kind(target_is_fifo))
    })
}
