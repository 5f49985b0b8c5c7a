//! Values of several kinds: a word, a mapping with one key that names the kind, or a plain value.

use super::report_type;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::quoted;
use crate::scenario::tree::{Entry, Node, Value};
use crate::scenario::words::nearest;
use schemars::Schema;
use serde_json::{Value as Json, json};

/// Declares a choice of kinds. A variant that names the same kind is merged into the common value; another kind
/// replaces it.
macro_rules! one_of {
    (
        $(#[doc = $doc:literal])*
        $type:ident is $name:literal {
            $(plain $plain:ident($plain_value:ty), $plain_hint:literal;)?
            $(word $word:literal = $word_variant:ident, $word_doc:literal;)*
            $(kind $kind:literal = $kind_variant:ident($value:ty), $kind_doc:literal;)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub(in crate::scenario) enum $type {
            $($plain($crate::scenario::language::Located<$plain_value>),)?
            $($word_variant,)*
            $($kind_variant($crate::scenario::language::Located<$value>),)*
        }

        impl $crate::scenario::language::Language for $type {
            fn read(
                node: &$crate::scenario::tree::Node,
                problems: &mut $crate::scenario::problems::Problems,
            ) -> Option<Self> {
                use $crate::scenario::language::{Alternative, Language, Located, pick};
                let plain: &[&str] = &[$($plain_hint)?];
                match pick(node, $name, plain, &[$($word),*], &[$($kind),*], problems)? {
                    $(Alternative::Word($word) => Some(Self::$word_variant),)*
                    $(Alternative::Kind($kind, entry) => {
                        let value = <$value as Language>::read(&entry.node, problems)?;
                        Some(Self::$kind_variant(Located { value, place: entry.node.place }))
                    })*
                    $(Alternative::Plain => {
                        let value = <$plain_value as Language>::read(node, problems)?;
                        Some(Self::$plain(Located { value, place: node.place }))
                    })?
                    #[allow(unreachable_patterns)] // Reached only if the lists above disagreed; then nothing is read.
                    _ => None,
                }
            }

            fn overlay(
                base: &mut $crate::scenario::language::Located<Self>,
                over: &$crate::scenario::language::Located<Self>,
            ) {
                match (&mut base.value, &over.value) {
                    $((Self::$kind_variant(base), Self::$kind_variant(over)) => {
                        <$value as $crate::scenario::language::Language>::overlay(base, over);
                    })*
                    _ => *base = over.clone(),
                }
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).trim_start_matches("Raw").into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::scenario::language::one_of_schema(
                    concat!($($doc),*),
                    vec![$(generator.subschema_for::<$plain_value>())?],
                    &[$(($word, $word_doc)),*],
                    vec![$(($kind, $kind_doc, generator.subschema_for::<$value>())),*],
                )
            }
        }
    };
}
pub(in crate::scenario) use one_of;

/// What a node turned out to be.
pub(in crate::scenario) enum Alternative<'a> {
    Word(&'static str),
    Kind(&'static str, &'a Entry),
    Plain,
}

/// Which of the allowed kinds a node is; reports a node that is none of them.
pub(in crate::scenario) fn pick<'a>(
    node: &'a Node,
    name: &str,
    plain: &[&str],
    words: &[&'static str],
    kinds: &[&'static str],
    problems: &mut Problems,
) -> Option<Alternative<'a>> {
    match &node.value {
        Value::Mapping(entries) => pick_kind(node, entries, name, plain, words, kinds, problems),
        Value::Text(text) if words.contains(&text.as_str()) => {
            words.iter().find(|word| *word == text).map(|word| Alternative::Word(word))
        }
        Value::Text(text) if nearest(text, words.iter().chain(kinds).copied()).is_some() || plain.is_empty() => {
            report_type(node, name, "not a form of it", Some(help(text, plain, words, kinds)), problems);
            None
        }
        _ if !plain.is_empty() => Some(Alternative::Plain),
        _ => {
            report_type(node, name, "not a form of it", Some(help("", plain, words, kinds)), problems);
            None
        }
    }
}

fn pick_kind<'a>(
    node: &Node,
    entries: &'a [Entry],
    name: &str,
    plain: &[&str],
    words: &[&'static str],
    kinds: &[&'static str],
    problems: &mut Problems,
) -> Option<Alternative<'a>> {
    if let [entry] = entries {
        if let Some(kind) = kinds.iter().find(|kind| **kind == entry.key) {
            return Some(Alternative::Kind(kind, entry));
        }
        let title = format!("unknown kind {} for {name}", quoted(&entry.key));
        let help = help(&entry.key, plain, words, kinds);
        problems.report(Finding::new(entry.key_place, title, "not a kind that exists").help(help));
        return None;
    }
    let title = format!("{name} has exactly one kind, found {}", entries.len());
    problems.report(Finding::new(node.place, title, "one kind belongs here").help(help("", plain, words, kinds)));
    None
}

/// Forms in a line of a message.
const FORMS_A_LINE: usize = 4;

/// Everything that may be written, the nearest first.
fn help(found: &str, plain: &[&str], words: &[&str], kinds: &[&str]) -> String {
    // Where a name alone is a form, it stands for the form with keys too.
    let with_keys = kinds.iter().filter(|kind| !words.contains(kind));
    let all: Vec<String> = plain
        .iter()
        .map(|hint| format!("`{hint}`"))
        .chain(words.iter().map(|word| format!("`{word}`")))
        .chain(with_keys.map(|kind| kind_form(kind)))
        .collect();
    let lines: Vec<String> = all.chunks(FORMS_A_LINE).map(|forms| forms.join(" or ")).collect();
    let allowed = format!("write {}", lines.join(" or\n"));
    match nearest(found, words.iter().chain(kinds).copied()) {
        Some(word) if words.contains(&word) => format!("did you mean `{word}`?\n{allowed}"),
        Some(word) => format!("did you mean {}?\n{allowed}", kind_form(word)),
        None => allowed,
    }
}

fn kind_form(kind: &str) -> String {
    format!("`{{ {kind}: ... }}`")
}

/// The schema of a choice of kinds.
pub(in crate::scenario) fn one_of_schema(
    description: &str,
    plain: Vec<Schema>,
    words: &[(&str, &str)],
    kinds: Vec<(&str, &str, Schema)>,
) -> Schema {
    let words = words.iter().map(|(word, description)| json!({ "const": word, "description": description }));
    let kinds = kinds.into_iter().map(|(kind, description, schema)| {
        json!({
            "type": "object",
            "description": description,
            "properties": { kind: schema },
            "required": [kind],
            "additionalProperties": false,
        })
    });
    let choices: Vec<Json> = plain.into_iter().map(Schema::to_value).chain(words).chain(kinds).collect();
    schemars::json_schema!({ "description": description.trim(), "oneOf": choices })
}
