//! What rules find.

use super::model::Spot;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Messages will be lost, delayed or worked on twice when something fails.
    Warning,
    /// The service refuses it, or it does not do what it says.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule: what it looks for, and why.
#[derive(Debug)]
pub struct Rule {
    /// Its id, such as `RS001`.
    pub id: &'static str,
    /// Its name, in words with hyphens.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it looks for.
    pub looks_for: &'static str,
    /// What it leads to.
    pub leads_to: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// A configuration that has the finding.
    pub fails: Example,
    /// One that has no finding at all.
    pub passes: Example,
}

/// A configuration that shows a rule.
#[derive(Debug)]
pub struct Example {
    /// The file's name, which tells the format.
    pub file: &'static str,
    /// The file.
    pub text: &'static str,
}

/// Something that will go wrong.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule that has found it.
    pub rule: &'static Rule,
    /// Where.
    pub spot: Spot,
    /// What is there and what it leads to, with its numbers.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// A finding that somebody has allowed.
#[derive(Debug, Clone)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// Why it is allowed.
    pub reason: String,
    /// Whether the configuration itself says so, and not the command.
    pub in_source: bool,
}

/// A value that no rule could look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// What it is, in words.
    pub what: String,
    /// Why it cannot be told.
    pub why: String,
    /// Where it is written.
    pub spot: Spot,
}
