//! What Lambda functions did.

use super::Recorder;
use crate::engine::time::MILLISECOND_US;
use crate::measure::Metric;

/// Megabytes of a gigabyte, as bills have it.
const MB_A_GB: f64 = 1_024.0;
/// Milliseconds of a second.
const MS_A_SECOND: f64 = 1_000.0;

/// Counts of all functions of a run.
#[derive(Debug, Default)]
pub(super) struct InvocationCounters {
    begun: u64,
    failed: u64,
    throttled: u64,
    cold_starts: u64,
    batches_dropped: u64,
    memory_mb_ms: u64,
}

impl Recorder {
    /// An invocation begins.
    pub fn invocation_begins(&mut self, is_cold: bool) {
        self.invocations.begun += 1;
        self.invocations.cold_starts += u64::from(is_cold);
    }

    /// An invocation has ended after that time, its start-up included; every started millisecond is billed.
    pub fn invocation_ends(&mut self, has_failed: bool, memory_mb: u32, lasted_us: u64) {
        self.invocations.failed += u64::from(has_failed);
        self.invocations.memory_mb_ms += u64::from(memory_mb) * lasted_us.div_ceil(MILLISECOND_US);
    }

    /// A batch was offered to a function that had no room for it.
    pub fn invocation_throttled(&mut self) {
        self.invocations.throttled += 1;
    }

    /// A batch was given up that no handler had seen.
    pub fn batch_dropped(&mut self) {
        self.invocations.batches_dropped += 1;
    }

    /// The value of a metric of functions; `None` where the run has none.
    pub(super) fn value_of_invocations(&self, metric: Metric) -> Option<f64> {
        let counters = &self.invocations;
        let count = match metric {
            Metric::Invocations => counters.begun,
            Metric::InvocationsFailed => counters.failed,
            Metric::InvocationsThrottled => counters.throttled,
            Metric::BatchesDropped => counters.batches_dropped,
            Metric::ColdStarts => counters.cold_starts,
            Metric::FunctionGbS => {
                let gb_s = counters.memory_mb_ms as f64 / MB_A_GB / MS_A_SECOND;
                return self.plan.has_functions.then_some(gb_s);
            }
            _ => return None,
        };
        self.plan.has_functions.then_some(count as f64)
    }
}
