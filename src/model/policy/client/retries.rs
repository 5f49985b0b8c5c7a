//! Plain retries.

use super::{ClientKind, ClientRules, may_pass};
use crate::engine::random::KeyedDraw;
use crate::engine::time::{HOUR_US, MILLISECOND_US};
use crate::model::policy::AttemptError;
use crate::model::policy::catalogue::{About, JitterChoice, Kind, Parameter, ParameterKind, Value, Values};
use crate::model::policy::jitter::Jitter;
use crate::model::policy::spread::Spread;

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "retries",
        title: "a client with retries",
        summary: "More tries in a receive, with waits that grow.",
        formula: "after try n: d = min(cap, base × factor^(n − 1)), then jitter",
        source: "The loop that most client libraries have, and most handlers.",
        mistake: "When the downstream is overloaded: every receive calls `attempts` times, and multiplies the load. The \
                  slot and the lease run on while it waits.",
        parameters: &[
            attempts(3),
            wait("base", "First wait.", Value::milliseconds(100)),
            Parameter {
                name: "factor",
                meaning: "Multiplier of each further wait, at least 1.",
                kind: ParameterKind::Number { from: 1.0, to: 1_000_000.0 },
                default: Some(Value::Number(2.0)),
            },
            wait("cap", "Longest wait.", Value::seconds(20)),
            Parameter {
                name: "jitter",
                meaning: "How the wait is randomised.",
                kind: ParameterKind::Jitter {
                    choice: JitterChoice::Only(&["none", "full", "equal", "half"]),
                    limit: None,
                },
                default: Some(Value::Jitter(Jitter::Full)),
            },
        ],
        ordered: &[("base", "cap")],
        example: &[("attempts", Value::Count(4)), ("base", Value::milliseconds(50)), ("cap", Value::seconds(2))],
    },
    build: |values| Box::new(Retries::new(values)),
};

/// Most tries in one receive.
const MOST_ATTEMPTS: u64 = 1_000;

/// How often a call is tried in one receive.
pub(super) const fn attempts(default: u64) -> Parameter {
    Parameter {
        name: "attempts",
        meaning: "Tries in one receive, the first included.",
        kind: ParameterKind::Count { from: 1, to: MOST_ATTEMPTS },
        default: Some(Value::Count(default)),
    }
}

/// A wait between tries. An hour of microseconds fits 32 bits.
const fn wait(name: &'static str, meaning: &'static str, default: Value) -> Parameter {
    let kind = ParameterKind::Duration { from_us: MILLISECOND_US, to_us: HOUR_US };
    Parameter { name, meaning, kind, default: Some(default) }
}

#[derive(Debug)]
struct Retries {
    /// What the wait after each try but the last is drawn from.
    waits_us: Vec<Spread>,
}

impl Retries {
    fn new(values: &Values) -> Self {
        let (jitter, factor, cap_us) = (values.jitter("jitter"), values.number("factor"), values.us("cap") as f64);
        let mut next_us = values.us("base") as f64;
        let waits_us = (1..values.count("attempts")).map(|_| {
            let wait_us = next_us.min(cap_us).round() as u32;
            next_us = (next_us * factor).min(cap_us);
            jitter.spread(wait_us, u32::MAX)
        });
        Self { waits_us: waits_us.collect() }
    }
}

impl ClientRules for Retries {
    fn failed(&mut self, _now_us: u64, error: AttemptError, tries: u32, draw: &mut KeyedDraw) -> Option<u64> {
        let wait_us = self.wait_us(tries).filter(|_| may_pass(error))?;
        Some(wait_us.draw(draw).into())
    }

    fn wait_us(&self, tries: u32) -> Option<Spread> {
        self.waits_us.get(tries.checked_sub(1)? as usize).copied()
    }
}
