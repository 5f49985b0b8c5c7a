//! `summary.json`: the whole comparison for programs.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::happened::Disturbance;
use super::{ReportError, happened, words};
use crate::engine::time::seconds;
use crate::measure::{AlarmFigure, AlarmSettings, Fact, Metric};
use crate::model::downstream::Outage;
use crate::scenario::{Holds, Quantity};
use crate::study::{
    AlarmResult, ClaimResult, Difference, DifferenceVerdict, Estimate, ExpectationResult, Peak, PhaseSpan, Proportion,
    StudyResult, TwoGroups, UntilResult, VariantResult, Verdict, peak,
};

/// The version of the file's shape; later versions only add to it.
const SCHEMA: u32 = 1;

#[derive(serde::Serialize)]
struct Summary<'a> {
    schema: u32,
    scenario: ScenarioFacts<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<UntilFacts>,
    variants: Vec<VariantFacts<'a>>,
    differences: Vec<DifferenceFacts<'a>>,
    expectations: Vec<ExpectationFacts<'a>>,
    claims: Vec<ClaimFacts<'a>>,
}

#[derive(serde::Serialize)]
struct ScenarioFacts<'a> {
    title: &'a str,
    file: &'a str,
    seed: u64,
    replications: u32,
    duration_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    warm_up_s: Option<f64>,
}

#[derive(serde::Serialize)]
struct PhaseFacts {
    phase: &'static str,
    from_s: u64,
    until_s: u64,
}

impl PhaseFacts {
    fn of(span: &PhaseSpan) -> Self {
        Self { phase: span.phase.name(), from_s: span.from_s, until_s: span.until_s }
    }
}

#[derive(serde::Serialize)]
struct OutageFacts {
    from_s: f64,
    until_s: f64,
    length_s: f64,
}

impl OutageFacts {
    fn of(outage: &Outage) -> Self {
        Self {
            from_s: seconds(outage.from_us),
            until_s: seconds(outage.until_us),
            length_s: seconds(outage.until_us - outage.from_us),
        }
    }
}

#[derive(serde::Serialize)]
struct DisturbanceFacts {
    from_s: f64,
    until_s: f64,
    length_s: f64,
    unfinished: ProportionFacts,
}

impl DisturbanceFacts {
    fn of(of: Disturbance) -> Self {
        let Disturbance { from_s, until_s, unfinished } = of;
        Self { from_s, until_s, length_s: of.length_s(), unfinished: ProportionFacts::of(unfinished) }
    }
}

#[derive(serde::Serialize)]
struct PeakFacts {
    at_s: u64,
    calls_per_s: f64,
    calls_per_message: Option<f64>,
    retries_per_s: f64,
    retries_per_message: Option<f64>,
    cause: &'static str,
}

impl PeakFacts {
    fn of(peak: Peak) -> Self {
        Self {
            at_s: peak.at_s,
            calls_per_s: peak.calls_per_s,
            calls_per_message: peak.calls_per_message,
            retries_per_s: peak.retries_per_s,
            retries_per_message: peak.retries_per_message,
            cause: peak.cause().name(),
        }
    }
}

#[derive(serde::Serialize)]
struct VariantFacts<'a> {
    name: &'a str,
    metrics: Metrics<'a>,
    probabilities: Probabilities<'a>,
    phases: Vec<PhaseFacts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outages: Vec<OutageFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disturbance: Option<DisturbanceFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak: Option<PeakFacts>,
    #[serde(skip_serializing_if = "Groups::are_none")]
    two_groups: Groups<'a>,
    #[serde(skip_serializing_if = "Alarms::are_none")]
    alarms: Alarms<'a>,
}

/// In how many runs each fact was so, by its name.
struct Probabilities<'a>(&'a VariantResult);

impl Serialize for Probabilities<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = Fact::ALL.iter().zip(&self.0.facts);
        serializer.collect_map(facts.map(|(fact, of)| (fact.name(), ProportionFacts::of(*of))))
    }
}

#[derive(serde::Serialize)]
struct ProportionFacts {
    k: u32,
    n: u32,
    share: f64,
    lo: f64,
    hi: f64,
}

impl ProportionFacts {
    fn of(of: Proportion) -> Self {
        Self { k: of.k, n: of.n, share: of.share(), lo: of.lo, hi: of.hi }
    }
}

/// The metrics whose values fall into two groups.
struct Groups<'a>(&'a [(Metric, TwoGroups)]);

impl Groups<'_> {
    fn are_none(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Groups<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(metric, groups)| (metric.name(), GroupFacts::of(*groups))))
    }
}

#[derive(serde::Serialize)]
struct GroupFacts {
    lower_mean: f64,
    upper_mean: f64,
    upper: ProportionFacts,
}

