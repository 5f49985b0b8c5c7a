//! A module: its variables, its resources, and the modules that it calls.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::path::Path;

use hcl_edit::Span;
use hcl_edit::structure::{Block, Body, Structure};

use super::evaluate::Scope;
use super::expression::spot_of;
use super::{Folder, Folders, folder_of};
use crate::audit::model::Arn;
use crate::audit::readers::dialect::TERRAFORM;
use crate::audit::readers::item::{Datum, Entry, FilePlace, Item};
use crate::audit::readers::resource::{Declared, Kind, MappingForm, Resource};

/// Deepest chain of modules that call modules.
const DEEPEST: usize = 8;
/// Most calls of modules, all together.
const MOST_CALLS: usize = 500;

/// What a folder declares, together with the modules that it calls.
pub fn declared(folder: &Path, folders: &Folders) -> Declared {
    let mut reading = Reading { folders, declared: Declared::new(&TERRAFORM), calls: 0 };
    let regions = HashMap::new();
    reading.module(folder, "", &HashMap::new(), &regions, 0);
    reading.declared
}

struct Reading<'a> {
    folders: &'a Folders,
    declared: Declared,
    calls: usize,
}

type Values = HashMap<String, Item>;
/// Regions by the name of the provider.
type Regions = HashMap<String, String>;

impl<'a> Reading<'a> {
    /// Adds what a module declares, and says its outputs.
    fn module(&mut self, path: &Path, prefix: &str, inputs: &Values, regions: &Regions, depth: usize) -> Values {
        let Some(folder) = self.folders.get(path) else { return Values::new() };
        let mut scope = Scope {
            prefix: prefix.to_owned(),
            variables: variables(folder, inputs, depth == 0),
            locals: locals(folder),
            known_locals: RefCell::new(HashMap::new()),
            outputs: RefCell::new(HashMap::new()),
            declared: resource_names(folder),
            fuel: Cell::new(super::evaluate::MOST_STEPS),
            depth: Cell::new(0),
        };
        let regions = self.regions(folder, &scope, regions);
        for name in &scope.declared {
            self.declared.switched_off.remove(&format!("{prefix}{name}"));
        }
        // Modules may take what others give; then a first round finds the outputs, and a second one uses them.
        let calls: Vec<(usize, &Block)> = blocks(folder, "module").collect();
        if calls.len() > 1 && calls.iter().any(|(_, block)| takes_outputs(block)) {
            let before = self.declared.resources.len();
            self.calls(path, &calls, &mut scope, &regions, depth);
            self.declared.resources.truncate(before);
        }
        self.calls(path, &calls, &mut scope, &regions, depth);
        self.resources(folder, &scope, &regions);
        outputs(folder, &scope)
    }

    fn calls(
        &mut self,
        path: &Path,
        calls: &[(usize, &Block)],
        scope: &mut Scope<'a>,
        regions: &Regions,
        depth: usize,
    ) {
        for (file, block) in calls {
            if let Some((name, given)) = self.call(path, *file, block, scope, regions, depth) {
                scope.outputs.borrow_mut().insert(name, given);
            }
        }
    }

    fn call(
        &mut self,
        path: &Path,
        file: usize,
        block: &Block,
        scope: &Scope<'a>,
        regions: &Regions,
        depth: usize,
    ) -> Option<(String, Values)> {
        let name = label(block, 0)?;
        let source = block.body.get_attribute("source").and_then(|source| source.value.as_str());
        let folder = source.and_then(|source| folder_of(path, source));
        let is_there = folder.as_ref().is_some_and(|folder| self.folders.contains_key(folder));
        let is_off = block.body.get_attribute("count").is_some_and(|count| is_zero(scope, file, count));
        self.calls += 1;
        if !is_there || is_off || depth >= DEEPEST || self.calls > MOST_CALLS {
            return None;
        }
        let inputs: Values = block
            .body
            .attributes()
            .map(|attribute| (attribute.key.to_string(), scope.evaluate(&attribute.value, file)))
            .collect();
        let inner = format!("{}module.{name}.", scope.prefix);
        Some((name, self.module(&folder?, &inner, &inputs, regions, depth + 1)))
    }

    fn resources(&mut self, folder: &Folder, scope: &Scope<'_>, regions: &Regions) {
        for (file, block) in blocks(folder, "resource") {
            let (Some(kind), Some(name)) = (label(block, 0), label(block, 1)) else { continue };
            let id = format!("{}{kind}.{name}", scope.prefix);
            if block.body.get_attribute("count").is_some_and(|count| is_zero(scope, file, count)) {
                self.declared.switched_off.insert(id);
                continue;
            }
            let kind = match kind.as_str() {
                "aws_sqs_queue" => Kind::Queue,
                "aws_sqs_queue_redrive_policy" => Kind::RedrivePolicy,
                "aws_sqs_queue_redrive_allow_policy" => Kind::RedriveAllowPolicy,
                "aws_lambda_function" => Kind::Function,
                "aws_lambda_alias" => Kind::FunctionAlias,
                "aws_lambda_event_source_mapping" => Kind::Mapping(MappingForm::Resource),
                "aws_cloudwatch_metric_alarm" => Kind::Alarm,
                _ => Kind::Other,
            };
            let spot = spot_of(block.labels[1].span(), file);
            let properties = body_item(scope, &block.body, file, spot);
            let home = region(block, regions).map(|region| Arn { region: Some(region), ..Arn::default() });
            self.declared.resources.push(Resource { kind, id, spot, properties, within: None, home });
        }
    }

