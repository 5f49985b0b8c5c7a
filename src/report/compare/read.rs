//! Reading a `summary.json` back.

use serde_json::{Map, Value};

use crate::measure::Metric;
use crate::study::Sample;

/// The version of the layout that can be read.
const SCHEMA: u64 = 1;

/// Why a text is no `summary.json` that can be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// It is no JSON.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// It is JSON of something else.
    #[error("not a summary.json of retrystorm: {0}")]
    Shape(String),
    /// It was written by a version whose files lack what a comparison needs.
    #[error("the summary.json of an earlier version, without `sd` and `n`: run the scenario again")]
    Earlier,
}

/// What a `summary.json` says of its study.
#[derive(Debug, Clone, PartialEq)]
pub struct StudySummary {
    /// What was compared.
    pub title: String,
    /// The seed of its random streams.
    pub seed: u64,
    /// Runs of each variant.
    pub replications: u64,
    /// The variants with the metrics that they define.
    pub variants: Vec<(String, Vec<(Metric, Sample)>)>,
}

impl StudySummary {
    /// Reads the text of a `summary.json`.
    pub fn read(text: &str) -> Result<Self, SummaryError> {
        let value: Value = serde_json::from_str(text).map_err(|error| SummaryError::Syntax(error.to_string()))?;
        match value.get("schema").and_then(Value::as_u64) {
            Some(SCHEMA) => {}
            Some(other) => return Err(shape(format!("`schema` is {other}, but only {SCHEMA} is known"))),
            None => return Err(shape("it has no `schema`".to_owned())),
        }
        let scenario = &value["scenario"];
        let number = |key: &str| scenario[key].as_u64().ok_or_else(|| shape(format!("`scenario` has no `{key}`")));
        let title = scenario["title"].as_str().ok_or_else(|| shape("`scenario` has no `title`".to_owned()))?.to_owned();
        let variants = value["variants"].as_array().ok_or_else(|| shape("it has no `variants`".to_owned()))?;
        let variants = variants.iter().map(variant).collect::<Result<_, _>>()?;
        Ok(Self { title, seed: number("seed")?, replications: number("replications")?, variants })
    }

    /// The metrics of a variant.
    pub(super) fn variant(&self, name: &str) -> Option<&[(Metric, Sample)]> {
        self.variants.iter().find(|(known, _)| known == name).map(|(_, metrics)| metrics.as_slice())
    }
}

fn shape(reason: String) -> SummaryError {
    SummaryError::Shape(reason)
}

fn variant(value: &Value) -> Result<(String, Vec<(Metric, Sample)>), SummaryError> {
    let name = value["name"].as_str().ok_or_else(|| shape("a variant has no `name`".to_owned()))?;
    let metrics = value["metrics"].as_object().ok_or_else(|| shape(format!("`{name}` has no `metrics`")))?;
    let mut known = Vec::new();
    for metric in Metric::ALL {
        match metrics.get(metric.name()) {
            // Not defined in that study, or not known to the version that wrote it.
            None | Some(Value::Null) => {}
            Some(Value::Object(found)) => known.push((*metric, sample(found, metric.name())?)),
            Some(_) => return Err(shape(format!("`{}` of `{name}` is no set of numbers", metric.name()))),
        }
    }
    Ok((name.to_owned(), known))
}

fn sample(found: &Map<String, Value>, name: &str) -> Result<Sample, SummaryError> {
    let number = |key: &str| found.get(key).and_then(Value::as_f64);
    let mean = number("mean").ok_or_else(|| shape(format!("`{name}` has no `mean`")))?;
    if !found.contains_key("sd") || !found.contains_key("n") {
        return Err(SummaryError::Earlier);
    }
    let sd = number("sd").filter(|sd| *sd >= 0.0).ok_or_else(|| shape(format!("`sd` of `{name}` is no spread")))?;
    let n = found["n"].as_u64().and_then(|n| u32::try_from(n).ok());
    Ok(Sample { mean, sd, n: n.ok_or_else(|| shape(format!("`n` of `{name}` is no number of runs")))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        StudySummary::read(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_summary_is_named() {
        assert!(error("{").starts_with("not JSON"));
        assert!(error("[]").contains("no `schema`"));
        assert!(error("{\"schema\": 9}").contains("`schema` is 9"));
        assert!(error("{\"schema\": 1}").contains("no `title`"));
        let of = |metric: &str| {
            let scenario = "{\"title\": \"t\", \"seed\": 1, \"replications\": 2}";
            format!(
                "{{\"schema\": 1, \"scenario\": {scenario}, \"variants\": [{{\"name\": \"v\", \"metrics\": {metric}}}]}}"
            )
        };
        assert!(error(&of("3")).contains("`v` has no `metrics`"));
        assert!(error(&of("{\"calls\": 3}")).contains("`calls` of `v`"));
        assert!(error(&of("{\"calls\": {\"mean\": 3}}")).contains("earlier version"));
        assert!(error(&of("{\"calls\": {\"mean\": 3, \"sd\": -1, \"n\": 2}}")).contains("`sd`"));
        assert!(error(&of("{\"calls\": {\"mean\": 3, \"sd\": 1, \"n\": 2.5}}")).contains("`n`"));
        assert!(StudySummary::read(&of("{\"calls\": null, \"unheard_of\": 1}")).is_ok());
    }
}
