//! How `sweep` is written, for editors and for the reader.

use crate::scenario::language::{Language, mapping, words};
use crate::scenario::problems::Problems;
use crate::scenario::tree::Node;
use crate::scenario::value::Count;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// The section `sweep`. What is in it is read before the sections: at every point the tree has other values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::scenario) struct RawSweep;

impl Language for RawSweep {
    fn read(_: &Node, _: &mut Problems) -> Option<Self> {
        Some(Self)
    }
}

impl JsonSchema for RawSweep {
    fn schema_name() -> Cow<'static, str> {
        "Sweep".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let range = generator.subschema_for::<RawSweepRange>();
        schemars::json_schema!({
            "type": "object",
            "minProperties": 1,
            "additionalProperties": { "anyOf": [{ "type": "array", "minItems": 1 }, range] },
        })
    }
}

/// How the values of a range are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scenario) enum Scale {
    Linear,
    Logarithmic,
}

words! {
    Scale is "a scale" {
        "linear" = Linear, "At a constant distance.";
        "logarithmic" = Logarithmic, "In a constant ratio.";
    }
}

/// An end of a range: text with a unit, or a number.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct RangeEnd {
    pub node: Node,
}

impl Language for RangeEnd {
    fn read(node: &Node, _: &mut Problems) -> Option<Self> {
        Some(Self { node: node.clone() })
    }
}

impl JsonSchema for RangeEnd {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RangeEnd".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "anyOf": [{ "type": "string" }, { "type": "number" }] })
    }
}

mapping! {
    /// Values from one to another.
    RawSweepRange is "a range of values" {
        /// The first value: a duration, a rate, a percentage or a number.
        from: RangeEnd = required,
        /// The last value, of the same kind and above `from`.
        to: RangeEnd = required,
        /// How many values there are, both ends included, 2 to 10000.
        steps: Count [2 to 10_000] = required,
        /// How they are spaced. Default: linear.
        scale: Scale,
    }
}
