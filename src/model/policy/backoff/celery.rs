//! Celery's `retry_backoff`.

use super::delays::delays_s;
use super::{Backoff, BackoffKind, usual_delay};
use crate::model::policy::catalogue::{About, Kind, Parameter, ParameterKind, Value};
use crate::model::policy::jitter::Jitter;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "celery",
        title: "Celery's backoff",
        summary: "Celery's `retry_backoff`; only its delays.",
        formula: "d = min(retry_backoff_max, retry_backoff × 2^(n − 1)); with retry_jitter U{0..d}",
        source: "celery/celery: get_exponential_backoff_interval in celery/utils/time.py; defaults of the user guide, \
                 \"Automatic retry for known exceptions\". The delay is what is reproduced: Celery itself \
                 publishes the task anew, with an ETA.",
        mistake: "With its defaults against an outage: the first three delays are 3.5 s together on average, the first \
                  ten 8.5 min.",
        parameters: &[
            usual_delay("retry_backoff", "First delay; Celery's `True` is 1 s.", 1),
            usual_delay("retry_backoff_max", "Largest delay.", 600),
            Parameter {
                name: "retry_jitter",
                meaning: "Whether a delay is drawn evenly from 0 to itself.",
                kind: ParameterKind::Switch,
                default: Some(Value::Switch(true)),
            },
        ],
        ordered: &[],
        example: &[],
    },
    build: |values| {
        let cap_s = values.seconds("retry_backoff_max");
        let delays_s = delays_s(cap_s, f64::from(values.seconds("retry_backoff")), |delay_s| delay_s * 2.0);
        let delays_s = delays_s.into_iter().map(|delay_s| delay_s as u32).collect();
        let jitter = if values.switch("retry_jitter") { Jitter::Full } else { Jitter::None };
        Some(Backoff::new(delays_s, cap_s, jitter))
    },
};
