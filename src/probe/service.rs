//! What a case may do to queues, be they real or modelled.

use std::time::Duration;

use super::answer::Answer;
use super::error::ProbeError;

/// Names a queue that its service has created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue(pub usize);

/// What a queue is created with.
#[derive(Debug, Clone, Copy, Default)]
pub struct QueueSettings {
    /// How long a receive hides a message.
    pub visibility_timeout_s: u32,
    /// Whether it is a FIFO queue.
    pub fifo: bool,
    /// Delay of every message.
    pub delay_s: u32,
    /// The dead-letter queue, and after how many receives.
    pub redrive: Option<(Queue, u32)>,
}

impl QueueSettings {
    /// A standard queue.
    pub fn standard(visibility_timeout_s: u32) -> Self {
        Self { visibility_timeout_s, ..Self::default() }
    }

    /// A FIFO queue.
    pub fn fifo(visibility_timeout_s: u32) -> Self {
        Self { fifo: true, ..Self::standard(visibility_timeout_s) }
    }

    /// With a dead-letter queue.
    pub fn redrive(self, dead_letters: Queue, max_receive_count: u32) -> Self {
        Self { redrive: Some((dead_letters, max_receive_count)), ..self }
    }
}

/// A message to send.
#[derive(Debug, Clone, Copy)]
pub struct Outgoing<'a> {
    /// Its body, which also names it in answers.
    pub body: &'a str,
    /// FIFO queues only: the group, and the deduplication id.
    pub fifo: Option<(&'a str, &'a str)>,
    /// A delay of its own.
    pub delay_s: Option<u32>,
}

impl<'a> Outgoing<'a> {
    /// A message for a standard queue.
    pub fn plain(body: &'a str) -> Self {
        Self { body, fifo: None, delay_s: None }
    }

    /// A message of a group that is like no other.
    pub fn in_group(group: &'a str, body: &'a str) -> Self {
        Self { fifo: Some((group, body)), ..Self::plain(body) }
    }
}

/// A message that a receive has returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: String,
    /// Its body.
    pub body: String,
    /// What this receive refers to it by.
    pub handle: String,
    /// Its receives so far.
    pub receives: u32,
}

/// Queues and a clock. A call that a queue may well refuse gives an [`Answer`]; any other refusal is an error.
pub trait Service {
    /// Creates a queue.
    async fn create(&self, settings: QueueSettings) -> Result<Queue, ProbeError>;
    /// Sends a message.
    async fn send(&self, queue: Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError>;
    /// Receives up to ten messages; waits for the first up to so many seconds.
    async fn receive(&self, queue: Queue, limit: u32, wait_s: u32) -> Result<Vec<Message>, ProbeError>;
    /// Deletes a message.
    async fn delete(&self, queue: Queue, handle: &str) -> Result<Answer, ProbeError>;
    /// Changes the visibility of a message.
    async fn change_visibility(&self, queue: Queue, handle: &str, seconds: u32) -> Result<Answer, ProbeError>;
    /// Lets time go by.
    async fn sleep(&self, time: Duration);
    /// Time since some moment before.
    fn now(&self) -> Duration;
}
