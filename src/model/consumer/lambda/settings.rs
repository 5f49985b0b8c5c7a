//! What a mapping and its function are configured with.

use crate::engine::distribution::TimeDistribution;
use crate::engine::time::{MINUTE_US, SECOND_US};

/// A Lambda function behind an event source mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct LambdaSettings {
    /// Messages of a batch, 1 to 10 000; above 10 only with a window (rule L2, batch and window).
    pub batch: u32,
    /// How long a poller fills a batch, from its first message on; 0: one receive call is one batch.
    pub window_us: u64,
    /// When an invocation is ended, counted from the start of its handler (rule L3, timeout against lease).
    pub timeout_us: u64,
    /// Invocations that may run at the same time; `None`: any number.
    pub reserved_concurrency: Option<u32>,
    /// Batches that may be in hand at the same time; `None`: any number (rule L1, poller scaling).
    pub maximum_concurrency: Option<u32>,
    /// What an invocation says of its batch.
    pub responses: BatchResponses,
    /// What answers are not as they should be.
    pub wrong_answers: WrongAnswers,
    /// What becomes of a batch that the function has no room for.
    pub throttled: ThrottledBatches,
    /// Time from one offer of a throttled batch to the next, and pause of a poller that has dropped one; above 0.
    pub reoffer_after_us: u64,
    /// How the function goes through a batch.
    pub records: RecordOrder,
    /// Environments and how they start.
    pub cold_starts: ColdStarts,
    /// Memory of the function, for the bill.
    pub memory_mb: u32,
    /// How many pollers there are.
    pub pollers: PollerSettings,
}

impl LambdaSettings {
    /// Most pollers: a cap on concurrency stops the reading (rule L1, poller scaling).
    pub fn most_pollers(&self) -> u32 {
        self.maximum_concurrency.map_or(self.pollers.most, |cap| self.pollers.most.min(cap))
    }

    /// Pollers at the start, and the fewest later.
    pub fn initial_pollers(&self) -> u32 {
        self.pollers.initial.min(self.most_pollers())
    }

    /// Batches that a poller may have in hand, the one that runs included.
    pub fn batches_in_hand(&self) -> usize {
        match self.throttled {
            // What is read ahead would be beyond the cap.
            ThrottledBatches::Prefetch if self.maximum_concurrency.is_none() => 2,
            _ => 1,
        }
    }

    /// Messages of a batch that are handled at the same time.
    pub fn slots(&self) -> u32 {
        match self.records {
            RecordOrder::InTurn => 1,
            RecordOrder::AtOnce => self.batch,
        }
    }
}

impl Default for LambdaSettings {
    /// The service's own defaults; nothing is reserved, and environments start in no time.
    fn default() -> Self {
        Self {
            batch: 10,
            window_us: 0,
            timeout_us: 3 * SECOND_US,
            reserved_concurrency: None,
            maximum_concurrency: None,
            responses: BatchResponses::WholeBatch,
            wrong_answers: WrongAnswers::default(),
            throttled: ThrottledBatches::Reoffer,
            reoffer_after_us: SECOND_US,
            records: RecordOrder::InTurn,
            cold_starts: ColdStarts::default(),
            memory_mb: 128,
            pollers: PollerSettings::default(),
        }
    }
}

/// What an invocation says of its batch (rule L4, batch failures).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BatchResponses {
    /// Nothing but success or error: one failed message brings all back.
    #[default]
    WholeBatch,
    /// Which messages have failed (`ReportBatchItemFailures`): only those come back.
    FailedItems,
}

/// Answers that are not as they should be; only where failed items are reported.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WrongAnswers {
    /// Share of the answers that cannot be read, or name a message that is not in the batch: all comes back.
    pub unreadable_share: f64,
    /// Share of the invocations that leave at the first error and answer with an empty list: all is deleted.
    pub hiding_share: f64,
}

/// What becomes of a batch that the function has no room for (rule L6, over-pull).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ThrottledBatches {
    /// It is offered again and again until its lease ends; its poller waits with it.
    #[default]
    Reoffer,
    /// It waits in line until its lease ends; its poller reads one more batch meanwhile.
    Prefetch,
    /// It is given up.
    Drop,
}

/// How the function goes through a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordOrder {
    /// One message after the other.
    #[default]
    InTurn,
    /// All at the same time.
    AtOnce,
}

/// Execution environments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ColdStarts {
    /// How long a new environment takes before its first handler begins.
    pub time: TimeDistribution,
    /// How long an idle environment is kept.
    pub kept_warm_us: u64,
}

impl Default for ColdStarts {
    fn default() -> Self {
        Self { time: TimeDistribution::Constant { value_us: 0 }, kept_warm_us: 10 * MINUTE_US }
    }
}

/// How many pollers a mapping has, each with one batch at a time (rule L1, poller scaling).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PollerSettings {
    /// Pollers at the start, and the fewest later.
    pub initial: u32,
    /// How many more there are after a minute of backlog.
    pub per_minute: u32,
    /// Most pollers.
    pub most: u32,
    /// Whether errors of the function lower their number (rule L5, errors slow it down).
    pub backs_off_on_errors: bool,
    /// Whether throttled batches do as well.
    pub backs_off_on_throttles: bool,
}

impl Default for PollerSettings {
    fn default() -> Self {
        Self { initial: 5, per_minute: 300, most: 1_250, backs_off_on_errors: true, backs_off_on_throttles: false }
    }
}
