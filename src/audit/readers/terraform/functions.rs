//! The functions that settings of queues are written with.

use hcl_edit::expr::FuncCall;

use super::evaluate::Scope;
use crate::audit::readers::item::{Datum, Entry, Item, Piece, joined};
use crate::audit::readers::settings::decoded;
use crate::audit::readers::tree::number;

impl Scope<'_> {
    /// What a call comes to.
    pub fn function(&self, call: &FuncCall, file: usize) -> Datum {
        let name = call.name.name.as_str();
        let mut arguments: Vec<Item> = call.args.iter().map(|argument| self.evaluate(argument, file)).collect();
        let open = || Datum::Unresolved(format!("the function `{name}` is not followed"));
        if name == "jsonencode" {
            return arguments.pop().map_or_else(open, |item| Datum::Encoded(Box::new(item)));
        }
        if let "coalesce" | "try" | "one" | "element" | "lookup" = name {
            return chosen(name, arguments).unwrap_or_else(open);
        }
        if let Some(why) = arguments.iter().find_map(unresolved) {
            return Datum::Unresolved(why);
        }
        known(name, arguments).unwrap_or_else(open)
    }
}

fn unresolved(item: &Item) -> Option<String> {
    match &item.value {
        Datum::Unresolved(why) => Some(why.clone()),
        _ => None,
    }
}

/// One of the arguments, or of what they hold.
fn chosen(name: &str, arguments: Vec<Item>) -> Option<Datum> {
    match (name, arguments.as_slice()) {
        ("coalesce", all) => {
            let is_nothing = |item: &&Item| item.value != Datum::Null && item.text() != Some("");
            all.iter().find(is_nothing).map(|item| item.value.clone())
        }
        ("try", all) => {
            all.iter().find(|item| unresolved(item).is_none()).or(all.first()).map(|item| item.value.clone())
        }
        ("one", [item]) => match &item.value {
            Datum::List(items) => Some(items.first().map_or(Datum::Null, |item| item.value.clone())),
            other => Some(other.clone()),
        },
        ("element", [list, index]) => {
            let Datum::Number(index) = index.value else { return None };
            match &list.value {
                Datum::List(items) if !items.is_empty() && index >= 0.0 => {
                    Some(items[index as usize % items.len()].value.clone())
                }
                Datum::Reference(_) => Some(list.value.clone()),
                _ => None,
            }
        }
        ("lookup", [map, key, rest @ ..]) => match map.value {
            Datum::Map(_) => map.get(&key.scalar()?).or(rest.first()).map(|item| item.value.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn known(name: &str, arguments: Vec<Item>) -> Option<Datum> {
    let numbers = || arguments.iter().map(numeric).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty());
    match (name, arguments.as_slice()) {
        ("max", _) => Some(Datum::Number(numbers()?.into_iter().fold(f64::MIN, f64::max))),
        ("min", _) => Some(Datum::Number(numbers()?.into_iter().fold(f64::MAX, f64::min))),
        ("ceil", [_]) => Some(Datum::Number(numbers()?[0].ceil())),
        ("floor", [_]) => Some(Datum::Number(numbers()?[0].floor())),
        ("abs", [_]) => Some(Datum::Number(numbers()?[0].abs())),
        ("tonumber", [_]) => Some(Datum::Number(numbers()?[0])),
        ("tostring", [item]) => item.scalar().map(Datum::Text).or_else(|| Some(item.value.clone())),
        ("tolist" | "toset" | "tomap" | "nonsensitive" | "sensitive", [item]) => Some(item.value.clone()),
        ("jsondecode", [item]) => decoded(item).map(|item| item.value),
        ("lower", [item]) => item.text().map(|text| Datum::Text(text.to_lowercase())),
        ("concat", lists) => Some(Datum::List(lists.iter().flat_map(Item::items).cloned().collect())),
        ("merge", maps) => Some(Datum::Map(merged(maps))),
        ("join", [separator, list]) => join(separator.text()?, list.items()),
        _ => None,
    }
}

fn numeric(item: &Item) -> Option<f64> {
    match &item.value {
        Datum::Number(number) => Some(*number),
        Datum::Text(text) => number(text),
        _ => None,
    }
}

/// Later maps win.
fn merged(maps: &[Item]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for entry in maps.iter().flat_map(Item::entries) {
        match entries.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => *known = entry.clone(),
            None => entries.push(entry.clone()),
        }
    }
    entries
}

fn join(separator: &str, items: &[Item]) -> Option<Datum> {
    let mut pieces = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(separator.to_owned()));
        }
        pieces.extend(item.clone().into_pieces());
    }
    Some(joined(pieces))
}
