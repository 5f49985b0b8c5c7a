//! Trees as YAML again, so that a point of a sweep can be written down.

use crate::scenario::tree::{Entry, Node, Value, read_tree};

/// A value in one line.
pub(super) fn in_line(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Text(text) => scalar(text),
        Value::List(items) if items.is_empty() => "[]".to_owned(),
        Value::List(items) => format!("[ {} ]", items.iter().map(in_line).collect::<Vec<_>>().join(", ")),
        Value::Mapping(entries) if entries.is_empty() => "{}".to_owned(),
        Value::Mapping(entries) => {
            format!("{{ {} }}", entries.iter().map(entry_in_line).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The keys of a mapping, a line each, after so many spaces.
pub(super) fn lines(entries: &[Entry], indent: usize) -> String {
    entries.iter().map(|entry| format!("{:indent$}{}\n", "", entry_in_line(entry))).collect()
}

/// A key as it is written.
pub(super) fn key(key: &str) -> String {
    scalar(key)
}

fn entry_in_line(entry: &Entry) -> String {
    format!("{}: {}", scalar(&entry.key), in_line(&entry.node))
}

fn float(value: f64) -> String {
    match value {
        value if value.is_nan() => ".nan".to_owned(),
        value if value.is_infinite() => if value < 0.0 { "-.inf" } else { ".inf" }.to_owned(),
        // With its point, so that it stays a number with a fraction.
        value => format!("{value:?}"),
    }
}

/// Text without quotes where the reader then takes it for the same text.
fn scalar(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_./%- ".contains(character);
    let reads_back = || {
        let read = read_tree(&format!("[{text}]")).ok();
        let items = read.and_then(|node| match node.value {
            Value::List(items) => Some(items),
            _ => None,
        });
        matches!(items.as_deref(), Some([Node { value: Value::Text(read), .. }]) if read == text)
    };
    if !text.is_empty() && text.chars().all(is_plain) && reads_back() {
        return text.to_owned();
    }
    // What JSON takes for a text, YAML does too.
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(text: &str) -> String {
        let node = read_tree(text).expect("YAML");
        let Value::Mapping(entries) = &node.value else { panic!("a mapping") };
        let written = lines(entries, 0);
        let values = |node: &Node| in_line(node);
        assert_eq!(values(&read_tree(&written).expect("YAML")), values(&node), "{written}");
        written
    }

    #[test]
    fn a_tree_is_written_as_people_would() {
        let text = "base: 30s\nrate: 20/s\nlist: [ { at: 0s, for: 1.0 }, none ]\nempty: {}\n";
        assert_eq!(again(text), text);
    }

    #[test]
    fn what_could_be_taken_for_something_else_is_quoted() {
        let text =
            "\"true\": \"null\"\n\"1\": \"2.5\"\nodd: \"a: b # c\"\nlines: \"a\\nb\"\nend: \" \"\ndash: \"- x\"\n";
        assert_eq!(again(text), text);
    }
}
