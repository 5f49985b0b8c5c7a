//! The limits of a fleet's calls, by who shares them.

use std::collections::VecDeque;

use crate::model::TokenBucket;
use crate::model::consumer::SlotId;
use crate::model::policy::{CallRateLimit, ConcurrencyLimit, ConcurrencySettings, LimitScope};

/// A limit of concurrent calls, and who waits for it: slots with the number of their wait.
#[derive(Debug)]
pub(super) struct Semaphore {
    pub limit: ConcurrencyLimit,
    pub waiting: VecDeque<(SlotId, u64)>,
    waits: u64,
}

impl Semaphore {
    fn new(settings: &ConcurrencySettings) -> Self {
        Self { limit: ConcurrencyLimit::new(settings), waiting: VecDeque::new(), waits: 0 }
    }

    /// The handler in that slot waits; returns the number of its wait.
    pub fn join(&mut self, slot: SlotId) -> u64 {
        self.waits += 1;
        self.waiting.push_back((slot, self.waits));
        self.waits
    }
}

/// The limits of concurrent calls: one for each scope, or for each scope and tenant.
#[derive(Debug)]
pub(super) struct Semaphores {
    settings: ConcurrencySettings,
    sharing: Sharing,
    by_number: Vec<Semaphore>,
}

impl Semaphores {
    pub fn new(settings: ConcurrencySettings, tenants: usize) -> Self {
        let sharing = Sharing { scope: settings.scope, per_tenant: settings.per_tenant, tenants };
        Self { settings, sharing, by_number: Vec::new() }
    }

    pub fn of(&mut self, consumer: u32, tenant: u8) -> &mut Semaphore {
        let number = self.sharing.number(consumer, tenant);
        if self.by_number.len() <= number {
            let settings = self.settings;
            self.by_number.resize_with(number + 1, || Semaphore::new(&settings));
        }
        &mut self.by_number[number]
    }
}

/// The token buckets: one for each scope, or for each scope and tenant.
#[derive(Debug)]
pub(super) struct RateLimiter {
    settings: CallRateLimit,
    sharing: Sharing,
    buckets: Vec<TokenBucket>,
}

impl RateLimiter {
    pub fn new(settings: CallRateLimit, tenants: usize) -> Self {
        let sharing = Sharing { scope: settings.scope, per_tenant: settings.per_tenant, tenants };
        Self { settings, sharing, buckets: Vec::new() }
    }

    /// When there is a token for the next call of that consumer for that tenant.
    pub fn reserve(&mut self, now_us: u64, consumer: u32, tenant: u8) -> u64 {
        let number = self.sharing.number(consumer, tenant);
        if self.buckets.len() <= number {
            let full = TokenBucket::new(self.settings.rate_per_s, self.settings.burst);
            self.buckets.resize(number + 1, full);
        }
        self.buckets[number].reserve(now_us)
    }
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
