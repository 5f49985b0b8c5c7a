//! Dead-letter queues whose messages go on.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};

pub static DLQ_OF_DLQ: Rule = Rule {
    id: "RS017",
    name: "dlq-of-dlq",
    severity: Severity::Warning,
    looks_for: "A dead-letter queue with a redrive policy of its own.",
    leads_to: "Whoever looks at messages there, in the console too, receives them and so moves them on; receive counts are kept across moves.",
    remedy: "take the redrive policy of the dead-letter queue out",
    source: "docs/model.md, rule Q6; Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS017/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS017/passes.yaml") },
};

pub static SENDS_BACK: Rule = Rule {
    id: "RS018",
    name: "dlq-sends-back",
    severity: Severity::Warning,
    looks_for: "A dead-letter queue that feeds a function to which the source queue is named, in its environment or as a destination.",
    leads_to: "Messages that always fail go round without an end: what is sent back is a new message with a receive count of 0.",
    remedy: "let people redrive what is mended, or count the rounds in a message attribute and stop after a few",
    source: "docs/model.md, rule R1; Amazon SQS Developer Guide, `sqs-configure-dead-letter-queue-redrive.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS018/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS018/passes.yaml") },
};

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let sources = ground.sources_of(number).to_vec();
        if let Some(source) = sources.first() {
            of_own_redrive(ground, number, *source, &sources);
            sends_back(ground, number, &sources);
        }
    }
}

fn of_own_redrive(ground: &mut Ground<'_>, number: usize, source: usize, sources: &[usize]) {
    let queue = &ground.stack.queues[number];
    let Some(redrive) = &queue.redrive else { return };
    let target = ground.stack.queue_number(&redrive.target);
    if target == Some(number) {
        return;
    }
    let source = &ground.stack.queues[source].id;
    let message = match target {
        Some(target) if sources.contains(&target) => {
            let target = &ground.stack.queues[target].id;
            format!("`{}` and `{target}` are each other's dead-letter queue: messages that fail go round", queue.id)
        }
        _ => format!("`{}` is the dead-letter queue of `{source}`, and has a redrive policy of its own", queue.id),
    };
    ground.report(&DLQ_OF_DLQ, redrive.spot, message);
}

fn sends_back(ground: &mut Ground<'_>, number: usize, sources: &[usize]) {
    let stack = ground.stack;
    for mapping in ground.mappings_of(number).collect::<Vec<_>>() {
        let Some(function) = stack.function(mapping) else { continue };
        let named = function.names_queues.iter().find(|(queue, _)| sources.contains(queue));
        if let Some((source, spot)) = named {
            let message = format!(
                "`{}` reads the dead-letter queue `{}` and is given `{}`, whose messages end there: what always fails goes round",
                function.id, stack.queues[number].id, stack.queues[*source].id
            );
            ground.report(&SENDS_BACK, *spot, message);
        }
    }
}
