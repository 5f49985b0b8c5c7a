//! The exponential error handlers of Spring Cloud AWS (rule S3, error handlers).

use super::delays::delays_s;
use super::{Backoff, BackoffKind, JitterChoice, LONGEST_S, factor, jitter, usual_delay};
use crate::model::policy::catalogue::{About, Kind};
use crate::model::policy::jitter::Jitter;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "spring-exponential",
        title: "Spring's exponential backoff",
        summary: "Spring Cloud AWS's handlers, with their jitters.",
        formula: "d = min(cap, initial × multiplier^(n − 1)), cut to whole seconds; full jitter: max(1, U{0..d}); half \
                  jitter: U{⌈d/2⌉..d}",
        source: "awspring/spring-cloud-aws 4: ExponentialBackoffErrorHandler.java, Jitter.java and \
                 BackoffVisibilityConstants.java (rule S3, error handlers)",
        mistake: "With its defaults on a short retention or few receives: the first delay is 100 s and the tenth 12 h, \
                  which the queue refuses as soon as the handler has taken any time.",
        parameters: &[
            usual_delay("initial", "First delay, `initialVisibilityTimeoutSeconds`.", 100),
            factor("multiplier"),
            usual_delay("cap", "Largest delay, `maxVisibilityTimeoutSeconds`.", LONGEST_S),
            jitter(JitterChoice::Only(&["none", "full", "equal", "half"]), None),
        ],
        ordered: &[("initial", "cap")],
        example: &[],
    },
    build: |values| {
        let cap_s = values.seconds("cap");
        let multiplier = values.number("multiplier");
        let delays_s = delays_s(cap_s, f64::from(values.seconds("initial")), |delay_s| delay_s * multiplier);
        let delays_s = delays_s.into_iter().map(|delay_s| delay_s as u32).collect();
        let jitter = match values.jitter("jitter") {
            // Spring never asks for a visibility of nothing.
            Jitter::Full => Jitter::FlooredFull { floor_s: 1 },
            other => other,
        };
        Some(Backoff::new(delays_s, cap_s, jitter))
    },
};
