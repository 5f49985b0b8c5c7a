//! Lists, mappings by name, and values that may be `none`.

use super::mapping::{named_entries, named_schema};
use super::{Language, Located, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::text::Place;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// A list; a variant's list replaces the common one whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::scenario) struct List<T> {
    /// `None` for an item that could not be read; that has been reported.
    items: Vec<Option<Located<T>>>,
}

impl<T> List<T> {
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items that could be read.
    pub fn readable(&self) -> impl Iterator<Item = &Located<T>> {
        self.items.iter().flatten()
    }
}

impl<T: Language> Language for List<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Value::List(nodes) = &node.value else {
            report_type(node, "a list", "`[ ... ]`, or one item a line after `- `", None, problems);
            return None;
        };
        let mut read = |node: &Node| Some(Located { value: T::read(node, problems)?, place: node.place });
        Some(Self { items: nodes.iter().map(&mut read).collect() })
    }
}

impl<T: Language> JsonSchema for List<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}List", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let item = generator.subschema_for::<T>();
        schemars::json_schema!({ "type": "array", "items": item })
    }
}

/// Values by the names that their author gave them, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::scenario) struct Named<T> {
    pub entries: Vec<NamedEntry<T>>,
}

/// One named value.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct NamedEntry<T> {
    pub name: String,
    pub name_place: Place,
    /// `None` if it could not be read; that has been reported.
    pub value: Option<T>,
}

impl<T: Language + Default> Language for Named<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let entries = named_entries(node, T::ALL, problems)?;
        let read = |node: &Node, problems: &mut Problems| match node.value {
            // A name with nothing behind it is the common setup as it stands.
            Value::Null => Some(T::default()),
            _ => T::read(node, problems),
        };
        let entries = entries
            .iter()
            .map(|entry| NamedEntry {
                name: entry.key.clone(),
                name_place: entry.key_place,
                value: read(&entry.node, problems),
            })
            .collect();
        Some(Self { entries })
    }
}

impl<T: Language> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Named{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        named_schema::<T>(generator)
    }
}

/// A value, or the word `none`: a variant can take away what the common setup has.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) enum OrNone<T> {
    None,
    Some(T),
}

impl<T> OrNone<T> {
    pub fn as_option(&self) -> Option<&T> {
        match self {
            Self::None => None,
            Self::Some(value) => Some(value),
        }
    }
}

impl<T: Language> Language for OrNone<T> {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::Text(text) if text == "none" => Some(Self::None),
            _ => T::read(node, problems).map(Self::Some),
        }
    }

    fn overlay(base: &mut Located<Self>, over: &Located<Self>) {
        let (Self::Some(common), Self::Some(own)) = (&base.value, &over.value) else {
            *base = over.clone();
            return;
        };
        let mut merged = Located { value: common.clone(), place: base.place };
        T::overlay(&mut merged, &Located { value: own.clone(), place: over.place });
        *base = Located { value: Self::Some(merged.value), place: merged.place };
    }
}

impl<T: Language> JsonSchema for OrNone<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}OrNone", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [value, { "const": "none" }] })
    }
}
