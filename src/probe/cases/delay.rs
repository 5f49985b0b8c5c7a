//! Delays before the first receive.

use super::steps::{delivery, send};
use crate::probe::error::ProbeError;
use crate::probe::question::{Findings, Q16, Question};
use crate::probe::service::{Outgoing, QueueSettings, Service};

const QUEUE_DELAY: Question = Question::new(Q16, "queue with a delay of 2 s: delivered");
const SECOND_RECEIVE: Question = Question::new(Q16, "the same, changed to 0 s: delivered again");
pub const DELAYED_QUEUE: &[Question] = &[QUEUE_DELAY, SECOND_RECEIVE];

/// Every message of the queue has a delay.
pub async fn queue_delay(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let settings = QueueSettings { delay_s: 2, ..QueueSettings::standard(20) };
    let queue = service.create(settings).await?;
    send(service, queue, Outgoing::plain("m1")).await?;
    let (time, first) = delivery(service, queue, service.now()).await?;
    found.note(QUEUE_DELAY, time);
    if let Some(first) = first {
        service.change_visibility(queue, &first.handle, 0).await?;
        found.note(SECOND_RECEIVE, delivery(service, queue, service.now()).await?.0);
    }
    Ok(())
}

const MESSAGE_DELAY: Question = Question::new(Q16, "message with a delay of 2 s: delivered");
pub const DELAYED_MESSAGE: &[Question] = &[MESSAGE_DELAY];

/// One message has a delay of its own.
pub async fn message_delay(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let queue = service.create(QueueSettings::standard(20)).await?;
    send(service, queue, Outgoing { delay_s: Some(2), ..Outgoing::plain("m1") }).await?;
    found.note(MESSAGE_DELAY, delivery(service, queue, service.now()).await?.0);
    Ok(())
}
