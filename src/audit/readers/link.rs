//! Which queue, which function is meant.

use super::item::{Datum, Item, Piece, Reference};
use super::resource::{Declared, Names};
use super::settings::{asks, open_piece, shortened};
use crate::audit::model::{Arn, Queue, QueueRef, Setting};

/// What references are held against.
pub struct Link<'a> {
    pub declared: &'a Declared,
    pub names: &'a Names,
    pub queues: &'a [Queue],
}

impl Link<'_> {
    /// The queue that is meant by a reference, an ARN, a URL or a name.
    pub fn queue(&self, item: Option<&Item>) -> Setting<QueueRef> {
        let Some(item) = item else { return Setting::Absent };
        let spot = item.spot;
        let found = match &item.value {
            Datum::Null => return Setting::Absent,
            Datum::Unresolved(why) => Err(why.clone()),
            Datum::Reference(reference) => self.referred(reference),
            Datum::Text(text) => match self.written(text) {
                Some(found) => Ok(found),
                None => return Self::no_queue(item, format!("the text `{}`", shortened(text))),
            },
            Datum::Template(pieces) => self.put_together(pieces),
            _ => return Self::no_queue(item, item.kind().to_owned()),
        };
        match found {
            Ok(value) => Setting::Known { value, spot },
            Err(why) => Setting::Unresolved { why, spot },
        }
    }

    fn no_queue(item: &Item, found: String) -> Setting<QueueRef> {
        Setting::WrongType { found, wanted: "the ARN of a queue".to_owned(), spot: item.spot }
    }

    fn referred(&self, reference: &Reference) -> Result<QueueRef, String> {
        let id = &reference.resource;
        if let Some(number) = self.names.queues.get(id) {
            return Ok(QueueRef::Declared(*number));
        }
        if self.declared.switched_off.contains(id) {
            return Err(format!("`{id}` is not there under the defaults"));
        }
        if self.declared.is_closed && !self.names.known.contains(id) {
            return Ok(QueueRef::Missing(id.clone()));
        }
        Err(asks(reference))
    }

    /// An ARN, a URL, or the name of a declared queue.
    fn written(&self, text: &str) -> Option<QueueRef> {
        let arn = Arn::parse(text).or_else(|| of_url(text));
        match arn {
            Some(arn) => Some(self.of_arn(arn)),
            None => self.names.queues_by_name.get(text).map(|number| QueueRef::Declared(*number)),
        }
    }

    /// A declared queue where name, region and account agree as far as they are told.
    fn of_arn(&self, arn: Arn) -> QueueRef {
        let number = arn.name.as_ref().and_then(|name| self.names.queues_by_name.get(name));
        let agree = |mine: Option<&String>, other: Option<&String>| match (mine, other) {
            (Some(mine), Some(other)) => mine == other,
            _ => true,
        };
        let is_it = |number: &&usize| {
            self.queues[**number].arn.as_ref().is_none_or(|mine| {
                agree(mine.region.as_ref(), arn.region.as_ref()) && agree(mine.account.as_ref(), arn.account.as_ref())
            })
        };
        match number.filter(is_it) {
            Some(number) => QueueRef::Declared(*number),
            None => QueueRef::Elsewhere(arn),
        }
    }

    fn put_together(&self, pieces: &[Piece]) -> Result<QueueRef, String> {
        if let Some(Piece::Reference(reference)) = pieces.last()
            && let Some(number) = self.names.queues.get(&reference.resource)
        {
            return Ok(QueueRef::Declared(*number));
        }
        let rendered: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.as_str(),
                _ => "*",
            })
            .collect();
        match self.written(&rendered) {
            Some(QueueRef::Elsewhere(Arn { name: None, region: None, account: None })) | None => {
                Err(open_piece(pieces))
            }
            Some(found) => Ok(found),
        }
    }

    /// The function that is meant, where it is declared.
    pub fn function(&self, item: Option<&Item>) -> Option<usize> {
        match &item?.value {
            Datum::Reference(reference) => self.names.functions.get(&reference.resource).copied(),
            Datum::Text(text) => {
                let name = text.strip_prefix("arn:").map_or(text.as_str(), |arn| arn.split(':').nth(5).unwrap_or(""));
                self.names.functions_by_name.get(name).copied()
            }
            Datum::Template(pieces) => pieces.iter().find_map(|piece| match piece {
                Piece::Reference(reference) => self.names.functions.get(&reference.resource).copied(),
                _ => None,
            }),
            _ => None,
        }
    }
}

/// The queue of a URL such as `https://sqs.eu-west-1.amazonaws.com/123456789012/orders`.
fn of_url(text: &str) -> Option<Arn> {
    let rest = text.strip_prefix("https://sqs.")?;
    let (host, path) = rest.split_once('/')?;
    let (account, name) = path.split_once('/')?;
    let clear = |piece: &str| (!piece.contains('*') && !piece.is_empty()).then(|| piece.to_owned());
    Some(Arn { region: clear(host.split('.').next()?), account: clear(account), name: clear(name) })
}
