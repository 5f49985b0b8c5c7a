//! Plain numbers: finite ones, and whole ones that count something.

use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// A finite number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct Number {
    pub value: f64,
}

impl Language for Number {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let number = match &node.value {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number).filter(|number| number.is_finite()),
            _ => None,
        };
        if number.is_none() {
            report_type(node, "a number", "a finite number", None, problems);
        }
        number.map(|value| Self { value })
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "number" })
    }
}

/// A whole number that is not negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) struct Count {
    pub value: u64,
}

impl Language for Count {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let number = match &node.value {
            Value::Integer(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        if number.is_none() {
            report_type(node, "a whole number", "a whole number, 0 or more", None, problems);
        }
        number.map(|value| Self { value })
    }
}

impl JsonSchema for Count {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Count".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "integer", "minimum": 0 })
    }
}
