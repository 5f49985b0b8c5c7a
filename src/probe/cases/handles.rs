//! What the receipt handle of a lease can still do when that lease is over.

use std::time::Duration;

use super::steps::{Received, delivery, next_receive, receive_from_new};
use crate::probe::error::ProbeError;
use crate::probe::question::{Findings, Q15, Question};
use crate::probe::service::Service;

/// Well beyond the end of a lease of one second.
const PAST_THE_LEASE: Duration = Duration::from_secs(2);

const LATE_CALL: Question = Question::new(Q15, "delete, lease over");
const LATE_EFFECT: Question = Question::new(Q15, "delete, lease over: delivered after it");
pub const LATE: &[Question] = &[LATE_CALL, LATE_EFFECT];

/// A delete that comes too late, before anybody else has the message.
pub async fn delete_late(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 1).await?;
    service.sleep(PAST_THE_LEASE).await;
    found.note(LATE_CALL, service.delete(received.queue, &received.first.handle).await?);
    found.note(LATE_EFFECT, next_receive(service, received.queue).await?);
    Ok(())
}

/// A message that has been received once more, and when: the handle of `Received` is the old one.
async fn received_twice(service: &impl Service, visibility_timeout_s: u32) -> Result<(Received, Duration), ProbeError> {
    let received = receive_from_new(service, visibility_timeout_s).await?;
    let (time, second) = delivery(service, received.queue, received.at).await?;
    match second {
        Some(_) => Ok((received, service.now())),
        None => Err(ProbeError::Unexpected(format!("no second receive: {time}"))),
    }
}

const OLD_DELETE_CALL: Question = Question::new(Q15, "delete with an old handle, received again meanwhile");
const OLD_DELETE_EFFECT: Question = Question::new(Q15, "the new lease of 2 s after that delete: delivered again");
pub const OLD_DELETE: &[Question] = &[OLD_DELETE_CALL, OLD_DELETE_EFFECT];

/// A delete by a consumer whose message another one has now.
pub async fn delete_with_old_handle(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (received, since) = received_twice(service, 2).await?;
    found.note(OLD_DELETE_CALL, service.delete(received.queue, &received.first.handle).await?);
    found.note(OLD_DELETE_EFFECT, delivery(service, received.queue, since).await?.0);
    Ok(())
}

const FIRST_DELETE: Question = Question::new(Q15, "delete");
const SECOND_DELETE: Question = Question::new(Q15, "the same delete once more");
const DELETED_CHANGE: Question = Question::new(Q15, "change to 20 s, deleted before");
pub const TWICE: &[Question] = &[FIRST_DELETE, SECOND_DELETE, DELETED_CHANGE];

/// What a handle can do after its delete.
pub async fn delete_twice(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 20).await?;
    found.note(FIRST_DELETE, service.delete(received.queue, &received.first.handle).await?);
    found.note(SECOND_DELETE, service.delete(received.queue, &received.first.handle).await?);
    found.note(DELETED_CHANGE, service.change_visibility(received.queue, &received.first.handle, 20).await?);
    Ok(())
}

const LATE_CHANGE_CALL: Question = Question::new(Q15, "change to 20 s, lease over, message visible");
const LATE_CHANGE_EFFECT: Question = Question::new(Q15, "delivered after that change");
pub const LATE_CHANGE: &[Question] = &[LATE_CHANGE_CALL, LATE_CHANGE_EFFECT];

/// A change that comes too late, before anybody else has the message.
pub async fn change_late(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let received = receive_from_new(service, 1).await?;
    service.sleep(PAST_THE_LEASE).await;
    found.note(LATE_CHANGE_CALL, service.change_visibility(received.queue, &received.first.handle, 20).await?);
    found.note(LATE_CHANGE_EFFECT, delivery(service, received.queue, service.now()).await?.0);
    Ok(())
}

const OLD_RELEASE_CALL: Question = Question::new(Q15, "change to 0 s with an old handle, received again meanwhile");
const OLD_RELEASE_EFFECT: Question = Question::new(Q15, "the new lease of 3 s after that change: delivered again");
pub const OLD_RELEASE: &[Question] = &[OLD_RELEASE_CALL, OLD_RELEASE_EFFECT];

/// A message is given back by a consumer that has it no more.
pub async fn release_with_old_handle(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (received, since) = received_twice(service, 3).await?;
    found.note(OLD_RELEASE_CALL, service.change_visibility(received.queue, &received.first.handle, 0).await?);
    found.note(OLD_RELEASE_EFFECT, delivery(service, received.queue, since).await?.0);
    Ok(())
}

const OLD_HIDE_CALL: Question = Question::new(Q15, "change to 20 s with an old handle, received again meanwhile");
const OLD_HIDE_EFFECT: Question = Question::new(Q15, "the new lease of 2 s after that change: delivered again");
pub const OLD_HIDE: &[Question] = &[OLD_HIDE_CALL, OLD_HIDE_EFFECT];

/// A message is hidden by a consumer that has it no more.
pub async fn hide_with_old_handle(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (received, since) = received_twice(service, 2).await?;
    found.note(OLD_HIDE_CALL, service.change_visibility(received.queue, &received.first.handle, 20).await?);
    found.note(OLD_HIDE_EFFECT, delivery(service, received.queue, since).await?.0);
    Ok(())
}
