//! The metrics in words, for titles and axes: short, and the same wherever a picture speaks of one.

use super::Metric;

impl Metric {
    /// What it counts in a few words, such as `calls in the busiest second`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Enqueued => "messages enqueued",
            Self::Processed => "messages processed",
            Self::DeadLettered => "messages dead-lettered",
            Self::DeadLetteredValid => "valid messages dead-lettered",
            Self::DeadLetteredPermanent => "permanent messages dead-lettered",
            Self::DeadLetteredPoison => "poison messages dead-lettered",
            Self::Expired => "messages expired",
            Self::ExpiredInDeadLetterQueue => "messages expired in the DLQ",
            Self::ProcessedInDeadLetterQueue => "messages processed in the DLQ",
            Self::Redriven => "messages redriven",
            Self::DeadLetteredAgain => "messages dead-lettered again",
            Self::DlqPeak => "most messages in the DLQ",
            Self::DeletedUnprocessed => "messages deleted unprocessed",
            Self::GivenUpByMistake => "messages given up by mistake",
            Self::WrittenDown => "messages written down elsewhere",
            Self::Resent => "messages sent anew",
            Self::DuplicatesInDlq => "duplicates in the DLQ",
            Self::Deduplicated => "messages deduplicated",
            Self::Pending => "messages still pending",
            Self::Receives => "receives",
            Self::Calls => "calls",
            Self::CallsFailed => "calls failed",
            Self::CallsFailedPermanent => "calls failed by their message",
            Self::CallsThrottled => "calls throttled",
            Self::CallsRejected => "calls not let out",
            Self::CallsSkipped => "calls skipped",
            Self::AttemptsDied => "attempts that died",
            Self::HandlersKilled => "handlers killed",
            Self::Overflowed => "messages without a place",
            Self::AgedOut => "messages aged out in a buffer",
            Self::AcknowledgementsLost => "acknowledgements lost",
            Self::VisibilityChangesRefused => "visibility changes refused",
            Self::CallsWasted => "calls wasted",
            Self::Duplicates => "duplicates",
            Self::Effects => "effects",
            Self::DuplicateEffects => "duplicate effects",
            Self::CallsPeakPerS => "calls in the busiest second",
            Self::LoadSpike => "load spike",
            Self::CallsDuringOutage => "calls during the outage",
            Self::BacklogPeak => "most visible messages",
            Self::InFlightPeak => "most messages in flight",
            Self::OldestAgePeakS => "greatest age of a message",
            Self::FleetPeak => "most consumers",
            Self::FirstLossS => "first loss",
            Self::SoundAgainS => "calls sound again",
            Self::DegradedAfterOutageS => "degraded after the outage",
            Self::BacklogClearedS => "backlog cleared",
            Self::BreakerOpenedS => "breaker opened",
            Self::BreakerClosedS => "breaker closed",
            Self::BreakerLastOpenS => "breaker last open",
            Self::TimeToDlqMeanS => "mean time to the DLQ",
            Self::TimeToDlqP50S => "median time to the DLQ",
            Self::TimeToDlqP95S => "95th percentile of the time to the DLQ",
            Self::TimeToDlqMaxS => "longest time to the DLQ",
            Self::TimeToSuccessP50S => "median time to success",
            Self::TimeToSuccessP95S => "95th percentile of the time to success",
            Self::TimeToSuccessP99S => "99th percentile of the time to success",
            Self::TimeToSuccessBestTenantP95S => "95th percentile of the time to success, best tenant",
            Self::SqsRequests => "queue requests",
            Self::Invocations => "invocations",
            Self::InvocationsFailed => "invocations failed",
            Self::InvocationsThrottled => "invocations throttled",
            Self::BatchesDropped => "batches dropped",
            Self::ColdStarts => "cold starts",
            Self::FunctionGbS => "function GB-s",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_metrics_have_the_same_words() {
        let mut words: Vec<&str> = Metric::ALL.iter().map(|metric| metric.words()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Metric::ALL.len());
    }
}
