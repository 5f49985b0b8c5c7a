//! Rates as people write them: `800/s`, `2/m`, `10/h`.

use super::decimal::Decimal;
use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;

/// Messages a second, positive and finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::scenario) struct Rate {
    pub per_s: f64,
}

const FORM: &str = "a number above zero and a unit, such as 800/s, 2/m or 10/h";
/// What the schema accepts: a decimal number that is not zero, a slash, a unit.
const PATTERN: &str = r"^([0-9]*[1-9][0-9]*(\.[0-9]+)?|[0-9]+\.[0-9]*[1-9][0-9]*)/(s|m|h|d)$";

impl Rate {
    /// Reads a rate.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, unit) = text.split_once('/')?;
        let seconds = match unit {
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        let per_s = Decimal::parse(number)?.to_f64() / seconds;
        (per_s > 0.0 && per_s.is_finite()).then_some(Self { per_s })
    }

    /// What to write instead of a text that is no rate.
    fn remedy(text: &str) -> Option<String> {
        let compact: String = text.to_lowercase().chars().filter(|character| !character.is_whitespace()).collect();
        if compact.starts_with('-') {
            return Some("a rate cannot be negative".to_owned());
        }
        if Decimal::parse(compact.split('/').next()?).is_some_and(|number| number.to_f64() == 0.0) {
            return Some("a rate cannot be zero".to_owned());
        }
        let compact = compact.replace("per", "/");
        let candidate = match compact.split_once('/') {
            None => format!("{compact}/s"),
            Some((number, unit)) => format!("{number}/{}", unit.chars().next()?),
        };
        Self::parse(&candidate).map(|_| format!("did you mean `{candidate}`?"))
    }
}

impl Language for Rate {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let help = match &node.value {
            Value::Text(text) => match Self::parse(text) {
                Some(rate) => return Some(rate),
                None => Self::remedy(text),
            },
            Value::Integer(number) => Self::remedy(&number.to_string()),
            Value::Float(number) if number.is_finite() => Self::remedy(&number.to_string()),
            _ => None,
        };
        report_type(node, "a rate", FORM, help, problems);
        None
    }
}

impl JsonSchema for Rate {
    fn schema_name() -> Cow<'static, str> {
        "Rate".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": PATTERN,
            "patternErrorMessage": format!("A rate is {FORM}."),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_as_written() {
        for (text, per_s) in [("800/s", 800.0), ("2/m", 2.0 / 60.0), ("10/h", 10.0 / 3_600.0), ("0.5/s", 0.5)] {
            assert_eq!(Rate::parse(text), Some(Rate { per_s }), "{text}");
        }
        for text in ["800", "-1/s", "0/s", "0.0/s", "1/min", "/s", "1e3/s", "1/", "nan/s", "1/s/s"] {
            assert_eq!(Rate::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_remedy_is_what_was_meant() {
        assert_eq!(Rate::remedy("800").as_deref(), Some("did you mean `800/s`?"));
        assert_eq!(Rate::remedy("10 per minute").as_deref(), Some("did you mean `10/m`?"));
        assert_eq!(Rate::remedy("-3/s").as_deref(), Some("a rate cannot be negative"));
    }
}
