//! What an operator does to a running system, from a console.

/// One action of an operator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation {
    /// When the operator acts.
    pub at_us: u64,
    /// What is done.
    pub action: Action,
}

/// What an operator can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action {
    /// Change an attribute of the queue; running leases stay as they are (rule Q17, slow attribute changes).
    Change {
        /// Which one, and to what.
        attribute: Attribute,
        /// How long the change takes to apply.
        applies_after_us: u64,
    },
    /// Scale the fleet. New consumers begin once they have started; dismissed ones poll no more.
    Scale {
        /// Consumers from now on, at least 1.
        fleet: u32,
        /// How long dismissed ones may go on with what they hold before they are killed; `None`: to its end.
        drain_us: Option<u64>,
    },
    /// Replace every consumer's process by a new one, a few at a time.
    Deploy {
        /// How long a process may go on with what it holds before it is killed.
        drain_us: u64,
        /// Consumers that are replaced at the same time, at least 1.
        at_once: u32,
    },
    /// Stop polling; what consumers hold is finished.
    PausePolling,
    /// Poll again.
    ResumePolling,
    /// Move messages from the dead-letter queue back to the queues that they came from (rule R1, message move task).
    Redrive {
        /// Messages a second, at most 500.
        rate_per_s: f64,
        /// Messages to move at most; `None`: until the dead-letter queue is empty.
        messages: Option<u64>,
        /// What becomes of their receive counts.
        receive_count: CountAfterRedrive,
    },
}

/// What a redrive makes of a message's receive count (rule R1, message move task).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CountAfterRedrive {
    /// It starts at 0: the message is a new one.
    #[default]
    Reset,
    /// It goes on, so that a message may go back to the dead-letter queue at the first receive call that meets it.
    Kept,
}

/// An attribute of a queue that can be changed while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// The visibility timeout.
    VisibilityTimeout {
        /// The new one.
        timeout_us: u64,
    },
    /// maxReceiveCount of the redrive policy.
    MaxReceiveCount {
        /// The new one.
        receives: u32,
    },
    /// The retention.
    Retention {
        /// The new one.
        retention_us: u64,
    },
}
