//! A Lambda event source mapping as it is written.

use super::RawDistribution;
use crate::model::consumer::{BatchResponses, RecordOrder, ThrottledBatches};
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::{Count, Duration, Share};

mapping! {
    /// A Lambda function behind an event source mapping, in place of a fleet (rules L1 to L6).
    RawLambda is "a Lambda mapping" {
        /// Messages of a batch at most, 1 to 10; with a window up to 10000 (rule L2). Default: 10.
        batch: Count [1 to 10_000],
        /// How long a batch is filled, counted from its first message, whole seconds from 0s to 300s (rule L2). With 0s one
        /// receive call is one batch. Default: 0s.
        window: Duration,
        /// When an invocation is ended, whole seconds from 1s to 15m; not above the queue's visibility timeout (rule L3).
        /// Default: 3s.
        timeout: Duration,
        /// Invocations that may run at the same time, or none for any number (rule L6). Default: none.
        reserved_concurrency: OrNone<Count>,
        /// Batches that may be in hand at the same time, 2 to 1000, or none for any number: stops the reading (rule L1).
        /// Default: none.
        maximum_concurrency: OrNone<Count>,
        /// What an invocation says of its batch (rule L4). Default: whole_batch.
        responses: BatchResponses,
        /// Share of the answers that cannot be read or name a message of another batch: all comes back (rule L4). Only with
        /// `responses: failed_items`. Default: 0%.
        unreadable_answers: Share,
        /// Share of the invocations that leave at the first error and answer with an empty list: all is deleted (rule L4).
        /// Only with `responses: failed_items`. Default: 0%.
        hides_failures: Share,
        /// What becomes of a batch that the function has no room for (rule L6). Default: reoffer.
        throttled: ThrottledBatches,
        /// Time from one offer of a throttled batch to the next, and pause of a poller that has dropped one, 1ms to 1d.
        /// Default: 1s.
        reoffer_after: Duration,
        /// How the function goes through a batch. Default: in_turn.
        records: RecordOrder,
        /// How long a new execution environment takes to start. Default: 0s.
        cold_start: RawDistribution,
        /// How long an idle environment is kept, at most 1d. Default: 10m.
        kept_warm: Duration,
        /// Memory of the function in MB, 128 to 10240, for `function_gb_s`. Default: 128.
        memory_mb: Count [128 to 10_240],
        /// How many pollers there are (rule L1).
        pollers: RawPollers,
        /// Whether errors of the function lower the number of pollers; never with `responses: failed_items` (rule L5).
        /// Default: true.
        backs_off_on_errors: bool,
        /// Whether throttled batches lower it too. Default: false.
        backs_off_on_throttles: bool,
    }
}

mapping! {
    /// How many pollers a mapping has, each with one batch at a time (rule L1).
    RawPollers is "the pollers" {
        /// Pollers at the start, and the fewest later, at least 1. Default: 5.
        initial: Count [1 to 100_000],
        /// How many more there are after a minute of backlog, and fewer after a quiet one. Default: 300.
        per_minute: Count [0 to 1_000_000],
        /// Most pollers, at least `initial`. Default: 1250.
        most: Count [1 to 100_000],
    }
}

words! {
    BatchResponses is "what an invocation says of its batch" {
        "whole_batch" = WholeBatch, "Success or error: one failed message brings all back.";
        "failed_items" = FailedItems, "Which messages have failed, and only those come back: ReportBatchItemFailures.";
    }
}

words! {
    ThrottledBatches is "what becomes of a throttled batch" {
        "reoffer" = Reoffer, "It is offered again and again until its lease ends; its poller waits with it.";
        "prefetch" = Prefetch, "It waits in line until its lease ends; its poller reads one more batch meanwhile.";
        "drop" = Drop, "It is given up, and its messages come back when their leases end.";
    }
}

words! {
    RecordOrder is "how a function goes through a batch" {
        "in_turn" = InTurn, "One message after the other; an error that leaves the function leaves the rest undone.";
        "at_once" = AtOnce, "All at the same time.";
    }
}
