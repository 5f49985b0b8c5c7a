//! What chance does to a queue.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use retrystorm::engine::time::{DAY_US, SECOND_US};
use retrystorm::model::queue::{QueueKind, QueueSettings, RedriveTiming, ReturnOrder, StaleDelete, TwelveHourClock};

/// One thing that happens. `queue` is 0 for the source and 1 for its dead-letter queue.
#[derive(Debug, Clone)]
pub enum Operation {
    Send {
        queue: usize,
        delay_us: Option<u64>,
        group: u32,
        deduplication_id: Option<u64>,
    },
    Receive {
        queue: usize,
        limit: usize,
        visibility_timeout_us: Option<u64>,
    },
    Delete {
        held: Index,
    },
    Change {
        held: Index,
        delay_s: u32,
    },
    LetGo {
        held: Index,
    },
    /// Time passes, and what ends meanwhile is announced.
    Wait {
        for_us: u64,
    },
    /// Time passes until the next end exactly; it is announced now or, if something else comes first, with the next wait.
    WaitForEnd {
        announced: bool,
    },
    Expire {
        queue: usize,
    },
    SetVisibilityTimeout {
        queue: usize,
        visibility_timeout_us: u64,
    },
    SetMaxReceiveCount {
        queue: usize,
        max_receive_count: Option<u32>,
    },
    SetRetention {
        queue: usize,
        retention_us: u64,
    },
    Redrive {
        count: usize,
    },
}

/// Few different times, so that many things happen at the same moment.
fn seconds_us(choices: &'static [u64]) -> impl Strategy<Value = u64> {
    select(choices).prop_map(|seconds| seconds * SECOND_US)
}

fn queue() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(0_usize), 1 => Just(1_usize)]
}

fn retention_us() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(14 * DAY_US), 2 => seconds_us(&[60, 100, 300])]
}

fn max_receive_count() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![1 => Just(None), 3 => (1..=5_u32).prop_map(Some)]
}

pub fn operation() -> impl Strategy<Value = Operation> {
    let own_delay_us = || prop_oneof![4 => Just(None), 1 => seconds_us(&[0, 5, 30, 900]).prop_map(Some)];
    let id = || prop_oneof![3 => Just(None), 1 => (0..4_u64).prop_map(Some)];
    let send = (queue(), own_delay_us(), 0..3_u32, id()).prop_map(|(queue, delay_us, group, deduplication_id)| {
        Operation::Send { queue, delay_us, group, deduplication_id }
    });
    let own_timeout_us = prop_oneof![4 => Just(None), 1 => seconds_us(&[0, 5, 20, 43_200]).prop_map(Some)];
    let receive = (queue(), 1..=4_usize, own_timeout_us)
        .prop_map(|(queue, limit, visibility_timeout_us)| Operation::Receive { queue, limit, visibility_timeout_us });
    let delay_s = select(&[0, 0, 5, 10, 60, 43_170, 43_200, 43_201][..]);
    prop_oneof![
        6 => send,
        6 => receive,
        3 => any::<Index>().prop_map(|held| Operation::Delete { held }),
        4 => (any::<Index>(), delay_s).prop_map(|(held, delay_s)| Operation::Change { held, delay_s }),
        1 => any::<Index>().prop_map(|held| Operation::LetGo { held }),
        3 => seconds_us(&[1, 5, 10, 30, 60, 295, 43_170]).prop_map(|for_us| Operation::Wait { for_us }),
        5 => any::<bool>().prop_map(|announced| Operation::WaitForEnd { announced }),
        1 => queue().prop_map(|queue| Operation::Expire { queue }),
        1 => other(),
    ]
}

/// What an operator does.
fn other() -> impl Strategy<Value = Operation> {
    prop_oneof![
        (queue(), timeout_us()).prop_map(|(queue, visibility_timeout_us)| Operation::SetVisibilityTimeout {
            queue,
            visibility_timeout_us
        }),
        (queue(), max_receive_count())
            .prop_map(|(queue, max_receive_count)| Operation::SetMaxReceiveCount { queue, max_receive_count }),
        (queue(), retention_us()).prop_map(|(queue, retention_us)| Operation::SetRetention { queue, retention_us }),
        (1..=3_usize).prop_map(|count| Operation::Redrive { count }),
        (1..=3_usize).prop_map(|count| Operation::Redrive { count }),
    ]
}

fn timeout_us() -> impl Strategy<Value = u64> {
    seconds_us(&[0, 5, 10, 30, 100])
}

pub fn settings(kind: QueueKind) -> impl Strategy<Value = QueueSettings> {
    let order = select(&[ReturnOrder::ByAge, ReturnOrder::ByAge, ReturnOrder::ByVisibleTime, ReturnOrder::Random][..]);
    let share = || prop_oneof![3 => Just(0.0), 1 => Just(0.3)];
    let limits = (select(&[2_u32, 4, 120_000, 120_000][..]), select(&[1_u32, 3, 6, 120_000][..]));
    let delay_us = prop_oneof![3 => Just(0), 1 => seconds_us(&[5, 30])];
    let times = (timeout_us(), retention_us(), delay_us);
    (times, max_receive_count(), any::<[bool; 4]>(), order, limits, (share(), share())).prop_map(
        move |(times, max_receive_count, [eager, back, lifetime, deletes], return_order, limits, shares)| {
            QueueSettings {
                kind,
                visibility_timeout_us: times.0,
                retention_us: times.1,
                delay_us: times.2,
                max_receive_count,
                dead_letter_retention_us: 14 * DAY_US,
                redrive_timing: if eager { RedriveTiming::Eager } else { RedriveTiming::Lazy },
                back_of_queue: back,
                return_order,
                twelve_hour_clock: if lifetime { TwelveHourClock::Lifetime } else { TwelveHourClock::PerReceive },
                stale_delete: if deletes { StaleDelete::Deletes } else { StaleDelete::Ignored },
                in_flight_limit: limits.0,
                look_ahead: limits.1,
                duplicate_share: shares.0,
                lost_share: shares.1,
            }
        },
    )
}
