//! What there is to know of the parts that hold a consumer's calls or polls back, for documents and the command line.

use super::catalogue::{About, Parameter, ParameterKind, Value};
use crate::engine::time::{DAY_US, MILLISECOND_US};

/// The parts that control the load. Their settings are sections of the scenario language of their own.
pub static LOAD_CONTROLS: &[&About] = &[&BREAKER, &RATE_LIMIT, &CONCURRENCY_LIMIT];

static BREAKER: About = About {
    name: "breaker",
    title: "a circuit breaker",
    summary: "Stops polling after failures; probes, then a ramp-up.",
    formula: "opens after `failures` in a row; or at failure_rate: { share, window or calls, minimum }: a share of failures \
              in a time or among so many results; or at throttling: { share, for, minimum }: a share of throttled results \
              that goes on for a time. After `cooldown` it lets `probes` messages through: if all work it closes, if one \
              fails it opens again. With ramp_up: { for, from } consumers then hold more and more messages until all \
              slots are in use.",
    source: "Nygard, Release It!, for the states; resilience4j for the windows. Here it stops the polls, so that messages \
             wait in the queue and use no receives.",
    mistake: "Alone against a limit or an overload: while it is open the backlog grows, one probe in calm succeeds, and the \
              whole backlog comes at once. It needs a ramp-up or a limit behind it.",
    parameters: &[
        Parameter {
            name: "failures",
            meaning: "Failures in a row that open it; failure_rate or throttling may stand in its place.",
            kind: ParameterKind::Count { from: 1, to: 1_000_000 },
            default: None,
        },
        Parameter {
            name: "cooldown",
            meaning: "How long it stays open before probes are let through.",
            kind: ParameterKind::Duration { from_us: MILLISECOND_US, to_us: DAY_US },
            default: None,
        },
        Parameter {
            name: "probes",
            meaning: "Messages that are let through, all of which have to succeed.",
            kind: ParameterKind::Count { from: 1, to: 10_000 },
            default: Some(Value::Count(1)),
        },
    ],
    ordered: &[],
    example: &[("failures", Value::Count(20)), ("cooldown", Value::seconds(30))],
};

static RATE_LIMIT: About = About {
    name: "rate_limit",
    title: "a rate limit of calls",
    summary: "A token bucket in front of the calls.",
    formula: "a bucket of `burst` tokens fills at `rate`; a handler takes the next free token and waits for it, with its \
              message in hand. One bucket for each consumer, or one for the fleet (scope), and for each tenant \
              (per_tenant).",
    source: "the generic cell rate algorithm (ITU-T I.371), which is the same bucket kept as one number",
    mistake: "With more slots than the rate needs within a lease: messages wait at the limit until their leases end, and are \
              dead-lettered without one failure.",
    parameters: &[Parameter {
        name: "rate",
        meaning: "Calls per time. Beside it `burst`, calls that may go out at once after a rest: one second's worth.",
        kind: ParameterKind::Rate,
        default: None,
    }],
    ordered: &[],
    example: &[("rate", Value::Rate { per_s: 450.0 })],
};

static CONCURRENCY_LIMIT: About = About {
    name: "concurrency_limit",
    title: "a limit of concurrent calls",
    summary: "A semaphore; by tenant a bulkhead; may adapt (AIMD).",
    formula: "at most `calls` at the same time; at the limit a handler waits, or its call is rejected (when_full). With \
              adaptive: { least, most, increase, decrease_to } the limit L grows by increase / L at each success, and \
              shrinks to L × decrease_to at a failure of the downstream, once for all calls that were out then.",
    source: "Chiu and Jain 1989 for additive increase and multiplicative decrease; Nygard, Release It!, for the bulkhead",
    mistake: "Below what the downstream can do: it is the bottleneck then, and messages wait in consumers' hands instead of \
              in the queue.",
    parameters: &[Parameter {
        name: "calls",
        meaning: "Calls at the same time; where the limit adapts, at first.",
        kind: ParameterKind::Count { from: 1, to: 1_000_000 },
        default: None,
    }],
    ordered: &[],
    example: &[("calls", Value::Count(10))],
};
