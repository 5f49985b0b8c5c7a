//! Queues by name and address: what creating them and tidying up needs.

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::QueueAttributeName;

use super::connect::{Failure, Refusal};
use super::error::ProbeError;

/// What a queue is created with.
pub type Attributes = Vec<(QueueAttributeName, String)>;

/// Where queues are.
pub trait QueueStore {
    /// The address of the queue of that name, if there is one.
    async fn find(&self, name: &str) -> Result<Option<String>, ProbeError>;
    /// Creates a queue and returns its address.
    async fn create(&self, name: &str, attributes: Attributes) -> Result<String, ProbeError>;
    /// Deletes a queue. One that is not there any more is no error.
    async fn delete(&self, url: &str) -> Result<(), ProbeError>;
}

/// The queues of an endpoint.
pub struct SqsStore {
    client: Client,
    endpoint: String,
}

impl SqsStore {
    /// The queues that this client sees.
    pub fn new(client: Client, endpoint: String) -> Self {
        Self { client, endpoint }
    }

    /// The client.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The endpoint, for messages.
    pub fn endpoint(&self) -> &str {
        &self.endpoint
    }
}

/// Whether a refusal says that there is no such queue: the code of the older protocol, of the newer one, and of those who
/// mix them up.
fn no_such_queue(refusal: &Refusal) -> bool {
    ["NonExistentQueue", "QueueDoesNotExist"].contains(&refusal.code.as_str())
}

impl QueueStore for SqsStore {
    async fn find(&self, name: &str) -> Result<Option<String>, ProbeError> {
        match self.client.get_queue_url().queue_name(name).send().await {
            Ok(answer) => Ok(answer.queue_url),
            Err(error) => match Failure::of(&self.endpoint, error) {
                Failure::Refused(refusal) if no_such_queue(&refusal) => Ok(None),
                failure => Err(failure.during("GetQueueUrl")),
            },
        }
    }

    async fn create(&self, name: &str, attributes: Attributes) -> Result<String, ProbeError> {
        let request =
            self.client.create_queue().queue_name(name).set_attributes(Some(attributes.into_iter().collect()));
        let answer = request.send().await.map_err(|error| Failure::of(&self.endpoint, error).during("CreateQueue"))?;
        answer.queue_url.ok_or_else(|| ProbeError::NotSqs {
            endpoint: self.endpoint.clone(),
            cause: "CreateQueue returned no address".to_owned(),
        })
    }

    async fn delete(&self, url: &str) -> Result<(), ProbeError> {
        match self.client.delete_queue().queue_url(url).send().await {
            Ok(_) => Ok(()),
            Err(error) => match Failure::of(&self.endpoint, error) {
                Failure::Refused(refusal) if no_such_queue(&refusal) => Ok(()),
                failure => Err(failure.during("DeleteQueue")),
            },
        }
    }
}
