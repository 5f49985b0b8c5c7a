//! From items to settings: is it a number, a text, a truth value, or not to be told?

use super::item::{Datum, Item, Piece, Reference, joined};
use super::tree::{number, read_tree};
use crate::audit::model::Setting;

/// A number, or the text of one.
pub fn number_of(item: Option<&Item>, unit: &str) -> Setting<f64> {
    let Some(item) = item else { return Setting::Absent };
    let spot = item.spot;
    let written = match &item.value {
        Datum::Null => return Setting::Absent,
        Datum::Unresolved(why) => return Setting::Unresolved { why: why.clone(), spot },
        Datum::Number(value) => return Setting::Known { value: *value, spot },
        Datum::Reference(reference) => return Setting::Unresolved { why: asks(reference), spot },
        Datum::Template(pieces) => return Setting::Unresolved { why: open_piece(pieces), spot },
        Datum::Text(text) => number(text.trim()).ok_or_else(|| format!("the text `{}`", shortened(text))),
        _ => Err(item.kind().to_owned()),
    };
    match written {
        Ok(value) => Setting::Known { value, spot },
        Err(found) => Setting::WrongType { found, wanted: format!("a number{unit}"), spot },
    }
}

/// A truth value, or the text of one.
pub fn bool_of(item: Option<&Item>) -> Setting<bool> {
    let Some(item) = item else { return Setting::Absent };
    let spot = item.spot;
    match &item.value {
        Datum::Null => Setting::Absent,
        Datum::Bool(value) => Setting::Known { value: *value, spot },
        Datum::Text(text) if text == "true" || text == "false" => Setting::Known { value: text == "true", spot },
        Datum::Text(_) | Datum::Number(_) | Datum::List(_) | Datum::Map(_) | Datum::Encoded(_) => {
            Setting::WrongType { found: item.kind().to_owned(), wanted: "true or false".to_owned(), spot }
        }
        Datum::Unresolved(why) => Setting::Unresolved { why: why.clone(), spot },
        Datum::Reference(reference) => Setting::Unresolved { why: asks(reference), spot },
        Datum::Template(pieces) => Setting::Unresolved { why: open_piece(pieces), spot },
    }
}

/// A text.
pub fn text_of(item: Option<&Item>) -> Setting<String> {
    let Some(item) = item else { return Setting::Absent };
    let spot = item.spot;
    if let Some(value) = item.scalar() {
        return Setting::Known { value, spot };
    }
    match &item.value {
        Datum::Null => Setting::Absent,
        Datum::Unresolved(why) => Setting::Unresolved { why: why.clone(), spot },
        Datum::Reference(reference) => Setting::Unresolved { why: asks(reference), spot },
        Datum::Template(pieces) => Setting::Unresolved { why: open_piece(pieces), spot },
        _ => Setting::WrongType { found: item.kind().to_owned(), wanted: "a text".to_owned(), spot },
    }
}

/// Why the value of a resource is not known.
pub fn asks(reference: &Reference) -> String {
    format!("`{}` of `{}` is only known on deployment", reference.attribute, reference.resource)
}

/// Why a text that is put together is not known.
pub fn open_piece(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .find_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Reference(reference) => Some(asks(reference)),
            Piece::Unresolved(why) => Some(why.clone()),
        })
        .unwrap_or_else(|| "it is put together on deployment".to_owned())
}

/// A text that is short enough for a message.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let short: String = text.chars().take(LONGEST).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(LONGEST).is_some() { format!("{short}…") } else { short }
}

/// Stands around the number of an open piece while a text is read as JSON.
const MARK: char = '\u{e000}';

/// What the JSON in a text holds; all of it stands where the text does.
pub fn decoded(item: &Item) -> Option<Item> {
    let (text, pieces) = match &item.value {
        Datum::Encoded(inner) => return Some(inner.as_ref().clone()),
        Datum::Text(text) => (text.clone(), Vec::new()),
        Datum::Template(pieces) => (marked(pieces), pieces.clone()),
        _ => return None,
    };
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let mut found = read_tree(&text, item.spot.file).ok()?;
    unmark(&mut found, &pieces, item);
    Some(found)
}

fn marked(pieces: &[Piece]) -> String {
    let piece = |(number, piece): (usize, &Piece)| match piece {
        Piece::Text(text) => text.clone(),
        _ => format!("{MARK}{number}{MARK}"),
    };
    pieces.iter().enumerate().map(piece).collect()
}

/// Puts open pieces back, and everything in the place of the whole text.
fn unmark(item: &mut Item, pieces: &[Piece], whole: &Item) {
    item.spot = whole.spot;
    match &mut item.value {
        Datum::List(items) => items.iter_mut().for_each(|item| unmark(item, pieces, whole)),
        Datum::Map(entries) => entries.iter_mut().for_each(|entry| {
            entry.key_spot = whole.spot;
            unmark(&mut entry.item, pieces, whole);
        }),
        Datum::Text(text) if text.contains(MARK) => {
            let parts = text.split(MARK).enumerate().map(|(at, part)| match part.parse::<usize>() {
                Ok(number) if at % 2 == 1 => pieces.get(number).cloned().unwrap_or(Piece::Text(String::new())),
                _ => Piece::Text(part.to_owned()),
            });
            item.value = joined(parts.collect());
        }
        _ => {}
    }
}
