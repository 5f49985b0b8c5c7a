//! The problems that are found on the way, collected so that all are shown at once.

use super::text::Place;
use std::collections::HashSet;

/// One mistake: where it is, what was found, what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Finding {
    pub place: Place,
    /// What is wrong, in one line.
    pub title: String,
    /// A few words beside the marked text.
    pub label: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    pub fn new(place: Place, title: impl Into<String>, label: impl Into<String>) -> Self {
        Self { place, title: title.into(), label: label.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Most mistakes that are kept; a file with more is mended in steps.
const MOST_KEPT: usize = 1_000;

/// All mistakes found so far. The same mistake counts once, however many variants share the text that it is in.
#[derive(Debug, Default)]
pub(super) struct Problems {
    findings: Vec<Finding>,
    seen: HashSet<Finding>,
}

impl Problems {
    pub fn report(&mut self, finding: Finding) {
        if self.findings.len() < MOST_KEPT && self.seen.insert(finding.clone()) {
            self.findings.push(finding);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Every mistake, in the order of the text.
    pub fn into_sorted(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| finding.place);
        self.findings
    }
}
