//! Arguments that are names: shells complete those that exist, and the command itself says what is wrong with others.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};

/// Takes any text, and knows the names that exist.
#[derive(Clone, Copy)]
pub struct NameOf(pub fn() -> Vec<String>);

impl TypedValueParser for NameOf {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
