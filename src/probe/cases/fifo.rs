//! FIFO queues: order, groups, and late deletes.

use std::time::Duration;

use super::steps::{bodies_of, next_receive, receive_all, receive_one, send_to_groups};
use crate::probe::error::ProbeError;
use crate::probe::question::{F1, F2, F3, F4, Findings, Question};
use crate::probe::service::{Message, Queue, QueueSettings, Service};

/// A new FIFO queue with these messages.
async fn queue_with(service: &impl Service, visibility_timeout_s: u32, bodies: &[&str]) -> Result<Queue, ProbeError> {
    let queue = service.create(QueueSettings::fifo(visibility_timeout_s)).await?;
    send_to_groups(service, queue, bodies).await?;
    Ok(queue)
}

/// A new FIFO queue with these messages, all received in one call.
async fn received(
    service: &impl Service,
    visibility_timeout_s: u32,
    bodies: &[&str],
) -> Result<(Queue, Vec<Message>), ProbeError> {
    let queue = queue_with(service, visibility_timeout_s, bodies).await?;
    Ok((queue, receive_all(service, queue, bodies).await?))
}

const BLOCKED: Question = Question::new(F1, "a1, a2, b1 sent, a1 in flight: delivered next");
pub const BLOCKING: &[Question] = &[BLOCKED];

/// The head of a group is in flight.
pub async fn group_is_blocked(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let queue = queue_with(service, 20, &["a1", "a2", "b1"]).await?;
    receive_one(service, queue).await?;
    found.note(BLOCKED, next_receive(service, queue).await?);
    Ok(())
}

const RELEASED_HEAD: Question = Question::new(F1, "a1, a2 in flight, a1 changed to 0 s: delivered next");
pub const HEAD: &[Question] = &[RELEASED_HEAD];

/// The head of a group comes back while its successor is in flight.
pub async fn head_is_released(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (queue, messages) = received(service, 20, &["a1", "a2"]).await?;
    if let Some(head) = messages.first() {
        service.change_visibility(queue, &head.handle, 0).await?;
    }
    found.note(RELEASED_HEAD, next_receive(service, queue).await?);
    Ok(())
}

const MIDDLE_HIDDEN: Question = Question::new(F1, "a1, a2, a3 in flight, a2 extended, other leases over: delivered");
pub const MIDDLE: &[Question] = &[MIDDLE_HIDDEN];

/// Only what stands before a hidden message can be delivered.
pub async fn middle_is_hidden(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (queue, messages) = received(service, 3, &["a1", "a2", "a3"]).await?;
    if let Some(middle) = messages.get(1) {
        service.change_visibility(queue, &middle.handle, 20).await?;
    }
    service.sleep(Duration::from_secs(4)).await;
    found.note(MIDDLE_HIDDEN, next_receive(service, queue).await?);
    Ok(())
}

const ONE_GROUP_FIRST: Question = Question::new(F2, "a1, b1, a2, b2 sent: a receive of at most two returns");
pub const FIRST: &[Question] = &[ONE_GROUP_FIRST];

/// A receive that could take from one group or from two.
pub async fn one_group_first(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let queue = queue_with(service, 20, &["a1", "b1", "a2", "b2"]).await?;
    found.note(ONE_GROUP_FIRST, bodies_of(&service.receive(queue, 2, 2).await?));
    Ok(())
}

const LATE_DELETE: Question = Question::new(F3, "delete, lease over");
const DELETED_LATE: Question = Question::new(F3, "delete, lease over: delivered after it");
pub const LATE: &[Question] = &[LATE_DELETE, DELETED_LATE];

/// A delete that comes too late.
pub async fn delete_late(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (queue, messages) = received(service, 1, &["a1"]).await?;
    service.sleep(Duration::from_secs(2)).await;
    if let Some(message) = messages.first() {
        found.note(LATE_DELETE, service.delete(queue, &message.handle).await?);
    }
    found.note(DELETED_LATE, next_receive(service, queue).await?);
    Ok(())
}

const AFTER_THE_MOVE: Question = Question::new(F4, "a1, a2 sent, a1 used up; N = 1: delivered next");
pub const MOVE: &[Question] = &[AFTER_THE_MOVE];

/// The head of a group has used up its receives.
pub async fn move_unblocks(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let dead_letters = service.create(QueueSettings::fifo(30)).await?;
    let queue = service.create(QueueSettings::fifo(1).redrive(dead_letters, 1)).await?;
    send_to_groups(service, queue, &["a1", "a2"]).await?;
    receive_one(service, queue).await?;
    service.sleep(Duration::from_secs(2)).await;
    found.note(AFTER_THE_MOVE, next_receive(service, queue).await?);
    Ok(())
}
