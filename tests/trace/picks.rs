//! Which message is picked.

use retrystorm::trace::{Pick, TraceError, Wanted};

use crate::story::traced;

/// Message 0 can never succeed and is used up; the others are sent later, one slot takes them one after the other.
const MIXED: &str = "
duration: 2m
queue: { visibility_timeout: 10s, redrive: { max_receive_count: 2 } }
producers: [ { burst: 1, classes: { permanent: 100% } }, { burst: 3, from: 30s } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
";

fn picked(text: &str, pick: Pick) -> Result<u64, TraceError> {
    traced(text, Wanted::Picked(pick)).map(|trace| trace.key)
}

#[test]
fn the_first_that_is_dead_lettered_is_found() {
    assert_eq!(picked(MIXED, Pick::DeadLettered).ok(), Some(0));
}

/// The three are done 1, 2 and 3 s after they were sent. What was dead-lettered waits no more.
#[test]
fn the_slowest_is_the_last_to_succeed() {
    assert_eq!(picked(MIXED, Pick::Slowest).ok(), Some(3));
}

/// At 32 s messages 2 and 3 are not done, both sent at 30 s; message 1 was done after 1 s.
#[test]
fn one_that_is_pending_has_waited_until_the_end() {
    assert_eq!(picked(&MIXED.replace("2m", "32s"), Pick::Slowest).ok(), Some(2));
}

#[test]
fn what_nothing_fits_is_a_sentence() {
    let error = picked(MIXED, Pick::Duplicated).expect_err("nothing is done twice");
    assert_eq!(error.to_string(), "no message was processed twice in this run");
    let error = picked(&MIXED.replace("permanent: 100%", "permanent: 0%"), Pick::DeadLettered).expect_err("nothing is");
    assert_eq!(error.to_string(), "no message was dead-lettered in this run");
}

/// A lease of 10 s ends while its handler works for 15 s.
#[test]
fn the_first_with_a_second_success_is_found() {
    let text = "
duration: 1m
queue: { visibility_timeout: 10s }
producers: [ { burst: 1 } ]
consumers: { fleet: 2, concurrency: 1, handler_time: 14s }
downstream: { servers: 2, service_time: 1s }
variants: { only: {} }
";
    assert_eq!(picked(text, Pick::Duplicated).ok(), Some(0));
}

#[test]
fn a_number_beyond_the_last_is_refused_with_the_numbers_there_are() {
    let error = traced(MIXED, Wanted::Message(4)).expect_err("there are four");
    assert_eq!(error.to_string(), "there is no message 4: the messages of this run have the numbers 0 to 3");
}
