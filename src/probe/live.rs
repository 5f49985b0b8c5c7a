//! An endpoint as a service.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::{Message as SqsMessage, MessageSystemAttributeName, QueueAttributeName};
use tokio::time::Instant;

use super::answer::Answer;
use super::cleanup::Ledger;
use super::connect::Failure;
use super::error::ProbeError;
use super::service::{Message, Outgoing, Queue, QueueSettings, Service};
use super::store::{Attributes, SqsStore};

/// The queues of one run on a real endpoint.
pub struct Live {
    ledger: Rc<Ledger<SqsStore>>,
    urls: RefCell<Vec<String>>,
    began: Instant,
}

impl Live {
    /// No queues yet; those to come are written into the ledger.
    pub fn new(ledger: Rc<Ledger<SqsStore>>) -> Self {
        Self { ledger, urls: RefCell::default(), began: Instant::now() }
    }

    fn store(&self) -> &SqsStore {
        self.ledger.store()
    }

    fn url(&self, Queue(index): Queue) -> Result<String, ProbeError> {
        let url = self.urls.borrow().get(index).cloned();
        url.ok_or_else(|| ProbeError::Unexpected("no such queue".to_owned()))
    }

    async fn attributes(&self, settings: QueueSettings) -> Result<Attributes, ProbeError> {
        let mut attributes = vec![(QueueAttributeName::VisibilityTimeout, settings.visibility_timeout_s.to_string())];
        if settings.fifo {
            attributes.push((QueueAttributeName::FifoQueue, "true".to_owned()));
        }
        if settings.delay_s > 0 {
            attributes.push((QueueAttributeName::DelaySeconds, settings.delay_s.to_string()));
        }
        if let Some((dead_letters, receives)) = settings.redrive {
            let target = self.resource_name(dead_letters).await?;
            let policy = serde_json::json!({ "deadLetterTargetArn": target, "maxReceiveCount": receives.to_string() });
            attributes.push((QueueAttributeName::RedrivePolicy, policy.to_string()));
        }
        Ok(attributes)
    }

    /// What a redrive policy names a queue by.
    async fn resource_name(&self, queue: Queue) -> Result<String, ProbeError> {
        let name = QueueAttributeName::QueueArn;
        let request =
            self.store().client().get_queue_attributes().queue_url(self.url(queue)?).attribute_names(name.clone());
        let answer = request.send().await.map_err(|error| self.error("GetQueueAttributes", error))?;
        let found = answer.attributes.and_then(|mut attributes| attributes.remove(&name));
        found.ok_or_else(|| ProbeError::Unexpected("GetQueueAttributes returned no QueueArn".to_owned()))
    }

    fn error<E>(&self, action: &'static str, error: SdkError<E>) -> ProbeError
    where
        E: std::error::Error + ProvideErrorMetadata + 'static,
    {
        Failure::of(self.store().endpoint(), error).during(action)
    }

    /// The answer of a call that may be refused; missing permissions are no answer.
    fn answer<T, E>(&self, action: &'static str, outcome: Result<T, SdkError<E>>) -> Result<Answer, ProbeError>
    where
        E: std::error::Error + ProvideErrorMetadata + 'static,
    {
        let Err(error) = outcome else { return Ok(Answer::Accepted) };
        match Failure::of(self.store().endpoint(), error).during(action) {
            ProbeError::Refused { code, .. } => Ok(Answer::Refused(code)),
            error => Err(error),
        }
    }
}

fn message(message: SqsMessage) -> Result<Message, ProbeError> {
    let lacks = |what: &str| ProbeError::Unexpected(format!("a message has no {what}"));
    let count = message.attributes.and_then(|mut all| all.remove(&MessageSystemAttributeName::ApproximateReceiveCount));
    Ok(Message {
        id: message.message_id.ok_or_else(|| lacks("id"))?,
        body: message.body.ok_or_else(|| lacks("body"))?,
        handle: message.receipt_handle.ok_or_else(|| lacks("receipt handle"))?,
        receives: count.and_then(|count| count.parse().ok()).ok_or_else(|| lacks("receive count"))?,
    })
}

impl Service for Live {
    async fn create(&self, settings: QueueSettings) -> Result<Queue, ProbeError> {
        let attributes = self.attributes(settings).await?;
        let url = Ledger::create(&self.ledger, settings.fifo, attributes).await?;
        let mut urls = self.urls.borrow_mut();
        urls.push(url);
        Ok(Queue(urls.len() - 1))
    }

    async fn send(&self, queue: Queue, message: Outgoing<'_>) -> Result<Answer, ProbeError> {
        let mut request = self.store().client().send_message().queue_url(self.url(queue)?).message_body(message.body);
        if let Some((group, deduplication)) = message.fifo {
            request = request.message_group_id(group).message_deduplication_id(deduplication);
        }
        request = request.set_delay_seconds(message.delay_s.map(u32::cast_signed));
        self.answer("SendMessage", request.send().await)
    }

    async fn receive(&self, queue: Queue, limit: u32, wait_s: u32) -> Result<Vec<Message>, ProbeError> {
        let request = self.store().client().receive_message().queue_url(self.url(queue)?);
        let request = request
            .max_number_of_messages(limit.cast_signed())
            .wait_time_seconds(wait_s.cast_signed())
            .message_system_attribute_names(MessageSystemAttributeName::ApproximateReceiveCount);
        let answer = request.send().await.map_err(|error| self.error("ReceiveMessage", error))?;
        answer.messages.unwrap_or_default().into_iter().map(message).collect()
    }

    async fn delete(&self, queue: Queue, handle: &str) -> Result<Answer, ProbeError> {
        let request = self.store().client().delete_message().queue_url(self.url(queue)?).receipt_handle(handle);
        self.answer("DeleteMessage", request.send().await)
    }

    async fn change_visibility(&self, queue: Queue, handle: &str, seconds: u32) -> Result<Answer, ProbeError> {
        let request = self.store().client().change_message_visibility().queue_url(self.url(queue)?);
        let request = request.receipt_handle(handle).visibility_timeout(seconds.cast_signed());
        self.answer("ChangeMessageVisibility", request.send().await)
    }

    async fn sleep(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}
