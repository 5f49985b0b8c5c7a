//! Durations as people write them: `500ms`, `30s`, `1h30m`, `4d`.

use super::decimal::Decimal;
use crate::engine::time::{DAY_US, UNITS, written};
use crate::scenario::language::{Language, report_type};
use crate::scenario::problems::Problems;
use crate::scenario::tree::{Node, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use std::borrow::Cow;
use std::fmt;

/// A duration in whole microseconds, at most ten years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::scenario) struct Duration {
    pub us: u64,
}

/// What the schema accepts; [`Duration::parse`] judges alike but for the largest duration.
const PATTERN: &str = r"^([0-9]+(\.[0-9]+)?d)?([0-9]+(\.[0-9]+)?h)?([0-9]+(\.[0-9]+)?m)?([0-9]+(\.[0-9]+)?s)?([0-9]+(\.[0-9]+)?ms)?([0-9]+(\.[0-9]+)?us)?$";

const FORM: &str = "a number and a unit, such as 500ms, 30s, 5m, 1h30m or 4d";

/// The longest duration; simulated time far beyond it still fits its integer.
const LONGEST_US: u64 = 3_650 * DAY_US;

impl Duration {
    /// Reads a duration; units go from long to short, each at most once.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let mut units = UNITS.iter();
        let mut total_us: u64 = 0;
        while !rest.is_empty() {
            let number_end = rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
            let (number, tail) = rest.split_at(number_end);
            let unit_end = tail.find(|character: char| character.is_ascii_digit()).unwrap_or(tail.len());
            let (name, tail) = tail.split_at(unit_end);
            let (_, unit_us) = units.find(|(unit, _)| *unit == name)?;
            total_us = total_us.checked_add(Decimal::parse(number)?.times(*unit_us)?)?;
            rest = tail;
        }
        (!text.is_empty() && total_us <= LONGEST_US).then_some(Self { us: total_us })
    }

    /// Reads a duration for those who know nothing of this language's types.
    pub fn read_us(text: &str) -> Result<u64, String> {
        Self::parse(text).map(|duration| duration.us).ok_or_else(|| {
            let suggestion = Self::suggestion(text).map_or(String::new(), |meant| format!("; did you mean {meant}?"));
            format!("not a duration: write {FORM}{suggestion}")
        })
    }

    /// A duration that was probably meant.
    fn suggestion(text: &str) -> Option<String> {
        let compact: String = text.to_lowercase().chars().filter(|character| !character.is_whitespace()).collect();
        let compact = compact.trim_start_matches(['-', '+']).replace('µ', "u");
        if Decimal::parse(&compact).is_some() {
            return Self::parse(&format!("{compact}s")).map(|_| format!("{compact}s"));
        }
        let number_end = compact.find(|character: char| character.is_alphabetic())?;
        let (number, unit) = compact.split_at(number_end);
        let unit = match unit {
            "day" | "days" => "d",
            "hr" | "hrs" | "hour" | "hours" => "h",
            "min" | "mins" | "minute" | "minutes" => "m",
            "sec" | "secs" | "second" | "seconds" => "s",
            "msec" | "millis" | "millisecond" | "milliseconds" => "ms",
            other => other,
        };
        let candidate = format!("{number}{unit}");
        Self::parse(&candidate).map(|_| candidate)
    }

    /// What to write instead of a text that is no duration.
    fn remedy(text: &str) -> Option<String> {
        if text.trim_start().starts_with('-') {
            return Some("a duration cannot be negative".to_owned());
        }
        Self::suggestion(text).map(|candidate| format!("did you mean `{candidate}`?"))
    }
}

impl fmt::Display for Duration {
    /// Writes a duration as the language reads it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&written(self.us))
    }
}

impl Language for Duration {
    fn read(node: &Node, problems: &mut Problems) -> Option<Self> {
        let help = match &node.value {
            Value::Text(text) => match Self::parse(text) {
                Some(duration) => return Some(duration),
                None => Self::remedy(text),
            },
            Value::Integer(number) => Self::remedy(&number.to_string()),
            Value::Float(number) if number.is_finite() => Self::remedy(&number.to_string()),
            _ => None,
        };
        report_type(node, "a duration", FORM, help, problems);
        None
    }
}

impl JsonSchema for Duration {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "string",
            "minLength": 2,
            "pattern": PATTERN,
            "patternErrorMessage": format!("A duration is {FORM}."),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_are_read_as_written() {
        for (text, us) in [
            ("500ms", 500_000),
            ("30s", 30_000_000),
            ("1h30m", 5_400_000_000),
            ("4d", 4 * DAY_US),
            ("0s", 0),
            ("0.5s", 500_000),
            ("250us", 250),
            ("5m", 300_000_000),
        ] {
            assert_eq!(Duration::parse(text), Some(Duration { us }), "{text}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in
            ["", "5", "5M", "-5s", "5 s", "s", "30m1h", "1s1s", "1.2.3s", "0.1us", "99999999999d", "4000d", "1e3s"]
        {
            assert_eq!(Duration::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_remedy_is_what_was_meant() {
        for (text, meant) in [("30", "30s"), ("5M", "5m"), ("5 min", "5m"), ("30 s", "30s"), ("2 Hours", "2h")] {
            assert_eq!(Duration::suggestion(text).as_deref(), Some(meant), "{text}");
        }
        assert_eq!(Duration::suggestion("soon"), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(us in 0..LONGEST_US) {
            let duration = Duration { us };
            prop_assert_eq!(Duration::parse(&duration.to_string()), Some(duration));
        }
    }
}
