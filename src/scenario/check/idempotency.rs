//! Checks of idempotency keys.

use super::downstream::some_of;
use super::range::duration_us;
use crate::engine::time::{DAY_US, SECOND_US};
use crate::model::KeySettings;
use crate::scenario::language::{Field, OrNone};
use crate::scenario::problems::Problems;
use crate::scenario::raw::RawKeys;

/// Longest time that a key is remembered; longer is for ever.
const LONGEST_TTL_US: u64 = 3_650 * DAY_US;

/// The settings of such keys, if there are any.
pub(super) fn keys(field: &Field<OrNone<RawKeys>>, problems: &mut Problems) -> Option<KeySettings> {
    let raw = field.value()?.as_option()?;
    let ttl = some_of(&raw.ttl);
    Some(KeySettings {
        key: raw.key.value().copied().unwrap_or_default(),
        ttl_us: ttl.given().map(|_| duration_us(&ttl, "ttl", SECOND_US, SECOND_US..=LONGEST_TTL_US, "", problems)),
    })
}
