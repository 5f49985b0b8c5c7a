//! Functions of SAM: with the values that all share, and with their events.

use super::functions::Template;
use super::resource;
use crate::audit::readers::item::{Datum, Entry, Item};
use crate::audit::readers::resource::{Declared, Kind, MappingForm, Resource};

/// Adds a function and the queues that feed it.
pub fn add_function(
    template: &Template<'_>,
    tree: &Item,
    entry: &Entry,
    mut properties: Item,
    declared: &mut Declared,
) {
    if let Some(shared) = tree.at(&["Globals", "Function"]) {
        lay_under(&mut properties, &template.resolve(shared));
    }
    for event in properties.get("Events").map(Item::entries).unwrap_or_default() {
        if event.item.get("Type").and_then(Item::text) == Some("SQS") {
            let empty = Item::new(event.key_spot, Datum::Map(Vec::new()));
            declared.resources.push(Resource {
                kind: Kind::Mapping(MappingForm::SamEvent),
                id: format!("{}.{}", entry.key, event.key),
                spot: event.key_spot,
                properties: event.item.get("Properties").cloned().unwrap_or(empty),
                within: Some(entry.key.clone()),
                home: None,
            });
        }
    }
    if properties.get("AutoPublishAlias").is_some() {
        // `!Ref Function.Alias` names what SAM makes.
        declared.switched_off.insert(format!("{}.Alias", entry.key));
    }
    declared.resources.push(resource(Kind::Function, entry, properties));
}

/// Puts values under those that are there.
fn lay_under(properties: &mut Item, shared: &Item) {
    let Datum::Map(entries) = &mut properties.value else { return };
    for entry in shared.entries() {
        match entries.iter_mut().find(|own| own.key == entry.key) {
            None => entries.push(entry.clone()),
            Some(own) => lay_under(&mut own.item, &entry.item),
        }
    }
}
