//! One run: the only place that knows all parts. It takes an event from the agenda, asks the part that the event concerns,
//! and schedules what follows.
//!
//! A run reads no wall clock, no file and no thread: the same code can run anywhere.

mod acknowledging;
mod breakers;
mod breaking;
mod dead_letters;
mod event;
mod gates;
mod gating;
mod handling;
mod identity;
mod in_turn;
mod invoking;
mod keys;
mod limits;
mod line;
mod mapping;
mod observing;
mod offering;
mod operating;
mod overflowing;
mod processes;
mod receiving;
mod results;
mod scaling;
mod watching;
mod world;

pub use identity::MessageIdentity;
pub use observing::{Changed, DeadLettering, Happening, Sight, Standing};

use crate::engine::random::Streams;
use crate::measure::{Outcome, Unbalanced};
use crate::model::policy::{BackoffPolicy, PolicyOf, PolicySettings, RetryPolicy};
use crate::scenario::Setup;

/// Which run of a variant it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The seed of the study.
    pub seed: u64,
    /// Number of the replication. Replications of one seed are independent of each other; variants of one replication
    /// meet the same arrivals and the same luck.
    pub replication: u32,
    /// Simulated time.
    pub duration_us: u64,
}

impl Run {
    fn streams(&self) -> Streams {
        Streams::new(self.seed, self.replication)
    }
}

/// Runs a setup with the policy that it names.
///
/// # Errors
/// Where the ledger does not balance: a defect of this program.
///
/// # Example
/// Ten messages that can never succeed, three receives each, thirty seconds apart: all are dead-lettered after 90 s.
///
/// ```
/// use retrystorm::measure::Metric;
/// use retrystorm::scenario;
/// use retrystorm::simulation::{Run, simulate};
///
/// let scenario = scenario::parse(
///     "
/// duration: 5m
/// queue: { visibility_timeout: 30s, redrive: { max_receive_count: 3 } }
/// producers: [ { burst: 10, classes: { permanent: 100% } } ]
/// downstream: { servers: 5, service_time: 20ms }
/// variants: { no-backoff: {} }
/// ",
///     "example.yaml",
///     std::path::Path::new("."),
/// )?;
/// let run = Run { seed: scenario.seed, replication: 0, duration_us: scenario.duration_us };
/// let outcome = simulate(&scenario.variants[0].setup, run)?;
/// assert_eq!(outcome.metric(Metric::DeadLetteredPermanent), Some(10.0));
/// assert_eq!(outcome.metric(Metric::TimeToDlqMeanS), Some(90.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(setup: &Setup, run: Run) -> Result<Outcome, Unbalanced> {
    simulate_for(setup, run, ())
}

/// Runs a setup with the policy that it names, and tells somebody all that happens to its messages. The outcome is that of
/// [`simulate`]: who watches changes nothing.
///
/// # Errors
/// Where the ledger does not balance: a defect of this program.
///
/// # Example
/// ```
/// use retrystorm::scenario;
/// use retrystorm::simulation::{Happening, Run, simulate_watched};
///
/// let scenario = scenario::parse(
///     "
/// duration: 1m
/// producers: [ { burst: 3 } ]
/// downstream: { servers: 5, service_time: 20ms }
/// variants: { only: {} }
/// ",
///     "example.yaml",
///     std::path::Path::new("."),
/// )?;
/// let run = Run { seed: scenario.seed, replication: 0, duration_us: scenario.duration_us };
/// let mut successes = Vec::new();
/// simulate_watched(&scenario.variants[0].setup, run, &mut |sight| {
///     if matches!(sight.happening, Happening::CallWorked { .. }) {
///         successes.push((sight.at_us, sight.message.key));
///     }
/// })?;
/// assert_eq!(successes, [(20_000, 0), (20_000, 1), (20_000, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Inlined, so that the watched world is compiled in the crate that watches. In this one the parts of the model then have one
// world that calls them, and the compiler takes them into it: with two callers each, a run that nobody watches would cost
// six per cent more instructions.
#[inline]
pub fn simulate_watched(setup: &Setup, run: Run, watch: &mut dyn FnMut(&Sight)) -> Result<Outcome, Unbalanced> {
    simulate_for(setup, run, observing::Watching(watch))
}

fn simulate_for(setup: &Setup, run: Run, observer: impl observing::Observer) -> Result<Outcome, Unbalanced> {
    let policies: Vec<_> = setup.policies().map(policy).collect();
    let policies: Vec<_> = policies.iter().collect();
    world::World::new(setup, &policies, run, observer).run()
}

fn policy(settings: &PolicySettings) -> PolicyOf<BackoffPolicy> {
    PolicyOf { dispositions: settings.dispositions, backoff: BackoffPolicy::new(settings) }
}

/// Runs a setup with a policy of one's own in place of all the setup's backoffs and dispositions; its circuit breakers and
/// limits stay.
///
/// # Errors
/// Where the ledger does not balance: a defect of this program.
pub fn simulate_with(setup: &Setup, policy: &dyn RetryPolicy, run: Run) -> Result<Outcome, Unbalanced> {
    let policies: Vec<&dyn RetryPolicy> = setup.policies().map(|_| policy).collect();
    world::World::new(setup, &policies, run, ()).run()
}