impl GroupFacts {
    fn of(groups: TwoGroups) -> Self {
        let TwoGroups { upper, lower_mean, upper_mean } = groups;
        Self { lower_mean, upper_mean, upper: ProportionFacts::of(upper) }
    }
}

#[derive(serde::Serialize)]
struct DifferenceFacts<'a> {
    variant: &'a str,
    baseline: &'a str,
    metric: &'static str,
    difference: Option<EstimateFacts>,
    verdict: &'static str,
}

impl<'a> DifferenceFacts<'a> {
    fn of(result: &'a StudyResult, one: &Difference) -> Self {
        Self {
            variant: words::variant_name(result, one.variant),
            baseline: words::variant_name(result, one.baseline),
            metric: one.metric.name(),
            difference: EstimateFacts::of(one.found),
            verdict: difference_verdict_name(one.verdict()),
        }
    }
}

/// The verdict's name in result files.
pub fn difference_verdict_name(verdict: DifferenceVerdict) -> &'static str {
    match verdict {
        DifferenceVerdict::Less => "less",
        DifferenceVerdict::More => "more",
        DifferenceVerdict::NotShown => "not shown",
    }
}

#[derive(serde::Serialize)]
struct UntilFacts {
    asked: String,
    at_most: u32,
    reached: bool,
}

impl UntilFacts {
    fn of(of: &UntilResult) -> Self {
        Self { asked: of.until.to_string(), at_most: of.until.at_most, reached: of.reached }
    }
}

/// What the alarms did, by their names.
struct Alarms<'a>(&'a [AlarmSettings], &'a [AlarmResult]);

impl Alarms<'_> {
    fn are_none(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Alarms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().zip(self.1).map(|(alarm, result)| (&alarm.name, AlarmFacts::of(result))))
    }
}

#[derive(serde::Serialize)]
struct AlarmFacts {
    runs: u32,
    fired_runs: u32,
    fired_s: Option<EstimateFacts>,
    cleared_s: Option<EstimateFacts>,
    in_alarm_s: Option<EstimateFacts>,
    lead_s: Option<EstimateFacts>,
}

impl AlarmFacts {
    fn of(result: &AlarmResult) -> Self {
        let facts = |figure: AlarmFigure| result.figure(figure).and_then(EstimateFacts::of);
        Self {
            runs: result.runs,
            fired_runs: result.fired_runs,
            fired_s: facts(AlarmFigure::FiredS),
            cleared_s: facts(AlarmFigure::ClearedS),
            in_alarm_s: facts(AlarmFigure::InAlarmS),
            lead_s: facts(AlarmFigure::LeadS),
        }
    }
}

/// The metrics by name, in the order of reports.
struct Metrics<'a>(&'a VariantResult);

impl Serialize for Metrics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Metric::ALL.len()))?;
        for metric in Metric::ALL {
            map.serialize_entry(metric.name(), &self.0.metric(*metric).and_then(EstimateFacts::of))?;
        }
        map.end()
    }
}

#[derive(serde::Serialize)]
pub(super) struct EstimateFacts {
    mean: f64,
    lo: f64,
    hi: f64,
    min: f64,
    max: f64,
    sd: f64,
    n: u32,
}

impl EstimateFacts {
    /// `None` where a number is not finite: JSON has no word for it.
    pub(super) fn of(estimate: Estimate) -> Option<Self> {
        let Estimate { mean, lo, hi, min, max, sd, n } = estimate;
        let are_finite = [mean, lo, hi, min, max, sd].iter().all(|value| value.is_finite());
        are_finite.then_some(Self { mean, lo, hi, min, max, sd, n })
    }
}

/// What was looked at: a metric of the whole run, or one with a window or a moment.
#[derive(serde::Serialize)]
struct QuantityFacts {
    metric: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_s: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_s: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_s: Option<u64>,
}

impl QuantityFacts {
    fn of(result: &StudyResult, quantity: Quantity) -> Self {
        let (from_s, to_s, at_s) = match quantity {
            Quantity::Metric(_) | Quantity::Fact(_) | Quantity::Alarm { .. } => (None, None, None),
            Quantity::Window { from_s, until_s, .. } => (Some(from_s), Some(until_s), None),
            Quantity::Level { at_s, .. } => (None, None, Some(at_s)),
        };
        Self { metric: quantity.metric_name(&result.scenario.alarms), from_s, to_s, at_s }
    }
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum BoundFacts {
    Single(f64),
    Both([f64; 2]),
}

impl BoundFacts {
    fn of(bound: &[f64]) -> Option<Self> {
        match *bound {
            [single] if single.is_finite() => Some(Self::Single(single)),
            [low, high] if low.is_finite() && high.is_finite() => Some(Self::Both([low, high])),
            _ => None,
        }
    }
}

#[derive(serde::Serialize)]
struct ExpectationFacts<'a> {
    variant: &'a str,
    #[serde(flatten)]
    quantity: QuantityFacts,
    comparison: &'static str,
    bound: Option<BoundFacts>,
    found: Option<EstimateFacts>,
    holds: &'static str,
    met: bool,
    mean_holds: bool,
    says: &'a str,
}

