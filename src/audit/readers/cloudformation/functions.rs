//! The functions of templates: what they come to under the defaults of the parameters.

use std::cell::Cell;
use std::collections::HashMap;

use crate::audit::readers::item::{Datum, Entry, FilePlace, Item, Piece, Reference, joined};

/// Deepest chain of conditions that name conditions.
const DEEPEST_CONDITION: usize = 32;

/// Most conditions that are looked at; each may name others, which may name others.
const MOST_CONDITIONS: usize = 100_000;

/// A template whose parameters, mappings and conditions are at hand.
pub struct Template<'a> {
    parameters: HashMap<&'a str, &'a Item>,
    mappings: Option<&'a Item>,
    conditions: Option<&'a Item>,
    looked_at: Cell<usize>,
}

impl<'a> Template<'a> {
    pub fn new(tree: &'a Item) -> Self {
        let parameters = tree.get("Parameters").map(Item::entries).unwrap_or_default();
        Self {
            parameters: parameters.iter().map(|entry| (entry.key.as_str(), &entry.item)).collect(),
            mappings: tree.get("Mappings"),
            conditions: tree.get("Conditions"),
            looked_at: Cell::new(0),
        }
    }

    /// An item without functions. What `AWS::NoValue` stands for is gone.
    pub fn resolve(&self, item: &Item) -> Item {
        self.resolved(item, 0).unwrap_or_else(|| Item::new(item.spot, Datum::Null))
    }

    fn resolved(&self, item: &Item, depth: usize) -> Option<Item> {
        let value = match &item.value {
            Datum::List(items) => Datum::List(items.iter().filter_map(|item| self.resolved(item, depth)).collect()),
            Datum::Map(entries) => match entries.as_slice() {
                [entry] if is_function(&entry.key) => return self.call(item.spot, entry, depth),
                entries => Datum::Map(entries.iter().filter_map(|entry| self.entry(entry, depth)).collect()),
            },
            other => other.clone(),
        };
        Some(Item::new(item.spot, value))
    }

    fn entry(&self, entry: &Entry, depth: usize) -> Option<Entry> {
        let item = self.resolved(&entry.item, depth)?;
        Some(Entry { key: entry.key.clone(), key_spot: entry.key_spot, item })
    }

    fn call(&self, spot: FilePlace, entry: &Entry, depth: usize) -> Option<Item> {
        let argument = &entry.item;
        let value = match entry.key.as_str() {
            "Ref" => match argument.text() {
                Some("AWS::NoValue") => return None,
                Some(name) => self.named(name),
                None => unclear("Ref"),
            },
            "Fn::GetAtt" => self.attribute(argument, depth),
            "Fn::Sub" => self.substituted(argument, depth),
            "Fn::Join" => self.join(argument, depth),
            "Fn::Select" => self.select(argument, depth),
            "Fn::Split" => self.split(argument, depth),
            "Fn::FindInMap" => self.found_in_map(argument, depth),
            "Fn::If" => return self.branch(spot, argument, depth),
            "Condition" => argument.text().map_or_else(|| unclear("Condition"), |name| self.truth(name, depth)),
            other => unclear(other),
        };
        Some(Item::new(spot, value))
    }

    /// What a name stands for: a parameter's default, or a resource.
    fn named(&self, name: &str) -> Datum {
        if name.starts_with("AWS::") {
            return Datum::Unresolved(format!("`{name}` is only known on deployment"));
        }
        match self.parameters.get(name) {
            None => Datum::Reference(Reference { resource: name.to_owned(), attribute: "Ref".to_owned() }),
            Some(parameter) => match parameter.get("Default") {
                Some(default)
                    if !parameter.get("Type").and_then(Item::text).is_some_and(|kind| kind.contains("SSM")) =>
                {
                    match (&default.value, parameter.get("Type").and_then(Item::text)) {
                        (Datum::Text(text), Some(kind)) if kind.starts_with("List") || kind == "CommaDelimitedList" => {
                            let part = |part: &str| Item::new(default.spot, Datum::Text(part.trim().to_owned()));
                            Datum::List(text.split(',').map(part).collect())
                        }
                        (value, _) => value.clone(),
                    }
                }
                _ => Datum::Unresolved(format!("the parameter `{name}` has no default")),
            },
        }
    }

    fn attribute(&self, argument: &Item, depth: usize) -> Datum {
        let parts: Option<Vec<String>> = match &argument.value {
            Datum::Text(text) => text.split_once('.').map(|(name, rest)| vec![name.to_owned(), rest.to_owned()]),
            _ => argument.items().iter().map(|item| self.resolve_at(item, depth).scalar()).collect(),
        };
        match parts.as_deref() {
            Some([resource, attribute @ ..]) if !attribute.is_empty() => {
                Datum::Reference(Reference { resource: resource.clone(), attribute: attribute.join(".") })
            }
            _ => unclear("Fn::GetAtt"),
        }
    }

    fn resolve_at(&self, item: &Item, depth: usize) -> Item {
        self.resolved(item, depth).unwrap_or_else(|| Item::new(item.spot, Datum::Null))
    }

