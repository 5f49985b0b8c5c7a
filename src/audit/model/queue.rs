//! Queues, and what they say of each other.

use super::{Setting, Spot};

/// A queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Its name in the configuration.
    pub id: String,
    /// Where it is declared.
    pub spot: Spot,
    /// The name that the service knows it by.
    pub name: Setting<String>,
    /// The ARN, where the configuration tells it.
    pub arn: Option<Arn>,
    /// Whether it is a FIFO queue.
    pub is_fifo: Setting<bool>,
    /// The visibility timeout, in seconds.
    pub visibility_timeout_s: Setting<f64>,
    /// How long messages are kept, in seconds.
    pub retention_s: Setting<f64>,
    /// The delay of each message, in seconds.
    pub delay_s: Setting<f64>,
    /// How long a receive waits for messages, in seconds.
    pub receive_wait_s: Setting<f64>,
    /// Where messages go that nobody has deleted.
    pub redrive: Option<Redrive>,
    /// Whether the redrive policy as a whole cannot be told or is none; absent where it is clear.
    pub redrive_as_written: Setting<()>,
    /// Which queues may choose this one as their dead-letter queue.
    pub redrive_allow: Option<RedriveAllow>,
    /// Whether something else than a queue sends here what has failed: a function, a topic, a rule.
    pub takes_failures: bool,
}

/// A redrive policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Redrive {
    /// Where it is written.
    pub spot: Spot,
    /// The dead-letter queue.
    pub target: Setting<QueueRef>,
    /// The receives after which a message is moved.
    pub max_receive_count: Setting<f64>,
}

/// Which queues may choose a queue as their dead-letter queue.
#[derive(Debug, Clone, PartialEq)]
pub struct RedriveAllow {
    /// Where it is written.
    pub spot: Spot,
    /// Who may.
    pub permission: RedrivePermission,
}

/// Who may choose a queue as dead-letter queue.
#[derive(Debug, Clone, PartialEq)]
pub enum RedrivePermission {
    /// Every queue of the account and region.
    All,
    /// None.
    None,
    /// These.
    Queues(Vec<Setting<QueueRef>>),
    /// It cannot be told.
    Unclear,
}

/// Which queue is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueueRef {
    /// One of the stack, by its number.
    Declared(usize),
    /// One that is not declared in the stack.
    Elsewhere(Arn),
    /// One that the configuration should declare, and does not: the name that it is asked for by.
    Missing(String),
}

/// The name of a queue in the whole service. What is `None` is only known on deployment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arn {
    /// The region.
    pub region: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// The queue's name.
    pub name: Option<String>,
}

/// The visibility timeout of a queue that names none, in seconds: rule Q2, visibility timeout.
pub const DEFAULT_VISIBILITY_TIMEOUT_S: f64 = 30.0;
/// The retention of a queue that names none, in seconds: rule Q10, retention.
pub const DEFAULT_RETENTION_S: f64 = 345_600.0;

impl Queue {
    /// A queue that says nothing of itself.
    pub fn unsaid(id: impl Into<String>, spot: Spot) -> Self {
        Self {
            id: id.into(),
            spot,
            name: Setting::Absent,
            arn: None,
            is_fifo: Setting::Absent,
            visibility_timeout_s: Setting::Absent,
            retention_s: Setting::Absent,
            delay_s: Setting::Absent,
            receive_wait_s: Setting::Absent,
            redrive: None,
            redrive_as_written: Setting::Absent,
            redrive_allow: None,
            takes_failures: false,
        }
    }

    /// Whether it is a FIFO queue, where that can be told.
    pub fn fifo(&self) -> Option<bool> {
        self.is_fifo.or_default(false)
    }

    /// The visibility timeout that applies, where it can be told and the service would take it.
    pub fn visibility_timeout_s(&self) -> Option<f64> {
        let sound = |timeout_s: &f64| (0.0..=43_200.0).contains(timeout_s);
        self.visibility_timeout_s.or_default(DEFAULT_VISIBILITY_TIMEOUT_S).filter(sound)
    }

    /// The retention that applies, where it can be told and the service would take it.
    pub fn retention_s(&self) -> Option<f64> {
        let sound = |retention_s: &f64| (60.0..=1_209_600.0).contains(retention_s);
        self.retention_s.or_default(DEFAULT_RETENTION_S).filter(sound)
    }

    /// The receives after which a message is moved, where they can be told and the service would take them.
    pub fn max_receive_count(&self) -> Option<f64> {
        let sound = |count: &f64| (1.0..=1_000.0).contains(count);
        self.redrive.as_ref()?.max_receive_count.known().copied().filter(sound)
    }

    /// Whether the name says that it takes what has failed.
    pub fn is_called_dead_letter_queue(&self) -> bool {
        let says_so = |name: &str| {
            let name = name.to_lowercase().replace(['-', '_', ' ', '.'], "");
            ["dlq", "deadletter", "dead", "failed", "failure", "undeliver"].iter().any(|word| name.contains(word))
        };
        says_so(&self.id) || self.name.known().is_some_and(|name| says_so(name))
    }
}

impl Arn {
    /// Takes an ARN to pieces in which `*` stands for what is only known on deployment.
    pub fn parse(text: &str) -> Option<Self> {
        let pieces: Vec<&str> = text.split(':').collect();
        let [arn, _partition, service, region, account, name] = pieces.as_slice() else { return None };
        if *arn != "arn" || *service != "sqs" {
            return None;
        }
        let clear = |piece: &&str| (!piece.contains('*') && !piece.is_empty()).then(|| (*piece).to_owned());
        Some(Self { region: clear(region), account: clear(account), name: clear(name) })
    }
}
