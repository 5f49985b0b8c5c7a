//! `serverless.yml` of the Serverless Framework: functions with their events, and CloudFormation below `resources`.

mod variables;

use variables::Variables;

use super::cloudformation::add_resources;
use super::dialect::{CLOUDFORMATION, SERVERLESS_FUNCTION};
use super::item::{Datum, Entry, Item};
use super::resource::{Declared, Kind, MappingForm, Resource};
use crate::audit::model::Arn;

/// Whether a tree is a configuration of the Serverless Framework.
pub fn is_service(tree: &Item) -> bool {
    tree.get("service").is_some() && tree.get("provider").is_some()
}

/// What a service declares.
pub fn declared(tree: &Item) -> Declared {
    let tree = &Variables::new(tree).resolved();
    let mut declared = Declared::new(&CLOUDFORMATION);
    declared.function_keys = &SERVERLESS_FUNCTION;
    // Plugins add resources.
    declared.is_closed = tree.get("plugins").is_none() && tree.get("constructs").is_none();
    match tree.get("resources").map(|resources| &resources.value) {
        Some(Datum::List(all)) => add_resources(&joined(all), &mut declared),
        Some(Datum::Map(_)) => add_resources(&joined(tree.get("resources").as_slice()), &mut declared),
        _ => {}
    }
    let region = tree.at(&["provider", "region"]).and_then(Item::text);
    if let Some(region) = region {
        let home = Arn { region: Some(region.to_owned()), ..Arn::default() };
        declared.resources.iter_mut().for_each(|resource| resource.home = Some(home.clone()));
    }
    for entry in tree.get("functions").map(functions).unwrap_or_default() {
        add_function(tree, entry, &mut declared);
    }
    declared
}

/// Several pieces of a template as one.
fn joined<T: std::borrow::Borrow<Item>>(pieces: &[T]) -> Item {
    let mut whole: Vec<Entry> = Vec::new();
    for entry in pieces.iter().flat_map(|piece| piece.borrow().entries()) {
        match whole.iter_mut().find(|known| known.key == entry.key) {
            Some(Entry { item: Item { value: Datum::Map(known), .. }, .. }) => {
                known.extend(entry.item.entries().iter().cloned());
            }
            _ => whole.push(entry.clone()),
        }
    }
    let spot = pieces.first().map(|piece| piece.borrow().spot).unwrap_or_default();
    Item::new(spot, Datum::Map(whole))
}

/// Functions stand in a mapping, or in a list of mappings.
fn functions(item: &Item) -> Vec<&Entry> {
    match &item.value {
        Datum::List(items) => items.iter().flat_map(Item::entries).collect(),
        _ => item.entries().iter().collect(),
    }
}

fn add_function(tree: &Item, entry: &Entry, declared: &mut Declared) {
    let mut properties = entry.item.clone();
    for key in ["timeout", "environment"] {
        let shared = tree.get("provider").and_then(|provider| provider.entry(key));
        let is_own = properties.get(key).is_some();
        if let (false, Some(shared), Datum::Map(own)) = (is_own, shared, &mut properties.value) {
            own.push(shared.clone());
        }
    }
    let id = logical_id(&entry.key);
    for event in properties.get("events").map(Item::items).unwrap_or_default() {
        let Some(event) = event.entry("sqs") else { continue };
        let given = match &event.item.value {
            Datum::Map(_) => event.item.clone(),
            // An ARN alone.
            _ => {
                let arn = Entry { key: "arn".to_owned(), key_spot: event.key_spot, item: event.item.clone() };
                Item::new(event.key_spot, Datum::Map(vec![arn]))
            }
        };
        declared.resources.push(Resource {
            kind: Kind::Mapping(MappingForm::ServerlessEvent),
            id: format!("{}.sqs", entry.key),
            spot: event.key_spot,
            properties: super::cloudformation::without_functions(&given),
            within: Some(id.clone()),
            home: None,
        });
    }
    declared.resources.push(Resource {
        kind: Kind::Function,
        id,
        spot: entry.key_spot,
        properties: super::cloudformation::without_functions(&properties),
        within: None,
        home: None,
    });
}

/// The name that the framework gives a function in the template.
fn logical_id(name: &str) -> String {
    let name = name.replace('-', "Dash").replace('_', "Underscore");
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}LambdaFunction", letters.as_str())
}
