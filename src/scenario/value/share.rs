//! Shares as people write them: `5%` or `0.05`.

use super::decimal::Decimal;
use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// A share from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct Share {
    pub value: f64,
}

const FORM: &str = "0% to 100%, or 0 to 1";
/// What the schema accepts as text: 0% to 100%.
const PATTERN: &str = r"^([0-9]{1,2}(\.[0-9]+)?|100(\.0+)?)%$";

/// A number of per cent as a fraction; any size.
pub(in crate::scenario) fn percent(text: &str) -> Option<f64> {
    Some(Decimal::parse(text.strip_suffix('%')?)?.to_f64() / 100.0)
}

impl Language for Share {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let number = match &node.value {
            Value::Text(text) => percent(text),
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        if let Some(value) = number.filter(|value| (0.0..=1.0).contains(value)) {
            return Some(Self { value });
        }
        let as_percent = |number: &f64| !matches!(node.value, Value::Text(_)) && (1.0..=100.0).contains(number);
        let help = number.filter(as_percent).map(|number| format!("did you mean `{number}%`?"));
        report_type(node, "a share", FORM, help, problems);
        None
    }
}

impl JsonSchema for Share {
    fn schema_name() -> Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "oneOf": [
                { "type": "number", "minimum": 0, "maximum": 1 },
                {
                    "type": "string",
                    "pattern": PATTERN,
                    "patternErrorMessage": format!("A share is {FORM}."),
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_cent_is_a_hundredth() {
        assert_eq!(percent("5%"), Some(0.05));
        assert_eq!(percent("0.1%"), Some(0.001));
        for text in ["5", "%", "-5%", "5 %", "x%"] {
            assert_eq!(percent(text), None, "{text}");
        }
    }
}
