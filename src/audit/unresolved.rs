//! Values that only a deployment knows: no rule looks at them, and nobody should believe one did.

use super::finding::Unresolved;
use super::model::{Setting, Stack};
use super::rules::numbers;

/// All of them, in the order of the model.
pub fn unresolved(stack: &Stack) -> Vec<Unresolved> {
    let mut found = Vec::new();
    for number in numbers(stack) {
        add(&mut found, number.owner, number.what, number.setting);
    }
    for queue in &stack.queues {
        add(&mut found, &queue.id, "a redrive policy", &queue.redrive_as_written);
        add(&mut found, &queue.id, "the mark of a FIFO queue", &queue.is_fifo);
        if let Some(redrive) = &queue.redrive {
            add(&mut found, &queue.id, "a deadLetterTargetArn", &redrive.target);
        }
    }
    for mapping in &stack.mappings {
        add(&mut found, &mapping.id, "a queue", &mapping.queue);
        add(&mut found, &mapping.id, "response types", &mapping.reports_item_failures);
    }
    for function in &stack.functions {
        add(&mut found, &function.id, "a reserved concurrency", &function.reserved_concurrency);
    }
    found
}

fn add<T>(found: &mut Vec<Unresolved>, owner: &str, what: &str, setting: &Setting<T>) {
    if let Setting::Unresolved { why, spot } = setting {
        found.push(Unresolved { what: format!("`{owner}` has {what}"), why: why.clone(), spot: *spot });
    }
}
