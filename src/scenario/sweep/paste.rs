//! A point of a sweep as YAML to paste.

use std::path::Path;

use super::axes::RawAxis;
use super::points::tree_of_point;
use super::{Sweep, path, yaml};
use crate::scenario::checked::Scenario;
use crate::scenario::read::parse;
use crate::scenario::text::Place;
use crate::scenario::tree::{Entry, Node, Value};

/// Keys that a scenario of one point does without.
const LEFT_OUT: [&str; 3] = ["expect", "claims", "variants"];

/// What the points of a sweep were made of.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct Source {
    /// The file's tree, without its sweep.
    tree: Node,
    axes: Vec<RawAxis>,
}

impl Source {
    pub(super) fn of(tree: &Node, axes: Vec<RawAxis>) -> Self {
        Self { tree: tree.clone(), axes }
    }
}

/// A variant at a point, written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    /// An entry for the section `variants`, indented by two spaces; or a whole scenario.
    pub yaml: String,
    /// Whether it is a whole scenario: the values do not fit into a variant.
    pub is_whole: bool,
}

impl Sweep {
    /// A variant at a point as YAML: a variant more for the scenario's file that runs the same, or where no variant can say
    /// so (of `duration`, say) a scenario of its own. Profiles are looked up in the given folder.
    pub fn paste(&self, point: usize, variant: usize, folder: &Path) -> Pasted {
        let name = &self.points[point].variants[variant].name;
        let source = &self.source;
        // It could be made once, so it can be made again.
        let tree = tree_of_point(&source.tree, &source.axes, point).unwrap_or_else(|_| source.tree.clone());
        let own = child(&tree, "variants").and_then(|variants| child(variants, name)).map(|own| own.value.clone());
        let own = own.filter(|own| *own != Value::Null).unwrap_or_else(|| Value::Mapping(Vec::new()));
        let mut tuned = node(own.clone());
        let idle = self.idle_axes(variant);
        let axes = source.axes.iter().enumerate().filter(|(number, _)| !idle.contains(number));
        for path in axes.map(|(_, axis)| &axis.axis.path).filter(|path| !path.starts_with("variants.")) {
            let (keys, value) = section(&tree, path);
            lay_below(&mut tuned, &keys, value);
        }
        let entry = self.entry(name, tuned);
        if self.runs_the_same(&entry, point, variant, folder) {
            return Pasted { yaml: entry_lines(&entry, 2), is_whole: false };
        }
        Pasted { yaml: whole(&tree, entry_of(name, node(own))), is_whole: true }
    }

    /// The entry under a name that is free.
    fn entry(&self, name: &str, tuned: Node) -> Entry {
        let variants = child(&self.source.tree, "variants");
        let is_free = |name: &String| variants.is_none_or(|variants| child(variants, name).is_none());
        let names =
            std::iter::once(format!("{name}-tuned")).chain((2..).map(|number| format!("{name}-tuned-{number}")));
        let free = names.into_iter().find(is_free).unwrap_or_else(|| name.to_owned());
        entry_of(&free, tuned)
    }

    /// Whether the file with the entry among its variants has one that runs as the variant at the point does.
    fn runs_the_same(&self, entry: &Entry, point: usize, variant: usize, folder: &Path) -> bool {
        let mut tree = self.source.tree.clone();
        // How many runs there are is not in question, and many could be refused.
        let _ = path::put(&mut tree, "replications", Place::default(), &node(Value::Integer(1)));
        let Value::Mapping(sections) = &mut tree.value else { return false };
        let variants = sections.iter_mut().find(|section| section.key == "variants");
        let Some(Value::Mapping(variants)) = variants.map(|variants| &mut variants.node.value) else { return false };
        variants.push(entry.clone());
        let text = yaml::lines(sections, 0);
        let runs = |scenario: &Scenario| {
            let wanted = &self.points[point];
            let found = scenario.variants.iter().find(|found| found.name == entry.key);
            scenario.duration_us == wanted.duration_us
                && found.is_some_and(|found| found.setup == wanted.variants[variant].setup)
        };
        parse(&text, "tuned.yaml", folder).is_ok_and(|scenario| runs(&scenario))
    }
}

fn node(value: Value) -> Node {
    Node { place: Place::default(), value }
}

fn entry_of(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), key_place: Place::default(), node }
}

fn child<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    match &node.value {
        Value::Mapping(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
        _ => None,
    }
}

/// What a path leads to, and the keys on the way; at a list it ends, since a variant replaces lists whole.
fn section<'a>(tree: &'a Node, path: &str) -> (Vec<String>, &'a Node) {
    let (mut keys, mut at, mut rest) = (Vec::new(), tree, path);
    while let Value::Mapping(entries) = &at.value {
        let fits = |key: &str| rest == key || rest.strip_prefix(key).is_some_and(|after| after.starts_with('.'));
        let found = entries.iter().filter(|entry| fits(&entry.key)).max_by_key(|entry| entry.key.len());
        let Some(entry) = found else { break };
        keys.push(entry.key.clone());
        at = &entry.node;
        match rest.get(entry.key.len() + 1..) {
            Some(below) => rest = below,
            None => break,
        }
    }
    (keys, at)
}

/// Puts a value where the keys lead to; what is there already stays.
fn lay_below(target: &mut Node, keys: &[String], value: &Node) {
    let Some((key, rest)) = keys.split_first() else { return merge(target, value) };
    let Value::Mapping(entries) = &mut target.value else { return };
    match entries.iter_mut().find(|entry| entry.key == *key) {
        Some(entry) => lay_below(&mut entry.node, rest, value),
        None => {
            let mut made = node(if rest.is_empty() { value.value.clone() } else { Value::Mapping(Vec::new()) });
            lay_below(&mut made, rest, value);
            entries.push(entry_of(key, made));
        }
    }
}

/// Adds the keys of a value that are not there.
fn merge(target: &mut Node, value: &Node) {
    let (Value::Mapping(entries), Value::Mapping(others)) = (&mut target.value, &value.value) else { return };
    for other in others {
        match entries.iter_mut().find(|entry| entry.key == other.key) {
            Some(entry) => merge(&mut entry.node, &other.node),
            None => entries.push(other.clone()),
        }
    }
}

/// The entry of a variant: its sections a line each, after so many spaces.
fn entry_lines(entry: &Entry, indent: usize) -> String {
    let key = yaml::key(&entry.key);
    match &entry.node.value {
        Value::Mapping(sections) if !sections.is_empty() => {
            format!("{:indent$}{key}:\n{}", "", yaml::lines(sections, indent + 2))
        }
        _ => format!("{:indent$}{key}: {}\n", "", yaml::in_line(&entry.node)),
    }
}

/// A scenario of one variant.
fn whole(tree: &Node, variant: Entry) -> String {
    let Value::Mapping(sections) = &tree.value else { return String::new() };
    let kept = sections.iter().filter(|section| !LEFT_OUT.contains(&section.key.as_str()));
    let kept: Vec<Entry> = kept.cloned().collect();
    format!("{}variants:\n{}", yaml::lines(&kept, 0), entry_lines(&variant, 2))
}
