//! AWS Lambda's event source mapping.

use super::{Preset, given};

pub(super) static PRESET: Preset = Preset {
    name: "lambda",
    title: "AWS Lambda's event source mapping",
    summary: "Pollers hand batches to a function; a batch ends as one.",
    consumers: &[given(
        "lambda",
        "{ batch: 10, window: 0s, timeout: 3s, memory_mb: 128, reserved_concurrency: none, maximum_concurrency: none, \
         responses: whole_batch, pollers: { initial: 5, per_minute: 300, most: 1250 } }",
        "`BatchSize`, `MaximumBatchingWindowInSeconds`, the function's `Timeout` and `MemorySize`, `ReservedConcurrentExecutions`, \
         `ScalingConfig`, `FunctionResponseTypes`, and how the mapping scales",
    )],
    policy: &[],
    source: "AWS Lambda Developer Guide, `Using Lambda with Amazon SQS` and `Lambda quotas`; rules L1 to L6 of the model. The \
             guide's editions give different numbers for the pollers; all three can be set.",
    trap: "The whole batch comes back when one message fails, a timeout as long as the visibility timeout lets two functions work \
           on one message, and a function that may run less often than the mapping reads sends messages to the dead-letter queue \
           that it never saw.",
};
