//! YAML and JSON as a tree of items. Tags of CloudFormation become the functions that they stand for.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, Tag, options};

use super::item::{Datum, Entry, FilePlace, Item};
use crate::text::Place;

/// Deepest nesting; templates need about a dozen.
const DEEPEST: usize = 96;
/// Most values that aliases may stand for, all together.
const MOST_ALIASED: usize = 200_000;

/// Why a text is no YAML and no JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeError {
    pub place: Place,
    pub message: String,
}

/// The first document of a text.
pub fn read_tree(text: &str, file: usize) -> Result<Item, TreeError> {
    let options = options! { emit_comments: false };
    let mut builder =
        Builder { parser: Parser::new_from_str_with_options(text, options), file, anchors: HashMap::new(), aliased: 0 };
    loop {
        match builder.next()? {
            (Event::DocumentStart(..), _) => break,
            (Event::StreamEnd, _) => return Ok(Item::new(FilePlace::default(), Datum::Null)),
            _ => {}
        }
    }
    let (event, span) = builder.next()?;
    let item = builder.node(event, span, 0)?;
    match builder.next()? {
        (Event::DocumentEnd, _) => Ok(item),
        (_, span) => Err(TreeError { place: place_of(span), message: "something stands behind the value".to_owned() }),
    }
}

struct Builder<'a> {
    parser: Parser<'a, StrInput<'a>>,
    file: usize,
    anchors: HashMap<usize, (Item, usize)>,
    aliased: usize,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), TreeError> {
        match self.parser.next() {
            Some(Ok(found)) => Ok(found),
            Some(Err(error)) => Err(syntax_error(&error)),
            None => Err(TreeError { place: Place::default(), message: "the text ends too early".to_owned() }),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Item, TreeError> {
        if depth > DEEPEST {
            let message = format!("nested deeper than {DEEPEST} levels");
            return Err(TreeError { place: place_of(span), message });
        }
        let tag_start = span.tag_start().and_then(|mark| mark.byte_offset());
        let (mut item, anchor, tag) = match event {
            Event::Alias(anchor) => return self.alias(anchor, span),
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar(text, style, tag.as_deref());
                (Item::new(self.spot(place_of(span)), value), anchor, tag)
            }
            Event::SequenceStart(_, anchor, tag) => (self.list(span, depth)?, anchor, tag),
            Event::MappingStart(_, anchor, tag) => (self.map(span, depth)?, anchor, tag),
            _ => return Err(TreeError { place: place_of(span), message: "a value is missing".to_owned() }),
        };
        if let Some(function) = tag.as_deref().and_then(function_of) {
            let start = tag_start.unwrap_or(item.spot.place.start);
            item = call(function, item, start);
        }
        if anchor != 0 {
            let size = size_of(&item);
            self.anchors.insert(anchor, (item.clone(), size));
        }
        Ok(item)
    }

    /// What an alias stands for, at the alias's own place.
    fn alias(&mut self, anchor: usize, span: Span) -> Result<Item, TreeError> {
        let place = place_of(span);
        let Some((item, size)) = self.anchors.get(&anchor) else {
            return Err(TreeError { place, message: "an alias stands for something that contains it".to_owned() });
        };
        self.aliased += size;
        if self.aliased > MOST_ALIASED {
            return Err(TreeError { place, message: format!("aliases stand for more than {MOST_ALIASED} values") });
        }
        Ok(item.clone())
    }

    fn list(&mut self, span: Span, depth: usize) -> Result<Item, TreeError> {
        let mut items = Vec::new();
        loop {
            let (event, at) = self.next()?;
            if let Event::SequenceEnd = event {
                return Ok(Item::new(self.until(span, at), Datum::List(items)));
            }
            items.push(self.node(event, at, depth + 1)?);
        }
    }

    fn map(&mut self, span: Span, depth: usize) -> Result<Item, TreeError> {
        let mut entries = Vec::new();
        loop {
            let (event, at) = self.next()?;
            if let Event::MappingEnd = event {
                return Ok(Item::new(self.until(span, at), Datum::Map(merged(entries))));
            }
            let key = self.node(event, at, depth + 1)?;
            let (event, at) = self.next()?;
            let item = self.node(event, at, depth + 1)?;
            let name = key.scalar().unwrap_or_default();
            entries.push(Entry { key: name, key_spot: key.spot, item });
        }
    }

    fn spot(&self, place: Place) -> FilePlace {
        FilePlace { file: self.file, place }
    }

    fn until(&self, from: Span, to: Span) -> FilePlace {
        let start = place_of(from).start;
        let end = place_of(to);
        // A block ends where the next thing begins; its own last byte is not told.
        self.spot(Place { start, end: if end.start == end.end { end.start } else { end.end }.max(start) })
    }
}

