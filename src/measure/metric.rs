//! The metrics of a run: their names, units and definitions, in one table.

macro_rules! metrics {
    ($(#[$doc:meta])* $type:ident { $($variant:ident = $name:literal, $unit:literal, $definition:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $(#[doc = $definition] $variant,)*
        }

        impl $type {
            /// Every metric, in the order of reports.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name in scenarios and result files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The unit, for people.
            pub fn unit(self) -> &'static str {
                match self { $(Self::$variant => $unit),* }
            }

            /// What it counts, in one sentence.
            pub fn definition(self) -> &'static str {
                match self { $(Self::$variant => $definition),* }
            }

            /// The metric of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|metric| metric.name() == name)
            }
        }
    };
}

metrics! {
    /// One number of a run.
    Metric {
        Enqueued = "enqueued", "messages", "Messages that producers sent during the run.";
        Processed = "processed", "messages", "Messages deleted after a successful attempt.";
        DeadLettered = "dead_lettered", "messages", "Messages moved to the dead-letter queue.";
        DeadLetteredValid = "dead_lettered.valid", "messages", "Dead-lettered messages that nothing was wrong with.";
        DeadLetteredPermanent = "dead_lettered.permanent", "messages", "Dead-lettered messages that could never succeed.";
        DeadLetteredPoison = "dead_lettered.poison", "messages", "Dead-lettered messages that crash their consumer.";
        Expired = "expired", "messages", "Messages that retention removed from the queue.";
        ExpiredInDeadLetterQueue = "expired_in_dlq", "messages", "Dead-lettered messages that the dead-letter queue's own retention removed before the end of the run.";
        ProcessedInDeadLetterQueue = "processed_in_dlq", "messages", "Dead-lettered messages that consumers of the dead-letter queue processed.";
        Redriven = "redriven", "messages", "Messages that a redrive took out of the dead-letter queue and sent anew.";
        DeadLetteredAgain = "dead_lettered_again", "messages", "Dead-lettered messages that a redrive had sent anew.";
        DlqPeak = "dlq_peak", "messages", "Most messages in the dead-letter queue at the end of any second.";
        DeletedUnprocessed = "deleted_unprocessed", "messages", "Messages that a consumer deleted although no attempt succeeded.";
        GivenUpByMistake = "given_up_by_mistake", "messages", "Messages that a consumer dead-lettered or deleted on an error that it took for a permanent one.";
        WrittenDown = "written_down", "messages", "Messages that a consumer wrote down elsewhere before it deleted them.";
        Resent = "resent", "messages", "Copies of messages that consumers sent to their own queue, as new messages, instead of leaving the old ones to come back.";
        DuplicatesInDlq = "duplicates_in_dlq", "messages", "Dead letters that a consumer sent and whose message it did not delete: it crashed in between, or its lease had been lost.";
        Deduplicated = "deduplicated", "messages", "Messages that a producer sent again and the queue did not take, since it knew their deduplication id.";
        Pending = "pending", "messages", "Messages still in the queue at the end of the run, visible or in flight, or deleted early and still worked on.";
        Receives = "receives", "messages", "Messages returned by receive calls over the whole run, each return counted.";
        Calls = "calls", "calls", "Calls to the downstream that began during the run.";
        CallsFailed = "calls_failed", "calls", "Calls that ended in an error, a refusal or a timeout during the run.";
        CallsFailedPermanent = "calls_failed.permanent", "calls", "Calls that failed by the message's own fault.";
        CallsThrottled = "calls_throttled", "calls", "Calls that were answered with too many requests.";
        CallsRejected = "calls_rejected", "calls", "Attempts whose call the consumer's own limits did not let out; none of them counts as a call.";
        CallsSkipped = "calls_skipped", "calls", "Attempts that made no call because the consumers' store said that the message was done.";
        AttemptsDied = "attempts_died", "attempts", "Attempts at a message that ended because the consumer's process died: crashed, or killed by a deploy or when the fleet was scaled in.";
        HandlersKilled = "handlers_killed", "handlers", "Handlers that were killed because they took too long.";
        Overflowed = "overflowed", "messages", "Messages that a consumer received and had no place for, each receive counted.";
        AgedOut = "aged_out", "messages", "Messages that a consumer dropped from its buffer because their lease had ended.";
        AcknowledgementsLost = "acknowledgements_lost", "attempts", "Successful attempts whose delete a consumer held back and did not send, because it crashed.";
        VisibilityChangesRefused = "visibility_changes_refused", "requests", "Visibility changes after failures that the queue refused, since the lease would have lasted over 12 h in all.";
        CallsWasted = "calls_wasted", "calls", "Ended calls that brought no message its first success: failures and repeated successes.";
        Duplicates = "duplicates", "messages", "Successful attempts on messages that had succeeded before.";
        Effects = "effects", "effects", "Effects that good calls had at the downstream, those included whose caller had gone.";
        DuplicateEffects = "duplicate_effects", "effects", "Effects for a business key that had had its effect before.";
        CallsPeakPerS = "calls_peak_per_s", "calls/s", "Most calls that began within one second.";
        LoadSpike = "load_spike", "ratio", "Peak second of calls over the mean second of the time in which producers send.";
        CallsDuringOutage = "calls_during_outage", "calls", "Calls that began while an outage lasted.";
        BacklogPeak = "backlog_peak", "messages", "Most visible messages at the end of any second.";
        InFlightPeak = "in_flight_peak", "messages", "Most messages under a lease at the end of any second.";
        OldestAgePeakS = "oldest_age_peak_s", "s", "Greatest age of the oldest message with fewer than three receives, at the end of any second.";
        FleetPeak = "fleet_peak", "consumers", "Most consumers of the source queues at the end of any second.";
        FirstLossS = "first_loss_s", "s", "End of the second in which the first valid message was lost: dead-lettered, expired or deleted unprocessed.";
        SoundAgainS = "sound_again_s", "s", "End of the last second, from the first outage on, in which the share of the ended calls that failed, not counting failures that are the message's own fault, was over 5 points above the base error rate.";
        DegradedAfterOutageS = "degraded_after_outage_s", "s", "Time from the end of the last outage to the end of the last second that is not sound (`sound_again_s`); 0 where calls are sound by then. Exists where there is an outage.";
        BacklogClearedS = "backlog_cleared_s", "s", "End of the last second, from the first outage on, that leaves more messages waiting (visible, or leased with no consumer working on them) than one mean second of arrivals and than twice the mean before the outage.";
        BreakerOpenedS = "breaker_opened_s", "s", "End of the first second that leaves at least half of the breakers open or half-open.";
        BreakerClosedS = "breaker_closed_s", "s", "End of the first second after that which leaves fewer than half of the breakers open or half-open.";
        BreakerLastOpenS = "breaker_last_open_s", "s", "End of the last second that leaves at least half of the breakers open or half-open.";
        TimeToDlqMeanS = "time_to_dlq_s.mean", "s", "Mean time from a message's first receive to its move to the dead-letter queue.";
        TimeToDlqP50S = "time_to_dlq_s.p50", "s", "Median time from first receive to the move to the dead-letter queue.";
        TimeToDlqP95S = "time_to_dlq_s.p95", "s", "95th percentile of the time from first receive to the move to the dead-letter queue.";
        TimeToDlqMaxS = "time_to_dlq_s.max", "s", "Longest time from first receive to the move to the dead-letter queue.";
        TimeToSuccessP50S = "time_to_success_s.p50", "s", "Median time from enqueue to a message's first success.";
        TimeToSuccessP95S = "time_to_success_s.p95", "s", "95th percentile of the time from enqueue to first success.";
        TimeToSuccessP99S = "time_to_success_s.p99", "s", "99th percentile of the time from enqueue to first success.";
        TimeToSuccessBestTenantP95S = "time_to_success_s.p95.best_tenant", "s", "95th percentile of the time from enqueue to first success, of the tenant for whom it is the least.";
        SqsRequests = "sqs_requests", "requests", "Queue API actions of producers and consumers: sends, receives (empty ones too), deletes, visibility changes.";
        Invocations = "invocations", "invocations", "Invocations of Lambda functions that began.";
        InvocationsFailed = "invocations_failed", "invocations", "Invocations that brought their whole batch back: an error, a timeout, a crash, or an answer that could not be read.";
        InvocationsThrottled = "invocations_throttled", "offers", "Offers of a batch to a function that had no room for it.";
        BatchesDropped = "batches_dropped", "batches", "Batches that a mapping gave up without an invocation.";
        ColdStarts = "cold_starts", "invocations", "Invocations that had to wait for a new execution environment.";
        FunctionGbS = "function_gb_s", "GB-s", "Memory of functions times the time for which their ended invocations are billed.";
    }
}

