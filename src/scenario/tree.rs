//! YAML as a tree of nodes that know their place in the text.

use super::problems::Finding;
use super::syntax;
use super::text::Place;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Location, Spanned};
use std::fmt;

/// Longest text in a scenario, in bytes. With the limits on nodes it bounds what aliases can blow up.
const LONGEST_TEXT: usize = 4_000;
/// Most nodes of a scenario, aliases followed.
pub(super) const MOST_NODES: usize = 50_000;
/// Deepest nesting of a scenario; the language itself needs 8.
pub(super) const DEEPEST: usize = 32;

/// A value and the place that it was written at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    /// The value for a scalar; the key that leads here, if there is one, for a mapping or a list.
    pub place: Place,
    pub value: Value,
}

/// What YAML can hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A number with a fraction or an exponent; may be infinite or no number at all.
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Mapping(Vec<Entry>),
}

/// A key of a mapping and its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub key: String,
    pub key_place: Place,
    pub node: Node,
}

impl Value {
    /// What it is, in words for a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Integer(_) | Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }

    /// Whether messages about it point at its key: it has no text of its own, or too much.
    fn is_shown_by_its_key(&self) -> bool {
        matches!(self, Self::List(_) | Self::Mapping(_) | Self::Null)
    }
}

/// The tree of a text, or why it is no YAML.
pub(super) fn read_tree(text: &str) -> Result<Node, Finding> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEEPEST,
            flow_nesting_limit: DEEPEST,
            max_nodes: MOST_NODES,
            max_events: 4 * MOST_NODES,
            max_aliases: MOST_NODES,
            enforce_alias_anchor_ratio: false,
            max_documents: 1,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MOST_NODES },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| syntax::finding(text, &error))
}

fn place_of(location: Location) -> Place {
    let span = location.span();
    let start = span.byte_offset().unwrap_or_default() as usize;
    Place { start, end: start + span.byte_len().unwrap_or_default() as usize }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self { place: place_of(spanned.defined), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Integer(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        if value.len() > LONGEST_TEXT {
            return Err(E::custom(format!("a text of {} bytes; at most {LONGEST_TEXT} are allowed", value.len())));
        }
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element::<Node>()? {
            nodes.push(node);
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut mapping: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = mapping.next_key::<Spanned<String>>()? {
            let key_place = place_of(key.defined);
            let mut node: Node = mapping.next_value()?;
            if node.value.is_shown_by_its_key() {
                node.place = key_place;
            }
            entries.push(Entry { key: key.value, key_place, node });
        }
        Ok(Value::Mapping(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(String, String, String)> {
        let Ok(Node { value: Value::Mapping(entries), .. }) = read_tree(text) else { panic!("a mapping") };
        let cut = |place: Place| text[place.start..place.end].to_owned();
        entries.into_iter().map(|entry| (entry.key.clone(), cut(entry.key_place), cut(entry.node.place))).collect()
    }

    #[test]
    fn keys_and_values_know_their_place() {
        let text = "ä: 30s\n\"b c\": { x: 1 }\nd: [1, 2]\ne: 'q'\nf:\n";
        let found = places(text);
        let expected =
            [("ä", "ä", "30s"), ("b c", "\"b c\"", "\"b c\""), ("d", "d", "d"), ("e", "e", "'q'"), ("f", "f", "f")];
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!((found.0.as_str(), found.1.as_str(), found.2.as_str()), expected);
        }
    }

    #[test]
    fn an_alias_points_at_what_it_stands_for() {
        let found = places("a: &x 30s\nb: *x\n");
        assert_eq!(found[1].2, "30s");
    }

    #[test]
    fn repeated_keys_are_kept_for_a_later_stage() {
        assert_eq!(places("a: 1\na: 2\n").len(), 2);
    }

    #[test]
    fn deep_nesting_and_alias_bombs_are_errors() {
        let deep = "[".repeat(1_000) + &"]".repeat(1_000);
        assert!(read_tree(&deep).is_err());
        let block: String = (0..1_000).map(|depth| " ".repeat(depth) + "a:\n").collect();
        assert!(read_tree(&block).is_err());
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let last = level - 1;
            bomb += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{last}"); 9].join(", "));
        }
        assert!(read_tree(&bomb).is_err());
    }
}
