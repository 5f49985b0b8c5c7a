//! The model and an endpoint, side by side.

use serde::{Serialize, Serializer};

use super::answer::Answer;
use super::cases::Case;
use super::error::ProbeError;
use super::question::{Findings, Question, RULES};

/// A question with both answers.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Number of the rule.
    pub rule: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What was asked.
    pub question: &'static str,
    /// What the model does.
    #[serde(serialize_with = "as_text")]
    pub model: Answer,
    /// What the endpoint does.
    #[serde(serialize_with = "as_text")]
    pub endpoint: Answer,
    /// Whether that is the same.
    pub same: bool,
}

fn as_text<S: Serializer>(answer: &Answer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(answer)
}

impl Row {
    fn new(question: Question, model: Answer, endpoint: Answer) -> Self {
        let same = model.agrees_with(&endpoint);
        let rule = question.rule;
        Self { rule: rule.number, title: rule.title, question: question.text, model, endpoint, same }
    }
}

/// What a probe has found.
#[derive(Debug, Clone, Serialize)]
pub struct ProbeReport {
    /// The endpoint, as it was named.
    pub endpoint: String,
    /// What the names of the queues began with.
    pub run: String,
    /// Answers that are the same.
    pub same: usize,
    /// Answers that are not.
    pub different: usize,
    /// All answers, by rule.
    pub rows: Vec<Row>,
}

impl ProbeReport {
    /// All rows, in the order of the rules.
    pub fn new(endpoint: String, run: String, mut rows: Vec<Row>) -> Self {
        rows.sort_by_key(|row| RULES.iter().position(|rule| rule.number == row.rule));
        let same = rows.iter().filter(|row| row.same).count();
        Self { endpoint, run, same, different: rows.len() - same, rows }
    }
}

/// The rows of a case. What it did not come to ask stays not measured, for the reason that ended it.
pub fn rows(case: Case, model: Vec<(Question, Answer)>, found: &Findings, ended: Option<&ProbeError>) -> Vec<Row> {
    debug_assert_eq!(model.len(), case.questions().len());
    let why = ended.map_or_else(|| "an earlier answer leaves no room for it".to_owned(), ToString::to_string);
    let rows = model.into_iter().map(|(question, answer)| {
        let measured = found.answer(question).cloned();
        Row::new(question, answer, measured.unwrap_or_else(|| Answer::NotMeasured(why.clone())))
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::question::{F1, Q2, Q15};

    fn row(question: Question, same: bool) -> Row {
        let endpoint = if same { Answer::Accepted } else { Answer::Receive(3) };
        Row::new(question, Answer::Accepted, endpoint)
    }

    #[test]
    fn rows_stand_in_the_order_of_the_rules_and_are_counted() {
        let questions = [Question::new(F1, "one"), Question::new(Q15, "two"), Question::new(Q2, "three")];
        let rows = vec![row(questions[0], true), row(questions[1], false), row(questions[2], true)];
        let report = ProbeReport::new("here".to_owned(), "probe-x".to_owned(), rows);
        let order: Vec<&str> = report.rows.iter().map(|row| row.question).collect();
        assert_eq!((order, report.same, report.different), (vec!["three", "two", "one"], 2, 1));
    }

    #[test]
    fn a_case_that_ends_early_says_why() {
        let case = Case::DeleteTwice;
        let model: Vec<_> = case.questions().iter().map(|question| (*question, Answer::Accepted)).collect();
        let mut found = Findings::default();
        found.note(case.questions()[0], Answer::Accepted);
        let ended = ProbeError::Unexpected("no message within 8 s".to_owned());
        let rows = rows(case, model, &found, Some(&ended));
        assert!(rows[0].same && !rows[1].same);
        assert_eq!(rows[1].endpoint.to_string(), "not measured: no message within 8 s");
    }
}