    /// Regions by the name of the provider: the empty name is the default's.
    fn regions(&self, folder: &Folder, scope: &Scope<'_>, outer: &Regions) -> Regions {
        let mut regions = outer.clone();
        for (file, block) in blocks(folder, "provider").filter(|(_, block)| label(block, 0).as_deref() == Some("aws")) {
            let text = |key: &str| {
                let attribute = block.body.get_attribute(key)?;
                scope.evaluate(&attribute.value, file).text().map(str::to_owned)
            };
            if let Some(region) = text("region") {
                regions.insert(text("alias").unwrap_or_default(), region);
            }
        }
        regions
    }
}

/// The region that a resource lies in, where a provider says so.
fn region(block: &Block, regions: &Regions) -> Option<String> {
    let provider = block.body.get_attribute("provider");
    let alias = match provider {
        None => String::new(),
        Some(provider) => provider.value.to_string().trim().strip_prefix("aws.")?.to_owned(),
    };
    regions.get(&alias).cloned()
}

/// Whether a module is given what another one gives.
fn takes_outputs(block: &Block) -> bool {
    block.body.attributes().any(|attribute| attribute.value.to_string().contains("module."))
}

fn is_zero(scope: &Scope<'_>, file: usize, count: &hcl_edit::structure::Attribute) -> bool {
    scope.evaluate(&count.value, file).value == Datum::Number(0.0)
}

fn blocks<'a>(folder: &'a Folder, kind: &'a str) -> impl Iterator<Item = (usize, &'a Block)> {
    folder.files.iter().flat_map(move |(file, body)| body.get_blocks(kind).map(|block| (*file, block)))
}

fn label(block: &Block, number: usize) -> Option<String> {
    block.labels.get(number).map(|label| label.as_str().to_owned())
}

fn resource_names(folder: &Folder) -> HashSet<String> {
    blocks(folder, "resource")
        .filter_map(|(_, block)| Some(format!("{}.{}", label(block, 0)?, label(block, 1)?)))
        .collect()
}

fn locals(folder: &Folder) -> HashMap<String, (&hcl_edit::expr::Expression, usize)> {
    blocks(folder, "locals")
        .flat_map(|(file, block)| {
            block.body.attributes().map(move |local| (local.key.to_string(), (&local.value, file)))
        })
        .collect()
}

/// The variables: given values, values in files, defaults; what has none of them is open.
fn variables(folder: &Folder, inputs: &Values, is_root: bool) -> Values {
    let constant = Scope::constant();
    let mut values = Values::new();
    for (file, block) in blocks(folder, "variable") {
        let Some(name) = label(block, 0) else { continue };
        let value = match (inputs.get(&name), block.body.get_attribute("default")) {
            (Some(given), _) => given.clone(),
            (None, Some(default)) => constant.evaluate(&default.value, file),
            (None, None) => {
                Item::unresolved(spot_of(block.span(), file), format!("the variable `{name}` has no default"))
            }
        };
        values.insert(name, value);
    }
    if is_root {
        for (file, body) in &folder.values {
            for attribute in body.attributes() {
                values.insert(attribute.key.to_string(), constant.evaluate(&attribute.value, *file));
            }
        }
    }
    values
}

fn outputs(folder: &Folder, scope: &Scope<'_>) -> Values {
    blocks(folder, "output")
        .filter_map(|(file, block)| {
            let value = block.body.get_attribute("value")?;
            Some((label(block, 0)?, scope.evaluate(&value.value, file)))
        })
        .collect()
}

/// The attributes and blocks of a body as a map.
fn body_item(scope: &Scope<'_>, body: &Body, file: usize, spot: FilePlace) -> Item {
    let mut entries = Vec::new();
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => entries.push(Entry {
                key: attribute.key.to_string(),
                key_spot: spot_of(attribute.key.span(), file),
                item: scope.evaluate(&attribute.value, file),
            }),
            Structure::Block(block) => {
                let key_spot = spot_of(block.ident.span(), file);
                let (key, item) = if block.ident.as_str() == "dynamic" {
                    let why = "it is made of a dynamic block";
                    (label(block, 0).unwrap_or_default(), Item::unresolved(key_spot, why))
                } else {
                    (block.ident.to_string(), body_item(scope, &block.body, file, key_spot))
                };
                entries.push(Entry { key, key_spot, item });
            }
        }
    }
    Item::new(spot, Datum::Map(entries))
}
