//! The move to the dead-letter queue: which receive does it, and when.

use std::time::Duration;

use super::steps::{bodies_of, delivery, receive_one, same_or_not, send};
use crate::probe::answer::Answer;
use crate::probe::error::ProbeError;
use crate::probe::question::{Findings, Q6, Q7, Q19, Question};
use crate::probe::service::{Message, Outgoing, Queue, QueueSettings, Service};

/// Receives before the move, in all cases here.
const N: u32 = 2;
/// Receives that a case waits for the move.
const LAST_RECEIVE: u32 = N + 4;

const MOVED_BY_WAITING: Question = Question::new(Q7, "in the DLQ after lease N, 2 s without a poll; N = 2");
const MOVED_BY: Question = Question::new(Q7, "what moves the message; N = 2");
const CALL_GOES_ON: Question = Question::new(Q7, "receive N + 1 returns, m2 being in the queue too");
const SAME_ID: Question = Question::new(Q19, "message id in the DLQ");
const COUNT_IN_DLQ: Question = Question::new(Q6, "count of the first receive from the DLQ; N = 2");
pub const MOVE: &[Question] = &[MOVED_BY_WAITING, MOVED_BY, CALL_GOES_ON, COUNT_IN_DLQ, SAME_ID];

/// A source that moves messages after `N` receives, and its dead-letter queue.
async fn source(service: &impl Service, visibility_timeout_s: u32) -> Result<(Queue, Queue), ProbeError> {
    let dead_letters = service.create(QueueSettings::standard(30)).await?;
    let settings = QueueSettings::standard(visibility_timeout_s).redrive(dead_letters, N);
    Ok((service.create(settings).await?, dead_letters))
}

/// The last lease runs out, and for a while nobody polls. Then receives follow one another until the message has moved.
pub async fn move_by_receive(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (queue, dead_letters) = source(service, 1).await?;
    send(service, queue, Outgoing::plain("m1")).await?;
    let first = receive_one(service, queue).await?;
    for _ in 1..N {
        receive_one(service, queue).await?;
    }
    service.sleep(Duration::from_secs(2)).await;
    // A receive from the DLQ that finds nothing changes nothing.
    let early = service.receive(dead_letters, 1, 1).await?;
    found.note(MOVED_BY_WAITING, bodies_of(&early));
    send(service, queue, Outgoing::plain("m2")).await?;
    let (mover, moved) = match early.into_iter().next() {
        Some(message) => (Answer::Word("the end of a lease"), Some(message)),
        None => receive_until_moved(service, queue, dead_letters, found).await?,
    };
    found.note(MOVED_BY, mover);
    if let Some(moved) = moved {
        found.note(COUNT_IN_DLQ, Answer::Counts(vec![moved.receives]));
        found.note(SAME_ID, same_or_not(&first.id, &moved.id));
    }
    Ok(())
}

/// Receives from the source until the message is in the dead-letter queue.
async fn receive_until_moved(
    service: &impl Service,
    queue: Queue,
    dead_letters: Queue,
    found: &mut Findings,
) -> Result<(Answer, Option<Message>), ProbeError> {
    for number in N + 1..=LAST_RECEIVE {
        let returned = service.receive(queue, 10, 1).await?;
        if number == N + 1 {
            found.note(CALL_GOES_ON, bodies_of(&returned));
        }
        if let Some(message) = service.receive(dead_letters, 1, 1).await?.pop() {
            return Ok((Answer::Receive(number), Some(message)));
        }
    }
    Ok((Answer::Word("none of the first six receives"), None))
}

const TIME_OF_MOVE: Question = Question::new(Q7, "N = 2, leases of 2 s, polled all the time: in the DLQ");
pub const TIME: &[Question] = &[TIME_OF_MOVE];
/// Between two polls. Short polls, since a long one would stand between the move and the look into the DLQ.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to look for the move.
const POLLING: Duration = Duration::from_secs(8);

/// Somebody polls all the time.
pub async fn time_of_move(service: &impl Service, found: &mut Findings) -> Result<(), ProbeError> {
    let (queue, dead_letters) = source(service, 2).await?;
    send(service, queue, Outgoing::plain("m1")).await?;
    receive_one(service, queue).await?;
    let since = service.now();
    while service.now() < since + POLLING {
        service.receive(queue, 10, 0).await?;
        if !service.receive(dead_letters, 1, 0).await?.is_empty() {
            found.note(TIME_OF_MOVE, Answer::After(service.now() - since));
            return Ok(());
        }
        service.sleep(PAUSE).await;
    }
    // A short poll can miss a message.
    let (time, _) = delivery(service, dead_letters, since).await?;
    found.note(TIME_OF_MOVE, time);
    Ok(())
}
