//! Random Lambda mappings; also such as the language refuses, with a timeout above the lease.

use proptest::prelude::*;
use retrystorm::engine::time::{MILLISECOND_US, SECOND_US};
use retrystorm::model::consumer::{
    BatchResponses, ColdStarts, LambdaSettings, PollerSettings, RecordOrder, ThrottledBatches, WrongAnswers,
};

pub fn lambda() -> impl Strategy<Value = LambdaSettings> {
    let limit = || prop::option::of(1..4_u32);
    let share = || prop_oneof![2 => Just(0.0), 1 => 0.0..=1.0];
    let windows = prop_oneof![1 => Just(0), 1 => SECOND_US..30 * SECOND_US];
    let batches = (1..=20_u32, windows, SECOND_US..60 * SECOND_US);
    let answers = (any::<bool>(), share(), share());
    let throttled =
        prop_oneof![Just(ThrottledBatches::Reoffer), Just(ThrottledBatches::Prefetch), Just(ThrottledBatches::Drop)];
    let offers = (throttled, MILLISECOND_US..10 * SECOND_US, limit(), limit());
    let function = (any::<bool>(), 0..60 * SECOND_US, 128..10_000_u32);
    (batches, answers, offers, function, pollers()).prop_map(
        |((batch, window_us, timeout_us), (reports, unreadable_share, hiding_share), offers, function, pollers)| {
            let (throttled, reoffer_after_us, reserved_concurrency, maximum_concurrency) = offers;
            let (at_once, kept_warm_us, memory_mb) = function;
            LambdaSettings {
                batch,
                window_us,
                timeout_us,
                reserved_concurrency,
                maximum_concurrency,
                responses: if reports { BatchResponses::FailedItems } else { BatchResponses::WholeBatch },
                wrong_answers: WrongAnswers { unreadable_share, hiding_share },
                throttled,
                reoffer_after_us,
                records: if at_once { RecordOrder::AtOnce } else { RecordOrder::InTurn },
                cold_starts: ColdStarts { kept_warm_us, ..ColdStarts::default() },
                memory_mb,
                pollers,
            }
        },
    )
}

fn pollers() -> impl Strategy<Value = PollerSettings> {
    (1..5_u32, 0..300_u32, 0..10_u32, any::<(bool, bool)>()).prop_map(
        |(initial, per_minute, more, (backs_off_on_errors, backs_off_on_throttles))| PollerSettings {
            initial,
            per_minute,
            most: initial + more,
            backs_off_on_errors,
            backs_off_on_throttles,
        },
    )
}
