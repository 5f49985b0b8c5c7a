//! The cases: what is done to a queue, and the questions that its behaviour answers. One file for each group of rules.

mod deduplication;
mod delay;
mod fifo;
mod handles;
mod lease;
mod redrive;
mod steps;

use super::error::ProbeError;
use super::question::{Findings, Question};
use super::service::Service;

macro_rules! cases {
    ($($case:ident: $file:ident :: $function:ident, $questions:ident;)*) => {
        /// A case: it needs queues of its own and no other case.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Case {
            $(
                #[doc = concat!("`", stringify!($file), "::", stringify!($function), "`")]
                $case,
            )*
        }

        impl Case {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// What the case asks, in the order in which it does.
            pub fn questions(self) -> &'static [Question] {
                match self {
                    $(Self::$case => $file::$questions,)*
                }
            }

            /// Puts the questions.
            pub async fn ask(self, service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
                match self {
                    $(Self::$case => $file::$function(service, found).await,)*
                }
            }
        }
    };
}

cases! {
    LeaseRunsOut: lease::lease_runs_out, RUNS_OUT;
    ChangeReplaces: lease::change_replaces, REPLACES;
    ChangeToZero: lease::change_to_zero, TO_ZERO;
    BeyondTwelveHours: lease::beyond_twelve_hours, BEYOND;
    TwelveHourClock: lease::twelve_hour_clock, CLOCK;
    MoveByReceive: redrive::move_by_receive, MOVE;
    TimeOfMove: redrive::time_of_move, TIME;
    DeleteLate: handles::delete_late, LATE;
    DeleteWithOldHandle: handles::delete_with_old_handle, OLD_DELETE;
    DeleteTwice: handles::delete_twice, TWICE;
    ChangeLate: handles::change_late, LATE_CHANGE;
    ReleaseWithOldHandle: handles::release_with_old_handle, OLD_RELEASE;
    HideWithOldHandle: handles::hide_with_old_handle, OLD_HIDE;
    QueueDelay: delay::queue_delay, DELAYED_QUEUE;
    MessageDelay: delay::message_delay, DELAYED_MESSAGE;
    GroupIsBlocked: fifo::group_is_blocked, BLOCKING;
    HeadIsReleased: fifo::head_is_released, HEAD;
    MiddleIsHidden: fifo::middle_is_hidden, MIDDLE;
    OneGroupFirst: fifo::one_group_first, FIRST;
    DeleteLateFifo: fifo::delete_late, LATE;
    MoveUnblocks: fifo::move_unblocks, MOVE;
    Deduplicates: deduplication::deduplicates, SEND_TWICE;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::question::RULES;

    #[test]
    fn no_question_is_put_twice_and_every_rule_is_asked_about() {
        let mut seen: Vec<Question> = Vec::new();
        for question in Case::ALL.iter().flat_map(|case| case.questions()) {
            assert!(!seen.contains(question), "{question:?}");
            seen.push(*question);
        }
        for rule in RULES {
            assert!(seen.iter().any(|question| question.rule == rule), "{rule:?}");
        }
    }
}