metrics! {
    /// One column of the series: a flow (counted within each step) or a level (at the end of each step).
    SeriesMetric {
        Enqueued = "enqueued", "messages/s", "Messages sent.";
        Receives = "receives", "messages/s", "Messages returned by receive calls.";
        Calls = "calls", "calls/s", "Calls to the downstream that began.";
        Retries = "retries", "calls/s", "Calls of a second or later receive, and second or later tries within a receive.";
        Successes = "successes", "calls/s", "Calls that succeeded.";
        Failures = "failures", "calls/s", "Calls that failed.";
        DeadLettered = "dead_lettered", "messages/s", "Messages moved to the dead-letter queue.";
        Visible = "visible", "messages", "Visible messages at the end of the step.";
        InFlight = "in_flight", "messages", "Messages under a lease at the end of the step.";
        DlqDepth = "dlq_depth", "messages", "Messages in the dead-letter queue at the end of the step.";
        BreakerOpen = "breaker_open", "share", "Share of the breakers that are open or half-open at the end of the step.";
        Fleet = "fleet", "consumers", "Consumers of the source queues at the end of the step.";
    }
}

metrics! {
    /// What an alarm can look at: a level, of which a period has its highest value at the end of any second, or the ratio of two sums.
    AlarmMetric {
        Depth = "depth", "messages", "Visible messages.";
        InFlight = "in_flight", "messages", "Messages under a lease.";
        OldestAge = "oldest_age", "s", "Age of the oldest message with fewer than three receives.";
        DlqDepth = "dlq_depth", "messages", "Messages in the dead-letter queue.";
        ReceivedOverDeleted = "received_over_deleted", "ratio", "Messages that receive calls returned within the period over deletes that succeeded; infinite where there are none.";
        BreakerOpen = "breaker_open", "share", "Share of the breakers that are open or half-open.";
    }
}

