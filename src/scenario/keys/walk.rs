//! From the JSON Schema to the keys.

use super::{Form, ITEM, Key, NAME};
use crate::scenario::json_schema;
use serde_json::{Map, Value};

/// Every key of the language, sections before what is in them.
///
/// What variants and other queues override is told where it stands by itself.
pub fn keys() -> Vec<Key> {
    let schema = json_schema();
    let mut walk = Walk { schema: &schema, open: Vec::new(), keys: Vec::new() };
    walk.section(&schema, "", "");
    walk.keys
}

struct Walk<'a> {
    schema: &'a Value,
    /// The definitions that are being walked: none is walked within itself.
    open: Vec<&'a str>,
    keys: Vec<Key>,
}

impl<'a> Walk<'a> {
    /// Everything below a path.
    fn section(&mut self, schema: &'a Value, path: &str, declaration: &str) {
        let Some(reference) = reference(schema) else { return self.content(schema, path, declaration) };
        if self.open.contains(&reference) {
            return;
        }
        self.open.push(reference);
        self.content(self.resolved(schema), path, reference);
        self.open.pop();
    }

    fn content(&mut self, schema: &'a Value, path: &str, declaration: &str) {
        for choice in choices(schema) {
            self.section(choice, path, declaration);
        }
        if let Some(items) = schema.get("items") {
            self.section(items, &join(path, ITEM), declaration);
        }
        if let Some(named) = schema.get("additionalProperties").filter(|named| named.is_object()) {
            self.section(named, &join(path, NAME), declaration);
        }
        let required = schema.get("required").and_then(Value::as_array);
        for (name, property) in properties(schema).into_iter().flatten() {
            let is_required = required.is_some_and(|names| names.iter().any(|required| required == name));
            self.key(schema, property, (name, is_required), (path, declaration));
        }
    }

    fn key(&mut self, owner: &'a Value, property: &'a Value, own: (&str, bool), at: (&str, &str)) {
        let ((name, is_required), (path, declaration)) = (own, at);
        let key_path = join(path, name);
        let declaration = format!("{declaration}.{name}");
        // A kind is described by what is around it, and being the only key it does not have to be given.
        let is_kind = text(property, "description").is_none() || kind(owner).is_some();
        let description = if is_kind { text(owner, "description") } else { text(property, "description") };
        let (meaning, default, said_to_be_required) = split(description.unwrap_or_default());
        self.keys.push(Key {
            path: key_path.clone(),
            meaning,
            default,
            is_required: !is_kind && (is_required || said_to_be_required),
            forms: self.forms(property),
            declaration: declaration.clone(),
        });
        let is_told_elsewhere =
            path.ends_with(NAME) && properties(self.schema).is_some_and(|top| top.contains_key(name));
        if !is_told_elsewhere {
            self.section(property, &key_path, &declaration);
        }
    }

    /// What may be written.
    fn forms(&self, schema: &Value) -> Vec<Form> {
        let schema = self.resolved(schema);
        let choices = choices(schema);
        if !choices.is_empty() {
            return choices.into_iter().flat_map(|choice| self.forms(choice)).collect();
        }
        let meaning = text(schema, "description").unwrap_or_default().to_owned();
        if let Some(word) = text(schema, "const") {
            return vec![Form::Word(word.to_owned(), meaning)];
        }
        if let Some(kind) = kind(schema) {
            return vec![Form::Kind(kind.to_owned(), meaning)];
        }
        if let Some(items) = schema.get("items") {
            let notation = self.forms(items).into_iter().find_map(|form| match form {
                Form::Notation(sentence, _) => Some(sentence),
                _ => None,
            });
            return vec![Form::List(notation)];
        }
        plain(schema).into_iter().collect()
    }

    fn resolved<'b>(&self, schema: &'b Value) -> &'b Value
    where
        'a: 'b,
    {
        let definition = reference(schema).and_then(|name| self.schema.get("$defs")?.get(name));
        definition.unwrap_or(schema)
    }
}

/// A form that is neither a word nor a choice.
fn plain(schema: &Value) -> Option<Form> {
    if let Some(sentence) = text(schema, "patternErrorMessage") {
        let example = if sentence.contains("rate") {
            "10/s"
        } else if sentence.contains("share") {
            "10%"
        } else {
            "30s"
        };
        return Some(Form::Notation(sentence.to_owned(), example));
    }
    match text(schema, "type")? {
        "integer" => Some(Form::Notation(format!("A whole number{}.", range(schema)), "10")),
        "number" => Some(Form::Notation(format!("A number{}.", range(schema)), "0.5")),
        "boolean" => Some(Form::Notation("true or false.".to_owned(), "true")),
        "string" if schema.get("pattern").is_some() => {
            Some(Form::Notation("A percentage, such as 5%.".to_owned(), "5%"))
        }
        "string" => Some(Form::Notation("A text.".to_owned(), "...")),
        "array" => Some(Form::List(None)),
        "object" => Some(Form::Section),
        _ => None,
    }
}

/// The range of a number, as far as it has one.
fn range(schema: &Value) -> String {
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(low), Some(high)) => format!(", {low} to {high}"),
        (Some(low), None) => format!(", at least {low}"),
        (None, Some(high)) => format!(", at most {high}"),
        (None, None) => String::new(),
    }
}

/// A description in its parts: the meaning, the default, and whether it says that the key has to be given.
fn split(description: &str) -> (String, Option<String>, bool) {
    const REQUIRED: &str = "Has to be given.";
    if let Some((meaning, default)) = description.rsplit_once("Default: ") {
        return (meaning.trim().to_owned(), Some(default.trim().trim_end_matches('.').to_owned()), false);
    }
    let meaning = description.trim().trim_end_matches(REQUIRED).trim();
    (meaning.to_owned(), None, description.contains(REQUIRED))
}

/// The one key of a choice's kind.
fn kind(schema: &Value) -> Option<&str> {
    let [only] = schema.get("required")?.as_array()?.as_slice() else { return None };
    let properties = properties(schema)?;
    let only = only.as_str()?;
    // A section with one key that has to be there describes that key; a kind describes itself.
    let is_described = properties.get(only)?.get("description").is_some();
    (properties.len() == 1 && (!is_described || properties[only].get("properties").is_some())).then_some(only)
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

fn choices(schema: &Value) -> Vec<&Value> {
    let choices = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array);
    // A name with nothing behind it is no form of its own.
    let is_null = |choice: &&Value| text(choice, "type") == Some("null");
    choices.into_iter().flatten().filter(|choice| !is_null(choice)).collect()
}

fn reference(schema: &Value) -> Option<&str> {
    text(schema, "$ref")?.strip_prefix("#/$defs/")
}

fn text<'b>(schema: &'b Value, member: &str) -> Option<&'b str> {
    schema.get(member)?.as_str()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