impl<'a> ExpectationFacts<'a> {
    fn of(result: &'a StudyResult, one: &'a ExpectationResult) -> Self {
        Self {
            variant: words::variant_name(result, one.expectation.variant),
            quantity: QuantityFacts::of(result, one.expectation.quantity),
            comparison: words::comparison_name(&one.expectation.comparison),
            bound: BoundFacts::of(&one.bound),
            found: one.found.and_then(EstimateFacts::of),
            holds: holds_name(one.expectation.holds),
            met: one.met,
            mean_holds: one.mean_holds,
            says: &one.expectation.says,
        }
    }
}

#[derive(serde::Serialize)]
struct ClaimFacts<'a> {
    variant: &'a str,
    #[serde(flatten)]
    quantity: QuantityFacts,
    figure: f64,
    found: Option<EstimateFacts>,
    reproduced_within: f64,
    close_within: f64,
    verdict: &'static str,
    says: &'a str,
    because: &'a str,
}

impl<'a> ClaimFacts<'a> {
    fn of(result: &'a StudyResult, one: &'a ClaimResult) -> Self {
        Self {
            variant: words::variant_name(result, one.claim.variant),
            quantity: QuantityFacts::of(result, one.claim.quantity),
            figure: one.claim.figure,
            found: one.found.and_then(EstimateFacts::of),
            reproduced_within: one.claim.reproduced_within,
            close_within: one.claim.close_within,
            verdict: verdict_name(one.verdict),
            says: &one.claim.says,
            because: &one.claim.because,
        }
    }
}

fn holds_name(holds: Holds) -> &'static str {
    match holds {
        Holds::Interval => "interval",
        Holds::Mean => "mean",
    }
}

/// The verdict's name in reports.
pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::Close => "close",
        Verdict::NotReproduced => "not reproduced",
    }
}

/// The text of `summary.json`.
///
/// `scenario_file` is the scenario's file name as it shall appear in it.
pub fn json(result: &StudyResult, scenario_file: &str) -> Result<String, ReportError> {
    let scenario = &result.scenario;
    let variants = result.variants.iter().map(|variant| VariantFacts {
        name: &variant.name,
        metrics: Metrics(variant),
        probabilities: Probabilities(variant),
        phases: happened::phases_of(result, variant).iter().map(PhaseFacts::of).collect(),
        outages: happened::outages(result, variant).iter().map(OutageFacts::of).collect(),
        disturbance: happened::disturbance(result, variant).map(DisturbanceFacts::of),
        peak: peak(&variant.series).map(PeakFacts::of),
        two_groups: Groups(&variant.groups),
        alarms: Alarms(&scenario.alarms, &variant.alarms),
    });
    let summary = Summary {
        schema: SCHEMA,
        scenario: ScenarioFacts {
            title: &scenario.title,
            file: scenario_file,
            seed: scenario.seed,
            replications: scenario.replications,
            duration_s: seconds(scenario.duration_us),
            warm_up_s: scenario.warm_up_us().map(seconds),
        },
        until: result.until.as_ref().map(UntilFacts::of),
        variants: variants.collect(),
        differences: result.differences.iter().map(|one| DifferenceFacts::of(result, one)).collect(),
        expectations: result.expectations.iter().map(|one| ExpectationFacts::of(result, one)).collect(),
        claims: result.claims.iter().map(|one| ClaimFacts::of(result, one)).collect(),
    };
    serde_json::to_string_pretty(&summary)
        .map(|text| text + "\n")
        .map_err(|error| ReportError::Render { file: "summary.json", reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn holds_the_whole_comparison() {
        insta::assert_snapshot!(json(&sample::failover(), "failover.yaml").unwrap());
    }

    #[test]
    fn has_no_number_that_json_lacks() {
        let mut result = sample::failover();
        let broken = Estimate { mean: f64::NAN, lo: 0.0, hi: f64::INFINITY, min: 0.0, max: 0.0, sd: 0.0, n: 2 };
        result.variants[0].metrics[Metric::Calls as usize] = Some(broken);
        result.expectations[0].found = Some(broken);
        result.expectations[0].bound = vec![f64::NAN];
        let text = json(&result, "x.yaml").unwrap();
        let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(parsed["variants"][0]["metrics"]["calls"].is_null());
        assert!(parsed["expectations"][0]["found"].is_null());
        assert!(parsed["expectations"][0]["bound"].is_null());
    }
}
