//! What the YAML parser says, in the words of the other messages.

use super::problems::Finding;
use super::text::{Place, byte_at, floor_char_boundary};
use super::tree::{DEEPEST, MOST_NODES};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, Location};

/// A syntax error as a finding at its place.
pub(super) fn finding(text: &str, error: &Error) -> Finding {
    let place = error.location().map_or_else(Place::default, |location| place_of(text, location));
    let (title, help) = explain(error.without_snippet());
    let finding = Finding::new(place, title, "here");
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Syntax errors come with a line and a column, sometimes without a byte.
fn place_of(text: &str, location: Location) -> Place {
    let span = location.span();
    let start = match span.byte_offset() {
        Some(byte) => byte as usize,
        None => byte_at(text, location.line() as usize, location.column() as usize),
    };
    let start = floor_char_boundary(text, start);
    let end = floor_char_boundary(text, start + span.byte_len().unwrap_or_default() as usize);
    Place { start, end }
}

/// What is wrong, and what to do about it.
fn explain(error: &Error) -> (String, Option<String>) {
    let too_deep = || (format!("nested deeper than {DEEPEST} levels"), None);
    let too_many = || {
        let help = "an alias (`*name`) counts as all that it stands for".to_owned();
        (format!("more than {MOST_NODES} values, or too many aliases"), Some(help))
    };
    let several = || ("more than one YAML document".to_owned(), Some("a file holds one scenario".to_owned()));
    match error {
        Error::AliasError { error, .. } => explain(error),
        Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => too_deep(),
        Error::Budget { breach: BudgetBreach::Documents { .. }, .. } | Error::MultipleDocuments { .. } => several(),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => too_many(),
        Error::RecursiveReferencesRequireWeakTypes { .. } => {
            ("an alias stands for something that contains it".to_owned(), None)
        }
        Error::UnknownAnchor { .. } => {
            let help = "a text that begins with `*` has to be in quotes".to_owned();
            ("there is no anchor of this name".to_owned(), Some(help))
        }
        Error::NullIntoString { .. } => {
            ("a key is empty or null".to_owned(), Some("to use it as a name, put it in quotes".to_owned()))
        }
        // Only keys are read as a certain type; whatever else is wrong with a type is found later.
        Error::Unexpected { .. } => ("a key has to be a text".to_owned(), None),
        Error::Message { msg, .. } => (first_line(msg).to_owned(), None),
        other => {
            let message = other.to_string();
            match first_line(&message) {
                message if message.contains("recursion limit") => too_deep(),
                message if message.contains("tab") => {
                    (format!("not valid YAML: {message}"), Some("indent with spaces".to_owned()))
                }
                message => (format!("not valid YAML: {message}"), None),
            }
        }
    }
}

/// The message without the position, which is shown in the text.
fn first_line(message: &str) -> &str {
    let line = message.lines().next().unwrap_or_default();
    line.split_once(" at line ").map_or(line, |(front, _)| front)
}
