//! The runs of one variant, added up. Sums are of integers, so that the order in which runs finish changes nothing.

use super::judge::Values;
use super::result::{AlarmResult, Series, VariantResult};
use super::{Estimate, KEY_METRICS, Proportion, Quantity, TwoGroups};
use crate::measure::{AlarmFigure, AlarmOutcome, Fact, Fate, Metric, Outcome, SeriesMetric, Step, TimeHistogram};
use crate::model::MessageClass;

/// What is kept of a variant's runs: a few numbers of each, and the sum of their series.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Values of each replication, in the order of [`Metric::ALL`]; `None` until its run has ended.
    metrics: Vec<Option<Values>>,
    /// Values of each replication of the quantities that are read off the series.
    quantities: Vec<Option<Values>>,
    /// What the alarms did in each replication.
    alarms: Vec<Option<Vec<AlarmOutcome>>>,
    /// Length of a run.
    duration_s: f64,
    fates: [[u64; MessageClass::ALL.len()]; Fate::ALL.len()],
    step_s: u64,
    breakers: u32,
    sums: Vec<[u64; SeriesMetric::ALL.len()]>,
    calls_lowest: Vec<u32>,
    calls_highest: Vec<u32>,
    time_to_dlq: TimeHistogram,
}

impl Tally {
    /// For runs of that length.
    pub fn new(duration_s: f64) -> Self {
        Self { duration_s, ..Self::default() }
    }

