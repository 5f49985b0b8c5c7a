//! Variables such as `${self:custom.timeout}`, as far as the file tells them.

use std::cell::Cell;

use crate::audit::readers::item::{Datum, Entry, Item, Piece, joined};
use crate::audit::readers::tree::number;

/// Deepest nesting of what comes out.
const DEEPEST: usize = 128;
/// Levels of nesting that a variable counts for, so that a chain of them comes to an end.
const A_VARIABLE: usize = 8;
/// Most values that are looked at; variables may double what they hold again and again.
const MOST_STEPS: usize = 1_000_000;

/// Where a variable comes from, if it is one and not CloudFormation's own `${...}`.
const SOURCES: [&str; 10] = ["self:", "opt:", "env:", "file(", "param:", "sls:", "cf:", "ssm:", "s3:", "aws:"];

/// The file that variables are looked up in.
pub struct Variables<'a> {
    tree: &'a Item,
    steps: Cell<usize>,
}

impl<'a> Variables<'a> {
    pub fn new(tree: &'a Item) -> Self {
        Self { tree, steps: Cell::new(0) }
    }

    /// The file with its variables worked out.
    pub fn resolved(&self) -> Item {
        self.item(self.tree, 0)
    }

    fn item(&self, item: &Item, depth: usize) -> Item {
        self.steps.set(self.steps.get() + 1);
        if depth > DEEPEST || self.steps.get() > MOST_STEPS {
            return Item::unresolved(item.spot, "its variables go through too many others");
        }
        let value = match &item.value {
            Datum::Text(text) if text.contains("${") => self.text(text, depth),
            Datum::List(items) => Datum::List(items.iter().map(|item| self.item(item, depth + 1)).collect()),
            Datum::Map(entries) => Datum::Map(
                entries
                    .iter()
                    .map(|entry| Entry {
                        key: entry.key.clone(),
                        key_spot: entry.key_spot,
                        item: self.item(&entry.item, depth + 1),
                    })
                    .collect(),
            ),
            other => other.clone(),
        };
        Item::new(item.spot, value)
    }

    fn text(&self, text: &str, depth: usize) -> Datum {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(length) = closing(&rest[start..]) else { break };
            let inside = &rest[start + 2..start + length];
            let (before, after) = (&rest[..start], &rest[start + length + 1..]);
            rest = after;
            pieces.push(Piece::Text(before.to_owned()));
            if !SOURCES.iter().any(|source| inside.trim_start().starts_with(source)) {
                pieces.push(Piece::Text(format!("${{{inside}}}")));
                continue;
            }
            let value = self.variable(inside, depth);
            if before.is_empty() && after.is_empty() && pieces.len() == 1 {
                return value;
            }
            self.steps.set(self.steps.get() + text.len() / 16);
            pieces.extend(Item::new(self.tree.spot, value).into_pieces());
        }
        pieces.push(Piece::Text(rest.to_owned()));
        joined(pieces)
    }

    /// What the first source that is known says.
    fn variable(&self, inside: &str, depth: usize) -> Datum {
        let mut why = format!("`${{{}}}` is only known on deployment", inside.trim());
        for source in split(inside) {
            // A variable within the name of another.
            let within =
                (source.contains("${") && !source.trim().starts_with("${")).then(|| self.text_within(source, depth));
            let source = within.as_deref().unwrap_or(source);
            match self.source(source.trim(), depth) {
                Datum::Unresolved(reason) if source.trim().starts_with("self:") => why = reason,
                Datum::Unresolved(_) => {}
                found => return found,
            }
        }
        Datum::Unresolved(why)
    }

    fn text_within(&self, source: &str, depth: usize) -> String {
        let value = if depth < DEEPEST { self.text(source, depth + A_VARIABLE) } else { Datum::Null };
        Item::new(self.tree.spot, value).scalar().unwrap_or_default()
    }

    fn source(&self, source: &str, depth: usize) -> Datum {
        if let Some(path) = source.strip_prefix("self:") {
            let keys: Vec<&str> = path.split('.').collect();
            return match self.at(&keys) {
                Some(item) => self.item(item, depth + A_VARIABLE).value,
                None => Datum::Unresolved(format!("there is no `{path}` in the file")),
            };
        }
        let quoted = source.strip_prefix(['\'', '"']).and_then(|rest| rest.strip_suffix(['\'', '"']));
        if let Some(text) = quoted {
            return Datum::Text(text.to_owned());
        }
        if source.starts_with("${") {
            return if depth < DEEPEST {
                self.text(source, depth + A_VARIABLE)
            } else {
                Datum::Unresolved(String::new())
            };
        }
        match source {
            "true" => Datum::Bool(true),
            "false" => Datum::Bool(false),
            _ => number(source).map_or_else(|| Datum::Unresolved(String::new()), Datum::Number),
        }
    }

    fn at(&self, keys: &[&str]) -> Option<&Item> {
        keys.iter()
            .try_fold(self.tree, |item, key| item.get(key).or_else(|| item.items().get(key.parse::<usize>().ok()?)))
    }
}

/// Where the bracket closes that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => open += 1,
            '}' if open == 1 => return Some(at),
            '}' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The sources of a variable: commas part them, but not those within brackets.
fn split(inside: &str) -> Vec<&str> {
    let (mut parts, mut open, mut from) = (Vec::new(), 0_usize, 0);
    for (at, letter) in inside.char_indices() {
        match letter {
            '{' | '(' => open += 1,
            '}' | ')' => open = open.saturating_sub(1),
            ',' if open == 0 => {
                parts.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[from..]);
    parts
}
