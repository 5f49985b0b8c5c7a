//! What a budget is worked out from.

use crate::engine::time::seconds;
use crate::model::policy::{BackoffSettings, ClassDisposition};
use crate::scenario::Setup;

/// Queue, policy and handler, as far as the arithmetic of retries needs them.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetSettings {
    /// Visibility timeout of the queue.
    pub visibility_timeout_s: f64,
    /// The delay after a failure; without a backoff the lease runs out.
    pub backoff: BackoffSettings,
    /// No delay of the backoff is shorter.
    pub floor_s: u32,
    /// How often a message is received before it is moved.
    pub max_receive_count: u32,
    /// Time from a receive to its failure.
    pub handler_s: f64,
    /// Retention of the queue.
    pub retention_s: f64,
    /// Retention of the dead-letter queue.
    pub dead_letter_retention_s: f64,
    /// Length of an outage that the attempts shall outlast.
    pub outage_s: Option<f64>,
}

impl Default for BudgetSettings {
    /// The queue's own defaults, without a policy; five receives.
    fn default() -> Self {
        Self {
            visibility_timeout_s: 30.0,
            backoff: BackoffSettings::default(),
            floor_s: 0,
            max_receive_count: 5,
            handler_s: 0.0,
            retention_s: 345_600.0,
            dead_letter_retention_s: 1_209_600.0,
            outage_s: None,
        }
    }
}

/// Why there is no budget.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoBudget {
    /// The queue has no redrive policy.
    #[error("the queue has no limit of receives (`queue.redrive`): messages are tried until retention deletes them")]
    NoLimit,
    /// The handler takes as long as the lease, or longer.
    #[error(
        "the handler takes {handler_s} s and the lease is over after {visibility_timeout_s} s: the next receive comes \
         while the attempt before is still at work, which only a simulation can follow; make the visibility timeout \
         longer than the handler, or `run` a scenario"
    )]
    LeaseTooShort {
        /// Time from a receive to its failure.
        handler_s: f64,
        /// The lease.
        visibility_timeout_s: f64,
    },
    /// What is done after a transient error is no matter of waiting.
    #[error(
        "the policy does not back off after transient errors (`policy.dispositions`), so that there is no wait to add up"
    )]
    NotBackedOff,
    /// A breaker decides when messages are received.
    #[error("the policy has a breaker, which keeps messages from being received: `run` the scenario")]
    Breaker,
}

impl BudgetSettings {
    /// Those of a setup. The handler's time is not in it: calls that fail may be fast or slow.
    ///
    /// # Errors
    /// Where the setup has something that decides over the waits beside its backoff.
    pub fn of_setup(setup: &Setup) -> Result<Self, NoBudget> {
        let policy = &setup.policy;
        if policy.breaker.is_some() {
            return Err(NoBudget::Breaker);
        }
        if policy.dispositions.transient != ClassDisposition::BackOff {
            return Err(NoBudget::NotBackedOff);
        }
        Ok(Self {
            visibility_timeout_s: seconds(setup.queue.visibility_timeout_us),
            backoff: policy.backoff.clone(),
            floor_s: policy.floor_s,
            max_receive_count: setup.queue.max_receive_count.ok_or(NoBudget::NoLimit)?,
            retention_s: seconds(setup.queue.retention_us),
            dead_letter_retention_s: seconds(setup.dead_letter_queue.queue.retention_us),
            ..Self::default()
        })
    }

    /// Whether arithmetic has an answer.
    pub(super) fn check(&self) -> Result<(), NoBudget> {
        let Self { handler_s, visibility_timeout_s, .. } = *self;
        match handler_s > 0.0 && handler_s >= visibility_timeout_s {
            true => Err(NoBudget::LeaseTooShort { handler_s, visibility_timeout_s }),
            false => Ok(()),
        }
    }
}
