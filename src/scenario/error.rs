//! Why a scenario was refused.

use super::diagnostic;
use super::problems::Finding;
use super::text::{Place, column_at, line_at};
use std::fmt;

/// One reason why a scenario was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub(super) place: Option<Place>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    label: String,
    help: Option<String>,
}

impl Problem {
    fn in_text(finding: Finding, text: &str) -> Self {
        let line = line_at(text, finding.place.start);
        Self {
            place: Some(finding.place),
            line: Some(line.number),
            column: Some(column_at(&line, finding.place.start)),
            message: finding.title,
            label: finding.label,
            help: finding.help,
        }
    }

    /// The line that it is in, from 1; `None` for a problem of the whole file.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The column at which it begins, from 1, in characters.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// A few words for the marked text; may be empty.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

/// Why a scenario was refused: every problem that was found, in the order of the file.
///
/// It displays as text that is ready to print, without colours; [`ScenarioError::styled`] has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScenarioError {
    file: String,
    text: String,
    /// Where the text is no longer the file's but the command line's.
    arguments_at: Option<usize>,
    problems: Vec<Problem>,
}

impl ScenarioError {
    /// A problem of the file as a whole.
    pub(super) fn of_file(file: &str, message: impl Into<String>, help: Option<String>) -> Self {
        let problem =
            Problem { place: None, line: None, column: None, message: message.into(), label: String::new(), help };
        Self { file: file.to_owned(), text: String::new(), arguments_at: None, problems: vec![problem] }
    }

    /// Problems at places in the text.
    pub(super) fn in_text(file: &str, text: &str, findings: Vec<Finding>) -> Self {
        let problems = findings.into_iter().map(|finding| Problem::in_text(finding, text)).collect();
        Self { file: file.to_owned(), text: text.to_owned(), arguments_at: None, problems }
    }

    /// The same, where the text from a byte on is that of arguments. Their problems are in no line of the file.
    pub(super) fn with_arguments_at(mut self, byte: usize) -> Self {
        self.arguments_at = Some(byte);
        for problem in &mut self.problems {
            if problem.place.is_some_and(|place| place.start >= byte) && byte < self.text.len() {
                (problem.line, problem.column) = (None, None);
            }
        }
        self
    }

    /// Whether a place is in the arguments, and the number of lines before them.
    pub(super) fn lines_before_arguments(&self, place: Place) -> Option<usize> {
        let start = self.arguments_at.filter(|start| place.start >= *start && *start < self.text.len())?;
        Some(self.text[..start].matches('\n').count())
    }

    /// Every problem, in the order of the file; at least one.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The file, as it was named by the caller.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The text to print, with colours for a terminal.
    pub fn styled(&self) -> String {
        diagnostic::render(self, &self.text, true)
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&diagnostic::render(self, &self.text, false))
    }
}

impl std::error::Error for ScenarioError {}
