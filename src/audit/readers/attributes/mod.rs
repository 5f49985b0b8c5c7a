//! What `aws sqs get-queue-attributes` answers: one queue a file, its dead-letter queue in a file beside it.

use super::dialect::ATTRIBUTES;
use super::item::{Datum, Entry, Item};
use super::resource::{Declared, Kind, Resource};
use crate::audit::model::Arn;

/// Whether a tree is such an answer.
pub fn is_answer(tree: &Item) -> bool {
    let known = ATTRIBUTES.queue.all();
    let attributes = tree.get("Attributes").map(Item::entries).unwrap_or_default();
    tree.entries().len() == 1 && attributes.iter().any(|entry| known.contains(&entry.key.as_str()))
}

/// The queues of a folder. Each comes with the name of its file.
pub fn declared<'a>(trees: impl Iterator<Item = (&'a str, &'a Item)>) -> Declared {
    let mut declared = Declared::new(&ATTRIBUTES);
    declared.takes_texts_only = true;
    declared.is_closed = false;
    declared.resources = trees.filter_map(|(name, tree)| queue(name, tree)).collect();
    declared
}

fn queue(file_name: &str, tree: &Item) -> Option<Resource> {
    let entry = tree.entry("Attributes")?;
    let mut properties = entry.item.clone();
    let arn = properties.get("QueueArn").cloned();
    let home = arn.as_ref().and_then(|arn| Arn::parse(arn.text()?));
    let name = home.as_ref().and_then(|home| home.name.clone());
    if let (Some(name), Some(arn), Datum::Map(entries)) = (&name, &arn, &mut properties.value) {
        let item = Item::new(arn.spot, Datum::Text(name.clone()));
        entries.push(Entry { key: ATTRIBUTES.queue.name.to_owned(), key_spot: arn.spot, item });
    }
    Some(Resource {
        kind: Kind::Queue,
        id: name.unwrap_or_else(|| file_name.to_owned()),
        spot: arn.map_or(entry.key_spot, |arn| arn.spot),
        properties,
        within: None,
        home,
    })
}
