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
use super::model::{Mapping, Sources, Spot, Stack};

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
    /// By queue: those whose redrive policy names it.
    sources_of: Vec<Vec<usize>>,
    /// By queue: the mappings that read it.
    readers_of: Vec<Vec<usize>>,
}

impl<'a> Ground<'a> {
    /// With what all rules ask for again and again.
    fn new(stack: &'a Stack, sources: &'a Sources, options: &'a Options) -> Self {
        let mut sources_of = vec![Vec::new(); stack.queues.len()];
        for (number, queue) in stack.queues.iter().enumerate() {
            let target = queue.redrive.as_ref().and_then(|redrive| stack.queue_number(&redrive.target));
            if let Some(target) = target.filter(|target| *target != number) {
                sources_of[target].push(number);
            }
        }
        let mut readers_of = vec![Vec::new(); stack.queues.len()];
        for (number, mapping) in stack.mappings.iter().enumerate().filter(|(_, mapping)| mapping.is_on()) {
            if let Some(queue) = stack.queue_number(&mapping.queue) {
                readers_of[queue].push(number);
            }
        }
        Self { stack, sources, options, findings: Vec::new(), sources_of, readers_of }
    }

    /// The queues whose redrive policy names this one.
    fn sources_of(&self, queue: usize) -> &[usize] {
        &self.sources_of[queue]
    }

    /// The mappings that read a queue and are not switched off.
    fn mappings_of(&self, queue: usize) -> impl Iterator<Item = &'a Mapping> {
        let stack = self.stack;
        self.readers_of[queue].iter().map(move |number| &stack.mappings[*number])
    }

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
    let mut ground = Ground::new(stack, sources, options);
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