    fn substituted(&self, argument: &Item, depth: usize) -> Datum {
        let (text, own) = match argument.items() {
            [] => (argument.text(), None),
            [text, own @ ..] => (text.text(), own.first().map(|own| self.resolve_at(own, depth))),
        };
        let Some(text) = text else { return unclear("Fn::Sub") };
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            pieces.push(Piece::Text(rest[..start].to_owned()));
            let Some(end) = rest[start..].find('}') else { break };
            let name = rest[start + 2..start + end].trim();
            rest = &rest[start + end + 1..];
            if let Some(literal) = name.strip_prefix('!') {
                pieces.push(Piece::Text(format!("${{{literal}}}")));
                continue;
            }
            let own = own.as_ref().and_then(|own| own.get(name)).cloned();
            let item = own.unwrap_or_else(|| Item::new(argument.spot, self.name_or_attribute(name)));
            pieces.extend(item.into_pieces());
        }
        pieces.push(Piece::Text(rest.to_owned()));
        joined(pieces)
    }

    fn name_or_attribute(&self, name: &str) -> Datum {
        match name.split_once('.') {
            Some((resource, attribute)) => {
                Datum::Reference(Reference { resource: resource.to_owned(), attribute: attribute.to_owned() })
            }
            None => self.named(name),
        }
    }

    fn join(&self, argument: &Item, depth: usize) -> Datum {
        let [separator, parts] = argument.items() else { return unclear("Fn::Join") };
        let parts = self.resolve_at(parts, depth);
        let (Some(separator), Datum::List(parts)) = (separator.text(), parts.value) else { return unclear("Fn::Join") };
        let mut pieces = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                pieces.push(Piece::Text(separator.to_owned()));
            }
            pieces.extend(part.into_pieces());
        }
        joined(pieces)
    }

    fn select(&self, argument: &Item, depth: usize) -> Datum {
        let [index, list] = argument.items() else { return unclear("Fn::Select") };
        let index = self.resolve_at(index, depth).scalar().and_then(|index| index.parse::<usize>().ok());
        let list = self.resolve_at(list, depth);
        match index.and_then(|index| list.items().get(index)) {
            Some(item) => item.value.clone(),
            None => unclear("Fn::Select"),
        }
    }

    fn split(&self, argument: &Item, depth: usize) -> Datum {
        let [separator, text] = argument.items() else { return unclear("Fn::Split") };
        let resolved = self.resolve_at(text, depth);
        match (separator.text(), resolved.text()) {
            (Some(separator), Some(whole)) if !separator.is_empty() => {
                let part = |part: &str| Item::new(text.spot, Datum::Text(part.to_owned()));
                Datum::List(whole.split(separator).map(part).collect())
            }
            _ => unclear("Fn::Split"),
        }
    }

    fn found_in_map(&self, argument: &Item, depth: usize) -> Datum {
        let keys: Option<Vec<String>> =
            argument.items().iter().take(3).map(|item| self.resolve_at(item, depth).scalar()).collect();
        let found = keys.as_deref().and_then(|keys| match keys {
            [map, first, second] => self.mappings?.at(&[map, first, second]),
            _ => None,
        });
        found.map_or_else(|| unclear("Fn::FindInMap"), |item| item.value.clone())
    }

    fn branch(&self, spot: FilePlace, argument: &Item, depth: usize) -> Option<Item> {
        let [condition, yes, no] = argument.items() else { return Some(Item::new(spot, unclear("Fn::If"))) };
        let name = condition.text().unwrap_or_default();
        let truth = self.condition_at(name, depth + 1);
        let branch = |item: &Item| self.resolved(item, depth).map(|item| Item::new(spot, item.value));
        match truth {
            Some(true) => branch(yes),
            Some(false) => branch(no),
            None => {
                let (yes, no) = (branch(yes), branch(no));
                let why = format!("it depends on the condition `{name}`");
                if yes == no { yes } else { Some(Item::unresolved(spot, why)) }
            }
        }
    }

    fn truth(&self, name: &str, depth: usize) -> Datum {
        let unknown = || Datum::Unresolved(format!("the condition `{name}` is only known on deployment"));
        self.condition_at(name, depth + 1).map_or_else(unknown, Datum::Bool)
    }

    /// Whether a condition holds under the defaults.
    pub fn condition(&self, name: &str) -> Option<bool> {
        self.condition_at(name, 0)
    }

    fn condition_at(&self, name: &str, depth: usize) -> Option<bool> {
        if depth > DEEPEST_CONDITION {
            return None;
        }
        self.holds(self.conditions?.get(name)?, depth)
    }

    fn holds(&self, item: &Item, depth: usize) -> Option<bool> {
        self.looked_at.set(self.looked_at.get() + 1);
        if depth > DEEPEST_CONDITION || self.looked_at.get() > MOST_CONDITIONS {
            return None;
        }
        let [Entry { key, item: argument, .. }] = item.entries() else { return None };
        let each = || argument.items().iter().map(|item| self.holds(item, depth + 1));
        match key.as_str() {
            "Condition" => self.condition_at(argument.text()?, depth + 1),
            "Fn::Not" => each().next().flatten().map(|holds| !holds),
            "Fn::And" if each().any(|holds| holds == Some(false)) => Some(false),
            "Fn::And" => each().all(|holds| holds == Some(true)).then_some(true),
            "Fn::Or" if each().any(|holds| holds == Some(true)) => Some(true),
            "Fn::Or" => each().all(|holds| holds == Some(false)).then_some(false),
            "Fn::Equals" => match argument.items() {
                [left, right] => {
                    let side = |item: &Item| self.resolve_at(item, depth + 1).scalar();
                    Some(side(left)? == side(right)?)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn is_function(key: &str) -> bool {
    key == "Ref" || key == "Condition" || key.starts_with("Fn::")
}

fn unclear(function: &str) -> Datum {
    Datum::Unresolved(format!("what `{function}` comes to is only known on deployment"))
}
