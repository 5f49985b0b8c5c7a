//! The name of a client library whose defaults are taken.

use super::{RawConsumers, RawPolicy, RawSetup};
use crate::model::consumer::presets::{PRESETS, Preset};
use crate::scenario::language::{Field, Language, read_word, word_schema};
use crate::scenario::problems::Problems;
use crate::scenario::text::Place;
use crate::scenario::tree::{Node, Value, read_tree};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// A client library.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct RawLike(pub &'static Preset);

impl Language for RawLike {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let words: Vec<(&'static str, Self)> = PRESETS.iter().map(|preset| (preset.name, Self(preset))).collect();
        read_word(node, "a client library", &words, problems)
    }
}

impl JsonSchema for RawLike {
    fn schema_name() -> Cow<'static, str> {
        "Like".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<(&str, &str)> = PRESETS.iter().map(|preset| (preset.name, preset.title)).collect();
        word_schema(&words)
    }
}

/// Consumers and their policy, with the defaults of the client library that they name, if any, below all that is given.
pub(in crate::scenario) fn with_defaults_of_library(
    consumers: &Field<RawConsumers>,
    policy: &Field<RawPolicy>,
) -> (Field<RawConsumers>, Field<RawPolicy>) {
    let library = consumers.value().and_then(|consumers| consumers.like.given());
    let Some(defaults) = library.and_then(|library| defaults_of(library.value.0, library.place)) else {
        return (consumers.clone(), policy.clone());
    };
    let (mut merged_consumers, mut merged_policy) = (defaults.consumers, defaults.policy);
    merged_consumers.overlay(consumers);
    merged_policy.overlay(policy);
    (merged_consumers, merged_policy)
}

/// The defaults of a library as the sections that a scenario would have, all of them where the library is named.
fn defaults_of(preset: &Preset, place: Place) -> Option<RawSetup> {
    let mut tree = read_tree(&preset.written()).ok()?;
    move_to(&mut tree, place);
    RawSetup::read(&tree, &mut Problems::default())
}

fn move_to(node: &mut Node, place: Place) {
    node.place = place;
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| move_to(item, place)),
        Value::Mapping(entries) => entries.iter_mut().for_each(|entry| {
            entry.key_place = place;
            move_to(&mut entry.node, place);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_every_library_can_be_read() {
        for preset in PRESETS {
            let mut problems = Problems::default();
            let tree = read_tree(&preset.written()).unwrap_or_else(|_| panic!("{}", preset.written()));
            let read = RawSetup::read(&tree, &mut problems);
            assert!(read.is_some() && problems.is_empty(), "{}", preset.written());
        }
    }
}
