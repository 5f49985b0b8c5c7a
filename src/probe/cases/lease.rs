//! Leases: how long they last, and how a consumer changes that.

use std::time::Duration;

use super::steps::{delivery, receive_from_new, same_or_not};
use crate::probe::answer::Answer;
use crate::probe::error::ProbeError;
use crate::probe::question::{Findings, Q2, Q3, Q4, Q5, Q6, Q19, Question};
use crate::probe::service::Service;

const VISIBLE_AGAIN: Question = Question::new(Q2, "lease of 2 s: delivered again");
const COUNTS: Question = Question::new(Q6, "counts of the first two receives");
const SAME_ID: Question = Question::new(Q19, "message id of the second receive");
const NEW_HANDLE: Question = Question::new(Q19, "receipt handle of the second receive");
pub const RUNS_OUT: &[Question] = &[VISIBLE_AGAIN, COUNTS, SAME_ID, NEW_HANDLE];

/// Nobody deletes the message.
pub async fn lease_runs_out(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 2).await?;
    let (time, second) = delivery(service, received.queue, received.at).await?;
    found.note(VISIBLE_AGAIN, time);
    let Some(second) = second else { return Ok(()) };
    found.note(COUNTS, Answer::Counts(vec![received.first.receives, second.receives]));
    found.note(SAME_ID, same_or_not(&received.first.id, &second.id));
    found.note(NEW_HANDLE, same_or_not(&received.first.handle, &second.handle));
    Ok(())
}

const SHORTENED: Question = Question::new(Q4, "lease of 4 s, changed to 1 s after 1 s: delivered again");
const NEXT_LEASE: Question = Question::new(Q3, "the lease after a changed one: delivered again");
pub const REPLACES: &[Question] = &[SHORTENED, NEXT_LEASE];

/// A change that would lengthen the lease if it were added.
pub async fn change_replaces(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 4).await?;
    service.sleep(Duration::from_secs(1)).await;
    service.change_visibility(received.queue, &received.first.handle, 1).await?;
    let (time, second) = delivery(service, received.queue, received.at).await?;
    found.note(SHORTENED, time);
    if second.is_some() {
        let (time, _) = delivery(service, received.queue, service.now()).await?;
        found.note(NEXT_LEASE, time);
    }
    Ok(())
}

const RELEASED: Question = Question::new(Q4, "lease of 20 s, changed to 0 s: delivered again");
pub const TO_ZERO: &[Question] = &[RELEASED];

/// A consumer gives its message back.
pub async fn change_to_zero(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 20).await?;
    service.change_visibility(received.queue, &received.first.handle, 0).await?;
    let (time, _) = delivery(service, received.queue, service.now()).await?;
    found.note(RELEASED, time);
    Ok(())
}

const TOO_LONG: Question = Question::new(Q5, "change to 43,201 s");
const TOO_LONG_IN_ALL: Question = Question::new(Q5, "change to 43,200 s, 2 s into the lease");
const LEASE_STAYS: Question = Question::new(Q5, "lease of 4 s after these changes: delivered again");
pub const BEYOND: &[Question] = &[TOO_LONG, TOO_LONG_IN_ALL, LEASE_STAYS];

/// Changes that take a lease past twelve hours, by themselves and in all.
pub async fn beyond_twelve_hours(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 4).await?;
    let handle = &received.first.handle;
    found.note(TOO_LONG, service.change_visibility(received.queue, handle, 43_201).await?);
    service.sleep(Duration::from_secs(2)).await;
    found.note(TOO_LONG_IN_ALL, service.change_visibility(received.queue, handle, 43_200).await?);
    let (time, _) = delivery(service, received.queue, received.at).await?;
    found.note(LEASE_STAYS, time);
    Ok(())
}

const SECOND_LEASE: Question = Question::new(Q5, "change to 43,198 s at the second receive, 3 s after the first");
pub const CLOCK: &[Question] = &[SECOND_LEASE];

/// A change that is short enough for its own lease, and too long for the time since the first receive: the two clocks
/// of the rule.
pub async fn twelve_hour_clock(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 3).await?;
    let (_, second) = delivery(service, received.queue, received.at).await?;
    if let Some(second) = second {
        found.note(SECOND_LEASE, service.change_visibility(received.queue, &second.handle, 43_198).await?);
    }
    Ok(())
}
