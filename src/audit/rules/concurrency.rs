//! What a mapping reads against what the function may run.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::{Function, Mapping, Queue, Spot};
use crate::text::number::{duration, human};

/// Batches that a mapping without a limit works on at the same time: at first, and at most (rule L1).
const FIRST_BATCHES: f64 = 5.0;
const MOST_BATCHES: f64 = 1_250.0;
/// The least that the service takes.
const LEAST_MAXIMUM: f64 = 2.0;

pub static RESERVED: Rule = Rule {
    id: "RS013",
    name: "reserved-concurrency",
    severity: Severity::Warning,
    looks_for: "A function with reserved concurrency whose mappings have no MaximumConcurrency, or together more than is reserved.",
    leads_to: "The mapping reads more than the function may run. What is throttled uses up receives, and sound messages reach the dead-letter queue without having met a handler.",
    remedy: "set MaximumConcurrency of the mapping to at most the reserved concurrency",
    source: "docs/model.md, rule L1 and rule L6; AWS Lambda Developer Guide, `services-sqs-scaling.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS013/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS013/passes.tf") },
};

pub static MAXIMUM: Rule = Rule {
    id: "RS014",
    name: "maximum-concurrency",
    severity: Severity::Error,
    looks_for: "A MaximumConcurrency below 2.",
    leads_to: "The service refuses it: a mapping cannot be held to one batch at a time in this way.",
    remedy: "set it to 2 or more; for one at a time, take a FIFO queue with one message group",
    source: "docs/model.md, rule L1; AWS Lambda API Reference, `API_ScalingConfig.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS014/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS014/passes.yaml") },
};

pub fn check(ground: &mut Ground<'_>) {
    let stack = ground.stack;
    for mapping in &stack.mappings {
        if let (Some(most), Some(spot)) = (mapping.maximum_concurrency.known(), mapping.maximum_concurrency.spot())
            && *most < LEAST_MAXIMUM
        {
            let message =
                format!("`{}` has a maximum concurrency of {}; 2 to 1 000 are possible", mapping.id, human(*most));
            ground.report(&MAXIMUM, spot, message);
        }
    }
    let mut feeding: Vec<Vec<&Mapping>> = vec![Vec::new(); stack.functions.len()];
    for mapping in stack.mappings.iter().filter(|mapping| mapping.is_on() && mapping.is_of_queue) {
        if let Some(function) = mapping.function {
            feeding[function].push(mapping);
        }
    }
    for (function, mappings) in stack.functions.iter().zip(feeding) {
        let Some(reserved) = function.reserved_concurrency.known().copied().filter(|reserved| *reserved >= 0.0) else {
            continue;
        };
        let spot = function.reserved_concurrency.spot().unwrap_or(function.spot);
        against_reserved(ground, function, &mappings, reserved, spot);
    }
}

fn against_reserved(ground: &mut Ground<'_>, function: &Function, mappings: &[&Mapping], reserved: f64, spot: Spot) {
    let stack = ground.stack;
    let unlimited = |mapping: &&&Mapping| mapping.maximum_concurrency.is_absent() && !mapping.has_provisioned_pollers;
    for mapping in mappings.iter().filter(unlimited) {
        let message = format!(
            "`{}` may run {} at a time, and `{}` has no maximum concurrency: it begins with {} batches and goes up to {}{}",
            function.id,
            human(reserved),
            mapping.id,
            human(FIRST_BATCHES),
            human(MOST_BATCHES),
            lost(stack.queue(&mapping.queue))
        );
        ground.report_with(&RESERVED, mapping.spot, message, remedy(reserved));
    }
    let limits: Option<Vec<f64>> =
        mappings.iter().map(|mapping| mapping.maximum_concurrency.known().copied()).collect();
    let sum: f64 = limits.iter().flatten().sum();
    if let Some(limits) = limits
        && sum > reserved
        && limits.iter().all(|limit| *limit >= LEAST_MAXIMUM)
    {
        let ids: Vec<String> = mappings.iter().map(|mapping| format!("`{}`", mapping.id)).collect();
        let message = format!(
            "`{}` may run {} at a time, and {} read up to {} batches at a time{}",
            function.id,
            human(reserved),
            ids.join(", "),
            human(sum),
            lost(mappings.first().and_then(|mapping| stack.queue(&mapping.queue)))
        );
        ground.report_with(&RESERVED, spot, message, remedy(reserved));
    }
}

/// How soon throttled messages are lost.
fn lost(queue: Option<&Queue>) -> String {
    let known = queue.and_then(|queue| Some((queue.max_receive_count()?, queue.visibility_timeout_s()?)));
    known.map_or_else(String::new, |(count, lease_s)| {
        format!(
            "; a message that is throttled each time is dead-lettered after {} × {} = {}",
            human(count),
            duration(lease_s),
            duration(count * lease_s)
        )
    })
}

fn remedy(reserved: f64) -> String {
    if reserved < LEAST_MAXIMUM {
        return "raise the reserved concurrency to 2 or more, and set MaximumConcurrency to as much".to_owned();
    }
    format!("set MaximumConcurrency of the mappings to {} or less, all together", human(reserved))
}
