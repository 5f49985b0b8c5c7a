//! The way to a key, and what is put in its place.

use crate::scenario::problems::Finding;
use crate::scenario::text::{Place, quoted};
use crate::scenario::tree::{Entry, Node, Value};
use crate::scenario::words::did_you_mean;

/// Keys of the top level that no sweep varies, and why.
const FIXED: [(&str, &str); 9] = [
    ("title", "it changes no result"),
    ("seed", "every point has the same luck, so that points differ by what is varied; see `replications`"),
    ("replications", "every point has the same number of runs"),
    ("alarms", "alarms change nothing, and a sweep does not report them"),
    ("expect", "a sweep does not judge expectations"),
    ("claims", "a sweep does not judge claims"),
    ("sweep", "a sweep cannot vary itself"),
    ("variants", "name a key within a variant, such as `variants.NAME.policy.backoff`"),
    ("other_queues", "name a key within a queue, such as `other_queues.NAME.consumers.fleet`"),
];

/// Why a path cannot be varied, whatever the file holds; `None` if it can.
pub(super) fn refusal(path: &str) -> Option<&'static str> {
    if path.split('.').any(|part| part.trim().is_empty()) {
        return Some("a path is made of keys with a dot between each two, such as `queue.visibility_timeout`");
    }
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let by_name = matches!(first, "variants" | "other_queues") && !rest.is_empty();
    FIXED.iter().find(|(key, _)| *key == first && !by_name).map(|(_, why)| *why)
}

/// Puts a value in the place that a path leads to. Sections on the way that are not there are made, so that a key can be
/// varied that the file leaves to its default; whether there are such keys is for the reader to say, who finds them at
/// the place of the axis.
pub(super) fn put(tree: &mut Node, path: &str, place: Place, value: &Node) -> Result<(), Finding> {
    put_below(tree, "", path, place, value)
}

fn put_below(node: &mut Node, walked: &str, rest: &str, place: Place, value: &Node) -> Result<(), Finding> {
    if node.value == Value::Null {
        node.value = Value::Mapping(Vec::new());
    }
    match &mut node.value {
        Value::Mapping(entries) => put_into_mapping(entries, walked, rest, place, value),
        Value::List(items) => put_into_list(items, walked, rest, place, value),
        _ => {
            let title = format!("the path leads through {}, which is a plain value", quoted(walked));
            Err(Finding::new(place, title, "nothing can be below it")
                .help("vary the value itself, or write it as a section"))
        }
    }
}

fn put_into_mapping(
    entries: &mut Vec<Entry>,
    walked: &str,
    rest: &str,
    place: Place,
    value: &Node,
) -> Result<(), Finding> {
    // Names of variants may have dots: the longest key that fits is meant.
    let fits = |key: &str| rest == key || rest.strip_prefix(key).is_some_and(|after| after.starts_with('.'));
    let found = entries.iter_mut().filter(|entry| fits(&entry.key)).max_by_key(|entry| entry.key.len());
    if let Some(entry) = found {
        return match rest.get(entry.key.len() + 1..) {
            None => {
                entry.node = value.clone();
                Ok(())
            }
            Some(below) => put_below(&mut entry.node, &join(walked, &entry.key), below, place, value),
        };
    }
    let (key, below) = rest.split_once('.').map_or((rest, None), |(key, below)| (key, Some(below)));
    if matches!(walked.rsplit('.').next(), Some("variants" | "other_queues")) {
        let known: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        let title = format!("there is no {} in {}", quoted(key), quoted(walked));
        let help = did_you_mean(key, &known, &format!("`{walked}`"));
        return Err(Finding::new(place, title, "a sweep varies what is there").help(help));
    }
    let mut node = Node { place, value: Value::Null };
    match below {
        None => node = value.clone(),
        Some(below) => put_below(&mut node, &join(walked, key), below, place, value)?,
    }
    entries.push(Entry { key: key.to_owned(), key_place: place, node });
    Ok(())
}

fn put_into_list(items: &mut [Node], walked: &str, rest: &str, place: Place, value: &Node) -> Result<(), Finding> {
    let (index, below) = rest.split_once('.').map_or((rest, None), |(index, below)| (index, Some(below)));
    let count = items.len();
    let Some(item) = index.parse().ok().and_then(|index: usize| items.get_mut(index)) else {
        let title = format!("there is no item {} in {}", quoted(index), quoted(walked));
        let help = match count {
            0 => format!("`{walked}` is empty"),
            1 => format!("`{walked}` has one item, `{walked}.0`"),
            _ => format!("`{walked}` has {count} items, from `{walked}.0` to `{walked}.{}`", count - 1),
        };
        return Err(Finding::new(place, title, "items of a list are counted from 0").help(help));
    };
    match below {
        None => {
            *item = value.clone();
            Ok(())
        }
        Some(below) => put_below(item, &join(walked, index), below, place, value),
    }
}

fn join(walked: &str, key: &str) -> String {
    if walked.is_empty() { key.to_owned() } else { format!("{walked}.{key}") }
}
