//! What a producer is configured with.

use crate::engine::time::seconds;

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

/// A producer that is unsure whether a send has worked, and sends again: two messages with the same business key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SentTwice {
    /// Share of the messages, 0 to 1.
    pub share: f64,
    /// Time from the first send to the second.
    pub after_us: u64,
}

/// What the deduplication ids of a producer's messages tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deduplication {
    /// Every message: one that is sent twice is two messages.
    #[default]
    Message,
    /// Every business key: the second message is taken for the first one sent again.
    BusinessKey,
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
    /// The tenant that its messages are of.
    pub tenant: u8,
    /// What it sends twice, as two messages, if anything.
    pub sent_twice: Option<SentTwice>,
    /// What its deduplication ids tell apart (rule F7, deduplication); a standard queue does not look at them.
    pub deduplication: Deduplication,
    /// Message groups that they are spread over at random, at least 1; a standard queue does not look at them.
    pub groups: u32,
}

impl ProducerSettings {
    /// Messages that it sends on average before that moment, repeated sends not counted.
    pub fn expected_messages(&self, before_us: u64) -> f64 {
        let until_us = self.until_us.min(before_us);
        let length_s = seconds(until_us.saturating_sub(self.from_us));
        match &self.arrivals {
            Arrivals::Poisson { rate_per_s } | Arrivals::Constant { rate_per_s } => rate_per_s * length_s,
            Arrivals::Burst { messages, every_us: None } => *messages as f64,
            Arrivals::Burst { messages, every_us: Some(every_us) } => {
                *messages as f64 * (length_s / seconds((*every_us).max(1))).ceil().max(1.0)
            }
            Arrivals::Profile { steps } => {
                steps.iter().filter(|step| step.from_us < until_us).map(|step| step.messages as f64).sum()
            }
        }
    }

    /// A producer that sends plain, valid messages from the start to the end.
    pub fn new(arrivals: Arrivals) -> Self {
        Self {
            arrivals,
            from_us: 0,
            until_us: u64::MAX,
            classes: ClassShares::default(),
            tenant: 0,
            sent_twice: None,
            deduplication: Deduplication::default(),
            groups: 1,
        }
    }
}
