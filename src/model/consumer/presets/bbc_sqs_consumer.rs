//! `sqs-consumer` of the BBC, for Node.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "bbc-sqs-consumer",
    title: "sqs-consumer of the BBC, for Node",
    summary: "A batch at a time; of one message, if nothing is set.",
    consumers: &[
        given("concurrency", "1", "the messages of a batch are handled side by side: as many as `batchSize`"),
        given("batch", "1", "`batchSize`"),
        given("wait", "20s", "`waitTimeSeconds`"),
        given("pause", "0s", "`pollingWaitTimeMs`"),
        given("polls", "when_empty", "the next poll comes when the batch is done"),
    ],
    policy: &[],
    source: "bbc/sqs-consumer, `src/consumer.ts`: constructor and `handleSqsResponse`. `terminateVisibilityTimeout` is false \
             and `heartbeatInterval` not set: a failed message waits for its lease, and no lease is extended.",
    trap: "With a larger `batchSize` (set `batch` and `concurrency` alike) the slowest message of a batch holds up the next \
           poll, and a process works on one batch only.",
};
