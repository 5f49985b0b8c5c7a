//! An operator's actions as they are written.

use crate::model::operator::CountAfterRedrive;
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Rate};

mapping! {
    /// One action of an operator: `at`, and exactly one thing that is done.
    RawOperation is "an operation" {
        /// When the operator acts.
        at: Duration = required,
        /// A new visibility timeout of the queue, whole seconds from 0s to 12h. Running leases stay (rule Q17).
        visibility_timeout: Duration,
        /// A new maxReceiveCount, 1 to 1000.
        max_receive_count: Count [1 to 1_000],
        /// A new retention of the queue, 60s to 14d.
        retention: Duration,
        /// How long the change of an attribute takes to apply, at most 15m (rule Q17). Default: 60s, and 15m for retention.
        applies_after: Duration,
        /// Consumers from now on. New ones begin once they have started; dismissed ones poll no more.
        fleet: Count [1 to 1_000_000],
        /// How long consumers that `fleet` dismisses may go on with what they hold before they are killed, at most 1d, or
        /// none: to its end. Default: none.
        drain: OrNone<Duration>,
        /// Replace every consumer by a new process.
        deploy: RawDeploy,
        /// Stop polling, or poll again.
        polling: Polling,
        /// Move messages from the dead-letter queue back to where they came from (rule R1).
        redrive: RawRedriveTask,
        /// Do it again and again, so long after the last time, 1s to 365d. Default: it is done once.
        every: Duration,
    }
}

mapping! {
    /// A rolling deploy; `{}` has every default.
    RawDeploy is "a deploy" {
        /// How long a process may go on with what it holds before it is killed, at most 1d; 0s kills it at once. Default: 30s,
        /// as Kubernetes and Amazon ECS have it.
        drain: Duration,
        /// Consumers that are replaced at the same time, at least 1. Default: 1.
        at_once: Count [1 to 1_000_000],
    }
}

mapping! {
    /// A redrive task; `{}` has every default.
    RawRedriveTask is "a redrive task" {
        /// Messages per time, at most 500/s (rule R1). Default: 500/s.
        rate: Rate,
        /// Messages to move at most. Default: all that are in the dead-letter queue.
        messages: Count [1 to 1_000_000_000],
        /// What becomes of their receive counts (rule R1). Default: reset.
        receive_count: CountAfterRedrive,
    }
}

words! {
    CountAfterRedrive is "what becomes of receive counts" {
        "reset" = Reset, "They start at 0: each message is a new one.";
        "kept" = Kept, "They go on.";
    }
}

/// Whether consumers poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Polling {
    Pause,
    Resume,
}

words! {
    Polling is "an action on polling" {
        "pause" = Pause, "Consumers stop polling; what they hold is finished.";
        "resume" = Resume, "Consumers poll again.";
    }
}