metrics! {
    /// What an alarm did in a run.
    AlarmFigure {
        Fired = "fired", "share", "1 in a run in which it fired, else 0.";
        FiredS = "fired_s", "s", "When it first fired.";
        ClearedS = "cleared_s", "s", "When it first cleared after that.";
        InAlarmS = "in_alarm_s", "s", "How long it was in alarm, all times together.";
        LeadS = "lead_s", "s", "Time from its first firing to the first loss of a valid message (`first_loss_s`); negative where the loss came first.";
    }
}

metrics! {
    /// A yes or no of a run; over many runs a probability.
    Fact {
        LosesValidMessages = "loses_valid_messages", "share", "At least one valid message is lost: dead-lettered, expired or deleted unprocessed.";
        NeverCleared = "never_cleared", "share", "The backlog is not cleared at the end of the run: its last second leaves more waiting than `backlog_cleared_s` allows.";
        NeverSoundAgain = "never_sound_again", "share", "Calls are not sound at the end of the run: they fail in its last second as `sound_again_s` has it.";
        RepeatsAnEffect = "repeats_an_effect", "share", "At least one business key has its effect at the downstream twice.";
        StaysDegraded = "stays_degraded", "share", "Calls are not sound for more than a minute after the last outage has ended: the trigger has gone, and the failure feeds itself.";
    }
}

