//! Values of a configuration after its own language has been worked out: literals, names of resources, and what only a
//! deployment knows.

/// A value and the place that it was written at.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub spot: FilePlace,
    pub value: Datum,
}

/// A stretch of a file, by the file's number.
pub type FilePlace = crate::audit::model::Spot;

/// What can be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    /// A text that is put together of others.
    Template(Vec<Piece>),
    List(Vec<Item>),
    Map(Vec<Entry>),
    /// A value that is turned into JSON text.
    Encoded(Box<Item>),
    Reference(Reference),
    /// Only known on deployment, and why.
    Unresolved(String),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    pub key_spot: FilePlace,
    pub item: Item,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    Reference(Reference),
    /// Only known on deployment, and why.
    Unresolved(String),
}

/// A resource that something is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The resource, as the configuration calls it.
    pub resource: String,
    /// What it is asked for.
    pub attribute: String,
}

impl Item {
    pub fn new(spot: FilePlace, value: Datum) -> Self {
        Self { spot, value }
    }

    pub fn unresolved(spot: FilePlace, why: impl Into<String>) -> Self {
        Self::new(spot, Datum::Unresolved(why.into()))
    }

    /// The entries of a map; none of anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Datum::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Item] {
        match &self.value {
            Datum::List(items) => items,
            _ => &[],
        }
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries().iter().find(|entry| entry.key == key)
    }

    pub fn get(&self, key: &str) -> Option<&Item> {
        self.entry(key).map(|entry| &entry.item)
    }

    /// What lies at the end of a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<&Item> {
        path.iter().try_fold(self, |item, key| item.get(key))
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Datum::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What it is, in words for a message.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Datum::Null => "nothing",
            Datum::Bool(_) => "true or false",
            Datum::Number(_) => "a number",
            Datum::Text(_) | Datum::Template(_) => "a text",
            Datum::List(_) => "a list",
            Datum::Map(_) => "a mapping",
            Datum::Encoded(_) => "JSON in a text",
            Datum::Reference(_) => "a resource",
            Datum::Unresolved(_) => "a value of the deployment",
        }
    }

    /// The text of a number, a text or a truth value.
    pub fn scalar(&self) -> Option<String> {
        match &self.value {
            Datum::Bool(value) => Some(value.to_string()),
            Datum::Number(number) => Some(number.to_string()),
            Datum::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// As a piece of a text.
    pub fn into_pieces(self) -> Vec<Piece> {
        if let Some(text) = self.scalar() {
            return vec![Piece::Text(text)];
        }
        let kind = self.kind();
        match self.value {
            Datum::Template(pieces) => pieces,
            Datum::Reference(reference) => vec![Piece::Reference(reference)],
            Datum::Unresolved(why) => vec![Piece::Unresolved(why)],
            _ => vec![Piece::Unresolved(format!("{kind} is no text"))],
        }
    }

    /// All references within.
    pub fn references(&self, found: &mut Vec<(Reference, FilePlace)>) {
        match &self.value {
            Datum::Reference(reference) => found.push((reference.clone(), self.spot)),
            Datum::List(items) => items.iter().for_each(|item| item.references(found)),
            Datum::Map(entries) => entries.iter().for_each(|entry| entry.item.references(found)),
            Datum::Encoded(item) => item.references(found),
            Datum::Template(pieces) => found.extend(pieces.iter().filter_map(|piece| match piece {
                Piece::Reference(reference) => Some((reference.clone(), self.spot)),
                _ => None,
            })),
            _ => {}
        }
    }
}

/// Pieces as the simplest thing that they are: a text where nothing is open, what is open where there is nothing else.
pub fn joined(pieces: Vec<Piece>) -> Datum {
    let mut merged: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (merged.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => merged.push(piece),
        }
    }
    if merged.len() > 1 {
        return Datum::Template(merged);
    }
    match merged.pop() {
        None => Datum::Text(String::new()),
        Some(Piece::Text(text)) => Datum::Text(text),
        Some(Piece::Reference(reference)) => Datum::Reference(reference),
        Some(Piece::Unresolved(why)) => Datum::Unresolved(why),
    }
}
