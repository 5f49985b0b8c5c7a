//! Deduplication ids that were accepted a short while ago.

use std::collections::{HashSet, VecDeque};

use crate::engine::time::MINUTE_US;

/// How long an accepted id keeps others out.
const WINDOW_US: u64 = 5 * MINUTE_US;

/// The ids of the last five minutes (rule F7, deduplication). They count whatever becomes of their messages.
#[derive(Debug, Default)]
pub(super) struct Deduplication {
    accepted: HashSet<u64>,
    by_time: VecDeque<(u64, u64)>,
}

impl Deduplication {
    /// Whether the id is new; from now on it is not.
    pub fn accepts(&mut self, now_us: u64, id: u64) -> bool {
        while let Some(&(accepted_us, old)) = self.by_time.front() {
            if now_us < accepted_us + WINDOW_US {
                break;
            }
            self.accepted.remove(&old);
            self.by_time.pop_front();
        }
        let is_new = self.accepted.insert(id);
        if is_new {
            self.by_time.push_back((now_us, id));
        }
        is_new
    }
}
