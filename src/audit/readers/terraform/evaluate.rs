//! Names in expressions: variables, locals, resources, outputs of modules.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use hcl_edit::expr::{Expression, Traversal, TraversalOperator};

use crate::audit::readers::item::{Datum, FilePlace, Item, Piece, Reference};

/// Most steps of evaluation of a module; what takes more is left open.
pub const MOST_STEPS: usize = 2_000_000;
/// Deepest nesting of expressions and of the names in them that stand for others.
pub const DEEPEST: usize = 160;
/// Deepest nesting of a value that a name stands for.
const DEEPEST_VALUE: usize = 64;

/// What the names of a module stand for.
pub struct Scope<'a> {
    /// Stands before the names of the module's resources.
    pub prefix: String,
    pub variables: HashMap<String, Item>,
    pub locals: HashMap<String, (&'a Expression, usize)>,
    pub known_locals: RefCell<HashMap<String, Item>>,
    /// The outputs of called modules.
    pub outputs: RefCell<HashMap<String, HashMap<String, Item>>>,
    /// The resources of the module, as `TYPE.NAME`.
    pub declared: HashSet<String>,
    pub fuel: Cell<usize>,
    pub depth: Cell<usize>,
}

impl Scope<'_> {
    /// A scope without names.
    pub fn constant() -> Self {
        Self {
            prefix: String::new(),
            variables: HashMap::new(),
            locals: HashMap::new(),
            known_locals: RefCell::default(),
            outputs: RefCell::default(),
            declared: HashSet::new(),
            fuel: Cell::new(MOST_STEPS),
            depth: Cell::new(0),
        }
    }

    /// Takes steps; false where there are none left.
    pub fn take(&self, steps: usize) -> bool {
        let left = self.fuel.get().saturating_sub(steps);
        self.fuel.set(left);
        left > 0
    }

    /// What a name with what follows it comes to.
    pub fn traversal(&self, traversal: &Traversal, spot: FilePlace) -> Item {
        let root = match &traversal.expr {
            Expression::Variable(name) => name.as_str().to_owned(),
            other => return self.steps(self.evaluate(other, spot.file), &traversal.operators, spot),
        };
        let steps = &traversal.operators;
        let first = steps.first().and_then(|step| attribute(step.value()));
        let open = |why: String| Item::unresolved(spot, why);
        match (root.as_str(), first) {
            ("var", Some(name)) => match self.variables.get(&name) {
                Some(value) => self.steps(value.clone(), &steps[1..], spot),
                None => open(format!("there is no variable `{name}`")),
            },
            ("local", Some(name)) => self.steps(self.local(&name, spot), &steps[1..], spot),
            ("module", Some(name)) => self.output(&name, &steps[1..], spot),
            ("data", Some(_)) => open(format!("`{}` is read on deployment", written(&root, steps))),
            ("each" | "count" | "self" | "path" | "terraform", _) | (_, None) => {
                open(format!("`{}` is only known on deployment", written(&root, steps)))
            }
            (kind, Some(name)) => {
                let attribute = steps[1..].iter().find_map(|step| attribute(step.value())).unwrap_or_default();
                let resource = format!("{}{kind}.{name}", self.prefix);
                Item::new(spot, Datum::Reference(Reference { resource, attribute }))
            }
        }
    }

    fn local(&self, name: &str, spot: FilePlace) -> Item {
        if let Some(known) = self.known_locals.borrow().get(name) {
            return known.clone();
        }
        let Some((expression, file)) = self.locals.get(name) else {
            return Item::unresolved(spot, format!("there is no local value `{name}`"));
        };
        let item = self.evaluate(expression, *file);
        self.known_locals.borrow_mut().insert(name.to_owned(), item.clone());
        item
    }

    fn output(&self, module: &str, steps: &[hcl_edit::Decorated<TraversalOperator>], spot: FilePlace) -> Item {
        let at = steps.iter().position(|step| attribute(step.value()).is_some());
        let name = at.and_then(|at| attribute(steps[at].value())).unwrap_or_default();
        match self.outputs.borrow().get(module).and_then(|outputs| outputs.get(&name)) {
            Some(item) => self.steps(item.clone(), &steps[at.map_or(0, |at| at + 1)..], spot),
            None => Item::unresolved(spot, format!("the output `{name}` of the module `{module}` is not at hand")),
        }
    }

    /// Follows attributes and indices into a value.
    fn steps(&self, mut item: Item, steps: &[hcl_edit::Decorated<TraversalOperator>], spot: FilePlace) -> Item {
        if !self.take(weight(&item)) || depth_of(&item) > DEEPEST_VALUE {
            return Item::unresolved(spot, "the values are too many to follow");
        }
        for step in steps {
            if matches!(item.value, Datum::Unresolved(_) | Datum::Reference(_)) {
                break;
            }
            item = match self.step(&item, step.value(), spot.file) {
                Some(found) => found,
                None => return Item::unresolved(spot, "what it points at is not there"),
            };
        }
        item.spot = spot;
        item
    }

    fn step(&self, item: &Item, step: &TraversalOperator, file: usize) -> Option<Item> {
        match step {
            TraversalOperator::GetAttr(name) => item.get(name.as_str()).cloned(),
            TraversalOperator::LegacyIndex(index) => item.items().get(usize::try_from(**index).ok()?).cloned(),
            TraversalOperator::Index(index) => {
                let index = self.evaluate(index, file).scalar()?;
                item.get(&index).or_else(|| item.items().get(index.parse::<usize>().ok()?)).cloned()
            }
            TraversalOperator::AttrSplat(_) | TraversalOperator::FullSplat(_) => Some(item.clone()),
        }
    }
}

fn attribute(step: &TraversalOperator) -> Option<String> {
    match step {
        TraversalOperator::GetAttr(name) => Some(name.as_str().to_owned()),
        _ => None,
    }
}

fn written(root: &str, steps: &[hcl_edit::Decorated<TraversalOperator>]) -> String {
    let names = steps.iter().filter_map(|step| attribute(step.value()));
    std::iter::once(root.to_owned()).chain(names).collect::<Vec<_>>().join(".")
}

fn depth_of(item: &Item) -> usize {
    let inside = match &item.value {
        Datum::List(items) => items.iter().map(depth_of).max(),
        Datum::Map(entries) => entries.iter().map(|entry| depth_of(&entry.item)).max(),
        Datum::Encoded(inner) => Some(depth_of(inner)),
        _ => None,
    };
    1 + inside.unwrap_or(0)
}

/// How much a value weighs, so that values that double again and again come to an end.
pub fn weight(item: &Item) -> usize {
    let inside: usize = match &item.value {
        Datum::List(items) => items.iter().map(weight).sum(),
        Datum::Map(entries) => entries.iter().map(|entry| weight(&entry.item)).sum(),
        Datum::Text(text) => text.len() / 16,
        Datum::Encoded(inner) => weight(inner),
        Datum::Template(pieces) => {
            pieces.iter().map(|piece| if let Piece::Text(text) = piece { 1 + text.len() / 16 } else { 1 }).sum()
        }
        _ => 0,
    };
    1 + inside
}
