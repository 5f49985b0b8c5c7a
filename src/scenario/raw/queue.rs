//! The queue as it is written.

use crate::model::queue::{RedriveTiming, ReturnOrder, TwelveHourClock};
use super::{RawConsumers, RawPolicy};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration};

mapping! {
    /// A standard queue. What is not given is as the service has it.
    RawQueue is "the queue" {
        /// How long a received message stays hidden, whole seconds from 0s to 12h (rule Q2). Default: 30s.
        visibility_timeout: Duration,
        /// How long a message is kept, counted from its enqueue, 60s to 14d (rule Q10). Default: 4d.
        retention: Duration,
        /// When messages move to the dead-letter queue (rule Q7). Default: none, they circulate until retention.
        redrive: OrNone<RawRedrive>,
        /// The dead-letter queue.
        dead_letter_queue: RawDeadLetterQueue,
        /// Whether a message with three and more receives goes to the back of the queue (rule Q8). Default: true.
        back_of_queue: bool,
        /// Where other returned messages stand (rule Q9). Default: by_age.
        return_order: ReturnOrder,
        /// Where the twelve hours of the visibility ceiling start (rule Q5). Default: per_receive.
        twelve_hour_clock: TwelveHourClock,
    }
}

mapping! {
    /// A redrive policy; `{}` has every default.
    RawRedrive is "redrive" {
        /// Receives before a message moves to the dead-letter queue, 1 to 1000 (rule Q7). Default: 10.
        max_receive_count: Count [1 to 1_000],
        /// When the move happens (rule Q7). Default: lazy.
        timing: RedriveTiming,
    }
}

mapping! {
    /// The dead-letter queue.
    RawDeadLetterQueue is "the dead-letter queue" {
        /// How long it keeps a message, counted from the original enqueue, 60s to 14d (rule Q11). Default: 14d.
        retention: Duration,
        /// Its visibility timeout, whole seconds from 0s to 12h (rule Q2). Default: 30s.
        visibility_timeout: Duration,
        /// Who works on it. Default: nobody.
        consumers: RawConsumers,
        /// What its consumers do after a failed attempt. Default: nothing, the lease expires.
        policy: RawPolicy,
    }
}

words! {
    RedriveTiming is "a redrive timing" {
        "lazy" = Lazy, "When a later receive call meets the message: what the service does.";
        "eager" = Eager, "When the last lease ends: what one emulator does.";
    }
}

words! {
    ReturnOrder is "a return order" {
        "by_age" = ByAge, "By its enqueue time: near the front.";
        "by_visible_time" = ByVisibleTime, "By the moment at which it became visible again: at the back.";
        "random" = Random, "Anywhere among the visible messages.";
    }
}

words! {
    TwelveHourClock is "a twelve-hour clock" {
        "per_receive" = PerReceive, "Starts at the receive that the lease belongs to.";
        "lifetime" = Lifetime, "Starts at the first receive of the message.";
    }
}
