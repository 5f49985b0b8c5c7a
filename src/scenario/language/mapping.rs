//! Mappings: the sections of a scenario, with a fixed set of keys.

use super::{Field, Language, Located, report_type};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::quoted;
use crate::scenario::tree::{Entry, Node, Value};
use crate::scenario::words::did_you_mean;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, json};
use std::borrow::Cow;

/// Declares a mapping: a struct whose fields are all [`Field`]s, read, laid over and described key by key.
///
/// The documentation of the type and of its fields is what an editor shows. A key that is no Rust word is given with
/// `as`; `in` says what a mapping by name
/// has that holds them; `[1 to 10]` tells editors the range of a plain number; `= required` marks a key that has to be there.
macro_rules! mapping {
    (
        $(#[doc = $doc:literal])*
        $type:ident is $name:literal $(in $all:literal)? {
            $(
                $(#[doc = $field_doc:literal])*
                $field:ident $(as $key:literal)? : $value:ty $([$low:literal to $high:literal])? $(= $required:ident)?,
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub(in crate::scenario) struct $type {
            $($(#[doc = $field_doc])* pub $field: $crate::scenario::language::Field<$value>,)*
        }

        impl $type {
            const KEYS: &[&str] = &[$($crate::scenario::language::mapping!(@key $field $($key)?)),*];
        }

        impl $crate::scenario::language::Language for $type {
            $(const ALL: &'static str = $all;)?

            fn read(
                node: &$crate::scenario::tree::Node,
                problems: &mut $crate::scenario::problems::Problems,
            ) -> Option<Self> {
                let mut reader = $crate::scenario::language::MappingReader::new(node, $name, Self::KEYS, problems)?;
                Some(Self {
                    $($field: reader.field(
                        $crate::scenario::language::mapping!(@key $field $($key)?),
                        $crate::scenario::language::mapping!(@required $($required)?),
                    ),)*
                })
            }

            fn overlay(
                base: &mut $crate::scenario::language::Located<Self>,
                over: &$crate::scenario::language::Located<Self>,
            ) {
                $(base.value.$field.overlay(&over.value.$field);)*
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).trim_start_matches("Raw").into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::scenario::language::mapping_schema(
                    concat!($($doc),*),
                    vec![$($crate::scenario::language::Property {
                        key: $crate::scenario::language::mapping!(@key $field $($key)?),
                        description: concat!($($field_doc),*).into(),
                        required: $crate::scenario::language::mapping!(@required $($required)?),
                        schema: generator.subschema_for::<$value>(),
                        limits: $crate::scenario::language::mapping!(@limits $($low to $high)?),
                    }),*],
                )
            }
        }
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
    (@limits) => { None };
    (@limits $low:literal to $high:literal) => { Some(($low, $high)) };
    (@required) => { false };
    (@required required) => { true };
}
pub(in crate::scenario) use mapping;

/// Reads the keys of one mapping; unknown and repeated ones are reported at once.
pub(in crate::scenario) struct MappingReader<'a> {
    node: &'a Node,
    entries: &'a [Entry],
    name: &'static str,
    problems: &'a mut Problems,
}

impl<'a> MappingReader<'a> {
    pub fn new(node: &'a Node, name: &'static str, keys: &[&str], problems: &'a mut Problems) -> Option<Self> {
        let Value::Mapping(entries) = &node.value else {
            let help = format!("{name} takes the keys {}", crate::scenario::words::list(keys));
            report_type(node, &format!("a mapping for {name}"), "keys and values belong here", Some(help), problems);
            return None;
        };
        for entry in entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())) {
            let title = format!("unknown key {} in {name}", quoted(&entry.key));
            let help = did_you_mean(&entry.key, keys, name);
            problems.report(Finding::new(entry.key_place, title, "not a key of the language here").help(help));
        }
        report_repeated(entries, problems);
        Some(Self { node, entries, name, problems })
    }

    /// The value of one key.
    pub fn field<T: Language>(&mut self, key: &'static str, required: bool) -> Field<T> {
        self.field_with(key, required, T::read)
    }

    /// The value of one key, read in a way of its own.
    pub fn field_with<T>(
        &mut self,
        key: &'static str,
        required: bool,
        read: impl FnOnce(&Node, &mut Problems) -> Option<T>,
    ) -> Field<T> {
        match self.entries.iter().find(|entry| entry.key == key) {
            Some(entry) => match read(&entry.node, self.problems) {
                Some(value) => Field::Given(Located { value, place: entry.node.place }),
                None => Field::Unreadable,
            },
            None if required => {
                let title = format!("{} needs the key `{key}`", self.name);
                self.problems.report(Finding::new(self.node.place, title, format!("`{key}` is missing")));
                Field::Unreadable
            }
            None => Field::Absent,
        }
    }
}

/// Reports every key that stands twice in a mapping.
pub(in crate::scenario) fn report_repeated(entries: &[Entry], problems: &mut Problems) {
    let mut seen = std::collections::HashSet::new();
    for entry in entries.iter().filter(|entry| !seen.insert(entry.key.as_str())) {
        let title = format!("the key {} is given twice", quoted(&entry.key));
        problems.report(Finding::new(entry.key_place, title, "given again here").help("keep one of the two"));
    }
}

/// One key of a mapping, for its schema.
pub(in crate::scenario) struct Property {
    pub key: &'static str,
    pub description: Cow<'static, str>,
    pub required: bool,
    pub schema: Schema,
    /// Smallest and largest number, for editors; checks have the last word.
    pub limits: Option<(i64, i64)>,
}

/// The schema of a mapping: its keys and no others.
pub(in crate::scenario) fn mapping_schema(description: &str, properties: Vec<Property>) -> Schema {
    let required: Vec<&str> =
        properties.iter().filter(|property| property.required).map(|property| property.key).collect();
    let properties: Map<_, _> = properties
        .into_iter()
        .map(|mut property| {
            property.schema.insert("description".to_owned(), json!(property.description.trim()));
            if let Some((low, high)) = property.limits {
                property.schema.insert("minimum".to_owned(), json!(low));
                property.schema.insert("maximum".to_owned(), json!(high));
            }
            (property.key.to_owned(), property.schema.to_value())
        })
        .collect();
    let mut schema = schemars::json_schema!({
        "type": "object",
        "description": description.trim(),
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// Reads a mapping in which any name may be a key.
pub(super) fn named_entries<'a>(node: &'a Node, name: &str, problems: &mut Problems) -> Option<&'a [Entry]> {
    let Value::Mapping(entries) = &node.value else {
        report_type(node, &format!("a mapping for {name}"), "keys and values belong here", None, problems);
        return None;
    };
    report_repeated(entries, problems);
    Some(entries)
}

/// The schema of a mapping in which any name may be a key.
pub(super) fn named_schema<T: Language>(generator: &mut SchemaGenerator) -> Schema {
    let value = generator.subschema_for::<T>();
    schemars::json_schema!({
        "type": "object",
        "minProperties": 1,
        "additionalProperties": { "anyOf": [value, { "type": "null" }] },
    })
}
