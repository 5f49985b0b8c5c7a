//! What becomes of a batch of which one message fails.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};
use crate::text::number::human;

/// The batch size of a mapping that names none (rule L2).
const DEFAULT_BATCH_SIZE: f64 = 10.0;

pub static WHOLE_BATCH: Rule = Rule {
    id: "RS015",
    name: "whole-batch",
    severity: Severity::Warning,
    looks_for: "A batch size above 1 (10 where none is set) without ReportBatchItemFailures.",
    leads_to: "One message that fails brings back the whole batch: the others are worked on again, and reach the dead-letter queue with it.",
    remedy: "set FunctionResponseTypes to ReportBatchItemFailures and return the ids of what has failed, or set the batch size to 1",
    source: "docs/model.md, rule L4; AWS Lambda Developer Guide, `services-sqs-errorhandling.html`.",
    fails: Example { file: "serverless.yml", text: include_str!("examples/RS015/fails.yml") },
    passes: Example { file: "serverless.yml", text: include_str!("examples/RS015/passes.yml") },
};

pub fn check(ground: &mut Ground<'_>) {
    let stack = ground.stack;
    for mapping in stack.mappings.iter().filter(|mapping| mapping.is_of_queue) {
        let Some(batch_size) = mapping.batch_size.or_default(DEFAULT_BATCH_SIZE) else { continue };
        if batch_size <= 1.0 || mapping.reports_item_failures.or_default(false) != Some(false) {
            continue;
        }
        let unset = if mapping.batch_size.is_absent() { " (none is set)" } else { "" };
        let receives = match stack.queue(&mapping.queue).and_then(|queue| queue.max_receive_count()) {
            Some(count) if count > 1.0 => format!("; {} failures of the batch dead-letter all of them", human(count)),
            Some(_) => "; one failure of the batch dead-letters all of them".to_owned(),
            None => String::new(),
        };
        let message = format!(
            "`{}` hands over batches of up to {}{unset}, and the function does not say which messages have failed: one failure brings back up to {} others{receives}",
            mapping.id,
            human(batch_size),
            human(batch_size - 1.0)
        );
        ground.report(&WHOLE_BATCH, mapping.batch_size.spot().unwrap_or(mapping.spot), message);
    }
}
