//! What is asked, and which rule of the model it is about.

use super::answer::Answer;

/// A rule by its number and title in docs/model.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its number.
    pub number: &'static str,
    /// Its title.
    pub title: &'static str,
}

const fn rule(number: &'static str, title: &'static str) -> Rule {
    Rule { number, title }
}

pub const Q2: Rule = rule("Q2", "visibility timeout");
pub const Q3: Rule = rule("Q3", "lease per receive");
pub const Q4: Rule = rule("Q4", "change replaces");
pub const Q5: Rule = rule("Q5", "twelve-hour ceiling");
pub const Q6: Rule = rule("Q6", "receive count");
pub const Q7: Rule = rule("Q7", "lazy redrive");
pub const Q15: Rule = rule("Q15", "stale handles");
pub const Q16: Rule = rule("Q16", "delivery delay");
pub const Q19: Rule = rule("Q19", "message id");
pub const F1: Rule = rule("F1", "group blocking");
pub const F2: Rule = rule("F2", "one group first");
pub const F3: Rule = rule("F3", "late delete refused");
pub const F4: Rule = rule("F4", "DLQ breaks the order");
pub const F7: Rule = rule("F7", "deduplication");

/// All rules that are asked about, in the order of the document.
pub const RULES: [Rule; 14] = [Q2, Q3, Q4, Q5, Q6, Q7, Q15, Q16, Q19, F1, F2, F3, F4, F7];

/// A question with one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question {
    /// The rule that it tests.
    pub rule: Rule,
    /// What it asks, so that an [`Answer`] can stand beside it.
    pub text: &'static str,
}

impl Question {
    /// A question about a rule.
    pub const fn new(rule: Rule, text: &'static str) -> Self {
        Self { rule, text }
    }
}

/// Answers, as a case collects them.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    answers: Vec<(Question, Answer)>,
}

impl Findings {
    /// Writes an answer down.
    pub fn note(&mut self, question: Question, answer: Answer) {
        self.answers.push((question, answer));
    }

    /// The answer to a question, if it has been put.
    pub fn answer(&self, question: Question) -> Option<&Answer> {
        self.answers.iter().find(|(asked, _)| *asked == question).map(|(_, answer)| answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_the_titles_of_the_model() {
        let model = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/model.md")).expect("the model");
        for rule in RULES {
            let heading = format!("\n### {}, {}\n", rule.number, rule.title);
            assert!(model.contains(&heading), "{rule:?}");
        }
    }
}
