//! What is done with a message, by the kind of error that its consumer saw.

use super::{Disposition, ErrorClass, FailedAttempt, RetryPolicy};
use crate::engine::random::KeyedDraw;

/// What is done with a message after an error of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassDisposition {
    /// As the backoff says.
    #[default]
    BackOff,
    /// Nothing: its lease expires.
    LetLeaseExpire,
    /// It is visible again at once (rule Q4, change replaces).
    VisibilityZero,
    /// It goes to the dead-letter queue now.
    DeadLetter,
    /// It is deleted, as after a success.
    Delete,
    /// It is written down elsewhere, and deleted.
    RecordAndDelete,
    /// A copy of it is sent to its queue, and it is deleted.
    Resend,
}

/// What is done, by the kind of error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dispositions {
    /// After a refusal, a timeout or an error of the downstream.
    pub transient: ClassDisposition,
    /// After "too many requests".
    pub throttled: ClassDisposition,
    /// After an error that no retry mends.
    pub permanent: ClassDisposition,
    /// After an error that says nothing.
    pub unknown: ClassDisposition,
}

impl Dispositions {
    /// The disposition after an error of that kind.
    #[inline]
    pub fn of(&self, class: ErrorClass) -> ClassDisposition {
        match class {
            ErrorClass::Transient => self.transient,
            ErrorClass::Throttled => self.throttled,
            ErrorClass::Permanent => self.permanent,
            ErrorClass::Unknown => self.unknown,
        }
    }
}

/// How often a consumer takes an error for one of another kind. Whether a message's own fault is misread belongs to the
/// message, since it fails with the same words each time; whether the downstream's is, to the attempt.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Misreading {
    /// Share of the transient errors that are taken for permanent ones, 0 to 1: good messages are given up.
    pub transient_as_permanent: f64,
    /// Share of the messages with a fault of their own whose errors are taken for transient ones, 0 to 1: hopeless messages
    /// are tried again.
    pub permanent_as_transient: f64,
    /// Share of all errors but throttling, of those read rightly, that say nothing, 0 to 1.
    pub unknown: f64,
}

impl Misreading {
    /// Whether anything is ever misread.
    pub fn happens(&self) -> bool {
        *self != Self::default()
    }
}

/// A policy of dispositions over a backoff.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyOf<B> {
    /// What is done, by the kind of error.
    pub dispositions: Dispositions,
    /// What `back_off` means.
    pub backoff: B,
}

impl<B: RetryPolicy> RetryPolicy for PolicyOf<B> {
    #[inline]
    fn decide(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition {
        match self.dispositions.of(attempt.error.class()) {
            ClassDisposition::BackOff => self.backoff.decide(attempt, draw),
            ClassDisposition::LetLeaseExpire => Disposition::LetLeaseExpire,
            ClassDisposition::VisibilityZero => Disposition::ChangeVisibility { delay_s: 0 },
            ClassDisposition::DeadLetter => Disposition::DeadLetter,
            ClassDisposition::Delete => Disposition::Delete,
            ClassDisposition::RecordAndDelete => Disposition::RecordAndDelete,
            ClassDisposition::Resend => Disposition::Resend,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Streams;
    use crate::model::policy::AttemptError;

    struct SevenSeconds;

    impl RetryPolicy for SevenSeconds {
        fn decide(&self, _: &FailedAttempt, _: &mut KeyedDraw) -> Disposition {
            Disposition::ChangeVisibility { delay_s: 7 }
        }
    }

    #[test]
    fn each_kind_of_error_has_its_own_disposition() {
        let policy = PolicyOf {
            dispositions: Dispositions {
                transient: ClassDisposition::BackOff,
                throttled: ClassDisposition::VisibilityZero,
                permanent: ClassDisposition::DeadLetter,
                unknown: ClassDisposition::RecordAndDelete,
            },
            backoff: SevenSeconds,
        };
        let decide = |error| {
            let attempt = FailedAttempt {
                receive_count: 1,
                tries: 1,
                error,
                since_first_receive_us: 0,
                lease_left_us: 0,
                previous_delay_s: None,
                retry_after_us: None,
                visibility_left_us: 0,
            };
            policy.decide(&attempt, &mut Streams::new(1, 0).keyed("policy").draw(1, 1))
        };
        let backed_off = Disposition::ChangeVisibility { delay_s: 7 };
        for error in [AttemptError::Refused, AttemptError::TimedOut, AttemptError::Errored, AttemptError::Rejected] {
            assert_eq!(decide(error), backed_off, "{error:?}");
        }
        assert_eq!(decide(AttemptError::Throttled), Disposition::ChangeVisibility { delay_s: 0 });
        assert_eq!(decide(AttemptError::Permanent), Disposition::DeadLetter);
        assert_eq!(decide(AttemptError::Unknown), Disposition::RecordAndDelete);
    }
}
