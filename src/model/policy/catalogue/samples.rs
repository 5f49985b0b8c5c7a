//! Parameters for tests: the ends of their ranges, and what is between.

use super::{About, Parameter, ParameterKind, Settings, Value};
use crate::engine::random::KeyedDraw;
use crate::model::policy::JITTERS;

/// A value for each parameter of a kind. Together they may contradict each other.
pub(in crate::model::policy) fn some_values(about: &About, draw: &mut KeyedDraw) -> Vec<(&'static str, Value)> {
    about.parameters.iter().map(|parameter| (parameter.name, some_value(parameter, draw))).collect()
}

/// A value of a parameter: an end of its range, or something between.
fn some_value(parameter: &Parameter, draw: &mut KeyedDraw) -> Value {
    let part = [0.0, 0.001, draw.unit(), 1.0][draw.up_to(3) as usize];
    let between = |from: f64, to: f64| from + (to - from) * part;
    let seconds = |from_s: u32, to_s: u32| between(from_s.into(), to_s.into()) as u32;
    match parameter.kind {
        ParameterKind::Seconds { from_s, to_s } => Value::seconds(seconds(from_s, to_s)),
        ParameterKind::Duration { from_us, to_us } => {
            Value::Duration { us: between(from_us as f64, to_us as f64) as u64 }
        }
        ParameterKind::Count { from, to } => Value::Count(between(from as f64, to as f64) as u64),
        ParameterKind::Number { from, to } => Value::Number(between(from, to)),
        ParameterKind::Rate => Value::Rate { per_s: between(0.001, 1e6) },
        ParameterKind::Share => Value::Share(part),
        ParameterKind::Switch => Value::Switch(part < 0.5),
        ParameterKind::SecondsList { from_s, to_s, most } => {
            let items = 1 + draw.up_to(most as u32 - 1);
            Value::list_of_seconds((0..items).map(|item| seconds(from_s, to_s).saturating_sub(item).max(from_s)))
        }
        ParameterKind::Jitter { .. } => {
            let kind = JITTERS[draw.up_to(JITTERS.len() as u32 - 1) as usize];
            let given = some_values(&kind.about, draw);
            Value::Jitter(Settings::new(kind, &given).expect("no parameter of a jitter contradicts another").build())
        }
    }
}
