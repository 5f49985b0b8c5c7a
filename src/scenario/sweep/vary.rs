//! Axes of the command line: `KEY=A,B,C`, of the option `--vary` or of another one.
//!
//! The text of the arguments is appended to the text of the file, so that a mistake in it is shown like any other, with
//! the argument in the place of the line.

use crate::scenario::problems::Finding;
use crate::scenario::text::Place;
use crate::scenario::tree::{Entry, Node, Value, read_tree};

/// Axes that the command line asks for.
#[derive(Clone, Copy)]
pub(in crate::scenario) struct Arguments<'a> {
    /// The option, such as `--vary`, as it stands before an argument where it is shown.
    pub option: &'static str,
    /// What follows it each time.
    pub axes: &'a [String],
}

/// A file's text with the arguments below it.
pub(in crate::scenario) struct Appended {
    pub text: String,
    /// Where the arguments begin.
    pub starts_at: usize,
    /// The option that they belong to.
    option: &'static str,
}

/// The text of a file with the arguments appended, each in a line of its own.
pub(in crate::scenario) fn append(text: &str, Arguments { option, axes }: Arguments<'_>) -> Appended {
    let mut appended = text.to_owned();
    if !appended.ends_with('\n') && !axes.is_empty() {
        appended.push('\n');
    }
    let starts_at = appended.len();
    for argument in axes {
        // A line break would move the lines that follow.
        appended += &format!("{option} {}\n", argument.replace(['\n', '\r'], " "));
    }
    Appended { text: appended, starts_at, option }
}

/// The axes of the arguments, in their order.
pub(super) fn axes(appended: &Appended) -> Result<Vec<Entry>, Vec<Finding>> {
    let mut start = appended.starts_at;
    let (mut axes, mut findings) = (Vec::new(), Vec::new());
    for line in appended.text[appended.starts_at..].split_inclusive('\n') {
        match axis(line.trim_end_matches('\n'), start, appended.option) {
            Ok(axis) => axes.push(axis),
            Err(finding) => findings.push(finding),
        }
        start += line.len();
    }
    if findings.is_empty() { Ok(axes) } else { Err(findings) }
}

fn axis(line: &str, start: usize, option: &str) -> Result<Entry, Finding> {
    let prefix = option.len() + 1;
    let argument = &line[prefix..];
    let whole = Place { start: start + prefix, end: start + line.len() };
    let Some((key, values)) = argument.split_once('=').filter(|(_, values)| !values.trim().is_empty()) else {
        let finding = Finding::new(whole, "an axis is written KEY=A,B,C", "no key with values");
        return Err(finding.help(format!("for example `{option} policy.backoff.exponential.base=1s,5s,10s`")));
    };
    let key_place = Place { start: whole.start, end: whole.start + key.len() };
    let values_start = key_place.end + 1;
    // A range is a mapping and stands for itself; anything else is a list without its brackets.
    let is_range = values.trim_start().starts_with('{') && is_range(values);
    let (text, shift) = if is_range { (values.to_owned(), 0) } else { (format!("[{values}]"), 1) };
    let place_of = |place: Place| {
        let moved = |byte: usize| (values_start + byte.saturating_sub(shift)).min(whole.end);
        Place { start: moved(place.start), end: moved(place.end) }
    };
    let mut node = read_tree(&text).map_err(|finding| Finding { place: place_of(finding.place), ..finding })?;
    move_places(&mut node, &place_of);
    node.place = key_place;
    Ok(Entry { key: key.trim().to_owned(), key_place, node })
}

/// Whether the text is one mapping with the keys of a range.
fn is_range(text: &str) -> bool {
    match read_tree(text) {
        Ok(Node { value: Value::Mapping(entries), .. }) => entries.iter().any(|entry| entry.key == "from"),
        _ => false,
    }
}

fn move_places(node: &mut Node, place_of: &impl Fn(Place) -> Place) {
    node.place = place_of(node.place);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| move_places(item, place_of)),
        Value::Mapping(entries) => {
            for entry in entries {
                entry.key_place = place_of(entry.key_place);
                move_places(&mut entry.node, place_of);
            }
        }
        _ => {}
    }
}
