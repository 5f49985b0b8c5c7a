//! What configurations of queues will lead to.
//!
//! Files are read as they are: CloudFormation (SAM and CDK too), Terraform, `serverless.yml`, and what
//! `aws sqs get-queue-attributes` answers. Each format has a reader; all of them end in a [`model::Stack`], and the
//! [`rules`](RULES) see nothing else.
//!
//! ```
//! use retrystorm::audit::{Options, audit_texts};
//!
//! let queue = "resource \"aws_sqs_queue\" \"orders\" {}\n";
//! let audit = audit_texts(&[("main.tf", queue)], &Options::default());
//! assert_eq!(audit.findings[0].rule.id, "RS001");
//! assert_eq!(audit.sources.line_and_column(audit.findings[0].spot), (1, 26));
//! ```

mod files;
mod finding;
pub mod model;
mod readers;
mod rules;
mod suppression;
mod unresolved;

pub use files::{audit, audit_texts};
pub use finding::{Example, Finding, Rule, Severity, Suppressed, Unresolved};
pub use rules::{RULES, rule};

use model::{Sources, Spot, Stack};

/// What an audit may know beside the files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The longest time that a handler takes whose consumer is in none of the files, in seconds.
    pub handler_time_s: Option<f64>,
    /// Findings that are allowed wherever they are: the id of the rule, and why.
    pub allow: Vec<(String, String)>,
}

/// What an audit has found.
#[derive(Debug, Clone, Default)]
pub struct Audit {
    /// The files.
    pub sources: Sources,
    /// What they declare.
    pub stacks: Vec<Stack>,
    /// What will go wrong, by file and place.
    pub findings: Vec<Finding>,
    /// What is allowed to.
    pub suppressed: Vec<Suppressed>,
    /// What nothing can be said of.
    pub unresolved: Vec<Unresolved>,
    /// What could not be read.
    pub unreadable: Vec<Unreadable>,
}

/// A file that could not be read, or is of no format that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Why, in a sentence that names the file.
    pub message: String,
    /// Where the file goes wrong, if it is a place in it.
    pub spot: Option<Spot>,
}

impl Audit {
    /// Whether anything was found that is as bad, or worse.
    pub fn has(&self, severity: Severity) -> bool {
        self.findings.iter().any(|finding| finding.rule.severity >= severity)
    }

    /// How many findings are just so bad.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.rule.severity == severity).count()
    }

    /// Lets the rules look at the stacks.
    fn judge(&mut self, options: &Options) {
        let mut findings: Vec<Finding> = Vec::new();
        for stack in &self.stacks {
            findings.extend(rules::check(stack, &self.sources, options));
            self.unresolved.extend(unresolved::unresolved(stack));
        }
        let mut allowances = suppression::in_comments(&self.sources);
        allowances.extend(suppression::in_stacks(&self.stacks));
        findings.extend(suppression::bare(&allowances));
        findings.sort_by(|left, right| {
            (left.spot, left.rule.id, &left.message).cmp(&(right.spot, right.rule.id, &right.message))
        });
        // A module that is called twice says the same twice.
        findings.dedup_by(|left, right| {
            left.spot == right.spot && left.rule.id == right.rule.id && left.message == right.message
        });
        (self.findings, self.suppressed) = suppression::sift(findings, &allowances, options);
        self.unresolved.sort_by_key(|unresolved| unresolved.spot);
        self.unresolved.dedup();
    }
}
