//! A producer as it is written.

use crate::model::producer::Deduplication;
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Rate, Share};

mapping! {
    /// One phase of arrivals: exactly one of `rate`, `burst` and `profile`.
    RawProducer is "a producer" {
        /// Messages per time, such as 800/s, 2/m or 10/h.
        rate: Rate,
        /// How messages of a `rate` arrive. Default: poisson.
        arrivals: ArrivalKind,
        /// Messages that arrive at the same instant.
        burst: Count [1 to 1_000_000_000],
        /// Time from one burst to the next. Default: a single burst at `from`.
        every: Duration,
        /// A CSV file, relative to the scenario, with the columns time (seconds or a duration, counted from `from`) and
        /// messages (that arrive until the next row's time).
        profile: String,
        /// When it starts. Default: 0s.
        from: Duration,
        /// When it stops, exclusive. Default: the end of the run; a profile stops at its own end.
        until: Duration,
        /// Which share of the messages is of which class; the rest is valid.
        classes: RawClasses,
        /// Message groups that its messages are spread over at random (rule F1); for FIFO queues. Default: 1.
        groups: Count [1 to 1_000_000],
        /// The tenant that its messages are of. Default: that of all producers that name none.
        tenant: String,
        /// What it sends twice, as two messages, or none. Default: none.
        sent_twice: OrNone<RawSentTwice>,
        /// What its deduplication ids tell apart (rule F7); for FIFO queues. Default: message.
        deduplication: Deduplication,
    }
}

mapping! {
    /// A producer that is unsure whether a send has worked, and sends again: two messages with the same business key.
    RawSentTwice is "what is sent twice" {
        /// Share of the messages.
        share: Share = required,
        /// Time from the first send to the second. Default: 1s.
        after: Duration,
    }
}

words! {
    Deduplication is "what deduplication ids tell apart" {
        "message" = Message, "Every message: one that is sent twice is two messages.";
        "business_key" = BusinessKey, "Every business key: the second send is not taken within five minutes.";
    }
}

mapping! {
    /// Shares of messages that can never succeed; together at most 100%.
    RawClasses is "classes" {
        /// Share of messages that fail at every attempt. Default: 0%.
        permanent: Share,
        /// Share of messages that crash the consumer that handles them. Default: 0%.
        poison: Share,
    }
}

/// How messages of a constant rate arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum ArrivalKind {
    Poisson,
    Constant,
}

words! {
    ArrivalKind is "a kind of arrivals" {
        "poisson" = Poisson, "At random moments with a constant mean rate.";
        "constant" = Constant, "Evenly spaced.";
    }
}
