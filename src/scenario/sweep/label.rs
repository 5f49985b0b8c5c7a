//! Values of axes as text: what reports call them.

use crate::scenario::tree::{Node, Value};

/// A value as it could be written in a scenario, in one line.
pub(super) fn label(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(label).collect::<Vec<_>>().join(", ")),
        Value::Mapping(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|entry| format!("{}: {}", entry.key, label(&entry.node))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
