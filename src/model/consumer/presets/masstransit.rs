//! MassTransit on SQS, for .NET.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "masstransit",
    title: "MassTransit 8, for .NET",
    summary: "Renews its leases; failures go to the error queue.",
    consumers: &[
        given(
            "concurrency",
            "16",
            "`PrefetchCount`, max(2 × processors, 16), with no `ConcurrentMessageLimit` below it",
        ),
        given("batch", "10", "the most that a receive can ask for"),
        given("wait", "3s", "`WaitTimeSeconds`"),
        given(
            "heartbeat",
            "{ every: 21s, extend_to: 30s }",
            "renewed after 0.7 × `VisibilityTimeout`, 30 s, up to `MaxVisibilityTimeout`, 12 h",
        ),
    ],
    policy: &[given(
        "dispositions",
        "{ transient: dead_letter, throttled: dead_letter, permanent: dead_letter, unknown: dead_letter }",
        "no retry is configured: a message that fails moves to the `_error` queue at once",
    )],
    source: "MassTransit/MassTransit 8, `QueueReceiveSettings` (3 s, 30 s), `TransportConfiguration` (16), \
             `AmazonSqsReceiveLockContext` (renewal); masstransit.io, Exceptions. The error queue is the dead-letter queue \
             here.",
    trap: "Every failure is final: an outage of a second sends all that is at work to the error queue. A queue whose visibility \
           timeout is not 30 s needs another `heartbeat`: 0.7 of it.",
};
