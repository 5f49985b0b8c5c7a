//! What has changed from one study to the next, by the `summary.json` of both.

mod read;
mod show;

pub use read::{StudySummary, SummaryError};

use crate::measure::{Direction, Metric};
use crate::study::{Sample, Welch};

/// The probability that the intervals of a comparison leave out any of the true differences.
const LEVEL: f64 = 0.05;

/// What a change means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeVerdict {
    /// It is shown, and in the wrong direction.
    Worse,
    /// It is shown, and in the right direction.
    Better,
    /// It is shown, and neither good nor bad.
    Changed,
    /// The interval of the difference holds 0, or there is none.
    NotShown,
}

/// A metric of a variant in both studies.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The variant.
    pub variant: String,
    /// The metric.
    pub metric: Metric,
    /// What the old study knows.
    pub old: Sample,
    /// What the new study knows.
    pub new: Sample,
    /// The difference, new less old; `None` where one of the two has a single value.
    pub difference: Option<Welch>,
    /// What it means.
    pub verdict: ChangeVerdict,
}

/// Two studies side by side.
#[derive(Debug, Clone)]
pub struct StudyComparison {
    old: StudySummary,
    new: StudySummary,
    /// Every metric that both define, of every variant that both have, in the order of the new study.
    pub changes: Vec<Change>,
    /// Variants of the old study that the new one does not have.
    pub gone: Vec<String>,
    /// Variants of the new study that the old one did not have.
    pub added: Vec<String>,
}

impl StudyComparison {
    /// Holds two studies against each other. The intervals are wider than 95 %, so that all of them together hold with
    /// 95 % (Bonferroni): a comparison of two hundred numbers would else find ten changes where there is none.
    pub fn of(old: StudySummary, new: StudySummary) -> Self {
        let pairs = pairs(&old, &new);
        let judged = pairs.iter().filter(|(.., old, new)| old.n > 1 && new.n > 1 && (old.sd > 0.0 || new.sd > 0.0));
        let level = LEVEL / judged.count().max(1) as f64;
        let change = |(variant, metric, old, new): (String, Metric, Sample, Sample)| {
            let difference = Welch::of(old, new, level);
            let verdict = verdict(metric, difference);
            Change { variant, metric, old, new, difference, verdict }
        };
        let missing = |from: &StudySummary, of: &StudySummary| {
            of.variants.iter().map(|(name, _)| name.clone()).filter(|name| from.variant(name).is_none()).collect()
        };
        let (gone, added) = (missing(&new, &old), missing(&old, &new));
        Self { changes: pairs.into_iter().map(change).collect(), gone, added, old, new }
    }

    /// Whether anything is worse.
    pub fn is_worse(&self) -> bool {
        self.changes.iter().any(|change| change.verdict == ChangeVerdict::Worse)
    }
}

/// What both studies know.
fn pairs(old: &StudySummary, new: &StudySummary) -> Vec<(String, Metric, Sample, Sample)> {
    let of_variant = new.variants.iter().filter_map(|(name, metrics)| Some((name, old.variant(name)?, metrics)));
    let pairs = of_variant.flat_map(|(name, before, after)| {
        Metric::ALL.iter().filter_map(move |&metric| {
            let find =
                |of: &[(Metric, Sample)]| of.iter().find(|(known, _)| *known == metric).map(|(_, sample)| *sample);
            Some((name.clone(), metric, find(before)?, find(after)?))
        })
    });
    pairs.collect()
}

fn verdict(metric: Metric, difference: Option<Welch>) -> ChangeVerdict {
    match (difference.filter(|difference| difference.is_shown()), metric.better()) {
        (None, _) => ChangeVerdict::NotShown,
        (Some(_), Direction::Neutral) => ChangeVerdict::Changed,
        (Some(found), Direction::Lower) if found.difference < 0.0 => ChangeVerdict::Better,
        (Some(found), Direction::Higher) if found.difference > 0.0 => ChangeVerdict::Better,
        (Some(_), _) => ChangeVerdict::Worse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{json, sample};
    use crate::study::StudyResult;

    pub fn summary(result: &StudyResult) -> StudySummary {
        StudySummary::read(&json(result, "failover.yaml").unwrap()).unwrap()
    }

    /// The failover, and one in which two metrics have moved.
    pub fn moved() -> StudyComparison {
        let mut new = sample::failover();
        for (metric, by) in [(Metric::DeadLetteredValid, 2_500.0), (Metric::Processed, -90_000.0), (Metric::Calls, 5.0)]
        {
            let found = new.variants[0].metrics[metric as usize].as_mut().unwrap();
            found.sd = if metric == Metric::Processed { 9_000.0 } else { found.sd };
            found.mean += by;
        }
        let peak = new.variants[1].metrics[Metric::BacklogPeak as usize].as_mut().unwrap();
        peak.mean /= 3.0;
        let mut old = sample::failover();
        old.variants[0].metrics[Metric::Processed as usize].as_mut().unwrap().sd = 9_000.0;
        StudyComparison::of(summary(&old), summary(&new))
    }

    #[test]
    fn a_study_and_itself_do_not_differ() {
        let comparison = StudyComparison::of(summary(&sample::failover()), summary(&sample::failover()));
        assert!(!comparison.is_worse());
        assert!(comparison.changes.len() > 30);
        assert!(comparison.changes.iter().all(|change| change.verdict == ChangeVerdict::NotShown));
    }

    #[test]
    fn direction_makes_a_change_better_or_worse() {
        let comparison = moved();
        let of = |variant: &str, metric: Metric| {
            let is_it = |change: &&Change| change.variant == variant && change.metric == metric;
            comparison.changes.iter().find(is_it).map(|change| change.verdict)
        };
        assert_eq!(of("no-backoff", Metric::DeadLetteredValid), Some(ChangeVerdict::Worse));
        assert_eq!(of("no-backoff", Metric::Processed), Some(ChangeVerdict::Worse));
        assert_eq!(of("no-backoff", Metric::Calls), Some(ChangeVerdict::NotShown));
        assert_eq!(of("full-jitter", Metric::BacklogPeak), Some(ChangeVerdict::Better));
        assert!(comparison.is_worse());
    }

    #[test]
    fn variants_that_one_of_them_lacks_are_named() {
        let mut new = sample::failover();
        new.variants[2].name = "another".to_owned();
        let comparison = StudyComparison::of(summary(&sample::failover()), summary(&new));
        assert_eq!((comparison.gone, comparison.added), (vec!["with-breaker".to_owned()], vec!["another".to_owned()]));
    }

    #[test]
    fn single_runs_show_nothing() {
        let single = |dead_lettered: f64| {
            let mut result = sample::failover();
            let found = result.variants[0].metrics[Metric::DeadLettered as usize].as_mut().unwrap();
            (found.mean, found.n) = (dead_lettered, 1);
            summary(&result)
        };
        let comparison = StudyComparison::of(single(10.0), single(9_000.0));
        assert!(!comparison.is_worse());
    }
}
