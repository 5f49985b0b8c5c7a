//! What all charts of a study have in common: who is shown, how the source line reads, when the downstream was down.

use crate::engine::time::seconds;
use crate::model::downstream::{Outage, OutageMode};
use crate::model::operator::Operation;
use crate::report::{number, words};
use crate::study::{StudyResult, VariantResult};

/// More variants than this are not shown: their panels would be too small to read.
pub const MOST_VARIANTS: usize = 12;
/// Up to this many variants share one plot.
pub const SHARED_PLOT: usize = 4;

/// A study as charts see it.
pub struct Context<'a> {
    /// What was found.
    pub result: &'a StudyResult,
    /// The scenario's file name.
    pub scenario_file: &'a str,
    /// The variants that are shown.
    pub shown: &'a [VariantResult],
}

impl<'a> Context<'a> {
    /// The study, cut to the variants that fit.
    pub fn new(result: &'a StudyResult, scenario_file: &'a str) -> Self {
        let count = result.variants.len().min(MOST_VARIANTS);
        Self { result, scenario_file, shown: &result.variants[..count] }
    }

    /// Whether the variants share one plot.
    pub fn is_shared(&self) -> bool {
        self.shown.len() <= SHARED_PLOT
    }

    /// The simulated time of a run, in seconds.
    pub fn duration_s(&self) -> f64 {
        seconds(self.result.scenario.duration_us)
    }

    /// The number of runs of a variant.
    pub fn replications(&self) -> f64 {
        f64::from(self.result.scenario.replications.max(1))
    }

    /// A variant's name in at most so many columns.
    pub fn short_name(variant: &VariantResult, columns: usize) -> String {
        words::truncated(&variant.name, columns)
    }

    /// Variants that have something in common, in a title: by their names while they are few.
    pub fn names(some: &[&VariantResult], columns: usize) -> String {
        match some {
            [one] => Self::short_name(one, columns),
            // Of two names that are cut to pieces a reader learns less than that there are two.
            [one, other] if columns >= 16 => {
                format!("{} and {}", Self::short_name(one, columns), Self::short_name(other, columns))
            }
            _ => format!("{} variants", some.len()),
        }
    }

    /// All variants but those that were named, in a title.
    pub fn other_names(others: &[&VariantResult], columns: usize) -> String {
        match others.len() {
            0 | 1 => Self::names(others, columns),
            2 if columns >= 16 => Self::names(others, columns),
            many => format!("the other {many}"),
        }
    }

    /// How the numbers came about, for subtitles.
    pub fn averaged(&self) -> String {
        match self.result.scenario.replications {
            1 => "a single run".to_owned(),
            many => format!("mean of {many} runs"),
        }
    }

    /// The source line.
    pub fn footer(&self) -> String {
        let scenario = &self.result.scenario;
        let runs = number::counted(self.replications(), "run");
        let mut parts = vec![
            words::truncated(self.scenario_file, 60),
            format!("seed {}", scenario.seed),
            format!("{runs} a variant"),
            concat!("retrystorm ", env!("CARGO_PKG_VERSION")).to_owned(),
        ];
        if self.shown.len() < self.result.variants.len() {
            parts.insert(0, format!("the first {} of {} variants", self.shown.len(), self.result.variants.len()));
        }
        parts.join(" · ")
    }

    /// What the shading of small plots means, for subtitles; empty where nothing is shaded.
    pub fn shading(&self) -> String {
        match self.common_outages() {
            Some([]) => String::new(),
            Some([only]) => format!("Shaded: {}.", outage_label(only)),
            _ => "Shaded: outages of the downstream.".to_owned(),
        }
    }

    /// The outages of a shown variant, in order of time.
    pub fn outages(&self, variant: &VariantResult) -> &'a [Outage] {
        let named = self.result.scenario.variants.iter().find(|one| one.name == variant.name);
        named.map_or(&[], |one| &one.setup.downstream.outages)
    }

    /// What an operator does to a shown variant, in order of time.
    pub fn operations(&self, variant: &VariantResult) -> &'a [Operation] {
        let named = self.result.scenario.variants.iter().find(|one| one.name == variant.name);
        named.map_or(&[], |one| &one.setup.operations)
    }

    /// The outages that all shown variants have in common, where they do not differ at all.
    pub fn common_outages(&self) -> Option<&'a [Outage]> {
        let (first, others) = self.shown.split_first()?;
        let outages = self.outages(first);
        others.iter().all(|other| self.outages(other) == outages).then_some(outages)
    }
}

/// An outage in few words, such as `downstream down 90 s`.
pub fn outage_label(outage: &Outage) -> String {
    let length = number::duration(seconds(outage.until_us - outage.from_us));
    match outage.mode {
        OutageMode::Refuse { .. } => format!("downstream down {length}"),
        OutageMode::Hang => format!("downstream hangs {length}"),
        OutageMode::Errors { share } => format!("{} errors {length}", number::percent(share)),
        OutageMode::Slow { factor } => format!("{} × slower {length}", number::human(factor)),
    }
}
