//! An alarm as it is written.

use crate::measure::AlarmMetric;
use crate::scenario::language::{mapping, words};
use crate::scenario::value::{Amount, Count, Duration};

mapping! {
    /// An alarm, as a monitoring service has it: it watches every variant and changes nothing.
    RawAlarm is "an alarm" in "the alarms, by their names" {
        /// What it looks at. Has to be given.
        metric: AlarmMetric,
        /// A datapoint above it is bad: a number, a duration such as 10m, or per cent. Has to be given.
        above: Amount,
        /// Bad datapoints that it takes to fire, 1 to 1440. Default: 1.
        bad as "for": Count [1 to 1_440],
        /// Among how many of the last, at least as many as `for`, at most 1440. Default: as many, so one after the other.
        out_of: Count [1 to 1_440],
        /// Time that a datapoint is gathered over, whole seconds from 1s to 1d. Default: 60s.
        period: Duration,
        /// How long after its period a datapoint is published, at most 1h. Default: 0s.
        delay: Duration,
    }
}

words! {
    AlarmMetric is "a metric of an alarm" {
        "depth" = Depth, "Visible messages.";
        "in_flight" = InFlight, "Messages under a lease.";
        "oldest_age" = OldestAge, "Age of the oldest message with fewer than three receives.";
        "dlq_depth" = DlqDepth, "Messages in the dead-letter queue.";
        "received_over_deleted" = ReceivedOverDeleted, "Messages received over messages deleted.";
        "breaker_open" = BreakerOpen, "Share of the breakers that are not closed.";
    }
}
