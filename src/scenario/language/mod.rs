//! What every type of the language can do: be read from a node, be laid over another, describe itself to editors.
//!
//! The types themselves are declared with three macros: [`mapping!`], [`one_of!`] and [`words!`]. A declaration is at
//! once the type, its reader, its overlay and its schema, so that the four cannot drift apart.

mod field;
mod list;
mod mapping;
mod one_of;
mod words;

pub(super) use field::{Field, Located};
pub(super) use list::{List, Named, NamedEntry, OrNone};
pub(super) use mapping::{MappingReader, Property, mapping, mapping_schema, report_repeated};
pub(super) use one_of::{Alternative, one_of, one_of_schema, pick};
pub(super) use words::{read_word, word_schema, words};

use super::problems::{Finding, Problems};
use super::text::quoted;
use super::tree::{Node, Value};
use schemars::JsonSchema;

/// A type of the scenario language.
pub(super) trait Language: Clone + JsonSchema {
    /// What a mapping by name holds whose values are of this type.
    const ALL: &'static str = "values by their names";

    /// Reads a node; reports what is wrong with it and returns `None` if it cannot be read.
    fn read(node: &Node, problems: &mut Problems) -> Option<Self>;

    /// Lays a variant's value over the common one. A plain value replaces it; mappings merge key by key and keep the
    /// place of the common one, so that a mistake in it is the same mistake in every variant.
    fn overlay(base: &mut Located<Self>, over: &Located<Self>) {
        *base = over.clone();
    }
}

/// Reports a node that is something else than what belongs there: `expected` names it, `form` says how it is written.
pub(super) fn report_type(node: &Node, expected: &str, form: &str, help: Option<String>, problems: &mut Problems) {
    let found = match &node.value {
        Value::Bool(value) => format!("`{value}`"),
        Value::Integer(value) => format!("the number `{value}`"),
        Value::Float(value) => format!("the number `{value}`"),
        Value::Text(text) => quoted(text),
        other => other.kind().to_owned(),
    };
    let mut finding = Finding::new(node.place, format!("expected {expected}, found {found}"), form);
    finding.help = help;
    problems.report(finding);
}
