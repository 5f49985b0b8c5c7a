//! Messages with the same deduplication id.

use super::steps::{bodies_of, next_receive, send};
use crate::probe::error::ProbeError;
use crate::probe::question::{F7, Findings, Question};
use crate::probe::service::{Outgoing, QueueSettings, Service};

const DUPLICATE: Question = Question::new(F7, "a1, then a2 with the same deduplication id: the second send");
const DUPLICATE_DELIVERED: Question = Question::new(F7, "delivered of the two");
const AGAIN_AFTER_DELETE: Question = Question::new(F7, "a1 deleted, that id sent once more: delivered");
pub const SEND_TWICE: &[Question] = &[DUPLICATE, DUPLICATE_DELIVERED, AGAIN_AFTER_DELETE];

/// Three messages with one deduplication id.
pub async fn deduplicates(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let queue = service.create(QueueSettings::fifo(20)).await?;
    let outgoing = |body| Outgoing { fifo: Some(("a", "id")), ..Outgoing::plain(body) };
    send(service, queue, outgoing("a1")).await?;
    found.note(DUPLICATE, service.send(queue, outgoing("a2")).await?);
    let messages = service.receive(queue, 10, 2).await?;
    found.note(DUPLICATE_DELIVERED, bodies_of(&messages));
    for message in &messages {
        service.delete(queue, &message.handle).await?;
    }
    send(service, queue, outgoing("a3")).await?;
    found.note(AGAIN_AFTER_DELETE, next_receive(service, queue).await?);
    Ok(())
}
