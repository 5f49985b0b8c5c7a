//! Finding a key by what somebody has typed.

use super::{ITEM, Key, NAME};
use crate::scenario::words::nearest;

/// What a path or the end of one stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum FoundKeys<'a> {
    /// One declaration at one or several places, the shortest first.
    One(Vec<&'a Key>),
    /// Several declarations of the same name, each at its shortest path.
    Several(Vec<&'a Key>),
    /// Nothing.
    Nothing {
        /// The path that is most like it, if one is alike enough.
        nearest: Option<&'a str>,
        /// The key that its first words lead to, if they lead to one.
        section: Option<&'a Key>,
    },
}

/// The keys that a dotted path means, or all that end with it. Numbers of items and names of one's own may be left out.
pub fn find_keys<'a>(all: &'a [Key], path: &str) -> FoundKeys<'a> {
    let path = without_overrides(path);
    let exact = ending_with(all, path, true);
    let mut found = if exact.is_empty() { ending_with(all, path, false) } else { exact };
    found.sort_by_key(|key| key.path.matches('.').count());
    let Some(&first) = found.first() else { return nothing(all, path) };
    if found.iter().all(|key| key.is_same_as(first)) {
        let mut places: Vec<&Key> = all.iter().filter(|key| key.is_same_as(first) && key.path != first.path).collect();
        places.insert(0, first);
        return FoundKeys::One(places);
    }
    let is_new = |(place, key): &(usize, &'a Key)| !found[..*place].iter().any(|before| before.is_same_as(key));
    FoundKeys::Several(found.iter().copied().enumerate().filter(is_new).map(|(_, key)| key).collect())
}

fn nothing<'a>(all: &'a [Key], path: &str) -> FoundKeys<'a> {
    let section =
        path.match_indices('.').rev().find_map(|(end, _)| Some((end, *ending_with(all, &path[..end], true).first()?)));
    let nearest = match section {
        Some((end, section)) => nearest_below(all, section, &path[end + 1..]),
        None if path.contains('.') => nearest(path, all.iter().map(|key| key.path.as_str())),
        None => nearest(path, all.iter().map(Key::name)),
    };
    FoundKeys::Nothing { nearest, section: section.map(|(_, section)| section) }
}

/// The path below a section whose rest is most like a mistyped one. What is right in it does not count.
fn nearest_below<'a>(all: &'a [Key], section: &Key, rest: &str) -> Option<&'a str> {
    let rest_of = |key: &'a Key| key.path.strip_prefix(&section.path)?.strip_prefix('.');
    let found = nearest(rest, all.iter().filter_map(rest_of))?;
    all.iter().find(|key| rest_of(key) == Some(found)).map(|key| key.path.as_str())
}

/// A path within a variant or another queue, as it stands by itself.
fn without_overrides(path: &str) -> &str {
    let mut parts = path.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("variants" | "other_queues"), Some(_), Some(rest)) if rest != "producers" => rest,
        _ => path,
    }
}

fn ending_with<'a>(all: &'a [Key], path: &str, is_whole: bool) -> Vec<&'a Key> {
    let wanted: Vec<&str> = path.split('.').filter(|part| part.parse::<u32>().is_err()).collect();
    let fits = |own: &[&str]| {
        let start = own.len().checked_sub(wanted.len());
        start.is_some_and(|start| (start == 0 || !is_whole) && own[start..].iter().zip(&wanted).all(is_meant))
    };
    let fitting = all.iter().filter(|key| {
        let own: Vec<&str> = key.path.split('.').filter(|part| *part != ITEM).collect();
        let without_names: Vec<&str> = own.iter().copied().filter(|part| *part != NAME).collect();
        !wanted.is_empty() && (fits(&own) || fits(&without_names))
    });
    fitting.collect()
}

/// Whether a word of a path is the one that was typed; any word is a name of one's own.
fn is_meant((own, typed): (&&str, &&str)) -> bool {
    own == typed || (*own == NAME && !typed.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::*;

    fn first(all: &[Key], typed: &str) -> String {
        match find_keys(all, typed) {
            FoundKeys::One(places) => places[0].path.clone(),
            other => panic!("{typed}: {other:?}"),
        }
    }

    #[test]
    fn a_path_is_found_as_sweeps_write_it_and_without_the_numbers_of_items() {
        let all = keys();
        for (typed, path) in [
            ("queue.visibility_timeout", "queue.visibility_timeout"),
            ("policy.backoff.exponential.base", "policy.backoff.exponential.base"),
            ("consumers.lambda.timeout", "consumers.lambda.timeout"),
            ("operations.deploy.drain", "operations.0.deploy.drain"),
            ("downstream.outages.3.for", "downstream.outages.0.for"),
            ("variants.mine.queue.redrive.max_receive_count", "queue.redrive.max_receive_count"),
            ("other_queues.mine.consumers.fleet", "consumers.fleet"),
            ("alarms.deep.above", "alarms.NAME.above"),
            ("exponential.base", "policy.backoff.exponential.base"),
            ("in_flight_limit", "queue.in_flight_limit"),
        ] {
            assert_eq!(first(&all, typed), path, "{typed}");
        }
    }

    #[test]
    fn a_word_that_stands_in_several_places_gives_all() {
        let all = keys();
        let FoundKeys::Several(found) = find_keys(&all, "visibility_timeout") else { panic!("several") };
        let paths: Vec<&str> = found.iter().map(|key| key.path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "queue.visibility_timeout",
                "operations.0.visibility_timeout",
                "queue.dead_letter_queue.visibility_timeout"
            ]
        );
    }

    #[test]
    fn a_mistake_gives_the_nearest_path_and_the_section_that_it_is_in() {
        let all = keys();
        for (typed, path, section) in [
            ("queue.visability_timeout", Some("queue.visibility_timeout"), Some("queue")),
            ("visability_timeout", Some("visibility_timeout"), None),
            ("quee.visibility_timeout", Some("queue.visibility_timeout"), None),
            ("policy.backof.exponential.base", Some("policy.backoff.exponential.base"), Some("policy")),
            ("policy.backoff.colour", None, Some("policy.backoff")),
            ("", None, None),
            ("..", None, None),
        ] {
            let FoundKeys::Nothing { nearest, section: found } = find_keys(&all, typed) else { panic!("{typed}") };
            assert_eq!((nearest, found.map(|key| key.path.as_str())), (path, section), "{typed}");
        }
    }
}
