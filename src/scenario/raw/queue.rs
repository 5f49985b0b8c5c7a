//! The queue as it is written.

use super::{RawConsumers, RawPolicy};
use crate::model::queue::{QueueKind, RedriveTiming, ReturnOrder, StaleDelete, TwelveHourClock};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Share};

mapping! {
    /// A standard queue. What is not given is as the service has it.
    RawQueue is "the queue" {
        /// Standard or FIFO. Default: standard.
        kind as "type": QueueKind,
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
        /// How long a new message is held back, whole seconds from 0s to 15m (rule Q16). Default: 0s.
        delay: Duration,
        /// Messages that may be in flight at the same time (rule Q12). Default: 120000.
        in_flight_limit: Count [1 to 1_000_000_000],
        /// What a delete does whose receipt is older than the latest receive (rule Q15). Default: ignored.
        stale_delete: StaleDelete,
        /// Share of deliveries whose message is returned once more, without any failure (rule Q14). Default: 0%.
        duplicates: Share,
        /// Share of deliveries that reach nobody (rule Q14). Default: 0%.
        lost_deliveries: Share,
        /// Messages that a FIFO queue searches for groups that are free (rule F6). Default: 120000.
        look_ahead: Count [1 to 1_000_000_000],
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
    QueueKind is "a type of queue" {
        "standard" = Standard, "At-least-once delivery, best-effort order.";
        "fifo" = Fifo, "Message groups in order; a message that is not deleted blocks its group.";
    }
}

words! {
    StaleDelete is "what a stale delete does" {
        "ignored" = Ignored, "It succeeds and changes nothing.";
        "deletes" = Deletes, "It deletes: what one emulator does.";
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