    /// Adds a run. `quantities` are those that expectations and claims read off this variant.
    pub fn add(&mut self, replication: u32, outcome: &Outcome, quantities: &[Quantity]) {
        let read = quantities.iter().map(|&quantity| self.read(outcome, quantity)).collect();
        put(&mut self.quantities, replication, read);
        put(&mut self.metrics, replication, outcome.metrics.clone());
        put(&mut self.alarms, replication, outcome.alarms.clone());
        for (sums, counts) in self.fates.iter_mut().zip(&outcome.ledger.fates) {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        self.time_to_dlq.merge(&outcome.time_to_dlq);
        self.add_series(outcome);
    }

    fn add_series(&mut self, outcome: &Outcome) {
        self.step_s = outcome.step_s;
        self.breakers = outcome.breakers;
        let steps = outcome.steps.len();
        self.sums.resize(steps, Default::default());
        self.calls_lowest.resize(steps, u32::MAX);
        self.calls_highest.resize(steps, 0);
        for (number, step) in outcome.steps.iter().enumerate() {
            let sums = &mut self.sums[number];
            sums.iter_mut().zip(step.values).for_each(|(sum, value)| *sum += u64::from(value));
            let calls = step.values[SeriesMetric::Calls as usize];
            self.calls_lowest[number] = self.calls_lowest[number].min(calls);
            self.calls_highest[number] = self.calls_highest[number].max(calls);
        }
    }

    /// The values of one of the quantities that were passed to [`add`](Self::add), replication by replication.
    pub fn quantity(&self, position: usize) -> Values {
        column(&self.quantities, position)
    }

    /// The values of a metric, replication by replication.
    pub fn metric(&self, metric: Metric) -> Values {
        column(&self.metrics, metric as usize)
    }

    /// What the runs say together.
    pub fn result(self, name: String) -> VariantResult {
        let runs = self.metrics.iter().flatten().count().max(1) as f64;
        VariantResult {
            name,
            metrics: Metric::ALL.iter().map(|&metric| estimate(&self.metrics, metric as usize)).collect(),
            facts: Fact::ALL.iter().map(|&fact| self.fact(fact)).collect(),
            groups: KEY_METRICS.iter().filter_map(|&metric| Some((metric, self.groups(metric)?))).collect(),
            fates: self.fates.map(|by_class| by_class.map(|count| count as f64 / runs)),
            series: self.series(runs),
            alarms: self.alarms(),
            time_to_dlq: self.time_to_dlq,
        }
    }

    fn fact(&self, fact: Fact) -> Proportion {
        let runs = self.metrics.iter().flatten();
        let is_so = |metrics: &&Values| fact.holds(metrics, self.duration_s);
        Proportion::of(runs.clone().filter(is_so).count() as u32, runs.count() as u32)
    }

    /// Reads a quantity off a run.
    fn read(&self, outcome: &Outcome, quantity: Quantity) -> Option<f64> {
        match quantity {
            Quantity::Metric(metric) => outcome.metric(metric),
            Quantity::Fact(fact) => Some(f64::from(u8::from(fact.holds(&outcome.metrics, self.duration_s)))),
            Quantity::Alarm { alarm, figure } => outcome.alarms.get(alarm)?.figure(figure),
            Quantity::Window { metric, from_s, until_s } => {
                let steps = outcome.steps.get((from_s / outcome.step_s) as usize..)?;
                let count = (until_s.div_ceil(outcome.step_s) - from_s / outcome.step_s) as usize;
                Some(steps.iter().take(count).map(|step| f64::from(value(step, metric))).sum())
            }
            Quantity::Level { metric, at_s } => {
                let step = outcome.steps.get((at_s.div_ceil(outcome.step_s) as usize).saturating_sub(1))?;
                let scale = if metric == SeriesMetric::BreakerOpen { f64::from(outcome.breakers.max(1)) } else { 1.0 };
                Some(f64::from(value(step, metric)) / scale)
            }
        }
    }

    fn groups(&self, metric: Metric) -> Option<TwoGroups> {
        let values: Vec<f64> = self.metric(metric).into_iter().flatten().collect();
        TwoGroups::of(metric, &values)
    }

    fn alarms(&self) -> Vec<AlarmResult> {
        let runs: Vec<&Vec<AlarmOutcome>> = self.alarms.iter().flatten().collect();
        let alarms = runs.first().map_or(0, |run| run.len());
        let result = |alarm: usize| {
            let figure = |figure: AlarmFigure| {
                let values: Vec<f64> = runs.iter().filter_map(|run| run[alarm].figure(figure)).collect();
                Estimate::of(&values)
            };
            let has_fired = |run: &&&Vec<AlarmOutcome>| run[alarm].figure(AlarmFigure::FiredS).is_some();
            AlarmResult {
                runs: runs.len() as u32,
                fired_runs: runs.iter().filter(has_fired).count() as u32,
                figures: AlarmFigure::ALL.iter().map(|&of| figure(of)).collect(),
            }
        };
        (0..alarms).map(result).collect()
    }

    fn series(&self, runs: f64) -> Series {
        let step_s = self.step_s.max(1) as f64;
        let divisor = |metric: SeriesMetric| match metric {
            SeriesMetric::BreakerOpen => runs * f64::from(self.breakers.max(1)),
            level if level.is_level() => runs,
            _ => runs * step_s,
        };
        let course = |metric: SeriesMetric| -> Vec<f64> {
            self.sums.iter().map(|sums| sums[metric as usize] as f64 / divisor(metric)).collect()
        };
        let per_second = |calls: &[u32]| calls.iter().map(|&calls| f64::from(calls) / step_s).collect();
        Series {
            step_s: self.step_s.max(1),
            mean: SeriesMetric::ALL.iter().map(|&metric| course(metric)).collect(),
            calls_lowest: per_second(&self.calls_lowest),
            calls_highest: per_second(&self.calls_highest),
        }
    }
}

/// Puts what a replication gave into its place.
fn put<T>(replications: &mut Vec<Option<T>>, replication: u32, value: T) {
    let place = replication as usize;
    if replications.len() <= place {
        replications.resize_with(place + 1, || None);
    }
    replications[place] = Some(value);
}

/// One value of each replication.
fn column(replications: &[Option<Values>], position: usize) -> Values {
    replications.iter().flatten().map(|values| values[position]).collect()
}

/// The estimate of one column over the replications that define it.
fn estimate(replications: &[Option<Values>], position: usize) -> Option<Estimate> {
    Estimate::of(&column(replications, position).into_iter().flatten().collect::<Vec<f64>>())
}

fn value(step: &Step, metric: SeriesMetric) -> u32 {
    step.values[metric as usize]
}
