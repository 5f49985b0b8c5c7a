//! The axes of a sweep, from the file and from the command line.

use super::label::label;
use super::value::Axis;
use super::{path, range};
use crate::scenario::problems::{Finding, Problems};
use crate::scenario::text::{Place, quoted};
use crate::scenario::tree::{Entry, Node, Value};

/// Most axes of a sweep. More than a few can neither be run nor be read.
const MOST_AXES: usize = 8;

/// An axis with its values as nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RawAxis {
    pub place: Place,
    pub axis: Axis,
    pub values: Vec<Node>,
}

/// Takes `sweep` out of a tree; nothing if there is none.
pub(super) fn take_section(tree: &mut Node) -> Option<Entry> {
    let Value::Mapping(entries) = &mut tree.value else { return None };
    let position = entries.iter().position(|entry| entry.key == "sweep")?;
    Some(entries.remove(position))
}

/// All axes: those of the file, where an argument with the same key takes the place of one, then the other arguments.
pub(super) fn read(section: Option<&Entry>, arguments: Vec<Entry>, problems: &mut Problems) -> Vec<RawAxis> {
    let mut entries = section.map_or_else(Vec::new, |section| entries_of(section, problems));
    for argument in arguments {
        match entries.iter_mut().find(|entry| entry.key == argument.key) {
            Some(entry) => *entry = argument,
            None => entries.push(argument),
        }
    }
    if let Some(entry) = entries.get(MOST_AXES) {
        let title = format!("there are {} axes, more than {MOST_AXES}", entries.len());
        problems.report(Finding::new(entry.key_place, title, "one too many"));
    }
    report_nested(&entries, problems);
    entries.iter().take(MOST_AXES).filter_map(|entry| axis(entry, problems)).collect()
}

fn entries_of(section: &Entry, problems: &mut Problems) -> Vec<Entry> {
    let finding = |title: &str| {
        let help = "for example `sweep: { queue.visibility_timeout: [30s, 60s, 120s] }`";
        Finding::new(section.key_place, title, "keys and their values belong here").help(help)
    };
    match &section.node.value {
        Value::Mapping(entries) if entries.is_empty() => problems.report(finding("the sweep has no axis")),
        Value::Mapping(entries) => {
            crate::scenario::language::report_repeated(entries, problems);
            return entries.clone();
        }
        _ => problems.report(finding("the sweep is not a mapping")),
    }
    Vec::new()
}

/// An axis within what another axis replaces would be lost.
fn report_nested(entries: &[Entry], problems: &mut Problems) {
    for entry in entries {
        let below = |other: &&Entry| entry.key.strip_prefix(&other.key).is_some_and(|rest| rest.starts_with('.'));
        if let Some(other) = entries.iter().find(below) {
            let title = format!("{} lies within {}, which is varied too", quoted(&entry.key), quoted(&other.key));
            problems.report(Finding::new(entry.key_place, title, "varied twice").help("vary one of the two"));
        }
    }
}

fn axis(entry: &Entry, problems: &mut Problems) -> Option<RawAxis> {
    if let Some(why) = path::refusal(&entry.key) {
        let title = format!("{} cannot be varied", quoted(&entry.key));
        problems.report(Finding::new(entry.key_place, title, "not an axis").help(why));
        return None;
    }
    let (values, is_logarithmic) = match &entry.node.value {
        Value::List(values) if !values.is_empty() => (values.clone(), false),
        Value::Mapping(_) => range::values(&entry.node, problems)?,
        _ => {
            let title = format!("the axis {} has no values", quoted(&entry.key));
            let finding = Finding::new(entry.node.place, title, "a list, or a range with `from`, `to` and `steps`");
            problems.report(finding.help("for example `[1s, 5s, 10s]`, or `{ from: 10s, to: 5m, steps: 8 }`"));
            return None;
        }
    };
    let labels: Vec<String> = values.iter().map(label).collect();
    let mut seen = std::collections::HashSet::new();
    if let Some(position) = labels.iter().position(|label| !seen.insert(label)) {
        let place = if is_scalar(&values[position]) { values[position].place } else { entry.key_place };
        let title = format!("the axis {} has the value {} twice", quoted(&entry.key), quoted(&labels[position]));
        problems.report(Finding::new(place, title, "given again here").help("keep one of the two"));
        return None;
    }
    Some(RawAxis { place: entry.key_place, axis: Axis::of(&entry.key, labels, is_logarithmic), values })
}

fn is_scalar(node: &Node) -> bool {
    !matches!(node.value, Value::List(_) | Value::Mapping(_) | Value::Null)
}
