//! What a configuration declares, before one thing is linked to another.

use std::collections::{HashMap, HashSet};

use super::dialect::Dialect;
use super::item::{FilePlace, Item};
use crate::audit::model::{Allowance, Arn};

/// What a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Queue,
    /// A redrive policy apart from its queue.
    RedrivePolicy,
    /// A redrive allow policy apart from its queue.
    RedriveAllowPolicy,
    Function,
    /// Another name of a function.
    FunctionAlias,
    Mapping(MappingForm),
    Alarm,
    Other,
}

/// How a mapping is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MappingForm {
    /// A resource of its own.
    Resource,
    /// An event of a function in SAM.
    SamEvent,
    /// An event of a function in the Serverless Framework.
    ServerlessEvent,
}

/// Something that a configuration declares.
#[derive(Debug, Clone)]
pub struct Resource {
    pub kind: Kind,
    pub id: String,
    /// Its name, to point at.
    pub spot: FilePlace,
    pub properties: Item,
    /// The function that a mapping stands in.
    pub within: Option<String>,
    /// The region and account, where they are told.
    pub home: Option<Arn>,
}

/// A configuration: what it declares, and how it writes.
#[derive(Debug)]
pub struct Declared {
    pub resources: Vec<Resource>,
    /// Names that are declared, and not there under the defaults.
    pub switched_off: HashSet<String>,
    pub dialect: &'static Dialect,
    pub function_keys: &'static super::dialect::FunctionKeys,
    pub allowances: Vec<Allowance>,
    /// Whether a reference to what is not declared is a mistake.
    pub is_closed: bool,
    /// Whether every value has to be a text.
    pub takes_texts_only: bool,
}

impl Declared {
    pub fn new(dialect: &'static Dialect) -> Self {
        Self {
            resources: Vec::new(),
            switched_off: HashSet::new(),
            dialect,
            function_keys: &dialect.function,
            allowances: Vec::new(),
            is_closed: true,
            takes_texts_only: false,
        }
    }
}

/// Where to find what, by name.
#[derive(Debug, Default)]
pub struct Names {
    /// Queues by id.
    pub queues: HashMap<String, usize>,
    /// Queues by the name that the service knows.
    pub queues_by_name: HashMap<String, usize>,
    /// Functions by id, and by alias.
    pub functions: HashMap<String, usize>,
    /// Functions by the name that the service knows.
    pub functions_by_name: HashMap<String, usize>,
    /// Everything that is declared.
    pub known: HashSet<String>,
}
