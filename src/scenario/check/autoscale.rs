//! Checks of autoscalers.

use super::downstream::some_of;
use super::range::{duration_us, require, small_count};
use crate::engine::time::{DAY_US, MINUTE_US, SECOND_US};
use crate::model::consumer::AutoscaleSettings;
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::raw::RawAutoscale;
use crate::scenario::text::Place;

const LARGEST_TARGET: u32 = 1_000_000_000;
const LARGEST_FLEET: u32 = 1_000_000;

/// The settings of an autoscaler.
pub(super) fn autoscale(raw: &RawAutoscale, place: Place, problems: &mut Problems) -> AutoscaleSettings {
    require(&raw.target, "target", "an autoscaler", place, problems);
    require(&raw.max, "max", "an autoscaler", place, problems);
    let min = small_count(&raw.min, "min", 1, 1..=LARGEST_FLEET, "", problems);
    let max = small_count(&raw.max, "max", min, 1..=LARGEST_FLEET, "", problems);
    if let Some(place) = raw.max.place().filter(|_| max < min) {
        let title = format!("`max` is {max}, below `min`, which is {min}");
        problems.report(Finding::new(place, title, "has to be at least `min`"));
    }
    let drain = some_of(&raw.drain);
    AutoscaleSettings {
        scales_on: raw.counts.value().copied().unwrap_or_default(),
        target: small_count(&raw.target, "target", 1, 1..=LARGEST_TARGET, "", problems),
        min,
        max,
        every_us: duration_us(&raw.every, "every", MINUTE_US, SECOND_US..=DAY_US, "", problems),
        cooldown_us: duration_us(&raw.cooldown, "cooldown", 5 * MINUTE_US, 0..=DAY_US, "", problems),
        start_up_us: duration_us(&raw.start_up, "start_up", 0, 0..=DAY_US, "", problems),
        drain_us: drain.given().map(|_| duration_us(&drain, "drain", 0, 0..=DAY_US, "", problems)),
    }
}
