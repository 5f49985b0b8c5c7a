//! Amounts that a metric is held against, and how far it may be off.

use super::duration::Duration;
use super::share::percent;
use crate::engine::time::seconds;
use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value as Json, json};
use std::borrow::Cow;

/// An amount of a metric: a number, for metrics in seconds also a duration, for shares also per cent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) enum Amount {
    Number(f64),
    Duration(Duration),
    Percent(f64),
}

impl Amount {
    /// The amount in the metric's unit; `None` if it is written in another.
    pub fn in_unit(self, unit: &str) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Duration(duration) => (unit == "s").then(|| seconds(duration.us)),
            Self::Percent(share) => (unit == "share").then_some(share),
        }
    }

    /// The amount that is written on the command line.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Number);
        number.or_else(|| Self::with_unit(text))
    }

    fn with_unit(text: &str) -> Option<Self> {
        Duration::parse(text).map(Self::Duration).or_else(|| percent(text).map(Self::Percent))
    }

    fn from_node(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Integer(number) => Some(Self::Number(*number as f64)),
            Value::Float(number) => number.is_finite().then_some(Self::Number(*number)),
            Value::Text(text) => Self::with_unit(text),
            _ => None,
        }
    }
}

impl Language for Amount {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let amount = Self::from_node(node);
        if amount.is_none() {
            report_type(node, "an amount", "a finite number, or a duration such as 90s", None, problems);
        }
        amount
    }
}

impl JsonSchema for Amount {
    fn schema_name() -> Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        amount_schema(&json!({ "type": "number" }), generator)
    }
}

/// A distance from a figure: `10%` of it, or an amount in the metric's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct Tolerance {
    pub amount: Amount,
}

impl Tolerance {
    /// The distance in the metric's unit. Per cent are of the figure, so they say nothing about a figure of 0.
    pub fn around(self, figure: f64, unit: &str) -> Option<f64> {
        match self.amount {
            Amount::Percent(share) => (figure != 0.0).then(|| share * figure.abs()),
            other => other.in_unit(unit),
        }
    }
}

impl Language for Tolerance {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        match Amount::from_node(node) {
            Some(Amount::Number(number)) if number < 0.0 => {
                report_type(node, "a distance", "0 or more", None, problems);
                None
            }
            Some(amount) => Some(Self { amount }),
            None => {
                report_type(node, "a distance", "`10%` of the figure, or a number", None, problems);
                None
            }
        }
    }
}

impl JsonSchema for Tolerance {
    fn schema_name() -> Cow<'static, str> {
        "Tolerance".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        amount_schema(&json!({ "type": "number", "minimum": 0 }), generator)
    }
}

fn amount_schema(number: &Json, generator: &mut SchemaGenerator) -> Schema {
    let duration = generator.subschema_for::<Duration>();
    schemars::json_schema!({
        "oneOf": [number, duration, { "type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?%$" }],
    })
}
