//! Shoryuken's `retry_intervals`.

use super::intervals::list;
use super::{Backoff, BackoffKind, LONGEST_S};
use crate::model::policy::catalogue::{About, Kind, Value};
use crate::model::policy::jitter::Jitter;
use std::borrow::Cow;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "shoryuken",
        title: "Shoryuken's backoff",
        summary: "Shoryuken's `retry_intervals`; the last one repeats.",
        formula: "d = retry_intervals[n], from the end of the list on its last item",
        source: "ruby-shoryuken/shoryuken: lib/shoryuken/middleware/server/exponential_backoff_retry.rb. It also cuts a \
                 delay to what the twelve hours leave, less a second: write `ceiling_guard: remaining` beside it.",
        mistake: "When many messages fail at once: there is no jitter, so they come back at once.",
        parameters: &[list("retry_intervals", "The delays, from the first attempt on.")],
        ordered: &[],
        example: &[("retry_intervals", Value::Durations(Cow::Borrowed(&[300_000_000, 1_800_000_000, 3_600_000_000])))],
    },
    build: |values| Some(Backoff::new(values.list_of_seconds("retry_intervals"), LONGEST_S, Jitter::None)),
};
