//! The consumers as they are written.

use super::{RawDistribution, RawHandlerTime, RawKeys, RawLambda, RawLike};
use crate::model::consumer::{GroupOrder, Overflow, Polls, ScalesOn};
use crate::scenario::language::{OrNone, mapping, one_of, words};
use crate::scenario::value::{Count, Duration};

mapping! {
    /// A fleet of equal consumers.
    RawConsumers is "the consumers" {
        /// A client library whose defaults lie under the keys of this section, and of the policy beside it. Default: none,
        /// the defaults of this language.
        like: RawLike,
        /// Consumer processes, at least 1. Default: 1.
        fleet: Count [1 to 1_000_000],
        /// Slots of each consumer: messages that it handles at the same time, at least 1. Default: 10.
        concurrency: Count [1 to 1_000_000],
        /// Messages that one receive call asks for at most, 1 to 10 (rule Q13). Default: 10.
        batch: Count [1 to 10],
        /// How long a receive call waits for messages, whole seconds from 0s to 20s (rule Q13). Default: 20s.
        wait: Duration,
        /// Pause of a consumer after an empty poll, at most 1h. Default: 1s with `wait: 0s`, otherwise 0s.
        pause: Duration,
        /// Messages that a consumer may hold beyond its slots; their leases run meanwhile (rule Q3). Default: 0.
        prefetch: Count [0 to 1_000_000],
        /// When a consumer polls. Default: when_room.
        polls: Polls,
        /// On FIFO queues, how a consumer works on the messages of one group. Default: at_once.
        groups: GroupOrder,
        /// With `polls: always`, what becomes of received messages that a consumer has no place for. Default: leave.
        overflow: Overflow,
        /// Whether a message is dropped whose lease has ended in the buffer when its turn comes: no handler, no delete.
        /// Default: false.
        drops_aged: bool,
        /// When a consumer deletes the messages that it works on. Default: each.
        acknowledge: RawAcknowledge,
        /// The handler's own work on a message before it calls the downstream. Default: 0s.
        handler_time: RawHandlerTime,
        /// How long a crashed consumer needs to come back, at least 1ms. Default: 10s.
        restart: Duration,
        /// How long a new process takes before its first poll, at most 1d: after a deploy, and when an operator scales the
        /// fleet out. Default: 0s.
        start_up: Duration,
        /// How long a process lives before it crashes by itself, or none. Default: none.
        crashes_after: OrNone<RawDistribution>,
        /// How consumers extend the lease of a message that they work on, or none. Default: none.
        heartbeat: OrNone<RawHeartbeat>,
        /// When a handler that is still at work is killed, counted from its start, at least 1ms, or none. Its message is left
        /// to its lease. Default: none.
        handler_timeout: OrNone<Duration>,
        /// How often somebody looks for handlers to be killed, from 0s on, so that they are killed late, or none: at all times.
        /// 1ms to 1d. Default: none.
        handler_timeout_checked_every: OrNone<Duration>,
        /// A store of what is done, looked up before each call and written after each good one, or none. Default: none.
        idempotency_store: OrNone<RawKeys>,
        /// Who changes the size of the fleet, or none. Default: none.
        autoscale: OrNone<RawAutoscale>,
        /// A Lambda event source mapping in place of a fleet, or none. Default: none.
        lambda: OrNone<RawLambda>,
    }
}

words! {
    Polls is "when a consumer polls" {
        "when_room" = WhenRoom, "For as long as it has room in its slots and its buffer.";
        "when_empty" = WhenEmpty, "When it holds nothing: a batch is done before the next one is asked for.";
        "always" = Always, "All the time, room or not.";
    }
}

words! {
    GroupOrder is "how a consumer works on a group" {
        "at_once" = AtOnce, "Side by side, as far as it has slots.";
        "in_turn" = InTurn, "One after the other; after a failure the others are left to their leases.";
    }
}

words! {
    Overflow is "what becomes of messages that there is no place for" {
        "leave" = Leave, "They are left to their leases.";
        "release" = Release, "They are made visible again, 20 ms later.";
    }
}

one_of! {
    /// When a consumer deletes the messages that it works on.
    RawAcknowledge is "when messages are deleted" {
        word "each" = Each, "Each as soon as its work is done.";
        word "early" = Early, "Each before its handler begins: what fails then is lost.";
        kind "batched" = Batched(RawBatchedAcknowledgement), "Several with one request (rule S2).";
    }
}

mapping! {
    /// Deletes that are held back until there are several (rule S2). On a FIFO queue none is.
    RawBatchedAcknowledgement is "batched acknowledgement" {
        /// How long after the first of them was done all are sent, 1ms to 1h. Default: 1s.
        every: Duration,
        /// So many are sent at once, 1 to 1000. Default: 10.
        messages: Count [1 to 1_000],
    }
}

mapping! {
    /// A lease that is extended again and again while its handler works (rule Q4). Messages in the prefetch buffer are not
    /// worked on yet.
    RawHeartbeat is "a heartbeat" {
        /// Time from one extension to the next, at least 1s; the first is that long after the handler's start. Has to
        /// be given.
        every: Duration,
        /// The visibility that each extension sets, whole seconds from 1s to 12h (rule Q5). Has to be given.
        extend_to: Duration,
        /// Time from the handler's start after which nothing is extended any more, or none. Default: none.
        at_most: OrNone<Duration>,
    }
}

mapping! {
    /// An autoscaler: as many consumers as the backlog asks for. `fleet` is the size at the start.
    RawAutoscale is "an autoscaler" {
        /// Which messages it counts. Default: visible.
        counts: ScalesOn,
        /// Messages a consumer, at least 1. Has to be given.
        target: Count [1 to 1_000_000_000],
        /// Fewest consumers, at least 1. Default: 1.
        min: Count [1 to 1_000_000],
        /// Most consumers, at least `min`. Has to be given.
        max: Count [1 to 1_000_000],
        /// Time from one look at the backlog to the next, 1s to 1d. Default: 60s.
        every: Duration,
        /// Time since the last change before consumers are dismissed, at most 1d. Default: 5m.
        cooldown: Duration,
        /// How long a new consumer takes to start, at most 1d. Default: 0s.
        start_up: Duration,
        /// How long a dismissed consumer may go on with what it holds before it is killed, at most 1d, or none: to its end.
        /// Default: none.
        drain: OrNone<Duration>,
    }
}

words! {
    ScalesOn is "what an autoscaler counts" {
        "visible" = Visible, "Messages that wait.";
        "visible_and_in_flight" = VisibleAndInFlight, "Messages that wait, and those under a lease.";
    }
}
