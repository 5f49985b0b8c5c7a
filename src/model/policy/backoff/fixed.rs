//! The same delay each time.

use super::{Backoff, BackoffKind, JitterChoice, delay, jitter};
use crate::model::policy::catalogue::{About, Kind, Value};

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "fixed",
        title: "a fixed backoff",
        summary: "The same delay each time.",
        formula: "d = delay",
        source: "No library's own; with a delay of 0 s it is Spring Cloud AWS's immediate retry.",
        mistake: "In a long outage: a short delay spends all receives within it, a long one keeps messages waiting \
                  after it.",
        parameters: &[delay("delay", "The delay.", 0), jitter(JitterChoice::Steady, Some("delay"))],
        ordered: &[],
        example: &[("delay", Value::seconds(30))],
    },
    build: |values| {
        let delay_s = values.seconds("delay");
        Some(Backoff::new(vec![delay_s], delay_s, values.jitter("jitter")))
    },
};
