//! Values that are one of a few words.

use super::report_type;
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use crate::scenario::words::nearest;
use schemars::Schema;
use serde_json::json;

/// Declares which words stand for the values of an enum of the model.
macro_rules! words {
    ($type:ident is $name:literal { $($word:literal = $variant:ident, $description:literal;)* }) => {
        impl $crate::scenario::language::Language for $type {
            fn read(
                node: &$crate::scenario::tree::Node,
                problems: &mut $crate::scenario::problems::Problems,
            ) -> Option<Self> {
                $crate::scenario::language::read_word(node, $name, &[$(($word, Self::$variant)),*], problems)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).trim_start_matches("Raw").into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::scenario::language::word_schema(&[$(($word, $description)),*])
            }
        }
    };
}
pub(in crate::scenario) use words;

/// The value that a word stands for.
pub(in crate::scenario) fn read_word<T: Copy>(
    node: &Node,
    name: &str,
    values: &[(&'static str, T)],
    problems: &mut Problems,
) -> Option<T> {
    let words: Vec<&str> = values.iter().map(|(word, _)| *word).collect();
    if let Value::Text(text) = &node.value {
        if let Some((_, value)) = values.iter().find(|(word, _)| word == text) {
            return Some(*value);
        }
        if let Some(word) = nearest(text, words.iter().copied()) {
            report_type(node, name, &form(&words), Some(format!("did you mean `{word}`?")), problems);
            return None;
        }
    }
    report_type(node, name, &form(&words), None, problems);
    None
}

fn form(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}

/// The schema of a choice of words.
pub(in crate::scenario) fn word_schema(words: &[(&str, &str)]) -> Schema {
    let choices: Vec<_> =
        words.iter().map(|(word, description)| json!({ "const": word, "description": description })).collect();
    schemars::json_schema!({ "oneOf": choices })
}
