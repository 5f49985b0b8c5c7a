//! What many cases do.

use std::time::Duration;

use crate::probe::answer::Answer;
use crate::probe::error::ProbeError;
use crate::probe::service::{Message, Outgoing, Queue, QueueSettings, Service};

/// How long to wait for a message that should be there.
const PATIENCE: Duration = Duration::from_secs(8);
/// After this time without a message one may say that none comes. Longer than any lease that runs out meanwhile.
pub const LONG_ENOUGH: Duration = Duration::from_secs(6);

/// A standard queue with one message, which has been received once.
pub struct Received {
    /// The queue.
    pub queue: Queue,
    /// The receive.
    pub first: Message,
    /// When it was answered.
    pub at: Duration,
}

/// Sends a message to a new standard queue and receives it.
pub async fn receive_from_new(service: &impl Service, visibility_timeout_s: u32) -> Result<Received, ProbeError> {
    let queue = service.create(QueueSettings::standard(visibility_timeout_s)).await?;
    send(service, queue, Outgoing::plain("m1")).await?;
    let first = receive_one(service, queue).await?;
    Ok(Received { queue, first, at: service.now() })
}

/// Sends a message, which the queue has to take.
pub async fn send(service: &impl Service, queue: Queue, message: Outgoing<'_>) -> Result<(), ProbeError> {
    match service.send(queue, message).await? {
        Answer::Accepted => Ok(()),
        answer => Err(ProbeError::Unexpected(format!("a message was {answer}"))),
    }
}

/// Sends messages to a FIFO queue; the first letter of a body is its group.
pub async fn send_to_groups(service: &impl Service, queue: Queue, bodies: &[&str]) -> Result<(), ProbeError> {
    for body in bodies {
        let group = body.get(..1).unwrap_or(body);
        send(service, queue, Outgoing::in_group(group, body)).await?;
    }
    Ok(())
}

/// Receives one message, which has to come.
pub async fn receive_one(service: &impl Service, queue: Queue) -> Result<Message, ProbeError> {
    let deadline = service.now() + PATIENCE;
    while service.now() < deadline {
        if let Some(message) = service.receive(queue, 1, 1).await?.pop() {
            return Ok(message);
        }
    }
    Err(ProbeError::Unexpected(format!("no message within {} s", PATIENCE.as_secs())))
}

/// Receives exactly these messages in one call, or else the case cannot go on.
pub async fn receive_all(service: &impl Service, queue: Queue, bodies: &[&str]) -> Result<Vec<Message>, ProbeError> {
    let messages = service.receive(queue, 10, 2).await?;
    if messages.iter().map(|message| message.body.as_str()).eq(bodies.iter().copied()) {
        return Ok(messages);
    }
    let expected = Answer::delivered(bodies.iter().copied());
    Err(ProbeError::Unexpected(format!("one receive was to return {expected}, but returned {}", bodies_of(&messages))))
}

/// When the queue delivers a message, counted from `since`; the message too, if it comes.
pub async fn delivery(
    service: &impl Service,
    queue: Queue,
    since: Duration,
) -> Result<(Answer, Option<Message>), ProbeError> {
    let deadline = service.now() + LONG_ENOUGH;
    while service.now() < deadline {
        if let Some(message) = service.receive(queue, 1, 1).await?.pop() {
            return Ok((Answer::After(service.now().saturating_sub(since)), Some(message)));
        }
    }
    Ok((Answer::NotWithin(LONG_ENOUGH), None))
}

/// What one receive returns that waits for up to two seconds.
pub async fn next_receive(service: &impl Service, queue: Queue) -> Result<Answer, ProbeError> {
    Ok(bodies_of(&service.receive(queue, 10, 2).await?))
}

/// The bodies of messages, in their order.
pub fn bodies_of(messages: &[Message]) -> Answer {
    Answer::delivered(messages.iter().map(|message| message.body.as_str()))
}

/// Whether two of a kind are the same.
pub fn same_or_not(one: &str, other: &str) -> Answer {
    Answer::Word(if one == other { "the same" } else { "another" })
}
