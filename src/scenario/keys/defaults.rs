//! Which keys a scenario leaves to their defaults.

use super::{ITEM, Key, NAME, keys};
use crate::scenario::tree::{Node, Value, read_tree};
use std::collections::BTreeSet;

/// Sections that are there whether a file has them or not.
const ALWAYS_THERE: [&str; 4] = ["", "queue", "consumers", "policy"];
/// Sections that say nothing about what is simulated.
const NOT_SIMULATED: [&str; 4] = ["sweep", "expect", "claims", "variants"];

/// The keys that neither a scenario nor any of its variants gives, in the sections that it has; each has a default.
///
/// Where a client library is named, its defaults hold for consumers and not those of the language: they are left out.
/// A text that cannot be read leaves nothing to its defaults.
pub fn defaults_of(text: &str) -> Vec<Key> {
    let Ok(tree) = read_tree(text) else { return Vec::new() };
    let mut given = BTreeSet::new();
    collect(&tree, "", &mut given);
    let has_library = given.contains("consumers.like");
    let is_left = |key: &Key| {
        let (section, _) = key.path.rsplit_once('.').unwrap_or_default();
        let first = key.path.split('.').next().unwrap_or_default();
        let is_there = ALWAYS_THERE.contains(&section) || given.contains(section);
        let is_other = NOT_SIMULATED.contains(&first) || (has_library && first == "consumers");
        key.default.is_some() && is_there && !is_other && !given.contains(&key.path)
    };
    let mut left: Vec<Key> = keys().into_iter().filter(is_left).collect();
    left.dedup_by(|one, other| one.path == other.path);
    left
}

/// The paths of a tree as [`keys`] writes them; what a variant overrides counts as given.
fn collect(node: &Node, path: &str, given: &mut BTreeSet<String>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| {
            given.insert(below(ITEM));
            collect(item, &below(ITEM), given);
        }),
        Value::Mapping(entries) => entries.iter().for_each(|entry| match path {
            "variants" => collect(&entry.node, "", given),
            "alarms" | "other_queues" => collect(&entry.node, &below(NAME), given),
            _ => {
                given.insert(below(&entry.key));
                collect(&entry.node, &below(&entry.key), given);
            }
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<String> {
        defaults_of(text).into_iter().map(|key| key.path).collect()
    }

    #[test]
    fn what_is_given_anywhere_is_not_left() {
        let left = left("queue: { retention: 1d }\nvariants: { a: { queue: { visibility_timeout: 9s } } }");
        assert!(left.iter().any(|path| path == "queue.delay"), "{left:?}");
        assert!(left.iter().any(|path| path == "consumers.fleet"), "{left:?}");
        assert!(left.iter().all(|path| path != "queue.retention" && path != "queue.visibility_timeout"), "{left:?}");
        assert!(left.iter().all(|path| !path.starts_with("downstream")), "a section that is not there: {left:?}");
    }

    #[test]
    fn a_client_library_has_its_own_defaults() {
        assert!(left("consumers: { like: celery }").iter().all(|path| !path.starts_with("consumers")));
        assert!(left("[").is_empty());
    }
}
