//! `tune.json`: the whole search for programs.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::measure::{Direction, Metric};
use crate::report::ReportError;
use crate::report::summary::{EstimateFacts, difference_verdict_name};
use crate::report::sweep::ScenarioFacts;
use crate::scenario::{Axis, Condition};
use crate::study::{CandidateResult, Estimate, Finalist, Search, SweepFacts, TuneResult};

/// The version of the file's shape; later versions only add to it.
const SCHEMA: u32 = 1;

#[derive(serde::Serialize)]
struct Tune<'a> {
    schema: u32,
    finished: bool,
    scenario: ScenarioFacts<'a>,
    axes: &'a [Axis],
    objective: ObjectiveFacts,
    conditions: Vec<ConditionFacts>,
    against: ObjectiveFacts,
    search: SearchFacts,
    best: Vec<BestFacts<'a>>,
    front: &'a [usize],
    candidates: Vec<CandidateFacts<'a>>,
}

#[derive(serde::Serialize)]
struct ObjectiveFacts {
    metric: &'static str,
    unit: &'static str,
    wants: &'static str,
}

impl ObjectiveFacts {
    fn of(metric: Metric, wants: Direction) -> Self {
        let wants = if wants == Direction::Higher { "higher" } else { "lower" };
        Self { metric: metric.name(), unit: metric.unit(), wants }
    }
}

#[derive(serde::Serialize)]
struct ConditionFacts {
    metric: &'static str,
    comparison: &'static str,
    bound: f64,
}

impl ConditionFacts {
    fn of(condition: &Condition) -> Self {
        Self { metric: condition.metric.name(), comparison: condition.side.sign(), bound: condition.bound }
    }
}

#[derive(serde::Serialize)]
struct SearchFacts {
    kind: &'static str,
    runs: u64,
    rungs: Vec<RungFacts>,
}

#[derive(serde::Serialize)]
struct RungFacts {
    candidates: usize,
    replications: u32,
}

#[derive(serde::Serialize)]
struct BestFacts<'a> {
    candidate: usize,
    at: At<'a>,
    variant: &'a str,
    runs: u32,
    metrics: Metrics<'a>,
    feasible: &'static str,
    conditions: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    two_groups: Option<GroupFacts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceFacts>,
    yaml: &'a str,
    yaml_is: &'static str,
}

#[derive(serde::Serialize)]
struct GroupFacts {
    upper_runs: u32,
    runs: u32,
    lower_mean: f64,
    upper_mean: f64,
}

#[derive(serde::Serialize)]
struct DifferenceFacts {
    found: Option<EstimateFacts>,
    verdict: &'static str,
}

#[derive(serde::Serialize)]
struct CandidateFacts<'a> {
    at: At<'a>,
    variant: &'a str,
    rung: usize,
    replications: u32,
    feasible: Option<&'static str>,
    metrics: Metrics<'a>,
}

/// The values of a candidate by the paths of their axes, without those that do not change it.
struct At<'a>(&'a SweepFacts, &'a CandidateResult);

impl Serialize for At<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(facts, candidate) = self;
        let mut map = serializer.serialize_map(None)?;
        for (number, (axis, index)) in facts.axes.iter().zip(facts.coordinates(candidate.point)).enumerate() {
            if !candidate.idle_axes.contains(&number) {
                let value = &axis.values[index];
                match value.number {
                    Some(number) => map.serialize_entry(&axis.path, &number)?,
                    None => map.serialize_entry(&axis.path, &value.label)?,
                }
            }
        }
        map.end()
    }
}

/// The goal's metrics by name.
struct Metrics<'a>(&'a TuneResult, &'a [Option<Estimate>]);

impl Serialize for Metrics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = self.0.goal.metrics().into_iter().zip(self.1);
        serializer.collect_map(named.map(|(metric, found)| (metric.name(), found.and_then(EstimateFacts::of))))
    }
}

/// The contents of `tune.json`.
pub fn tune_json(result: &TuneResult) -> Result<String, ReportError> {
    let TuneResult { facts, goal, .. } = result;
    let tune = Tune {
        schema: SCHEMA,
        finished: result.is_finished,
        scenario: ScenarioFacts::of(facts),
        axes: &facts.axes,
        objective: ObjectiveFacts::of(goal.objective, goal.wants),
        conditions: goal.conditions.iter().map(ConditionFacts::of).collect(),
        against: ObjectiveFacts::of(goal.against, goal.against_wants),
        search: search(result),
        best: result.best.iter().map(|best| best_facts(result, best)).collect(),
        front: &result.front,
        candidates: result.candidates.iter().map(|candidate| candidate_facts(result, candidate)).collect(),
    };
    serde_json::to_string(&tune)
        .map(|text| text + "\n")
        .map_err(|error| ReportError::Render { file: "tune.json", reason: error.to_string() })
}

fn search(result: &TuneResult) -> SearchFacts {
    let rungs = result.rungs.iter();
    SearchFacts {
        kind: if result.search == Search::Grid { "grid" } else { "halving" },
        runs: result.runs,
        rungs: rungs.map(|rung| RungFacts { candidates: rung.candidates, replications: rung.replications }).collect(),
    }
}

fn candidate_facts<'a>(result: &'a TuneResult, candidate: &'a CandidateResult) -> CandidateFacts<'a> {
    CandidateFacts {
        at: At(&result.facts, candidate),
        variant: &result.facts.variants[candidate.variant],
        rung: candidate.rung,
        replications: candidate.runs,
        feasible: (candidate.runs > 0).then(|| candidate.standing.name()),
        metrics: Metrics(result, &candidate.metrics),
    }
}

fn best_facts<'a>(result: &'a TuneResult, best: &'a Finalist) -> BestFacts<'a> {
    let candidate = &result.candidates[best.candidate];
    BestFacts {
        candidate: best.candidate,
        at: At(&result.facts, candidate),
        variant: &result.facts.variants[candidate.variant],
        runs: best.runs,
        metrics: Metrics(result, &best.metrics),
        feasible: best.standing.name(),
        conditions: best.standings.iter().map(|standing| standing.name()).collect(),
        two_groups: best.groups.map(|groups| GroupFacts {
            upper_runs: groups.upper.k,
            runs: groups.upper.n,
            lower_mean: groups.lower_mean,
            upper_mean: groups.upper_mean,
        }),
        difference: best.difference.map(|difference| DifferenceFacts {
            found: EstimateFacts::of(difference.found),
            verdict: difference_verdict_name(difference.verdict()),
        }),
        yaml: &best.pasted.yaml,
        yaml_is: if best.pasted.is_whole { "scenario" } else { "variant" },
    }
}
