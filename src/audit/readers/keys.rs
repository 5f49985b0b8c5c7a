//! Keys that nothing takes at their place.

use super::dialect::{CLOUDFORMATION, MAX_RECEIVE_COUNT, TARGET, TERRAFORM};
use super::item::{Datum, Item};
use super::settings::decoded;
use crate::audit::model::UnknownKey;
use crate::text::nearest;

/// Keys of other places, and what they belong in.
const ELSEWHERE: [(&str, &[&str]); 4] = [
    ("the redrive policy", &[TARGET, MAX_RECEIVE_COUNT]),
    ("the redrive allow policy", &["redrivePermission", "sourceQueueArns"]),
    ("`ScalingConfig`", &["MaximumConcurrency"]),
    ("the block `scaling_config`", &["maximum_concurrency"]),
];

/// Reports what a mapping does not take.
pub fn check_keys(item: &Item, allowed: &[&str], owner: &str, unknown: &mut Vec<UnknownKey>) {
    for entry in item.entries() {
        let key = entry.key.as_str();
        if !allowed.contains(&key) && !key.starts_with("Fn::") && !key.is_empty() {
            let remedy = remedy(key, allowed, owner);
            unknown.push(UnknownKey { key: key.to_owned(), spot: entry.key_spot, owner: owner.to_owned(), remedy });
        }
    }
}

/// Reports what a redrive policy does not take.
pub fn check_redrive_keys(item: &Item, unknown: &mut Vec<UnknownKey>) {
    let inside = if let Datum::Map(_) = item.value { Some(item.clone()) } else { decoded(item) };
    if let Some(inside) = inside {
        check_keys(&inside, &[TARGET, MAX_RECEIVE_COUNT], "a redrive policy", unknown);
    }
}

fn remedy(key: &str, allowed: &[&str], owner: &str) -> String {
    let of_queue = CLOUDFORMATION.queue.all().into_iter().chain(TERRAFORM.queue.all());
    let is_of_queue = owner != "a queue" && of_queue.into_iter().any(|known| known == key);
    if is_of_queue {
        return format!("`{key}` belongs to the queue itself");
    }
    let home = ELSEWHERE.iter().find(|(_, keys)| keys.contains(&key));
    if let Some((home, _)) = home {
        return format!("`{key}` belongs into {home}");
    }
    match nearest(key, allowed.iter().copied()) {
        Some(nearest) => format!("write `{nearest}`, or take it out"),
        None => "take it out".to_owned(),
    }
}
