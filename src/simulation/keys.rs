//! Idempotency keys of the messages of a run.

use super::identity::business_key;
use crate::model::{IdempotencyKey, KeySettings, KeyStore};

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
