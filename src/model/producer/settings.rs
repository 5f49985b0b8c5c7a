//! What a producer is configured with.

/// Which share of a producer's messages is of which class; the rest is valid.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClassShares {
    /// Share of messages that always fail, 0 to 1.
    pub permanent: f64,
    /// Share of messages that crash the consumer, 0 to 1; with `permanent` at most 1.
    pub poison: f64,
}

/// One step of a measured arrival profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProfileStep {
    /// Start of the step.
    pub from_us: u64,
    /// End of the step.
    pub until_us: u64,
    /// Messages that arrive within it.
    pub messages: u64,
}

/// How messages arrive.
#[derive(Debug, Clone, PartialEq)]
pub enum Arrivals {
    /// At random moments with a constant mean rate.
    Poisson {
        /// Mean messages a second.
        rate_per_s: f64,
    },
    /// Evenly spaced.
    Constant {
        /// Messages a second.
        rate_per_s: f64,
    },
    /// Many at the same instant, once or again and again.
    Burst {
        /// Messages in each burst.
        messages: u64,
        /// Time from one burst to the next; `None`: a single burst at the producer's start.
        every_us: Option<u64>,
    },
    /// As measured: an exact number in each step, spread evenly with jitter inside it. Steps are in order of time.
    Profile {
        /// The steps.
        steps: Vec<ProfileStep>,
    },
}

/// One producer: one phase of arrivals.
#[derive(Debug, Clone, PartialEq)]
pub struct ProducerSettings {
    /// How its messages arrive.
    pub arrivals: Arrivals,
    /// When it starts.
    pub from_us: u64,
    /// When it stops (exclusive).
    pub until_us: u64,
    /// The classes of its messages.
    pub classes: ClassShares,
    /// Message groups that they are spread over at random, at least 1; a standard queue does not look at them.
    pub groups: u32,
}
