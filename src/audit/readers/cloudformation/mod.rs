//! CloudFormation templates in YAML and JSON, those of SAM, and what CDK makes.

mod functions;
mod sam;

use functions::Template;

use super::dialect::CLOUDFORMATION;
use super::item::{Datum, Entry, Item};
use super::resource::{Declared, Kind, MappingForm, Resource};
use crate::audit::model::{Allowance, Spot};

/// Whether a tree is a template: it has resources with types.
pub fn is_template(tree: &Item) -> bool {
    let resources = tree.get("Resources").map(Item::entries).unwrap_or_default();
    let is_typed = |entry: &Entry| entry.item.get("Type").and_then(Item::text).is_some_and(|kind| kind.contains("::"));
    resources.iter().any(is_typed)
}

/// What a template declares.
pub fn declared(tree: &Item) -> Declared {
    let mut declared = Declared::new(&CLOUDFORMATION);
    declared.is_closed = is_closed(tree);
    add_resources(tree, &mut declared);
    declared
}

/// Whether nothing but the template itself adds resources: no macro, no loop.
pub fn is_closed(tree: &Item) -> bool {
    let adds_none = |item: &Item| {
        item.text().is_some_and(|name| name.starts_with("AWS::Serverless") || name == "AWS::LanguageExtensions")
    };
    let transforms = tree.get("Transform").is_none_or(|transform| match &transform.value {
        Datum::List(all) => all.iter().all(adds_none),
        _ => adds_none(transform),
    });
    let resources = tree.get("Resources").map(Item::entries).unwrap_or_default();
    transforms && !resources.iter().any(|entry| entry.key.starts_with("Fn::"))
}

/// Adds what the section `Resources` declares.
pub fn add_resources(tree: &Item, declared: &mut Declared) {
    let template = Template::new(tree);
    for entry in tree.get("Resources").map(Item::entries).unwrap_or_default() {
        declared.allowances.extend(allowances(entry));
        if let Some(condition) = entry.item.get("Condition").and_then(Item::text)
            && template.condition(condition) == Some(false)
        {
            declared.switched_off.insert(entry.key.clone());
            continue;
        }
        add_resource(&template, tree, entry, declared);
    }
}

fn add_resource(template: &Template<'_>, tree: &Item, entry: &Entry, declared: &mut Declared) {
    let kind = entry.item.get("Type").and_then(Item::text).unwrap_or_default();
    let empty = Item::new(entry.key_spot, Datum::Map(Vec::new()));
    let properties = template.resolve(entry.item.get("Properties").unwrap_or(&empty));
    if kind == "AWS::Serverless::Function" {
        return sam::add_function(template, tree, entry, properties, declared);
    }
    let kind = match kind {
        "AWS::SQS::Queue" => Kind::Queue,
        "AWS::Lambda::Function" => Kind::Function,
        "AWS::Lambda::Alias" => Kind::FunctionAlias,
        "AWS::Lambda::EventSourceMapping" => Kind::Mapping(MappingForm::Resource),
        "AWS::CloudWatch::Alarm" => Kind::Alarm,
        _ => Kind::Other,
    };
    declared.resources.push(resource(kind, entry, properties));
}

fn resource(kind: Kind, entry: &Entry, properties: Item) -> Resource {
    Resource { kind, id: entry.key.clone(), spot: entry.key_spot, properties, within: None, home: None }
}

/// Findings that a resource allows in its metadata.
fn allowances(entry: &Entry) -> Vec<Allowance> {
    let end = entry.item.spot.place.end;
    let mut covers: Spot = entry.key_spot;
    covers.place.end = end.max(covers.place.end);
    let allowed = entry.item.at(&["Metadata", "retrystorm", "allow"]).map(Item::entries).unwrap_or_default();
    let allowance = |entry: &Entry| Allowance {
        rule: entry.key.clone(),
        reason: entry.item.text().unwrap_or_default().trim().to_owned(),
        spot: entry.key_spot,
        covers,
    };
    allowed.iter().map(allowance).collect()
}

/// A value whose functions are worked out where they need no parameters: names of resources remain.
pub fn without_functions(item: &Item) -> Item {
    Template::new(&Item::new(item.spot, Datum::Null)).resolve(item)
}
