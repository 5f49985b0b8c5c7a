//! The visibility timeout against the time that a handler may take.

use super::Ground;
use super::dead_letters::takes_failures;
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::{Function, Mapping, Queue};
use crate::text::number::{duration, human};

/// How many times the function's timeout the visibility timeout should be, by the advice of AWS.
const ADVISED_TIMEOUTS: f64 = 6.0;

pub static BELOW_TIMEOUT: Rule = Rule {
    id: "RS002",
    name: "lease-below-timeout",
    severity: Severity::Error,
    looks_for: "A visibility timeout shorter than the timeout of the function that the queue feeds.",
    leads_to: "Lambda refuses to create the mapping; where it exists already, a message comes back while its handler still works on it.",
    remedy: "set the visibility timeout to at least 6 times the function's timeout plus the batch window",
    source: "docs/model.md, rule L3; AWS Lambda Developer Guide, `services-sqs-configure.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS002/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS002/passes.tf") },
};

pub static EQUALS_TIMEOUT: Rule = Rule {
    id: "RS003",
    name: "lease-equals-timeout",
    severity: Severity::Warning,
    looks_for: "A visibility timeout equal to the timeout of the function that the queue feeds.",
    leads_to: "Time that a batch waits before it is handled is missing at the end: a slow invocation works on messages that are visible again.",
    remedy: "set the visibility timeout to at least 6 times the function's timeout plus the batch window",
    source: "docs/model.md, rule L3 and rule Q3; AWS Lambda Developer Guide, `services-sqs-configure.html`.",
    fails: Example { file: "template.yaml", text: include_str!("examples/RS003/fails.yaml") },
    passes: Example { file: "template.yaml", text: include_str!("examples/RS003/passes.yaml") },
};

pub static MARGIN: Rule = Rule {
    id: "RS004",
    name: "lease-margin",
    severity: Severity::Warning,
    looks_for: "A visibility timeout under 6 times the function's timeout plus the batch window.",
    leads_to: "When the function is throttled, batches are offered again inside their lease; a lease that is too short ends before there is room, and the receive is used up without an invocation.",
    remedy: "set the visibility timeout to at least 6 times the function's timeout plus the batch window",
    source: "docs/model.md, rule L3 and rule L6; AWS Lambda Developer Guide, `services-sqs-configure.html`.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS004/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS004/passes.tf") },
};

pub static BELOW_HANDLER: Rule = Rule {
    id: "RS005",
    name: "lease-below-handler",
    severity: Severity::Warning,
    looks_for: "A visibility timeout shorter than the time that a handler takes, where that is given with `--handler-time`.",
    leads_to: "The message becomes visible while it is being worked on, and a second consumer begins the same work.",
    remedy: "set the visibility timeout above the longest time that a handler takes, or extend the lease while it works",
    source: "docs/model.md, rule Q1 and rule Q3; Amazon SQS Developer Guide, `sqs-visibility-timeout.html`.",
    fails: Example { file: "queue.json", text: include_str!("examples/RS005/fails.json") },
    passes: Example { file: "queue.json", text: include_str!("examples/RS005/passes.json") },
};

pub fn check(ground: &mut Ground<'_>) {
    for number in 0..ground.stack.queues.len() {
        let queue = &ground.stack.queues[number];
        let Some(lease_s) = queue.visibility_timeout_s() else { continue };
        let needs = ground.mappings_of(number).filter_map(|mapping| Need::of(ground, mapping));
        let most = needs.max_by(|left, right| left.advised_s.total_cmp(&right.advised_s));
        match (most, ground.options.handler_time_s) {
            (Some(need), _) => of_function(ground, queue, lease_s, &need),
            (None, Some(handler_s)) if lease_s < handler_s && !takes_failures(ground, number) => {
                of_handler(ground, queue, lease_s, handler_s);
            }
            _ => {}
        }
    }
}

/// What a function needs of the lease.
struct Need<'a> {
    function: &'a Function,
    timeout_s: f64,
    window_s: f64,
    advised_s: f64,
}

impl<'a> Need<'a> {
    fn of(ground: &Ground<'a>, mapping: &Mapping) -> Option<Self> {
        let function = ground.stack.function(mapping)?;
        let timeout_s = function.timeout_s.or_default(function.default_timeout_s)?;
        let window_s = mapping.window_s.or_default(0.0)?;
        Some(Self { function, timeout_s, window_s, advised_s: ADVISED_TIMEOUTS * timeout_s + window_s })
    }
}

fn of_function(ground: &mut Ground<'_>, queue: &Queue, lease_s: f64, need: &Need<'_>) {
    let (lease, timeout, id) = (duration(lease_s), duration(need.timeout_s), &need.function.id);
    let unset = if queue.visibility_timeout_s.is_absent() { " (it is not set)" } else { "" };
    let beginning = format!("`{}` has a visibility timeout of {lease}{unset}", queue.id);
    let (rule, ending) = if lease_s < need.timeout_s {
        let missing = duration(need.timeout_s - lease_s);
        (
            &BELOW_TIMEOUT,
            format!("and `{id}` may run for {timeout}: for up to {missing} a message is worked on and visible again"),
        )
    } else if lease_s == need.timeout_s {
        (&EQUALS_TIMEOUT, format!("as long as `{id}` may run: nothing is left for the wait before the handler begins"))
    } else if lease_s < need.advised_s {
        let times = human((lease_s - need.window_s).max(0.0) / need.timeout_s);
        let window = if need.window_s > 0.0 { format!(" + {}", duration(need.window_s)) } else { String::new() };
        let advised = duration(need.advised_s);
        (
            &MARGIN,
            format!(
                "{times} times the timeout of `{id}` ({timeout}); 6 × {timeout}{window} = {advised} leave room for throttled batches"
            ),
        )
    } else {
        return;
    };
    let spot = queue.visibility_timeout_s.spot().unwrap_or(queue.spot);
    let remedy = format!("set it to at least {}", human(need.advised_s));
    ground.report_with(rule, spot, format!("{beginning}, {ending}"), remedy + " s");
}

fn of_handler(ground: &mut Ground<'_>, queue: &Queue, lease_s: f64, handler_s: f64) {
    let message = format!(
        "`{}` has a visibility timeout of {}, and a handler takes up to {}: for up to {} a message is worked on and visible again",
        queue.id,
        duration(lease_s),
        duration(handler_s),
        duration(handler_s - lease_s)
    );
    ground.report(&BELOW_HANDLER, queue.visibility_timeout_s.spot().unwrap_or(queue.spot), message);
}
