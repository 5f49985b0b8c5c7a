//! Alarms that stay silent.

use super::Ground;
use super::dead_letters::takes_failures;
use crate::audit::finding::{Example, Rule, Severity};

pub static ON_SENT: Rule = Rule {
    id: "RS023",
    name: "alarm-on-sent",
    severity: Severity::Warning,
    looks_for: "An alarm on NumberOfMessagesSent of a dead-letter queue.",
    leads_to: "The metric counts what is sent and leaves out what redrive moves: the alarm stays silent while the queue fills.",
    remedy: "watch ApproximateNumberOfMessagesVisible",
    source: "docs/model.md, rule Q18; Amazon SQS Developer Guide, `sqs-available-cloudwatch-metrics.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS023/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS023/passes.tf") },
};

pub fn check(ground: &mut Ground<'_>) {
    let stack = ground.stack;
    for alarm in &stack.alarms {
        let Some(queue) = stack.queue_number(&alarm.queue) else { continue };
        // What functions and topics give up is sent, and counted.
        let is_moved_to = !ground.sources_of(queue).is_empty() || !stack.queues[queue].takes_failures;
        if alarm.metric.known().is_some_and(|metric| metric == "NumberOfMessagesSent")
            && is_moved_to
            && takes_failures(ground, queue)
        {
            let message = format!(
                "`{}` watches NumberOfMessagesSent of `{}`: it counts none of the messages that redrive moves there",
                alarm.id, stack.queues[queue].id
            );
            ground.report(&ON_SENT, alarm.metric.spot().unwrap_or(alarm.spot), message);
        }
    }
}
