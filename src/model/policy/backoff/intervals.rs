//! A list of delays.

use super::{Backoff, BackoffKind, JitterChoice, LONGEST_S, jitter};
use crate::model::policy::catalogue::{About, Kind, Parameter, ParameterKind, Value};
use std::borrow::Cow;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "intervals",
        title: "a backoff by intervals",
        summary: "A list of delays; the last one repeats.",
        formula: "d = intervals[n], from the end of the list on its last item",
        source: "No library's own; many take such a list.",
        mistake: "With a list that ends early on a short delay: it repeats until the receives are spent.",
        parameters: &[list("intervals", "The delays, from the first attempt on."), jitter(JitterChoice::Steady, None)],
        ordered: &[],
        example: &[("intervals", Value::Durations(Cow::Borrowed(&[10_000_000, 60_000_000, 600_000_000])))],
    },
    build: |values| Some(Backoff::new(values.list_of_seconds("intervals"), LONGEST_S, values.jitter("jitter"))),
};

/// A list of delays; has to be given.
pub(super) const fn list(name: &'static str, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        meaning,
        kind: ParameterKind::SecondsList { from_s: 0, to_s: LONGEST_S, most: 100 },
        default: None,
    }
}
