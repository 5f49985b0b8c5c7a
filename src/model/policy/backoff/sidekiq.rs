//! Sidekiq's retry delays.

use super::{Backoff, BackoffKind, LONGEST_S};
use crate::model::policy::catalogue::{About, Kind};
use crate::model::policy::spread::Spread;

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "sidekiq",
        title: "Sidekiq's backoff",
        summary: "Sidekiq's fourth power; only its delays.",
        formula: "(n − 1)^4 + 15 + U{0..10 × n − 1}, at most 12 h",
        source: "sidekiq/sidekiq 8.1: lib/sidekiq/job_retry.rb, delay_for and attempt_retry. Version 7 drew \
                 rand(10) × n, older ones rand(30) × n. The delay \
                 is what is reproduced: Sidekiq itself keeps a retry set in Redis.",
        mistake: "On a queue with few receives: its 25 retries take three weeks, which neither a lease nor the retention \
                  of a queue allows. After the fifteenth the delays are cut to 12 h.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Some(Backoff::of_spreads((1..=ATTEMPTS).map(spread_s).collect(), 0)),
};

/// 15^4 s are more than 12 h.
const ATTEMPTS: u32 = 16;

/// What the delay after an attempt is drawn from; Sidekiq counts retries, so the first failure has 0.
fn spread_s(attempt: u32) -> Spread {
    let retries = attempt - 1;
    let low = (retries.pow(4) + 15).min(LONGEST_S);
    Spread { low, more: (10 * attempt - 1).min(LONGEST_S - low) }
}
