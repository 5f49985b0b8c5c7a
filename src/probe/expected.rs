//! The model's answers.

use super::answer::Answer;
use super::cases::Case;
use super::error::ProbeError;
use super::modelled::Modelled;
use super::question::{Findings, Question};

/// What the model's queue answers to the questions of a case.
pub async fn answers_of_the_model(case: Case) -> Result<Vec<(Question, Answer)>, ProbeError> {
    let mut found = Findings::default();
    case.ask(&Modelled::default(), &mut found).await?;
    let answers = case.questions().iter().map(|question| {
        let answer = found.answer(*question).cloned();
        (*question, answer.unwrap_or_else(|| Answer::NotMeasured("the model does not say".to_owned())))
    });
    Ok(answers.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model_answers() -> Vec<(Question, Answer)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let answers = Case::ALL.iter().flat_map(|case| runtime.block_on(answers_of_the_model(*case)).expect("answers"));
        answers.collect()
    }

    fn answer(answers: &[(Question, Answer)], rule: &str, start: &str) -> String {
        let found =
            answers.iter().find(|(question, _)| question.rule.number == rule && question.text.starts_with(start));
        found.map(|(_, answer)| answer.to_string()).expect("the question")
    }

    #[test]
    fn the_model_answers_every_question() {
        for (question, answer) in model_answers() {
            assert!(!matches!(answer, Answer::NotMeasured(_)), "{question:?}: {answer}");
        }
    }

    #[test]
    fn the_models_queue_answers_as_its_rules_say() {
        let answers = model_answers();
        for (rule, start, expected) in [
            ("Q2", "lease of 2 s", "after 2.0 s"),
            ("Q4", "lease of 4 s", "after 2.0 s"),
            ("Q3", "the lease after", "after 4.0 s"),
            ("Q4", "lease of 20 s", "after 0.0 s"),
            ("Q5", "change to 43,201", "refused: InvalidParameterValue"),
            ("Q5", "change to 43,200", "refused: InvalidParameterValue"),
            ("Q5", "change to 43,198", "accepted"),
            ("Q5", "lease of 4 s", "after 4.0 s"),
            ("Q6", "counts", "1, 2"),
            ("Q7", "in the DLQ", "nothing"),
            ("Q7", "what moves", "receive 3"),
            ("Q7", "receive N + 1 returns", "m2"),
            ("Q7", "N = 2, leases of 2 s", "after 4.0 s"),
            ("Q15", "delete, lease over: delivered", "nothing"),
            ("Q15", "the new lease of 2 s after that delete", "after 2.0 s"),
            ("Q15", "delivered after that change", "after 0.0 s"),
            ("Q15", "the new lease of 3 s", "after 0.0 s"),
            ("Q15", "the new lease of 2 s after that change", "after 2.0 s"),
            ("Q6", "count of the first", "3"),
            ("Q15", "change to 20 s, deleted", "refused: InvalidParameterValue"),
            ("Q16", "queue with a delay", "after 2.0 s"),
            ("Q16", "the same, changed", "after 0.0 s"),
            ("Q16", "message with a delay", "after 2.0 s"),
            ("F1", "a1, a2, b1 sent", "b1"),
            ("F1", "a1, a2 in flight", "a1"),
            ("F1", "a1, a2, a3 in flight", "a1"),
            ("F2", "a1, b1, a2, b2 sent", "a1, a2"),
            ("F3", "delete, lease over", "refused: InvalidParameterValue"),
            ("F3", "delete, lease over: delivered", "a1"),
            ("F4", "a1, a2 sent, a1 used up", "a2"),
            ("F7", "a1, then a2", "accepted"),
            ("F7", "delivered of the two", "a1"),
            ("F7", "a1 deleted", "nothing"),
            ("Q19", "message id of", "the same"),
            ("Q19", "receipt handle", "another"),
            ("Q19", "message id in", "the same"),
        ] {
            assert_eq!(answer(&answers, rule, start), expected, "{rule}, {start}");
        }
    }
}
