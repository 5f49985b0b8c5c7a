//! Idempotency keys, and a store of them.

use std::collections::{HashSet, VecDeque};

/// What an idempotency key is, and how long it is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeySettings {
    /// What names a message.
    pub key: IdempotencyKey,
    /// How long a key is remembered; `None`: for ever.
    pub ttl_us: Option<u64>,
}

/// What names a message for those who look whether it is done already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdempotencyKey {
    /// The id that the queue gave it: another one where it is sent again (rule Q19, message id).
    MessageId,
    /// A key of the business in its body, such as the number of an order.
    #[default]
    BusinessKey,
}

/// Keys that have been seen, each for its time to live. Memory follows the keys that are remembered.
///
/// ```
/// use retrystorm::model::KeyStore;
///
/// let mut store = KeyStore::new(Some(60));
/// store.insert(0, 7);
/// assert!(store.contains(59, 7));
/// assert!(!store.contains(60, 7), "forgotten");
/// ```
#[derive(Debug)]
pub struct KeyStore {
    ttl_us: Option<u64>,
    keys: HashSet<u64>,
    /// When each key is forgotten, in order; with a time to live only.
    ends: VecDeque<(u64, u64)>,
}

impl KeyStore {
    /// An empty store; `None` remembers for ever.
    pub fn new(ttl_us: Option<u64>) -> Self {
        Self { ttl_us, keys: HashSet::new(), ends: VecDeque::new() }
    }

    /// Whether the key is remembered.
    pub fn contains(&mut self, now_us: u64, key: u64) -> bool {
        self.forget(now_us);
        self.keys.contains(&key)
    }

    /// Writes a key down; says whether it is new. One that is remembered already keeps its time.
    pub fn insert(&mut self, now_us: u64, key: u64) -> bool {
        self.forget(now_us);
        let is_new = self.keys.insert(key);
        if let (true, Some(ttl_us)) = (is_new, self.ttl_us) {
            self.ends.push_back((now_us.saturating_add(ttl_us), key));
        }
        is_new
    }

    fn forget(&mut self, now_us: u64) {
        while let Some(&(end_us, key)) = self.ends.front() {
            if end_us > now_us {
                return;
            }
            self.ends.pop_front();
            self.keys.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_new_once_and_again_when_it_has_been_forgotten() {
        let mut store = KeyStore::new(Some(10));
        assert_eq!([0, 5, 9, 10, 11].map(|now_us| store.insert(now_us, 1)), [true, false, false, true, false]);
    }

    #[test]
    fn without_a_time_to_live_nothing_is_forgotten() {
        let mut store = KeyStore::new(None);
        assert!(store.insert(0, 1));
        assert!(!store.insert(u64::MAX, 1));
        assert!(store.ends.is_empty(), "and no times are kept");
    }
}
