//! What a queue has answered.

use std::fmt;
use std::time::Duration;

/// Times that are no further apart count as the same. The rival of each answer is at least a second away.
const TOLERANCE: Duration = Duration::from_millis(800);

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The call succeeded.
    Accepted,
    /// The call failed with this error code.
    Refused(String),
    /// It came after this time.
    After(Duration),
    /// It did not come for as long as one cared to wait.
    NotWithin(Duration),
    /// What a receive returned, by body.
    Delivered(Vec<String>),
    /// Receive counts, in the order in which they were seen.
    Counts(Vec<u32>),
    /// The number of a receive.
    Receive(u32),
    /// One of a few words.
    Word(&'static str),
    /// The question could not be put, and why.
    NotMeasured(String),
}

impl Answer {
    /// What a receive returned, in the order of the answer.
    pub fn delivered<'a>(bodies: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Delivered(bodies.into_iter().map(str::to_owned).collect())
    }

    /// Whether two queues have answered alike. What was not measured is like nothing.
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::After(one), Self::After(other)) => one.abs_diff(*other) <= TOLERANCE,
            (Self::NotMeasured(_), _) => false,
            (one, other) => one == other,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accepted => f.write_str("accepted"),
            Self::Refused(code) => write!(f, "refused: {code}"),
            Self::After(time) => write!(f, "after {:.1} s", time.as_secs_f64()),
            Self::NotWithin(time) => write!(f, "not within {:.0} s", time.as_secs_f64()),
            Self::Delivered(bodies) if bodies.is_empty() => f.write_str("nothing"),
            Self::Delivered(bodies) => f.write_str(&bodies.join(", ")),
            Self::Counts(counts) => {
                let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
                f.write_str(&counts.join(", "))
            }
            Self::Receive(number) => write!(f, "receive {number}"),
            Self::Word(word) => f.write_str(word),
            Self::NotMeasured(why) => write!(f, "not measured: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_s(seconds: u64) -> Answer {
        Answer::After(Duration::from_secs(seconds))
    }

    #[test]
    fn times_agree_within_the_tolerance_and_all_else_when_it_is_equal() {
        let late = Answer::After(Duration::from_millis(2_700));
        assert!(after_s(2).agrees_with(&late) && late.agrees_with(&after_s(2)));
        assert!(!after_s(2).agrees_with(&after_s(3)));
        assert!(!after_s(2).agrees_with(&Answer::NotWithin(Duration::from_secs(6))));
        assert!(Answer::Accepted.agrees_with(&Answer::Accepted));
        assert!(!Answer::Accepted.agrees_with(&Answer::Refused("InvalidParameterValue".to_owned())));
        assert!(!Answer::delivered(["a1", "a2"]).agrees_with(&Answer::delivered(["a2", "a1"])));
        let unknown = Answer::NotMeasured("no message".to_owned());
        assert!(!unknown.agrees_with(&unknown.clone()));
    }

    #[test]
    fn answers_read_well() {
        let shown = [
            (Answer::After(Duration::from_millis(2_040)), "after 2.0 s"),
            (Answer::delivered([]), "nothing"),
            (Answer::delivered(["a1", "b1"]), "a1, b1"),
            (Answer::Counts(vec![1, 2]), "1, 2"),
            (Answer::Receive(3), "receive 3"),
            (Answer::NotWithin(Duration::from_secs(6)), "not within 6 s"),
        ];
        for (answer, text) in shown {
            assert_eq!(answer.to_string(), text);
        }
    }
}
