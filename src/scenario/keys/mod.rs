//! The keys of the language, for people who ask what one means. They are taken from the JSON Schema, and so from the same
//! declarations as the reader.

mod defaults;
mod find;
mod walk;

pub use defaults::defaults_of;
pub use find::{FoundKeys, find_keys};
pub use walk::keys;

/// What stands in a path for a name that the author of a scenario gives.
const NAME: &str = "NAME";
/// What stands in a path for an item of a list.
const ITEM: &str = "0";

/// A key of the language at one of its places.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Where it stands: keys with dots between them, `0` for the items of a list and `NAME` for names of one's own.
    pub path: String,
    /// What it means, with its range.
    pub meaning: String,
    /// What holds where it is not given, if anything does.
    pub default: Option<String>,
    /// Whether it has to be given.
    pub is_required: bool,
    /// What may be written as its value.
    pub forms: Vec<Form>,
    /// Where it is declared; a section that stands in several places is declared once.
    declaration: String,
}

/// Something that a key takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A word, with its meaning.
    Word(String, String),
    /// A section with this one key, with its meaning.
    Kind(String, String),
    /// A notation, in a sentence, and a value in it.
    Notation(String, &'static str),
    /// A list, and the notation of its items where they have one.
    List(Option<String>),
    /// A section with keys of its own.
    Section,
}

impl Key {
    /// The last word of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// The first sentence of the meaning.
    pub fn summary(&self) -> &str {
        let end = self.meaning.find(". ").map_or(self.meaning.len(), |end| end + 1);
        &self.meaning[..end]
    }

    /// Whether both are the same declaration at two places.
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.declaration == other.declaration
    }

    /// Whether the keys below this one stand under names that their author gives.
    pub fn is_by_name(&self, all: &[Self]) -> bool {
        let start = format!("{}.{NAME}.", self.path);
        all.iter().any(|key| key.path.starts_with(&start))
    }

    /// The keys directly below this one.
    pub fn below<'a>(&self, all: &'a [Self]) -> Vec<&'a Self> {
        let is_direct = |rest: &str| rest.split('.').filter(|part| *part != ITEM && *part != NAME).count() == 1;
        let rest = |key: &'a Self| key.path.strip_prefix(&self.path)?.strip_prefix('.');
        all.iter().filter(|key| rest(key).is_some_and(is_direct)).collect()
    }

    /// How it stands in a scenario, with a value to begin with.
    pub fn example(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut indent = 0;
        let mut dash = "";
        for part in self.path.split('.') {
            if part == ITEM {
                dash = "- ";
                continue;
            }
            lines.push(format!("{}{dash}{part}:", " ".repeat(indent)));
            indent += 2 + dash.len();
            dash = "";
        }
        format!("{} {}", lines.join("\n"), self.example_value())
    }

    /// The default where it is a value that does something, otherwise the first such form.
    fn example_value(&self) -> String {
        const NOTHING: &str = "none";
        let default = self.default.as_deref().and_then(|default| default.split([',', ':', ';']).next());
        let is_value = |value: &&str| *value != NOTHING && !value.contains(' ') && self.takes_plainly(value);
        if let Some(value) = default.filter(is_value) {
            return value.to_owned();
        }
        let does_something = |form: &&Form| !matches!(form, Form::Word(word, _) if word == NOTHING);
        match self.forms.iter().find(does_something) {
            Some(Form::Word(word, _)) => word.clone(),
            Some(Form::Kind(kind, _)) => format!("{{ {kind}: ... }}"),
            Some(Form::Notation(_, example)) => (*example).to_owned(),
            Some(Form::List(_)) => "[ ... ]".to_owned(),
            Some(Form::Section) | None => "{ ... }".to_owned(),
        }
    }

    /// Whether a default is a value and not a word about it, such as `nothing` and `never`.
    fn takes_plainly(&self, value: &str) -> bool {
        let is_word = value.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_switch = ["true", "false"].contains(&value);
        !is_word || is_switch || self.forms.iter().any(|form| matches!(form, Form::Word(word, _) if word == value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn key(path: &str) -> Key {
        keys().into_iter().find(|key| key.path == path).unwrap_or_else(|| panic!("there is no {path}"))
    }

    #[test]
    fn a_key_has_its_meaning_its_default_and_its_notation() {
        let key = key("queue.visibility_timeout");
        assert!(key.meaning.contains("0s to 12h (rule Q2)") && !key.meaning.contains("Default"), "{}", key.meaning);
        assert_eq!((key.default.as_deref(), key.is_required), (Some("30s"), false));
        assert!(matches!(&key.forms[..], [Form::Notation(sentence, _)] if sentence.contains("duration")));
        assert_eq!(key.example(), "queue:\n  visibility_timeout: 30s");
    }

    #[test]
    fn what_has_to_be_given_is_known_in_sections_and_in_catalogues() {
        for path in ["duration", "downstream.servers", "policy.backoff.exponential.base"] {
            let key = key(path);
            assert_eq!((key.is_required, &key.default), (true, &None), "{path}");
            assert!(!key.meaning.contains("Has to be given"), "{}", key.meaning);
        }
    }

    #[test]
    fn a_list_says_what_its_items_are() {
        let key = key("policy.backoff.intervals.intervals");
        assert!(matches!(&key.forms[..], [Form::List(Some(item))] if item.contains("duration")), "{:?}", key.forms);
    }

    #[test]
    fn what_stands_under_names_of_ones_own_is_known() {
        let all = keys();
        for (path, is_by_name) in [("variants", true), ("alarms", true), ("queue", false), ("expect", false)] {
            assert_eq!(key(path).is_by_name(&all), is_by_name, "{path}");
        }
    }

    #[test]
    fn a_place_in_a_list_is_shown_as_one() {
        assert_eq!(key("operations.0.deploy.drain").example(), "operations:\n  - deploy:\n      drain: 30s");
    }

    /// Every description of a property below a schema.
    fn descriptions(schema: &Value, found: &mut Vec<String>) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            found.extend(properties.values().filter_map(|own| own.get("description")?.as_str().map(str::to_owned)));
        }
        match schema {
            Value::Object(members) => members.values().for_each(|member| descriptions(member, found)),
            Value::Array(items) => items.iter().for_each(|item| descriptions(item, found)),
            _ => {}
        }
    }

    #[test]
    fn no_key_of_the_schema_is_left_out() {
        let mut described = Vec::new();
        descriptions(&crate::scenario::json_schema(), &mut described);
        let keys = keys();
        assert!(described.len() > 200, "only {} keys", described.len());
        for text in described {
            assert!(keys.iter().any(|key| text.starts_with(key.meaning.as_str())), "no key says: {text}");
        }
    }
}
