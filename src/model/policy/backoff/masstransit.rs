//! MassTransit's exponential retry intervals.

use super::{Backoff, BackoffKind, LONGEST_S, delay};
use crate::model::policy::catalogue::{About, Kind, Value};
use crate::model::policy::jitter::Jitter;

/// MassTransit multiplies each interval by U(0.75, 1.25).
const JITTER: Jitter = Jitter::Bounded { share: 0.25 };
/// Doublings after which every delta has passed every maximum.
const DOUBLINGS: u32 = 17;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "masstransit",
        title: "MassTransit's exponential backoff",
        summary: "MassTransit's `Exponential`; only its delays.",
        formula: "d = min(max, min + 2^(n − 1) × delta); jitter U{0.75 × d..1.25 × d}. MassTransit also draws delta once \
                  in a process from U(0.8, 1.2) × delta; here it is its mean.",
        source: "MassTransit/MassTransit: src/MassTransit/RetryPolicies/ExponentialRetryPolicy.cs. The delay is what is \
                 reproduced: its message retry waits in the process, its redelivery schedules the message anew.",
        mistake: "With a small `delta` and a large `min`: the first delays are all about `min`.",
        parameters: &[
            delay("min", "What every delay has at least, before jitter: `minInterval`.", 0),
            delay("max", "Largest delay before jitter: `maxInterval`.", 1),
            delay("delta", "What is doubled: `intervalDelta`.", 1),
        ],
        ordered: &[("min", "max")],
        example: &[("min", Value::seconds(5)), ("max", Value::seconds(300)), ("delta", Value::seconds(5))],
    },
    build: |values| {
        let (min_s, max_s) = (values.seconds("min"), values.seconds("max"));
        let delay_s = |doublings: u32| min_s.saturating_add(values.seconds("delta").saturating_mul(1 << doublings));
        let delays_s = (0..DOUBLINGS).map(|doublings| delay_s(doublings).min(max_s)).collect();
        Some(Backoff::new(delays_s, LONGEST_S, JITTER))
    },
};