/// From that time on after an outage calls that fail are a state of its own, and no longer its tail.
const STAYS_DEGRADED_S: f64 = 60.0;

impl Fact {
    /// Whether it is so in a run of that length, by the run's metrics.
    pub fn holds(self, metrics: &[Option<f64>], duration_s: f64) -> bool {
        let metric = |metric: Metric| metrics.get(metric as usize).copied().flatten();
        let is_last = |end_s: Option<f64>| end_s.is_some_and(|end_s| end_s >= duration_s);
        match self {
            Self::LosesValidMessages => metric(Metric::FirstLossS).is_some(),
            Self::NeverCleared => is_last(metric(Metric::BacklogClearedS)),
            Self::NeverSoundAgain => is_last(metric(Metric::SoundAgainS)),
            Self::StaysDegraded => {
                metric(Metric::DegradedAfterOutageS).is_some_and(|degraded_s| degraded_s > STAYS_DEGRADED_S)
            }
            Self::RepeatsAnEffect => metric(Metric::DuplicateEffects).is_some_and(|effects| effects > 0.0),
        }
    }
}

/// Which way a metric had better go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: it says what was going on.
    Neutral,
}

impl Metric {
    /// Which way it had better go.
    pub fn better(self) -> Direction {
        match self {
            Self::Processed | Self::FirstLossS => Direction::Higher,
            Self::DeadLettered
            | Self::DeadLetteredValid
            | Self::Expired
            | Self::ExpiredInDeadLetterQueue
            | Self::DeadLetteredAgain
            | Self::DlqPeak
            | Self::DeletedUnprocessed
            | Self::GivenUpByMistake
            | Self::DuplicatesInDlq
            | Self::Pending
            | Self::CallsFailed
            | Self::CallsThrottled
            | Self::AttemptsDied
            | Self::HandlersKilled
            | Self::Overflowed
            | Self::AgedOut
            | Self::AcknowledgementsLost
            | Self::VisibilityChangesRefused
            | Self::CallsWasted
            | Self::Duplicates
            | Self::DuplicateEffects
            | Self::CallsPeakPerS
            | Self::LoadSpike
            | Self::CallsDuringOutage
            | Self::BacklogPeak
            | Self::InFlightPeak
            | Self::OldestAgePeakS
            | Self::SoundAgainS
            | Self::DegradedAfterOutageS
            | Self::BacklogClearedS
            | Self::TimeToSuccessP50S
            | Self::TimeToSuccessP95S
            | Self::TimeToSuccessP99S
            | Self::TimeToSuccessBestTenantP95S
            | Self::SqsRequests
            | Self::InvocationsFailed
            | Self::InvocationsThrottled
            | Self::BatchesDropped
            | Self::ColdStarts
            | Self::FunctionGbS => Direction::Lower,
            Self::Enqueued
            | Self::DeadLetteredPermanent
            | Self::DeadLetteredPoison
            | Self::ProcessedInDeadLetterQueue
            | Self::Redriven
            | Self::WrittenDown
            | Self::Resent
            | Self::Deduplicated
            | Self::Receives
            | Self::Calls
            | Self::CallsFailedPermanent
            | Self::CallsRejected
            | Self::CallsSkipped
            | Self::Effects
            | Self::FleetPeak
            | Self::Invocations
            | Self::BreakerOpenedS
            | Self::BreakerClosedS
            | Self::BreakerLastOpenS
            | Self::TimeToDlqMeanS
            | Self::TimeToDlqP50S
            | Self::TimeToDlqP95S
            | Self::TimeToDlqMaxS => Direction::Neutral,
        }
    }
}

impl SeriesMetric {
    /// Whether it is a level at a moment rather than a flow over a step.
    pub fn is_level(self) -> bool {
        matches!(self, Self::Visible | Self::InFlight | Self::DlqDepth | Self::BreakerOpen | Self::Fleet)
    }
}
