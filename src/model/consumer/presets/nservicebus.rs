//! NServiceBus on SQS, for .NET.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "nservicebus",
    title: "NServiceBus with its SQS transport, for .NET",
    summary: "Renews its leases; retries at once, then later.",
    consumers: &[
        given("concurrency", "2", "max(processors, 2): with more processors set it, and `batch` and `prefetch`"),
        given("batch", "2", "the concurrency, at most 10"),
        given("prefetch", "2", "the pump receives the next batch, then waits until it may begin on each message"),
        given("wait", "20s", "`WaitTimeSeconds`"),
        given(
            "heartbeat",
            "{ every: 20s, extend_to: 40s, at_most: 5m }",
            "renewed 10 s before the end of 30 s, by 30 s; `MaxAutoMessageVisibilityRenewalDuration`",
        ),
    ],
    policy: &[given(
        "backoff",
        "{ intervals: { intervals: [0s, 0s, 0s, 0s, 0s, 10s, 0s, 0s, 0s, 0s, 0s, 20s, 0s, 0s, 0s, 0s, 0s, 30s, 0s] } }",
        "5 immediate retries, and 3 delayed ones of 10, 20 and 30 s with 5 more each",
    )],
    source: "Particular/NServiceBus.AmazonSQS, `InputQueuePump.cs` and `Renewal.cs`; docs.particular.net: Recoverability, \
             Tuning, and the SQS transport's options. It counts retries itself, here the receive count stands for them; a \
             delayed retry is a new message there.",
    trap: "After 24 attempts it moves a message to its error queue: a redrive policy with fewer receives takes messages out \
           before, one with more never acts. Messages that wait in the pump are not renewed.",
};
