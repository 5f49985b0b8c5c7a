//! Alarms as a monitoring service has them: a datapoint a period, judged when the period is over. They see the run and
//! change nothing in it.

use std::collections::VecDeque;

use super::{AlarmFigure, AlarmMetric};
use crate::engine::time::seconds;

/// An alarm.
#[derive(Debug, Clone, PartialEq)]
pub struct AlarmSettings {
    /// Its name.
    pub name: String,
    /// What it looks at.
    pub metric: AlarmMetric,
    /// A datapoint above it is bad.
    pub above: f64,
    /// Length of a period, in whole seconds, above 0.
    pub period_us: u64,
    /// Bad datapoints that it takes to fire, at least 1.
    pub bad: usize,
    /// Among how many, at least as many.
    pub out_of: usize,
    /// How long after its period a datapoint is published.
    pub delay_us: u64,
}

/// What an alarm sees of a second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Sample {
    pub visible: u32,
    pub in_flight: u32,
    pub dead_letters: u32,
    pub oldest_age_us: u64,
    /// Share of the breakers that are not closed.
    pub breakers_open: f64,
    /// Messages that receive calls returned within the second.
    pub received: u32,
    /// Deletes that succeeded within the second.
    pub deleted: u32,
}

/// What an alarm has done in a run: a value for each of [`AlarmFigure::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AlarmOutcome {
    /// `None` where the run does not define it.
    pub values: [Option<f64>; AlarmFigure::ALL.len()],
}

impl AlarmOutcome {
    /// One figure.
    pub fn figure(&self, figure: AlarmFigure) -> Option<f64> {
        self.values[figure as usize]
    }
}

/// What a period has gathered.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Period {
    highest: f64,
    received: u64,
    deleted: u64,
}

impl Period {
    fn add(&mut self, metric: AlarmMetric, sample: &Sample) {
        self.received += u64::from(sample.received);
        self.deleted += u64::from(sample.deleted);
        let level = match metric {
            AlarmMetric::Depth => f64::from(sample.visible),
            AlarmMetric::InFlight => f64::from(sample.in_flight),
            AlarmMetric::DlqDepth => f64::from(sample.dead_letters),
            AlarmMetric::OldestAge => seconds(sample.oldest_age_us),
            AlarmMetric::BreakerOpen => sample.breakers_open,
            AlarmMetric::ReceivedOverDeleted => return,
        };
        self.highest = self.highest.max(level);
    }

    /// The datapoint; none where nothing has happened that a ratio could be of.
    fn datapoint(&self, metric: AlarmMetric) -> Option<f64> {
        match (metric, self.received, self.deleted) {
            (AlarmMetric::ReceivedOverDeleted, 0, 0) => None,
            (AlarmMetric::ReceivedOverDeleted, _, 0) => Some(f64::INFINITY),
            (AlarmMetric::ReceivedOverDeleted, received, deleted) => Some(received as f64 / deleted as f64),
            _ => Some(self.highest),
        }
    }
}

/// An alarm at work.
#[derive(Debug)]
pub(super) struct AlarmWatch {
    settings: AlarmSettings,
    period: Period,
    /// Whether the last datapoints were bad, the oldest first.
    last: VecDeque<bool>,
    /// Since when it is in alarm.
    since_us: Option<u64>,
    fired_us: Option<u64>,
    cleared_us: Option<u64>,
    /// Time in alarm, but for the alarm that lasts.
    in_alarm_us: u64,
}

impl AlarmWatch {
    pub fn new(settings: AlarmSettings) -> Self {
        let last = VecDeque::with_capacity(settings.out_of);
        let period = Period::default();
        Self { settings, period, last, since_us: None, fired_us: None, cleared_us: None, in_alarm_us: 0 }
    }

    /// Watches anew, as if nothing had been seen.
    pub fn begun_anew(self) -> Self {
        Self::new(self.settings)
    }

