//! What the counts of a run come to: a value for each metric.

use super::Recorder;
use crate::engine::time::seconds;
use crate::measure::{Fate, Metric, SeriesMetric};
use crate::model::MessageClass;

impl Recorder {
    /// The value of a metric at the end of the run; `None` where the run does not define it.
    pub(super) fn value(&self, metric: Metric) -> Option<f64> {
        let total = |metric: SeriesMetric| self.totals[metric as usize];
        let fate = |fate: Fate| self.ledger.total(fate) as f64;
        let dead_lettered = |class: MessageClass| self.ledger.count(Fate::DeadLettered, class) as f64;
        let ended = total(SeriesMetric::Successes) + total(SeriesMetric::Failures);
        let (trackers, counters) = (&self.trackers, &self.counters);
        Some(match metric {
            Metric::Enqueued => self.ledger.total_enqueued() as f64,
            Metric::Processed => fate(Fate::Processed),
            Metric::DeadLettered => fate(Fate::DeadLettered),
            Metric::DeadLetteredValid => dead_lettered(MessageClass::Valid),
            Metric::DeadLetteredPermanent => dead_lettered(MessageClass::Permanent),
            Metric::DeadLetteredPoison => dead_lettered(MessageClass::Poison),
            Metric::Expired => fate(Fate::Expired),
            Metric::ExpiredInDeadLetterQueue => self.dead_letters.total(Fate::Expired) as f64,
            Metric::ProcessedInDeadLetterQueue => self.dead_letters.total(Fate::Processed) as f64,
            Metric::Redriven => self.dead_letters.total(Fate::Redriven) as f64,
            Metric::DeadLetteredAgain => self.dead_lettered_again as f64,
            Metric::DlqPeak => f64::from(trackers.dead_letters_peak),
            Metric::DeletedUnprocessed => fate(Fate::DeletedUnprocessed),
            Metric::GivenUpByMistake => counters.given_up_by_mistake as f64,
            Metric::WrittenDown => counters.written_down as f64,
            Metric::DuplicatesInDlq => counters.duplicates_in_dlq as f64,
            Metric::Resent => counters.resent as f64,
            Metric::Deduplicated => counters.deduplicated as f64,
            Metric::Pending => fate(Fate::Pending),
            Metric::Receives => total(SeriesMetric::Receives) as f64,
            Metric::Calls => total(SeriesMetric::Calls) as f64,
            Metric::CallsFailed => total(SeriesMetric::Failures) as f64,
            Metric::CallsFailedPermanent => counters.failed_by_message as f64,
            Metric::CallsThrottled => counters.calls_throttled as f64,
            Metric::CallsRejected => counters.calls_rejected as f64,
            Metric::CallsSkipped => counters.calls_skipped as f64,
            Metric::AttemptsDied => counters.attempts_died as f64,
            Metric::HandlersKilled => counters.handlers_killed as f64,
            Metric::Overflowed => counters.overflowed as f64,
            Metric::AgedOut => counters.aged_out as f64,
            Metric::AcknowledgementsLost => counters.acknowledgements_lost as f64,
            Metric::VisibilityChangesRefused => counters.changes_refused as f64,
            Metric::CallsWasted => (ended - self.first_successes) as f64,
            Metric::Duplicates => self.duplicates as f64,
            Metric::Effects => self.effects.count as f64,
            Metric::DuplicateEffects => self.effects.repeated as f64,
            Metric::CallsPeakPerS => f64::from(trackers.calls_peak),
            Metric::LoadSpike => return self.load_spike(),
            Metric::CallsDuringOutage => self.calls_during_outage as f64,
            Metric::BacklogPeak => f64::from(trackers.visible_peak),
            Metric::InFlightPeak => f64::from(trackers.in_flight_peak),
            Metric::OldestAgePeakS => seconds(trackers.oldest_age_peak_us),
            Metric::FleetPeak => f64::from(trackers.fleet_peak),
            Metric::FirstLossS => seconds(trackers.first_loss_us?),
            Metric::SoundAgainS => seconds(trackers.sound_again_us),
            Metric::DegradedAfterOutageS => {
                seconds(trackers.sound_again_us.saturating_sub(self.plan.last_outage_ends_us?))
            }
            Metric::BacklogClearedS => seconds(trackers.backlog_cleared_us),
            Metric::BreakerOpenedS => seconds(trackers.breaker_opened_us?),
            Metric::BreakerClosedS => seconds(trackers.breaker_closed_us?),
            Metric::BreakerLastOpenS => seconds(trackers.breaker_last_open_us?),
            Metric::TimeToDlqMeanS => self.time_to_dlq.mean_s()?,
            Metric::TimeToDlqP50S => self.time_to_dlq.quantile_s(0.50)?,
            Metric::TimeToDlqP95S => self.time_to_dlq.quantile_s(0.95)?,
            Metric::TimeToDlqMaxS => self.time_to_dlq.max_s()?,
            Metric::TimeToSuccessP50S => self.time_to_success.quantile_s(0.50)?,
            Metric::TimeToSuccessP95S => self.time_to_success.quantile_s(0.95)?,
            Metric::TimeToSuccessP99S => self.time_to_success.quantile_s(0.99)?,
            Metric::TimeToSuccessBestTenantP95S => return self.best_tenant_p95_s(),
            Metric::SqsRequests => self.requests as f64,
            Metric::Invocations
            | Metric::InvocationsFailed
            | Metric::InvocationsThrottled
            | Metric::BatchesDropped
            | Metric::ColdStarts
            | Metric::FunctionGbS => return self.value_of_invocations(metric),
        })
    }

    fn best_tenant_p95_s(&self) -> Option<f64> {
        let tenants = self.time_to_success_by_tenant.iter();
        tenants.filter_map(|histogram| histogram.quantile_s(0.95)).min_by(f64::total_cmp)
    }

    fn load_spike(&self) -> Option<f64> {
        let producing_us = self.plan.producing_until_us.saturating_sub(self.plan.warm_up_us);
        let mean = self.trackers.calls_while_producing as f64 / seconds(producing_us).floor().max(1.0);
        (self.trackers.calls_while_producing > 0).then(|| f64::from(self.trackers.calls_peak) / mean)
    }
}
