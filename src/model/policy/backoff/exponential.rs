//! A multiple each time.

use super::delays::delays_s;
use super::{Backoff, BackoffKind, CAP, JitterChoice, delay, factor, jitter};
use crate::model::policy::catalogue::{About, Kind, Value};
use crate::model::policy::jitter::Jitter;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "exponential",
        title: "an exponential backoff",
        summary: "A multiple each time.",
        formula: "d = min(cap, base × factor^(n − 1)), rounded to whole seconds, halves up",
        source: "M. Brooker, \"Exponential Backoff And Jitter\", AWS Architecture Blog, 2015",
        mistake: "With few receives: short first delays spend them before an outage is over. Without jitter, what failed \
                  together comes back together.",
        parameters: &[delay("base", "First delay.", 1), factor("factor"), CAP, jitter(JitterChoice::Any, Some("cap"))],
        ordered: &[("base", "cap")],
        example: &[("base", Value::seconds(10)), ("cap", Value::seconds(300)), ("jitter", Value::Jitter(Jitter::Full))],
    },
    build: |values| {
        let cap_s = values.seconds("cap");
        let factor = values.number("factor");
        let delays_s = delays_s(cap_s, values.us("base") as f64 / 1e6, |delay_s| delay_s * factor);
        // Rounding comes after the power, so that it does not add up.
        let delays_s = delays_s.into_iter().map(|delay_s| delay_s.round() as u32).collect();
        Some(Backoff::new(delays_s, cap_s, values.jitter("jitter")))
    },
};
