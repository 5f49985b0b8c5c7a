//! The listener container of Spring Cloud AWS (rule S1, container defaults; rule S2, batched acknowledgements).

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "spring-cloud-aws",
    title: "Spring Cloud AWS 3",
    summary: "A listener container; deletes by ten or each second.",
    consumers: &[
        given("concurrency", "10", "`maxConcurrentMessages`"),
        given("batch", "10", "`maxMessagesPerPoll`"),
        given("wait", "10s", "`pollTimeout`"),
        given("groups", "in_turn", "a FIFO container stops a group of a poll at its first failure"),
        given(
            "acknowledge",
            "{ batched: { every: 1s, messages: 10 } }",
            "`acknowledgementInterval` and `acknowledgementThreshold` of a standard queue",
        ),
    ],
    policy: &[],
    source: "Spring Cloud AWS 3, module spring-cloud-aws-sqs: `AbstractContainerOptions`, `StandardSqsComponentFactory`, \
             `BatchingAcknowledgementProcessor`. There the interval counts from the last acknowledgement, here from the \
             first one that is held back: the longest lag is the same.",
    trap: "A visibility timeout shorter than the work and the acknowledgement interval together: good work is done again.",
};
