//! What editors are told of a catalogue.

use super::{Catalogue, RawJitter, RawKind};
use crate::model::policy::catalogue::{About, JitterChoice, Kind, Parameter, ParameterKind};
use crate::scenario::language::{List, Property, mapping_schema, one_of_schema};
use crate::scenario::value::{Count, Duration, Number, Rate, Share};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::json;
use std::borrow::Cow;

impl<C: Catalogue> JsonSchema for RawKind<C> {
    fn schema_name() -> Cow<'static, str> {
        C::SCHEMA_NAME.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        choice::<C>(|_| true, generator)
    }
}

/// The schema of those kinds of a catalogue that a condition holds for.
fn choice<C: Catalogue>(condition: impl Fn(&Kind<C::Built>) -> bool, generator: &mut SchemaGenerator) -> Schema {
    let abouts: Vec<&About> = C::kinds().iter().filter(|kind| condition(kind)).map(|kind| &kind.about).collect();
    let alone = abouts.iter().filter(|about| about.stands_alone());
    let words: Vec<(&str, &str)> = alone.map(|about| (about.name, about.summary)).collect();
    let with_parameters = abouts.iter().filter(|about| !about.parameters.is_empty());
    let kinds = with_parameters.map(|about| (about.name, about.summary, parameters::<C>(about, generator)));
    one_of_schema(C::DESCRIPTION, Vec::new(), &words, kinds.collect())
}

fn parameters<C: Catalogue>(about: &About, generator: &mut SchemaGenerator) -> Schema {
    let properties = about.parameters.iter().map(|parameter| Property {
        key: parameter.name,
        description: description(parameter).into(),
        required: C::IS_GIVEN_WHOLE && parameter.default.is_none(),
        schema: value(parameter.kind, generator),
        limits: limits(parameter.kind),
    });
    mapping_schema(about.summary, properties.collect())
}

fn description(parameter: &Parameter) -> String {
    let (meaning, allowed) = (parameter.meaning, parameter.kind.allowed());
    match parameter.default_written() {
        Some(default) => format!("{meaning} Allowed: {allowed}. Default: {default}."),
        None => format!("{meaning} Allowed: {allowed}. Has to be given."),
    }
}

fn value(kind: ParameterKind, generator: &mut SchemaGenerator) -> Schema {
    match kind {
        ParameterKind::Seconds { .. } | ParameterKind::Duration { .. } => generator.subschema_for::<Duration>(),
        ParameterKind::Count { .. } => generator.subschema_for::<Count>(),
        ParameterKind::Number { .. } => generator.subschema_for::<Number>(),
        ParameterKind::Rate => generator.subschema_for::<Rate>(),
        ParameterKind::Share => generator.subschema_for::<Share>(),
        ParameterKind::Switch => generator.subschema_for::<bool>(),
        ParameterKind::SecondsList { most, .. } => {
            let mut schema = generator.subschema_for::<List<Duration>>();
            schema.insert("minItems".to_owned(), json!(1));
            schema.insert("maxItems".to_owned(), json!(most));
            schema
        }
        ParameterKind::Jitter { choice: JitterChoice::Only(names), .. } => {
            choice::<super::Jitters>(|kind| names.contains(&kind.about.name), generator)
        }
        ParameterKind::Jitter { .. } => generator.subschema_for::<RawJitter>(),
    }
}

/// Smallest and largest number, for editors; the check has the last word.
fn limits(kind: ParameterKind) -> Option<(i64, i64)> {
    match kind {
        ParameterKind::Count { from, to } => Some((i64::try_from(from).ok()?, i64::try_from(to).ok()?)),
        ParameterKind::Number { from, to } => Some((from.ceil() as i64, to.floor() as i64)),
        _ => None,
    }
}
