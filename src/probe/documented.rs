//! Answers from docs/model.md, for what the model's queue cannot be asked yet.
//!
//! `StandardQueue` has no delays and keeps no dead letters, and there is no FIFO queue. When the model learns one of
//! these, `modelled.rs` drives it and the line here goes.

use super::answer::Answer;
use super::cases;
use super::question::Question;

/// What the model's documents say.
pub fn answers() -> Vec<(Question, Answer)> {
    vec![
        // Rule Q6, receive count: it goes on in the DLQ and does not start again there. The receive that moves the
        // message is none of it, so the first one from the DLQ is N + 1.
        (cases::COUNT_IN_DLQ, Answer::Counts(vec![3])),
        // Rule Q16, delivery delay: it holds back the first receive only.
        (cases::QUEUE_DELAY, Answer::after_s(2)),
        (cases::SECOND_RECEIVE, Answer::after_s(0)),
        (cases::MESSAGE_DELAY, Answer::after_s(2)),
        // Rule F1, group blocking: a hidden message blocks all later ones of its group, and only those.
        (cases::BLOCKED, Answer::delivered(["b1"])),
        (cases::RELEASED_HEAD, Answer::delivered(["a1"])),
        (cases::MIDDLE_HIDDEN, Answer::delivered(["a1"])),
        // Rule F2, one group first.
        (cases::ONE_GROUP_FIRST, Answer::delivered(["a1", "a2"])),
        // Rule F3, late delete refused.
        (cases::LATE_DELETE, Answer::Refused("InvalidParameterValue".to_owned())),
        (cases::DELETED_LATE, Answer::delivered(["a1"])),
        // Rule F4, DLQ breaks the order: the group goes on without the message that has moved.
        (cases::AFTER_THE_MOVE, Answer::delivered(["a2"])),
        // Rule F7, deduplication: of several within five minutes, only the first is taken. The send itself succeeds.
        (cases::DUPLICATE, Answer::Accepted),
        (cases::DUPLICATE_DELIVERED, Answer::delivered(["a1"])),
        (cases::AGAIN_AFTER_DELETE, Answer::delivered([])),
    ]
}
