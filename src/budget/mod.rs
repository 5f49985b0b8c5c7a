//! The arithmetic of retries alone: when each attempt of a message begins, and when it is dead-lettered, if all of them fail.
//!
//! Nothing is simulated. Delays are whole seconds, so that their sums have distributions that can be worked out: mean and
//! ends are exact, and the chances between them are sums of chances (convolutions), on a grid that is coarser than a second
//! only where a second would take too long. What is left out is everything that depends on load: the wait for the next poll, a
//! busy consumer, a downstream that is overwhelmed.

mod chances;
mod decorrelated;
mod distribution;
mod grid;
mod outage;
mod retention;
mod scale;
mod settings;
mod sums;

pub use outage::{RideOut, RideOutVerdict};
pub use retention::{RetentionCheck, RetentionVerdict};
pub use settings::{BudgetSettings, NoBudget};

use sums::Sums;

/// When something happens, counted from the first receive, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The mean; exact.
    pub mean_s: f64,
    /// The earliest; exact.
    pub low_s: f64,
    /// The moment before or at which half of all cases are.
    pub p50_s: f64,
    /// The same of 95 %.
    pub p95_s: f64,
    /// The same of 99 %.
    pub p99_s: f64,
    /// The latest; exact.
    pub high_s: f64,
}

/// One attempt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// Its number; the first has 1.
    pub number: u32,
    /// When it begins.
    pub begins: Moment,
    /// The mean of the wait after it, from its failure on; without a backoff, from its receive.
    pub wait_mean_s: f64,
    /// The shortest such wait.
    pub wait_low_s: f64,
    /// The longest such wait.
    pub wait_high_s: f64,
}

/// What the retries of a message amount to.
///
/// # Example
/// Six receives with full jitter from 10 s to 300 s: 5 + 10 + 20 + 40 + 80 + 150 s on the mean.
/// ```
/// use retrystorm::budget::{Budget, BudgetSettings};
/// use retrystorm::model::policy::catalogue::{Settings, Value};
/// use retrystorm::model::policy::{Jitter, backoff};
///
/// let kind = backoff("exponential").expect("it is in the catalogue");
/// let given = [("base", Value::seconds(10)), ("cap", Value::seconds(300)), ("jitter", Value::Jitter(Jitter::Full))];
/// let settings = BudgetSettings {
///     backoff: Settings::new(kind, &given)?,
///     max_receive_count: 6,
///     ..BudgetSettings::default()
/// };
/// let budget = Budget::of(&settings)?;
/// assert_eq!(budget.to_dead_letter_queue.mean_s, 305.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// The attempts, from the first on.
    pub attempts: Vec<Attempt>,
    /// When the message moves to the dead-letter queue, if somebody polls then (rule Q7, lazy redrive).
    pub to_dead_letter_queue: Moment,
    /// Whether the attempts outlast an outage, if one was asked for.
    pub ride_out: Option<RideOut>,
    /// Whether all that is far enough below the retention.
    pub retention: RetentionCheck,
    /// How fine the chances are, in seconds; 1 where they are exact.
    pub grid_s: u64,
}

impl Budget {
    /// The budget of these settings.
    ///
    /// # Errors
    /// Where there is none that arithmetic knows; see [`NoBudget`].
    pub fn of(settings: &BudgetSettings) -> Result<Self, NoBudget> {
        settings.check()?;
        let sums = Sums::of(settings);
        let waits = sums.waits.clone();
        let mut after = sums.after();
        let mut attempts = Vec::with_capacity(waits.len());
        let mut ride_out = None;
        for (number, wait) in (1..=settings.max_receive_count).zip(waits) {
            let Some(sum) = after.next() else { break };
            let begins = sum.moment();
            attempts.push(Attempt {
                number,
                begins,
                wait_mean_s: wait.mean_s,
                wait_low_s: wait.low_s,
                wait_high_s: wait.high_s,
            });
            if number == settings.max_receive_count {
                ride_out = settings.outage_s.map(|outage_s| RideOut::of(outage_s, &sum));
            }
        }
        let all = after.next().ok_or(NoBudget::NoLimit)?;
        let to_dead_letter_queue = all.moment();
        Ok(Self {
            attempts,
            to_dead_letter_queue,
            ride_out,
            retention: RetentionCheck::of(settings, &to_dead_letter_queue, &all),
            grid_s: all.drawn.grid_s,
        })
    }
}
