//! The model's answers.

use super::answer::Answer;
use super::cases::Case;
use super::documented;
use super::error::ProbeError;
use super::modelled::Modelled;
use super::question::{Findings, Question};

/// What the model answers to the questions of a case: its documents where it cannot be asked, else its queue.
pub async fn answers_of_the_model(case: Case) -> Result<Vec<(Question, Answer)>, ProbeError> {
    let documented = documented::answers();
    let documented =
        |question| documented.iter().find(|(asked, _)| *asked == question).map(|(_, answer)| answer.clone());
    let mut found = Findings::default();
    if case.questions().iter().any(|question| documented(*question).is_none()) {
        case.ask(&Modelled::default(), &mut found).await?;
    }
    let answers = case.questions().iter().map(|question| {
        let answer = documented(*question).or_else(|| found.answer(*question).cloned());
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
    fn the_documents_answer_only_what_is_asked() {
        for (question, _) in documented::answers() {
            assert!(Case::ALL.iter().any(|case| case.questions().contains(&question)), "{question:?}");
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
            ("Q19", "message id of", "the same"),
            ("Q19", "receipt handle", "another"),
            ("Q19", "message id in", "the same"),
        ] {
            assert_eq!(answer(&answers, rule, start), expected, "{rule}, {start}");
        }
    }
}
