//! Values that the service does not take, and keys that nothing takes.

use super::Ground;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::{Mapping, Queue, Setting, Spot, Stack};
use crate::text::number::human;

pub static OUT_OF_RANGE: Rule = Rule {
    id: "RS020",
    name: "out-of-range",
    severity: Severity::Error,
    looks_for: "A value beyond what the service takes, or values that do not go together.",
    leads_to: "The service refuses it, often in the middle of a deployment.",
    remedy: "take a value within the range",
    source: "docs/model.md, rules Q2, Q7, Q10, Q13, Q16, L1 and L2; Amazon SQS API Reference, `API_SetQueueAttributes.html`; AWS Lambda API Reference, `API_CreateEventSourceMapping.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS020/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS020/passes.yaml") },
};

pub static WRONG_TYPE: Rule = Rule {
    id: "RS021",
    name: "wrong-type",
    severity: Severity::Error,
    looks_for: "A value of another kind than the service takes, such as a redrive policy that is a nested object where JSON in a text belongs.",
    leads_to: "The service refuses it, or a tool on the way drops it without a word.",
    remedy: "write it as the service takes it",
    source: "Amazon SQS API Reference, `API_SetQueueAttributes.html`.",
    fails: Example { file: "queue.json", text: include_str!("examples/RS021/fails.json") },
    passes: Example { file: "queue.json", text: include_str!("examples/RS021/passes.json") },
};

pub static UNKNOWN_KEY: Rule = Rule {
    id: "RS022",
    name: "unknown-key",
    severity: Severity::Error,
    looks_for: "A key that is misspelt or stands in the wrong place.",
    leads_to: "The service refuses it, or it has no effect and the default applies.",
    remedy: "write the key as the service knows it",
    source: "AWS CloudFormation Template Reference, `AWS::SQS::Queue` and `AWS::Lambda::EventSourceMapping`; Terraform Registry, provider `aws`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS022/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS022/passes.yaml") },
};

/// A number that may be written, and what the service takes.
pub struct Numeric<'a> {
    /// What it belongs to.
    pub owner: &'a str,
    /// What it is, in words.
    pub what: &'static str,
    pub setting: &'a Setting<f64>,
    pub low: f64,
    pub high: f64,
    /// Its unit: seconds, or a word of what is counted.
    pub unit: &'static str,
}

/// All numbers of a stack.
pub fn numbers(stack: &Stack) -> Vec<Numeric<'_>> {
    let mut all = Vec::new();
    for queue in &stack.queues {
        let mut add = |what, setting, low, high, unit| {
            all.push(Numeric { owner: &queue.id, what, setting, low, high, unit });
        };
        add("a visibility timeout", &queue.visibility_timeout_s, 0.0, 43_200.0, "s");
        add("a retention", &queue.retention_s, 60.0, 1_209_600.0, "s");
        add("a delay", &queue.delay_s, 0.0, 900.0, "s");
        add("a receive wait time", &queue.receive_wait_s, 0.0, 20.0, "s");
        if let Some(redrive) = &queue.redrive {
            add("a maxReceiveCount", &redrive.max_receive_count, 1.0, 1_000.0, "receives");
        }
    }
    for mapping in &stack.mappings {
        let is_fifo = stack.queue(&mapping.queue).and_then(Queue::fifo).unwrap_or(false);
        let most = if is_fifo { 10.0 } else { 10_000.0 };
        let mut add = |what, setting, low, high, unit| {
            all.push(Numeric { owner: &mapping.id, what, setting, low, high, unit });
        };
        add("a batch size", &mapping.batch_size, 1.0, most, "messages");
        add("a batch window", &mapping.window_s, 0.0, 300.0, "s");
        // What is too small has a rule of its own.
        add("a maximum concurrency", &mapping.maximum_concurrency, f64::MIN, 1_000.0, "batches");
    }
    for function in &stack.functions {
        let (owner, setting) = (&function.id, &function.timeout_s);
        all.push(Numeric { owner, what: "a timeout", setting, low: 1.0, high: 900.0, unit: "s" });
    }
    all
}