    /// A second is over; nothing is learnt after the end of the run.
    pub fn end_second(&mut self, end_us: u64, sample: &Sample, run_ends_us: u64) {
        self.period.add(self.settings.metric, sample);
        if !end_us.is_multiple_of(self.settings.period_us) {
            return;
        }
        let datapoint = std::mem::take(&mut self.period).datapoint(self.settings.metric);
        let at_us = end_us + self.settings.delay_us;
        if let Some(value) = datapoint.filter(|_| at_us <= run_ends_us) {
            self.judge(at_us, value > self.settings.above);
        }
    }

    fn judge(&mut self, at_us: u64, is_bad: bool) {
        if self.last.len() == self.settings.out_of {
            self.last.pop_front();
        }
        self.last.push_back(is_bad);
        let bad = self.last.iter().filter(|is_bad| **is_bad).count();
        match (bad >= self.settings.bad, self.since_us) {
            (true, None) => {
                self.since_us = Some(at_us);
                self.fired_us.get_or_insert(at_us);
            }
            (false, Some(since_us)) => {
                self.in_alarm_us += at_us - since_us;
                self.since_us = None;
                self.cleared_us.get_or_insert(at_us);
            }
            (true, Some(_)) | (false, None) => {}
        }
    }

    /// The run is over.
    pub fn finish(&self, run_ends_us: u64, first_loss_us: Option<u64>) -> AlarmOutcome {
        let lasts_us = self.since_us.map_or(0, |since_us| run_ends_us - since_us);
        let value = |figure: AlarmFigure| match figure {
            AlarmFigure::Fired => Some(f64::from(u8::from(self.fired_us.is_some()))),
            AlarmFigure::FiredS => self.fired_us.map(seconds),
            AlarmFigure::ClearedS => self.cleared_us.map(seconds),
            AlarmFigure::InAlarmS => Some(seconds(self.in_alarm_us + lasts_us)),
            AlarmFigure::LeadS => Some(seconds(first_loss_us?) - seconds(self.fired_us?)),
        };
        let mut outcome = AlarmOutcome::default();
        AlarmFigure::ALL.iter().for_each(|&figure| outcome.values[figure as usize] = value(figure));
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::time::SECOND_US;

    const RUN_US: u64 = 1_000 * SECOND_US;

    /// An alarm with periods of two seconds.
    fn alarm(metric: AlarmMetric, above: f64, bad: usize, out_of: usize, delay_s: u64) -> AlarmSettings {
        let name = "alarm".to_owned();
        AlarmSettings { name, metric, above, period_us: 2 * SECOND_US, bad, out_of, delay_us: delay_s * SECOND_US }
    }

    /// Fired, fired at, cleared at, in alarm, lead before a loss at 20 s.
    fn figures(settings: AlarmSettings, samples: &[Sample], run_s: u64) -> [Option<f64>; 5] {
        let mut watch = AlarmWatch::new(settings);
        for (second, sample) in samples.iter().enumerate() {
            watch.end_second((second as u64 + 1) * SECOND_US, sample, run_s * SECOND_US);
        }
        watch.finish(run_s * SECOND_US, Some(20 * SECOND_US)).values
    }

    fn depths(depths: &[u32]) -> Vec<Sample> {
        depths.iter().map(|&visible| Sample { visible, ..Sample::default() }).collect()
    }

    fn flows(flows: &[(u32, u32)]) -> Vec<Sample> {
        flows.iter().map(|&(received, deleted)| Sample { received, deleted, ..Sample::default() }).collect()
    }

    #[test]
    fn a_level_is_judged_by_its_highest_value_at_the_end_of_a_period() {
        let samples = depths(&[0, 5, 11, 0, 10, 10, 12, 12]);
        let found = figures(alarm(AlarmMetric::Depth, 10.0, 1, 1, 0), &samples, 10);
        assert_eq!(found, [Some(1.0), Some(4.0), Some(6.0), Some(4.0), Some(16.0)], "4 to 6 s, and 8 to 10 s");
    }

    #[test]
    fn a_delay_moves_what_is_known_and_beyond_the_end_nothing_is() {
        let samples = depths(&[0, 0, 11, 0, 0, 0, 12, 12]);
        let found = figures(alarm(AlarmMetric::Depth, 10.0, 1, 1, 3), &samples, 10);
        assert_eq!(
            found,
            [Some(1.0), Some(7.0), Some(9.0), Some(2.0), Some(13.0)],
            "the datapoint of 8 s comes at 11 s"
        );
        let never = figures(alarm(AlarmMetric::Depth, 10.0, 1, 1, 9), &samples, 10);
        assert_eq!(never, [Some(0.0), None, None, Some(0.0), None]);
    }

    #[test]
    fn some_of_several_datapoints_fire_it() {
        let samples = depths(&[9, 9, 0, 0, 9, 9, 9, 9, 0, 0, 0, 0]);
        let fired_s = |bad, out_of| figures(alarm(AlarmMetric::Depth, 5.0, bad, out_of, 0), &samples, 12)[1];
        assert_eq!(
            (fired_s(1, 1), fired_s(2, 2), fired_s(2, 3), fired_s(3, 3), fired_s(3, 4)),
            (Some(2.0), Some(8.0), Some(6.0), None, Some(8.0))
        );
        let cleared_s = figures(alarm(AlarmMetric::Depth, 5.0, 2, 3, 0), &samples, 12)[2];
        assert_eq!(cleared_s, Some(12.0), "one of the last three is bad");
    }

    #[test]
    fn the_ratio_is_of_sums_and_infinite_without_deletes() {
        let ratio = |above| alarm(AlarmMetric::ReceivedOverDeleted, above, 1, 1, 0);
        assert_eq!(figures(ratio(2.0), &flows(&[(5, 0), (0, 2), (4, 1), (0, 1)]), 4)[1], Some(2.0), "5 over 2");
        assert_eq!(figures(ratio(2.5), &flows(&[(5, 0), (0, 2), (1, 0), (0, 0)]), 4)[1], Some(4.0), "1 over nothing");
    }

    #[test]
    fn a_period_in_which_nothing_happens_neither_fires_nor_clears() {
        let twice = alarm(AlarmMetric::ReceivedOverDeleted, 2.0, 2, 2, 0);
        let samples = flows(&[(3, 0), (0, 0), (0, 0), (0, 0), (3, 0), (0, 0), (0, 0), (0, 0), (1, 1), (0, 0)]);
        assert_eq!(figures(twice, &samples, 10)[1..4], [Some(6.0), Some(10.0), Some(4.0)]);
    }

    #[test]
    fn every_metric_is_seen() {
        let sample = Sample {
            visible: 1,
            in_flight: 2,
            dead_letters: 3,
            oldest_age_us: 4 * SECOND_US,
            breakers_open: 0.5,
            received: 6,
            deleted: 1,
        };
        for (metric, value) in AlarmMetric::ALL.iter().zip([1.0, 2.0, 4.0, 3.0, 6.0, 0.5]) {
            let fires =
                |above| figures(alarm(*metric, above, 1, 1, 0), &[sample, Sample::default()], 2)[0] == Some(1.0);
            assert!(fires(value - 0.1) && !fires(value), "{}", metric.name());
        }
    }

    #[test]
    fn a_loss_before_the_alarm_has_a_negative_lead() {
        let mut watch = AlarmWatch::new(alarm(AlarmMetric::DlqDepth, 0.0, 1, 1, 0));
        for end_s in 1..=4 {
            let sample = Sample { dead_letters: u32::from(end_s == 3), ..Sample::default() };
            watch.end_second(end_s * SECOND_US, &sample, RUN_US);
        }
        let lead_s = |loss_us: Option<u64>| watch.finish(RUN_US, loss_us).figure(AlarmFigure::LeadS);
        assert_eq!((lead_s(Some(3 * SECOND_US)), lead_s(None)), (Some(-1.0), None));
    }
}
