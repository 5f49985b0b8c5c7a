//! How often a message is received before it is moved.

use super::Ground;
use super::retention::is_unreachable;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::Queue;
use crate::text::number::{duration, human};

/// Receives below which a deploy or a restart alone can use them up.
const TOO_FEW: f64 = 2.0;
/// Receives that AWS advises for Lambda.
const ADVISED_FOR_LAMBDA: f64 = 5.0;
/// Receives from which on a poison message stays for long.
const MANY_FROM: f64 = 20.0;

pub static FEW: Rule = Rule {
    id: "RS006",
    name: "few-receives",
    severity: Severity::Warning,
    looks_for: "A maxReceiveCount of 1 or 2.",
    leads_to: "A receive counts whether or not a handler has seen the message: a deploy, a crash or a throttled invocation is enough to dead-letter sound messages.",
    remedy: "allow at least 5 receives",
    source: "docs/model.md, rule Q6 and rule Q7, lazy redrive; Amazon SQS Developer Guide, `sqs-dead-letter-queues.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS006/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS006/passes.yaml") },
};

pub static FEW_FOR_LAMBDA: Rule = Rule {
    id: "RS007",
    name: "few-receives-for-lambda",
    severity: Severity::Warning,
    looks_for: "A maxReceiveCount of 3 or 4 on a queue that feeds a function.",
    leads_to: "Throttled batches use up receives without an invocation, and the message is dead-lettered before it was tried often enough.",
    remedy: "allow at least 5 receives",
    source: "docs/model.md, rule L3 and rule L6; AWS Lambda Developer Guide, `services-sqs-configure.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS007/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS007/passes.tf") },
};

pub static MANY: Rule = Rule {
    id: "RS008",
    name: "many-receives",
    severity: Severity::Note,
    looks_for: "A maxReceiveCount of 20 or more.",
    leads_to: "A message that always fails circulates for maxReceiveCount times the visibility timeout, and takes a handler each time.",
    remedy: "allow fewer receives, and let delays between them grow instead",
    source: "docs/model.md, rule Q7, lazy redrive.",
    fails: Example { file: "queue.json", text: include_str!("examples/RS008/fails.json") },
    passes: Example { file: "queue.json", text: include_str!("examples/RS008/passes.json") },
};

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let queue = &ground.stack.queues[number];
        let Some(count) = queue.max_receive_count() else { continue };
        let spot = queue.redrive.as_ref().and_then(|redrive| redrive.max_receive_count.spot()).unwrap_or(queue.spot);
        let feeds_function = ground.mappings_of(number).next().is_some();
        if count <= TOO_FEW {
            ground.report(&FEW, spot, few(queue, count, feeds_function));
        } else if count < ADVISED_FOR_LAMBDA && feeds_function {
            let receives = human(count);
            let message = format!(
                "`{}` feeds a function and dead-letters after {receives} receives{}: each throttled batch uses up one of them",
                queue.id,
                within(queue, count)
            );
            ground.report(&FEW_FOR_LAMBDA, spot, message);
        } else if count >= MANY_FROM && !is_unreachable(queue) {
            let message =
                format!("`{}` dead-letters after {} receives: {}", queue.id, human(count), circulates(queue, count));
            ground.report(&MANY, spot, message);
        }
    }
}

fn few(queue: &Queue, count: f64, feeds_function: bool) -> String {
    let receives = if count == 1.0 { "1 receive".to_owned() } else { format!("{} receives", human(count)) };
    let culprit = if feeds_function { "a throttled invocation or a deploy" } else { "a deploy or a crash" };
    let times = if count == 1.0 { "once" } else { "twice" };
    format!(
        "`{}` dead-letters after {receives}{}: {culprit} that hits a message {times} is enough",
        queue.id,
        within(queue, count)
    )
}

/// How soon that is.
fn within(queue: &Queue, count: f64) -> String {
    queue.visibility_timeout_s().map_or_else(String::new, |lease_s| format!(", after {}", duration(count * lease_s)))
}

fn circulates(queue: &Queue, count: f64) -> String {
    match queue.visibility_timeout_s() {
        Some(lease_s) => format!(
            "a message that always fails circulates for {} × {} = {}",
            human(count),
            duration(lease_s),
            duration(count * lease_s)
        ),
        None => format!("a message that always fails is tried {} times", human(count)),
    }
}
