//! MassTransit's incremental retry intervals.

use super::linear::climb_s;
use super::{Backoff, BackoffKind, LONGEST_S, delay};
use crate::model::policy::catalogue::{About, Kind, Value};
use crate::model::policy::jitter::Jitter;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "masstransit-incremental",
        title: "MassTransit's incremental backoff",
        summary: "MassTransit's `Incremental`; only its delays.",
        formula: "d = initial + increment × (n − 1), at most 12 h",
        source: "MassTransit/MassTransit: src/MassTransit/RetryPolicies/IncrementalRetryPolicy.cs and \
                 IncrementalRetryContext.cs. The delay is what is reproduced: its message retry waits in the \
                 process, its redelivery schedules the message anew.",
        mistake: "When many messages fail at once: there is no jitter and no maximum, so they come back at once, later \
                  and later.",
        parameters: &[
            delay("initial", "First delay: `initialInterval`.", 0),
            delay("increment", "What each further attempt adds: `intervalIncrement`.", 0),
        ],
        ordered: &[],
        example: &[("initial", Value::seconds(5)), ("increment", Value::seconds(10))],
    },
    build: |values| {
        let delays_s = climb_s(values.seconds("initial"), values.seconds("increment"), LONGEST_S);
        Some(Backoff::new(delays_s, LONGEST_S, Jitter::None))
    },
};
