//! A policy that writes down what it is asked, so that single failures show and not only their sums.

use std::sync::Mutex;

use retrystorm::engine::random::KeyedDraw;
use retrystorm::engine::time::seconds;
use retrystorm::measure::Outcome;
use retrystorm::model::policy::{AttemptError, Disposition, FailedAttempt, RetryPolicy};
use retrystorm::simulation::simulate_with;

use crate::support::{run, scenario};

struct Spy {
    attempts: Mutex<Vec<FailedAttempt>>,
}

impl RetryPolicy for Spy {
    fn decide(&self, attempt: &FailedAttempt, _: &mut KeyedDraw) -> Disposition {
        self.attempts.lock().expect("no panic while it was held").push(*attempt);
        Disposition::LetLeaseExpire
    }
}

/// Runs the first variant without backoff; returns the failed attempts in order of time.
pub fn attempts(text: &str) -> (Outcome, Vec<FailedAttempt>) {
    let scenario = scenario(text);
    let spy = Spy { attempts: Mutex::default() };
    let outcome = simulate_with(&scenario.variants[0].setup, &spy, run(&scenario, 0)).expect("the ledger balances");
    (outcome, spy.attempts.into_inner().expect("no panic while it was held"))
}

/// The same as seconds since the message was first received, and why.
pub fn failures(text: &str) -> (Outcome, Vec<(f64, AttemptError)>) {
    let (outcome, attempts) = attempts(text);
    let seen = attempts.iter().map(|attempt| (seconds(attempt.since_first_receive_us), attempt.error));
    (outcome, seen.collect())
}
