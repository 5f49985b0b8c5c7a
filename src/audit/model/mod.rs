//! What configurations come to, whatever they are written in: queues, functions, mappings and alarms, whose values know
//! where they stand.
//!
//! A [`Stack`] is what one configuration declares: a template, a folder of Terraform files with the modules that it calls,
//! a folder of queue attributes. Nothing in it is guessed: what only a deployment knows is [`Setting::Unresolved`].

mod place;
mod queue;
mod setting;

pub use place::{SourceFile, Sources, Spot};
pub use queue::{Arn, Queue, QueueRef, Redrive, RedriveAllow, RedrivePermission};
pub use setting::Setting;

/// What one configuration declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stack {
    /// The queues; a [`QueueRef`] counts them from 0.
    pub queues: Vec<Queue>,
    /// The functions; a [`Mapping`] counts them from 0.
    pub functions: Vec<Function>,
    /// Which function is fed from which queue.
    pub mappings: Vec<Mapping>,
    /// The alarms.
    pub alarms: Vec<Alarm>,
    /// Redrive policies that are attached to a queue that is not there.
    pub stray_redrives: Vec<StrayRedrive>,
    /// Keys that nothing takes at their place.
    pub unknown_keys: Vec<UnknownKey>,
    /// Findings that the configuration itself allows, other than by comments.
    pub allowances: Vec<Allowance>,
}

/// A function.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name in the configuration.
    pub id: String,
    /// Where it is declared.
    pub spot: Spot,
    /// How long an invocation may take, in seconds.
    pub timeout_s: Setting<f64>,
    /// What an absent timeout comes to, in seconds.
    pub default_timeout_s: f64,
    /// Invocations at the same time that are set apart for it.
    pub reserved_concurrency: Setting<f64>,
    /// Queues that its environment or its destinations name, and where.
    pub names_queues: Vec<(usize, Spot)>,
}

/// A queue that feeds a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    /// Its name in the configuration.
    pub id: String,
    /// Where it is declared.
    pub spot: Spot,
    /// The queue.
    pub queue: Setting<QueueRef>,
    /// Whether it is known to read a queue, whichever that is.
    pub is_of_queue: bool,
    /// The function's number in the stack, where it is declared there.
    pub function: Option<usize>,
    /// Most messages of a batch.
    pub batch_size: Setting<f64>,
    /// How long a batch is filled, in seconds.
    pub window_s: Setting<f64>,
    /// Most batches that are worked on at the same time.
    pub maximum_concurrency: Setting<f64>,
    /// Whether the function says which messages of a batch have failed.
    pub reports_item_failures: Setting<bool>,
    /// Whether it has pollers of its own, which leave no place for a maximum concurrency.
    pub has_provisioned_pollers: bool,
    /// Whether it is switched on.
    pub enabled: Setting<bool>,
}

/// An alarm on a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Alarm {
    /// Its name in the configuration.
    pub id: String,
    /// Where it is declared.
    pub spot: Spot,
    /// The metric.
    pub metric: Setting<String>,
    /// The queue that the metric is of.
    pub queue: Setting<QueueRef>,
}

/// A redrive policy that belongs to no queue of the stack.
#[derive(Debug, Clone, PartialEq)]
pub struct StrayRedrive {
    /// The name by which the queue is asked for.
    pub queue: String,
    /// Where.
    pub spot: Spot,
}

/// A key that nothing takes at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKey {
    /// The key.
    pub key: String,
    /// Where it stands.
    pub spot: Spot,
    /// What it stands in, in words.
    pub owner: String,
    /// What to do about it.
    pub remedy: String,
}

/// Findings of a rule that a stretch of a file may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The rule's id.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// Where it says so.
    pub spot: Spot,
    /// The stretch that it is for.
    pub covers: Spot,
}

impl Stack {
    /// The queue of a reference, where it is declared in the stack.
    pub fn queue(&self, reference: &Setting<QueueRef>) -> Option<&Queue> {
        Some(&self.queues[self.queue_number(reference)?])
    }

    /// The number of that queue.
    pub fn queue_number(&self, reference: &Setting<QueueRef>) -> Option<usize> {
        match reference.known()? {
            QueueRef::Declared(number) => Some(*number),
            _ => None,
        }
    }

    /// The function that a mapping feeds, where it is declared in the stack.
    pub fn function(&self, mapping: &Mapping) -> Option<&Function> {
        self.functions.get(mapping.function?)
    }
}

impl Mapping {
    /// Whether it is not known to be switched off.
    pub fn is_on(&self) -> bool {
        self.enabled.known() != Some(&false)
    }
}