pub fn check(ground: &mut Ground<'_>) {
    let stack = ground.stack;
    for number in numbers(stack) {
        out_of_range(ground, &number);
        wrong_type(ground, number.owner, number.what, number.setting);
    }
    for queue in &stack.queues {
        wrong_type(ground, &queue.id, "a redrive policy", &queue.redrive_as_written);
        wrong_type(ground, &queue.id, "the mark of a FIFO queue", &queue.is_fifo);
        wrong_type(ground, &queue.id, "a name", &queue.name);
        if let Some(redrive) = &queue.redrive {
            wrong_type(ground, &queue.id, "a deadLetterTargetArn", &redrive.target);
        }
        fifo_name(ground, queue);
    }
    for mapping in &stack.mappings {
        wrong_type(ground, &mapping.id, "a list of response types", &mapping.reports_item_failures);
        batches(ground, mapping);
    }
    for unknown in &stack.unknown_keys {
        let message = format!("{} has no key `{}`", unknown.owner, unknown.key);
        ground.report_with(&UNKNOWN_KEY, unknown.spot, message, unknown.remedy.clone());
    }
}

fn out_of_range(ground: &mut Ground<'_>, number: &Numeric<'_>) {
    let Setting::Known { value, spot } = number.setting else { return };
    let unit = if number.unit == "s" { " s" } else { "" };
    if *value < number.low || *value > number.high {
        let range = format!("{} to {}{unit}", human(number.low.max(2.0_f64.min(number.high))), human(number.high));
        let range = if number.low > f64::MIN {
            format!("{} to {}{unit}", human(number.low), human(number.high))
        } else {
            range
        };
        let message =
            format!("`{}` has {} of {}{unit}; {range} are possible", number.owner, number.what, human(*value));
        ground.report(&OUT_OF_RANGE, *spot, message);
    } else if value.fract() != 0.0 {
        let message =
            format!("`{}` has {} of {}{unit}; only whole numbers are possible", number.owner, number.what, value);
        ground.report(&OUT_OF_RANGE, *spot, message);
    }
}

fn wrong_type<T>(ground: &mut Ground<'_>, owner: &str, what: &str, setting: &Setting<T>) {
    if let Setting::WrongType { found, wanted, spot } = setting {
        let message = format!("`{owner}` has {found} where {what} belongs");
        ground.report_with(&WRONG_TYPE, *spot, message, format!("write {wanted}"));
    }
}

/// The name of a FIFO queue ends in `.fifo`, and no other does.
fn fifo_name(ground: &mut Ground<'_>, queue: &Queue) {
    let (Some(name), Some(spot), Some(is_fifo)) = (queue.name.known(), queue.name.spot(), queue.fifo()) else { return };
    if name.ends_with(".fifo") == is_fifo {
        return;
    }
    let message = if is_fifo {
        format!("`{}` is a FIFO queue, and its name `{name}` does not end in `.fifo`", queue.id)
    } else {
        format!("`{}` is no FIFO queue, and its name `{name}` ends in `.fifo`", queue.id)
    };
    ground.report_with(&OUT_OF_RANGE, spot, message, "name and kind have to agree".to_owned());
}

/// Batches of more than 10 need a window, and a FIFO queue takes none.
fn batches(ground: &mut Ground<'_>, mapping: &Mapping) {
    let is_fifo = ground.stack.queue(&mapping.queue).and_then(Queue::fifo);
    let window_s = mapping.window_s.or_default(0.0);
    let at = |setting: &Setting<f64>| -> Spot { setting.spot().unwrap_or(mapping.spot) };
    if let (Some(true), Some(window_s)) = (is_fifo, window_s.filter(|window_s| *window_s > 0.0)) {
        let message =
            format!("`{}` fills batches for {} s; a FIFO queue takes no batch window", mapping.id, human(window_s));
        ground.report_with(&OUT_OF_RANGE, at(&mapping.window_s), message, "take the batch window out".to_owned());
    }
    let large = mapping.batch_size.known().filter(|size| **size > 10.0 && **size <= 10_000.0);
    if let (Some(size), Some(0.0)) = (large, window_s)
        && is_fifo != Some(true)
    {
        let message = format!("`{}` has a batch size of {} and no batch window", mapping.id, human(*size));
        let remedy = "more than 10 messages need a batch window of at least 1 s".to_owned();
        ground.report_with(&OUT_OF_RANGE, at(&mapping.batch_size), message, remedy);
    }
}
