//! What stands between a handler and the downstream: a store of what is done already, the limits of its calls, and its client
//! library.

use super::keys::Keys;
use super::limits::{RateLimiter, Semaphore, Semaphores};
use crate::engine::random::KeyedDraw;
use crate::model::consumer::{ConsumerSettings, Idempotency};
use crate::model::policy::{AttemptError, CallAdmission, Client, ClientSettings, PolicySettings};

/// The client libraries of a fleet: one for each consumer process.
#[derive(Debug)]
struct Clients {
    settings: ClientSettings,
    by_consumer: Vec<Option<Client>>,
}

impl Clients {
    fn of(&mut self, consumer: u32) -> &mut Client {
        let number = consumer as usize;
        if self.by_consumer.len() <= number {
            self.by_consumer.resize_with(number + 1, || None);
        }
        self.by_consumer[number].get_or_insert_with(|| Client::new(&self.settings))
    }
}

/// All that stands in front of the calls of one fleet.
#[derive(Debug)]
pub(super) struct Gates {
    done: Option<Keys>,
    semaphores: Option<Semaphores>,
    clients: Option<Clients>,
    rate: Option<RateLimiter>,
}

impl Gates {
    /// The gates of such a fleet; `None` where it has none.
    pub fn new(consumers: &ConsumerSettings, policy: &PolicySettings, tenants: usize) -> Option<Self> {
        let done = match consumers.idempotency {
            Idempotency::Store(settings) => Some(Keys::new(settings)),
            Idempotency::None => None,
        };
        let semaphores = policy.concurrency_limit.map(|settings| Semaphores::new(settings, tenants));
        let clients = policy.client.clone().map(|settings| Clients { settings, by_consumer: Vec::new() });
        let rate = policy.rate_limit.map(|settings| RateLimiter::new(settings, tenants));
        let has_any = done.is_some() || semaphores.is_some() || clients.is_some() || rate.is_some();
        has_any.then_some(Self { done, semaphores, clients, rate })
    }

    /// A call of that consumer has worked: its message is done.
    pub fn call_worked(
        &mut self,
        now_us: u64,
        consumer: u32,
        message: u64,
        tries: u32,
        last_error: Option<AttemptError>,
    ) {
        if let Some(done) = &mut self.done {
            done.insert(now_us, message);
        }
        if let Some(clients) = &mut self.clients {
            clients.of(consumer).succeeded(now_us, tries, last_error);
        }
    }

    /// A consumer's process has died, and its client library with it.
    pub fn consumer_died(&mut self, consumer: u32) {
        if let Some(client) = self.clients.as_mut().and_then(|clients| clients.by_consumer.get_mut(consumer as usize)) {
            *client = None;
        }
    }

    /// The limit of concurrent calls of that consumer and tenant, if there is one.
    pub fn semaphore(&mut self, consumer: u32, tenant: u8) -> Option<&mut Semaphore> {
        self.semaphores.as_mut().map(|semaphores| semaphores.of(consumer, tenant))
    }

    /// When the next call of that consumer may go out; `None` where its client library does not let it out.
    pub fn reserve(&mut self, now_us: u64, consumer: u32, tenant: u8, mut draw: KeyedDraw) -> Option<u64> {
        let admitted_us = match self.clients.as_mut().map(|clients| clients.of(consumer).admit(now_us, &mut draw)) {
            None | Some(CallAdmission::Go) => now_us,
            Some(CallAdmission::WaitUntil { at_us }) => at_us,
            Some(CallAdmission::Rejected) => return None,
        };
        Some(self.rate.as_mut().map_or(admitted_us, |rate| rate.reserve(admitted_us, consumer, tenant)))
    }

    /// Whether the client library of that consumer makes a failed call again, and after how long.
    pub fn client_retry_us(
        &mut self,
        now_us: u64,
        consumer: u32,
        error: AttemptError,
        tries: u32,
        mut draw: KeyedDraw,
    ) -> Option<u64> {
        self.clients.as_mut()?.of(consumer).failed(now_us, error, tries, &mut draw)
    }

    /// Whether the message is known as done.
    pub fn is_done(&mut self, now_us: u64, message: u64) -> bool {
        self.done.as_mut().is_some_and(|done| done.contains(now_us, message))
    }
}
