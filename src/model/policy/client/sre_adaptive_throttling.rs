//! The client-side throttling of Google's SRE book.

use super::window::Window;
use super::{CallAdmission, ClientKind, ClientRules};
use crate::engine::random::KeyedDraw;
use crate::engine::time::{HOUR_US, SECOND_US};
use crate::model::policy::AttemptError;
use crate::model::policy::catalogue::{About, Kind, Parameter, ParameterKind, Value};

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "sre-adaptive-throttling",
        title: "adaptive throttling",
        summary: "Google SRE: rejects what would not be accepted.",
        formula: "A call is rejected with probability max(0, (requests − k × accepts) / (requests + 1)), both counted over \
                  the window; rejected calls are requests too. Refused, throttled and timed-out calls are not accepted; \
                  all others are. No retries.",
        source: "Site Reliability Engineering, O'Reilly 2016, chapter 21 \"Handling Overload\", client-side throttling",
        mistake: "With few calls: for two minutes after an outage it still rejects calls that would succeed, and each \
                  rejected call is a receive of its message.",
        parameters: &[
            Parameter {
                name: "k",
                meaning: "Requests for each accepted one before any is rejected.",
                kind: ParameterKind::Number { from: 1.0, to: 1_000.0 },
                default: Some(Value::Number(2.0)),
            },
            Parameter {
                name: "window",
                meaning: "How long a call is remembered.",
                kind: ParameterKind::Duration { from_us: SECOND_US, to_us: HOUR_US },
                default: Some(Value::seconds(120)),
            },
        ],
        ordered: &[],
        example: &[],
    },
    build: |values| {
        let window_us = values.us("window");
        Box::new(Throttling {
            k: values.number("k"),
            requests: Window::new(window_us),
            accepts: Window::new(window_us),
        })
    },
};

#[derive(Debug)]
struct Throttling {
    k: f64,
    requests: Window,
    accepts: Window,
}

impl ClientRules for Throttling {
    fn admit(&mut self, now_us: u64, draw: &mut KeyedDraw) -> CallAdmission {
        let requests = self.requests.sum(now_us) as f64;
        let excess = requests - self.k * self.accepts.sum(now_us) as f64;
        self.requests.add(now_us, 1);
        let is_rejected = excess > 0.0 && draw.unit() < excess / (requests + 1.0);
        if is_rejected { CallAdmission::Rejected } else { CallAdmission::Go }
    }

    fn succeeded(&mut self, now_us: u64, _tries: u32, _last_error: Option<AttemptError>) {
        self.accepts.add(now_us, 1);
    }

    fn failed(&mut self, now_us: u64, error: AttemptError, _tries: u32, _draw: &mut KeyedDraw) -> Option<u64> {
        match error {
            AttemptError::Refused | AttemptError::TimedOut | AttemptError::Throttled | AttemptError::Rejected => {}
            AttemptError::Errored | AttemptError::Permanent | AttemptError::Unknown => self.accepts.add(now_us, 1),
        }
        None
    }
}
