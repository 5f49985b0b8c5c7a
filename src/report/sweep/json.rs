//! `sweep.json`: the whole sweep for programs.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::measure::Metric;
use crate::report::ReportError;
use crate::report::summary::EstimateFacts;
use crate::scenario::{Axis, AxisValue};
use crate::study::{SweepFacts, SweepResult};

/// The version of the file's shape; later versions only add to it.
const SCHEMA: u32 = 1;

#[derive(serde::Serialize)]
struct Sweep<'a> {
    schema: u32,
    scenario: ScenarioFacts<'a>,
    axes: &'a [Axis],
    points: Vec<Point<'a>>,
}

/// The scenario of a sweep, and of the search over one.
#[derive(serde::Serialize)]
pub struct ScenarioFacts<'a> {
    title: &'a str,
    file: &'a str,
    seed: u64,
    replications: u32,
    /// Null where it is varied.
    duration_s: Option<f64>,
}

impl<'a> ScenarioFacts<'a> {
    /// Of these facts.
    pub fn of(facts: &'a SweepFacts) -> Self {
        Self {
            title: &facts.title,
            file: &facts.file,
            seed: facts.seed,
            replications: facts.replications,
            duration_s: facts.duration_s,
        }
    }
}

#[derive(serde::Serialize)]
struct Point<'a> {
    at: At<'a>,
    variants: Vec<Variant<'a>>,
}

/// The values of a point by the paths of their axes: numbers in the axis' unit, or words.
struct At<'a>(&'a SweepFacts, usize);

impl Serialize for At<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.axes.len()))?;
        for (axis, index) in self.0.axes.iter().zip(self.0.coordinates(self.1)) {
            match &axis.values[index] {
                AxisValue { number: Some(number), .. } => map.serialize_entry(&axis.path, number)?,
                AxisValue { label, .. } => map.serialize_entry(&axis.path, label)?,
            }
        }
        map.end()
    }
}

#[derive(serde::Serialize)]
struct Variant<'a> {
    name: &'a str,
    metrics: Metrics<'a>,
}

/// The metrics of a variant at a point by name, in the order of reports.
struct Metrics<'a> {
    result: &'a SweepResult,
    point: usize,
    variant: usize,
}

impl Serialize for Metrics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(Metric::ALL.len()))?;
        for metric in Metric::ALL {
            let found = self.result.metric(self.point, self.variant, *metric);
            map.serialize_entry(metric.name(), &found.and_then(EstimateFacts::of))?;
        }
        map.end()
    }
}

/// The contents of `sweep.json`: points in the order in which the values of the last axis follow each other.
pub fn sweep_json(result: &SweepResult) -> Result<String, ReportError> {
    let facts = &result.facts;
    let variants = |point: usize| {
        let named = facts.variants.iter().enumerate();
        named.map(|(variant, name)| Variant { name, metrics: Metrics { result, point, variant } }).collect()
    };
    let sweep = Sweep {
        schema: SCHEMA,
        scenario: ScenarioFacts::of(facts),
        axes: &facts.axes,
        points: (0..facts.points()).map(|point| Point { at: At(facts, point), variants: variants(point) }).collect(),
    };
    serde_json::to_string(&sweep)
        .map(|text| text + "\n")
        .map_err(|error| ReportError::Render { file: "sweep.json", reason: error.to_string() })
}
