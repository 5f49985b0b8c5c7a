//! The rules. They know the model alone, and nothing of formats.

mod alarms;
mod batches;
mod comments;
mod concurrency;
mod dead_letters;
mod leases;
mod loops;
mod receives;
mod retention;
mod suppressions;
mod targets;
mod values;

pub use suppressions::BARE_SUPPRESSION;
pub use values::numbers;

use super::Options;
use super::finding::{Finding, Rule};
use super::model::{Sources, Spot, Stack};

/// All rules, in the order of their ids.
pub static RULES: [&Rule; 25] = [
    &dead_letters::NO_REDRIVE,
    &leases::BELOW_TIMEOUT,
    &leases::EQUALS_TIMEOUT,
    &leases::MARGIN,
    &leases::BELOW_HANDLER,
    &receives::FEW,
    &receives::FEW_FOR_LAMBDA,
    &receives::MANY,
    &retention::SHORT,
    &retention::UNREACHABLE,
    &targets::MIXED_KINDS,
    &targets::ELSEWHERE,
    &concurrency::RESERVED,
    &concurrency::MAXIMUM,
    &batches::WHOLE_BATCH,
    &dead_letters::SHARED,
    &loops::DLQ_OF_DLQ,
    &loops::SENDS_BACK,
    &targets::WRONG_QUEUE,
    &values::OUT_OF_RANGE,
    &values::WRONG_TYPE,
    &values::UNKNOWN_KEY,
    &alarms::ON_SENT,
    &comments::CONTRADICTS,
    &suppressions::BARE_SUPPRESSION,
];

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

/// What rules look at, and what they have found.
pub(super) struct Ground<'a> {
    pub stack: &'a Stack,
    pub sources: &'a Sources,
    pub options: &'a Options,
    pub findings: Vec<Finding>,
}

impl Ground<'_> {
    /// Reports a finding with the rule's own remedy.
    fn report(&mut self, rule: &'static Rule, spot: Spot, message: String) {
        self.report_with(rule, spot, message, rule.remedy.to_owned());
    }

    fn report_with(&mut self, rule: &'static Rule, spot: Spot, message: String, remedy: String) {
        self.findings.push(Finding { rule, spot, message, remedy });
    }
}

/// What all rules find in a stack.
pub(super) fn check(stack: &Stack, sources: &Sources, options: &Options) -> Vec<Finding> {
    let mut ground = Ground { stack, sources, options, findings: Vec::new() };
    let checks: [fn(&mut Ground<'_>); 11] = [
        dead_letters::check,
        leases::check,
        receives::check,
        retention::check,
        targets::check,
        concurrency::check,
        batches::check,
        loops::check,
        values::check,
        alarms::check,
        comments::check,
    ];
    checks.iter().for_each(|check| check(&mut ground));
    ground.findings
}