/// Merge keys (`<<`) put what they hold beside the others.
fn merged(entries: Vec<Entry>) -> Vec<Entry> {
    if !entries.iter().any(|entry| entry.key == "<<") {
        return entries;
    }
    let (merges, mut own): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| entry.key == "<<");
    for merge in merges {
        let maps = match merge.item.value {
            Datum::List(items) => items,
            _ => vec![merge.item],
        };
        for entry in maps.into_iter().flat_map(|map| match map.value {
            Datum::Map(entries) => entries,
            _ => Vec::new(),
        }) {
            if !own.iter().any(|known| known.key == entry.key) {
                own.push(entry);
            }
        }
    }
    own
}

fn size_of(item: &Item) -> usize {
    let inside: usize = match &item.value {
        Datum::List(items) => items.iter().map(size_of).sum(),
        Datum::Map(entries) => entries.iter().map(|entry| size_of(&entry.item)).sum(),
        _ => 0,
    };
    1 + inside
}

fn place_of(span: Span) -> Place {
    let start = span.start.byte_offset().unwrap_or_default();
    Place { start, end: span.end.byte_offset().unwrap_or(start).max(start) }
}

fn syntax_error(error: &ScanError) -> TreeError {
    let start = error.marker().byte_offset().unwrap_or_default();
    let message = error.info().to_string();
    TreeError { place: Place { start, end: start }, message }
}

/// The function that a short tag stands for.
fn function_of(tag: &Tag) -> Option<String> {
    if tag.handle() != "!" {
        return None;
    }
    match tag.suffix() {
        plain @ ("Ref" | "Condition") => Some(plain.to_owned()),
        other => Some(format!("Fn::{other}")),
    }
}

fn call(function: String, argument: Item, start: usize) -> Item {
    let file = argument.spot.file;
    let spot = FilePlace { file, place: Place { start, end: argument.spot.place.end.max(start) } };
    // `!GetAtt A.B` is the short form of a list of two.
    let argument = match (function.as_str(), &argument.value) {
        ("Fn::GetAtt", Datum::Text(text)) => match text.split_once('.') {
            Some((resource, attribute)) => {
                let part = |text: &str| Item::new(argument.spot, Datum::Text(text.to_owned()));
                Item::new(argument.spot, Datum::List(vec![part(resource), part(attribute)]))
            }
            None => argument,
        },
        _ => argument,
    };
    Item::new(spot, Datum::Map(vec![Entry { key: function, key_spot: spot, item: argument }]))
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, tag: Option<&Tag>) -> Datum {
    if style != ScalarStyle::Plain || tag.is_some_and(|tag| tag.suffix() == "str" || function_of(tag).is_some()) {
        return Datum::Text(text.into_owned());
    }
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Datum::Null,
        "true" | "True" | "TRUE" => Datum::Bool(true),
        "false" | "False" | "FALSE" => Datum::Bool(false),
        other => number(other).map_or_else(|| Datum::Text(text.into_owned()), Datum::Number),
    }
}

/// A number as YAML and JSON write it. Long runs of digits are names, such as those of accounts.
pub fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let starts_well = digits.starts_with(|first: char| first.is_ascii_digit());
    let is_name = digits.len() >= 12 || (digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0."));
    if !starts_well || is_name {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}
