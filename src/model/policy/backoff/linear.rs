//! One step more each time.

use super::{Backoff, BackoffKind, CAP, JitterChoice, delay, jitter};
use crate::model::policy::catalogue::{About, Kind, Value};

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "linear",
        title: "a linear backoff",
        summary: "One step more each time.",
        formula: "d = min(cap, step × n)",
        source: "No library's own.",
        mistake: "When the downstream needs much less load soon: it slows down too gently.",
        parameters: &[delay("step", "First delay and increment.", 1), CAP, jitter(JitterChoice::Any, Some("cap"))],
        ordered: &[("step", "cap")],
        example: &[("step", Value::seconds(20)), ("cap", Value::seconds(300))],
    },
    build: |values| {
        let (step_s, cap_s) = (values.seconds("step"), values.seconds("cap"));
        Some(Backoff::new(climb_s(step_s, step_s, cap_s), cap_s, values.jitter("jitter")))
    },
};

/// first, first + step, first + 2 x step ... up to the cap.
pub(super) fn climb_s(first_s: u32, step_s: u32, cap_s: u32) -> Vec<u32> {
    let mut delays_s = vec![first_s.min(cap_s)];
    let mut next_s = first_s;
    while step_s > 0 && next_s < cap_s {
        next_s = next_s.saturating_add(step_s);
        delays_s.push(next_s.min(cap_s));
    }
    delays_s
}
