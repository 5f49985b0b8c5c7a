//! Texts and booleans.

use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};

impl Language for String {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        if let Value::Text(text) = &node.value {
            return Some(text.clone());
        }
        let help = match &node.value {
            Value::Integer(number) => Some(format!("to use it as a text, write \"{number}\"")),
            Value::Bool(value) => Some(format!("to use it as a text, write \"{value}\"")),
            _ => None,
        };
        report_type(node, "a text", "a text", help, problems);
        None
    }
}

impl Language for bool {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let help = match &node.value {
            Value::Bool(value) => return Some(*value),
            Value::Text(text) => match text.to_lowercase().as_str() {
                "yes" | "on" | "y" | "true" => Some("did you mean `true`?".to_owned()),
                "no" | "off" | "n" | "false" => Some("did you mean `false`?".to_owned()),
                _ => None,
            },
            _ => None,
        };
        report_type(node, "`true` or `false`", "`true` or `false`", help, problems);
        None
    }
}
