//! What stands between a handler and the downstream: a store of what is done already, and the limits of its calls.

use std::collections::VecDeque;

use super::event::{Event, Place};
use super::handling::attempt_key;
use super::identity::business_key;
use super::line::Line;
use super::world::{Due, Outlook, World};
use crate::engine::random::KeyedDraw;
use crate::engine::time::MILLISECOND_US;
use crate::model::consumer::{ConsumerSettings, Idempotency, SlotId};
use crate::model::policy::{
    Admitted, AttemptError, CallAdmission, CallRateLimit, Client, ClientSettings, ConcurrencyLimit,
    ConcurrencySettings, LimitScope, PolicySettings, RetryPolicy,
};
use crate::model::{IdempotencyKey, KeySettings, KeyStore, TokenBucket};

/// How long a call takes that is rejected on the spot. Were it no time, a consumer could fail infinitely often at one moment.
const REJECTED_AFTER_US: u64 = MILLISECOND_US;

/// How long an attempt takes whose message is done already. Were it no time, a consumer could go through a whole backlog at
/// one moment.
const SKIPPED_AFTER_US: u64 = MILLISECOND_US;

/// Keys of one kind.
#[derive(Debug)]
pub(super) struct Keys {
    kind: IdempotencyKey,
    store: KeyStore,
}

impl Keys {
    pub fn new(settings: KeySettings) -> Self {
        Self { kind: settings.key, store: KeyStore::new(settings.ttl_us) }
    }

    fn key_of(&self, message: u64) -> u64 {
        match self.kind {
            IdempotencyKey::MessageId => message,
            IdempotencyKey::BusinessKey => business_key(message),
        }
    }

    pub fn contains(&mut self, now_us: u64, message: u64) -> bool {
        let key = self.key_of(message);
        self.store.contains(now_us, key)
    }

    /// Writes a message's key down; says whether it is new.
    pub fn insert(&mut self, now_us: u64, message: u64) -> bool {
        let key = self.key_of(message);
        self.store.insert(now_us, key)
    }
}

/// A limit of concurrent calls, and who waits for it: slots with the number of their wait.
#[derive(Debug)]
struct Semaphore {
    limit: ConcurrencyLimit,
    waiting: VecDeque<(SlotId, u64)>,
    waits: u64,
}

impl Semaphore {
    fn new(settings: &ConcurrencySettings) -> Self {
        Self { limit: ConcurrencyLimit::new(settings), waiting: VecDeque::new(), waits: 0 }
    }

    /// The handler in that slot waits; returns the number of its wait.
    fn join(&mut self, slot: SlotId) -> u64 {
        self.waits += 1;
        self.waiting.push_back((slot, self.waits));
        self.waits
    }
}

/// The limits of concurrent calls: one for each scope, or for each scope and tenant.
#[derive(Debug)]
struct Semaphores {
    settings: ConcurrencySettings,
    sharing: Sharing,
    by_number: Vec<Semaphore>,
}

impl Semaphores {
    fn of(&mut self, consumer: u32, tenant: u8) -> &mut Semaphore {
        let number = self.sharing.number(consumer, tenant);
        if self.by_number.len() <= number {
            let settings = self.settings;
            self.by_number.resize_with(number + 1, || Semaphore::new(&settings));
        }
        &mut self.by_number[number]
    }
}

#[derive(Debug)]
struct RateLimiter {
    settings: CallRateLimit,
    sharing: Sharing,
    buckets: Vec<TokenBucket>,
}

/// Who shares a limit.
#[derive(Debug, Clone, Copy)]
struct Sharing {
    scope: LimitScope,
    per_tenant: bool,
    tenants: usize,
}

impl Sharing {
    /// The number of the limit that the calls of that consumer for that tenant are under.
    fn number(self, consumer: u32, tenant: u8) -> usize {
        let scope = match self.scope {
            LimitScope::Consumer => consumer as usize,
            LimitScope::Fleet => 0,
        };
        if self.per_tenant { scope * self.tenants + usize::from(tenant) } else { scope }
    }
}

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
        let semaphores = policy.concurrency_limit.map(|settings| Semaphores {
            sharing: Sharing { scope: settings.scope, per_tenant: settings.per_tenant, tenants },
            settings,
            by_number: Vec::new(),
        });
        let clients = policy.client.clone().map(|settings| Clients { settings, by_consumer: Vec::new() });
        let rate = policy.rate_limit.map(|settings| RateLimiter {
            sharing: Sharing { scope: settings.scope, per_tenant: settings.per_tenant, tenants },
            settings,
            buckets: Vec::new(),
        });
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
    fn semaphore(&mut self, consumer: u32, tenant: u8) -> Option<&mut Semaphore> {
        self.semaphores.as_mut().map(|semaphores| semaphores.of(consumer, tenant))
    }

    /// When the next call of that consumer may go out; `None` where its client library does not let it out.
    fn reserve(&mut self, now_us: u64, consumer: u32, tenant: u8, mut draw: KeyedDraw) -> Option<u64> {
        let admitted_us = match self.clients.as_mut().map(|clients| clients.of(consumer).admit(now_us, &mut draw)) {
            None | Some(CallAdmission::Go) => now_us,
            Some(CallAdmission::WaitUntil { at_us }) => at_us,
            Some(CallAdmission::Rejected) => return None,
        };
        Some(self.reserve_token(admitted_us, consumer, tenant))
    }

    /// When there is a token for the next call of that consumer for that tenant.
    fn reserve_token(&mut self, now_us: u64, consumer: u32, tenant: u8) -> u64 {
        let Some(rate) = &mut self.rate else { return now_us };
        let number = rate.sharing.number(consumer, tenant);
        if rate.buckets.len() <= number {
            let full = TokenBucket::new(rate.settings.rate_per_s, rate.settings.burst);
            rate.buckets.resize(number + 1, full);
        }
        rate.buckets[number].reserve(now_us)
    }
}

