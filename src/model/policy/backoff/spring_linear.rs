//! The linear error handler of Spring Cloud AWS (rule S3, error handlers).

use super::linear::climb_s;
use super::{Backoff, BackoffKind, LONGEST_S, usual_delay};
use crate::model::policy::catalogue::{About, Kind};
use crate::model::policy::jitter::Jitter;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "spring-linear",
        title: "Spring's linear backoff",
        summary: "Spring Cloud AWS's handler that adds an increment.",
        formula: "d = min(cap, initial + increment × (n − 1))",
        source: "awspring/spring-cloud-aws 4: LinearBackoffErrorHandler.java and BackoffVisibilityConstants.java \
                 (rule S3, error handlers)",
        mistake: "With its defaults it hardly backs off: the first delay is 100 s, the tenth 118 s, and there is no jitter.",
        parameters: &[
            usual_delay("initial", "First delay, `initialVisibilityTimeoutSeconds`.", 100),
            usual_delay("increment", "What each further attempt adds, `increment`.", 2),
            usual_delay("cap", "Largest delay, `maxVisibilityTimeoutSeconds`.", LONGEST_S),
        ],
        ordered: &[("initial", "cap")],
        example: &[],
    },
    build: |values| {
        let [initial_s, increment_s, cap_s] = ["initial", "increment", "cap"].map(|name| values.seconds(name));
        Some(Backoff::new(climb_s(initial_s, increment_s, cap_s), cap_s, Jitter::None))
    },
};