impl<P: RetryPolicy + ?Sized> World<'_, P> {
    /// The handler in that slot wants to call, and has gates to pass.
    #[cold]
    pub fn call_through_gates(&mut self, line: usize, slot: SlotId) -> Outlook {
        let state = &mut self.lines[line];
        let (Some(gates), Some(attempt)) = (&mut state.gates, state.fleet.work_mut(slot)) else { return Outlook::Open };
        let (message, tenant) = (attempt.id, attempt.tenant);
        if gates.done.as_mut().is_some_and(|done| done.contains(self.now_us, message)) {
            let at_us = self.now_us + SKIPPED_AFTER_US;
            self.handler_goes_on(line, slot, at_us, Due::Skip);
            return Outlook::Open;
        }
        let consumer = state.fleet.consumer_of(slot);
        let Some(semaphore) = gates.semaphore(consumer, tenant) else { return self.call_at_its_rate(line, slot) };
        match semaphore.limit.ask() {
            Admitted::Go => self.call_with_permit(line, slot),
            Admitted::Wait => {
                let wait = semaphore.join(slot);
                self.wait_for_permit(line, slot, wait);
                Outlook::Open
            }
            Admitted::Rejected => {
                self.reject_call(line, slot);
                Outlook::Open
            }
        }
    }

    /// The handler waits for others' calls to end; it may be killed meanwhile.
    fn wait_for_permit(&mut self, line: usize, slot: SlotId, wait: u64) {
        let deadline_us = self.deadline_us(line, slot);
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.expect(Due::Permit, wait);
        }
        if deadline_us < self.duration_us {
            let event = Event::HandlerGoesOn(Place { line, number: slot.0 }.pack());
            self.agenda.schedule(deadline_us, event.pack());
        }
    }

    fn call_with_permit(&mut self, line: usize, slot: SlotId) -> Outlook {
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.holds_permit = true;
        }
        self.call_at_its_rate(line, slot)
    }

    fn call_at_its_rate(&mut self, line: usize, slot: SlotId) -> Outlook {
        let state = &mut self.lines[line];
        let consumer = state.fleet.consumer_of(slot);
        let (Some(gates), Some(attempt)) = (&mut state.gates, state.fleet.work_mut(slot)) else { return Outlook::Open };
        let draw = self.draws.admission.draw(attempt.id, attempt_key(attempt));
        match gates.reserve(self.now_us, consumer, attempt.tenant, draw) {
            Some(at_us) if at_us == self.now_us => return self.call_downstream(line, slot),
            Some(at_us) => self.handler_goes_on(line, slot, at_us, Due::AdmittedCall),
            None => self.reject_call(line, slot),
        }
        Outlook::Open
    }

    /// Whether the client library of that slot's consumer makes the failed call again, and after how long.
    pub fn client_retry_us(&mut self, line: usize, slot: SlotId, error: AttemptError) -> Option<u64> {
        let state = &mut self.lines[line];
        let clients = state.gates.as_mut()?.clients.as_mut()?;
        let client = clients.of(state.fleet.consumer_of(slot));
        let attempt = state.fleet.work_mut(slot)?;
        attempt.last_error = Some(error);
        let mut draw = self.draws.client.draw(attempt.id, attempt_key(attempt));
        client.failed(self.now_us, error, attempt.tries, &mut draw)
    }

    /// The call does not go out.
    fn reject_call(&mut self, line: usize, slot: SlotId) {
        self.recorder.rejected();
        if let Some(attempt) = self.lines[line].fleet.work_mut(slot) {
            attempt.tries += 1;
        }
        let at_us = self.now_us + REJECTED_AFTER_US;
        self.call_will_fail(Place { line, number: slot.0 }, at_us, AttemptError::Rejected);
    }

    /// The call of that slot has ended, well, badly by the downstream's fault, or otherwise: its place under the limit goes
    /// to the next.
    #[inline]
    pub fn end_call(&mut self, line: usize, slot: SlotId, worked: Option<bool>) {
        let state = &mut self.lines[line];
        if state.gates.is_none() {
            return;
        }
        let consumer = state.fleet.consumer_of(slot);
        if let Some(attempt) = state.fleet.work_mut(slot)
            && std::mem::take(&mut attempt.holds_permit)
        {
            let tenant = attempt.tenant;
            self.return_permit(line, consumer, tenant, worked);
        }
    }

    /// A place under the limit is free.
    pub fn return_permit(&mut self, line: usize, consumer: u32, tenant: u8, worked: Option<bool>) {
        if let Some(semaphore) = self.lines[line].gates.as_mut().and_then(|gates| gates.semaphore(consumer, tenant)) {
            semaphore.limit.ended(worked);
        }
        while let Some(slot) = self.next_permitted(line, consumer, tenant) {
            self.call_with_permit(line, slot);
        }
    }

    /// The handler that has waited longest, if there is room for its call. Waits of handlers that are gone are passed over.
    fn next_permitted(&mut self, line: usize, consumer: u32, tenant: u8) -> Option<SlotId> {
        let Line { gates, fleet, .. } = &mut self.lines[line];
        let semaphore = gates.as_mut()?.semaphore(consumer, tenant)?;
        while semaphore.limit.has_room() {
            let (slot, wait) = semaphore.waiting.pop_front()?;
            if fleet.work_mut(slot).is_some_and(|attempt| attempt.due_at(wait) == Due::Permit) {
                semaphore.limit.ask();
                return Some(slot);
            }
        }
        None
    }
}
