//! A Lambda event source mapping in a run: what each of its pollers has in hand, and what waits for the function.
//!
//! A poller is a consumer of the fleet. The fleet knows its receive call and the messages that its function works on; what it
//! has read and not yet handed to the function is here.

use std::collections::{BTreeSet, VecDeque};

use super::watching::NEVER;
use super::world::Attempt;
use crate::engine::distribution::TimeSampler;
use crate::engine::random::KeyedDraw;
use crate::model::consumer::{
    BatchResponses, Environments, LambdaSettings, PollerRamp, RampLook, RecordOrder, ThrottledBatches,
};
use crate::model::queue::QueueKind;

/// A batch that has been read and does not run.
#[derive(Debug)]
pub(super) struct ReadBatch {
    /// Its number in the order of reading.
    pub number: u64,
    pub attempts: Vec<Attempt>,
    /// When the first of its leases ends.
    pub lease_ends_us: u64,
}

/// How far an invocation has come.
#[derive(Debug)]
pub(super) enum Phase {
    /// Its environment starts; the messages wait.
    Starting(Vec<Attempt>),
    /// Its handler runs.
    Running,
    /// Its environment has died; the mapping does not know yet.
    Died,
}

/// A message of an invocation that the function is through with, or will not come to.
#[derive(Debug)]
pub(super) struct Record {
    pub attempt: Attempt,
    pub has_failed: bool,
}

/// A function at work on a batch.
#[derive(Debug)]
pub(super) struct Invocation {
    pub began_us: u64,
    /// When its environment has started, its time is over or its death becomes known, whichever its phase waits for.
    pub due_us: u64,
    pub phase: Phase,
    /// In the order in which they ended.
    pub records: Vec<Record>,
    pub any_failed: bool,
    /// Whether the handler has seen to the message itself that it is about to end with an error.
    pub has_disposed: bool,
    /// Whether the first error ends the handler.
    pub stops_at_failure: bool,
    /// Whether its answer will be unreadable.
    pub is_unreadable: bool,
    /// Whether its answer will hide errors.
    pub hides_failures: bool,
}

/// How an invocation has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvocationEnd {
    /// With an answer or an error.
    Returned,
    /// It took too long.
    TimedOut,
    /// Its environment died.
    Crashed,
}

/// What becomes of a batch (rule L4, batch failures).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BatchFate {
    /// All of it is deleted.
    Deleted,
    /// All but the failed messages is deleted.
    FailedComeBack,
    /// Nothing is deleted.
    ComesBack,
}

/// What one poller has in hand.
#[derive(Debug)]
pub(super) struct Poller {
    /// Messages of the batch that it is reading.
    pub gathered: Vec<Attempt>,
    /// When that batch is closed, full or not.
    pub window_ends_us: u64,
    /// Batches that do not run, in the order of reading.
    pub batches: VecDeque<ReadBatch>,
    /// When the first of them is offered again or given up.
    pub offer_due_us: u64,
    pub invocation: Option<Invocation>,
    /// Until when it reads nothing, after a batch that it has dropped.
    pub rests_until_us: u64,
}

impl Default for Poller {
    fn default() -> Self {
        Self {
            gathered: Vec::new(),
            window_ends_us: NEVER,
            batches: VecDeque::new(),
            offer_due_us: NEVER,
            invocation: None,
            rests_until_us: NEVER,
        }
    }
}

/// What is due for a poller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PollerDue {
    /// Something of its invocation.
    Invocation,
    /// The next offer of its batch, or the end of it.
    Offer,
    /// The end of its window.
    Window,
    /// The end of its rest.
    Rest,
}

impl Poller {
    /// What is due at that moment, and not any more from now on.
    pub fn take_due(&mut self, now_us: u64) -> Option<PollerDue> {
        let of_invocation = self.invocation.as_mut().map(|invocation| &mut invocation.due_us);
        let offer_due_us = Some(&mut self.offer_due_us);
        let window_ends_us = Some(&mut self.window_ends_us);
        let rests_until_us = Some(&mut self.rests_until_us);
        let all = [
            (PollerDue::Invocation, of_invocation),
            (PollerDue::Offer, offer_due_us),
            (PollerDue::Window, window_ends_us),
            (PollerDue::Rest, rests_until_us),
        ];
        for (due, at_us) in all {
            if let Some(at_us) = at_us.filter(|at_us| **at_us == now_us) {
                *at_us = NEVER;
                return Some(due);
            }
        }
        None
    }

    /// Batches that it has read and that are not over.
    fn in_hand(&self) -> usize {
        self.batches.len() + usize::from(self.invocation.is_some())
    }

    /// Whether it has nothing to do but to read.
    fn is_idle(&self) -> bool {
        self.in_hand() == 0 && self.gathered.is_empty() && self.rests_until_us == NEVER
    }
}

/// The mapping of a line.
#[derive(Debug)]
pub(super) struct Mapping {
    pub settings: LambdaSettings,
    is_fifo: bool,
    pub cold_start: TimeSampler,
    pub ramp: PollerRamp,
    pub environments: Environments,
    pollers: Vec<Poller>,
    /// Batches that wait for the function to have room, in the order of reading; each with its poller. Only where they wait
    /// in line.
    pub waiting: BTreeSet<(u64, u32)>,
    batches_read: u64,
}

impl Mapping {
    pub fn new(settings: &LambdaSettings, kind: QueueKind) -> Self {
        Self {
            is_fifo: kind == QueueKind::Fifo,
            cold_start: settings.cold_starts.time.sampler(),
            ramp: PollerRamp::new(settings),
            environments: Environments::new(settings),
            pollers: Vec::new(),
            waiting: BTreeSet::new(),
            batches_read: 0,
            settings: settings.clone(),
        }
    }

    /// The state of a poller.
    pub fn poller(&mut self, number: u32) -> &mut Poller {
        let number = number as usize;
        if self.pollers.len() <= number {
            self.pollers.resize_with(number + 1, Poller::default);
        }
        &mut self.pollers[number]
    }

    /// Messages that a poller may read now: none while it has all in hand that it may have, or rests.
    pub fn room(&self, number: u32) -> u32 {
        let Some(poller) = self.pollers.get(number as usize) else { return self.settings.batch };
        if poller.rests_until_us != NEVER || poller.in_hand() >= self.settings.batches_in_hand() {
            return 0;
        }
        self.settings.batch.saturating_sub(poller.gathered.len() as u32)
    }

    /// What there is to see of a fleet of that size.
    pub fn look(&self, fleet: u32, visible: usize) -> RampLook {
        let is_idle = |number: &u32| self.pollers.get(*number as usize).is_none_or(Poller::is_idle);
        RampLook { messages_wait: visible > 0, idle: (0..fleet).filter(is_idle).count() as u32 }
    }

    /// Closes the batch that a poller is reading, if there is one.
    pub fn close_batch(&mut self, number: u32) {
        let read = self.batches_read;
        let poller = self.poller(number);
        poller.window_ends_us = NEVER;
        let attempts = std::mem::take(&mut poller.gathered);
        if let Some(lease_ends_us) = attempts.iter().map(|attempt| attempt.leased_until_us).min() {
            poller.batches.push_back(ReadBatch { number: read, attempts, lease_ends_us });
            self.batches_read += 1;
        }
    }

    /// An invocation of that batch from now on, with its luck.
    pub fn invocation(&self, now_us: u64, attempts: Vec<Attempt>, draw: &mut KeyedDraw) -> Invocation {
        let settings = &self.settings;
        let reports = settings.responses == BatchResponses::FailedItems;
        // Both are drawn always, so that a change of one share leaves the luck of the other as it was.
        let (unreadable, hiding) = (draw.unit(), draw.unit());
        let is_unreadable = reports && unreadable < settings.wrong_answers.unreadable_share;
        let hides_failures = reports && hiding < settings.wrong_answers.hiding_share;
        // On a FIFO queue nothing may overtake what has failed (rule L4, batch failures).
        let leaves = !reports || hides_failures || self.is_fifo;
        Invocation {
            began_us: now_us,
            due_us: NEVER,
            records: Vec::with_capacity(attempts.len()),
            phase: Phase::Starting(attempts),
            any_failed: false,
            has_disposed: false,
            stops_at_failure: leaves && settings.records == RecordOrder::InTurn,
            is_unreadable,
            hides_failures,
        }
    }

    /// What becomes of the batch of an invocation, and whether it counts as failed.
    pub fn fate(&self, invocation: &Invocation, end: InvocationEnd) -> (BatchFate, bool) {
        let reports = self.settings.responses == BatchResponses::FailedItems;
        if end != InvocationEnd::Returned || invocation.is_unreadable {
            return (BatchFate::ComesBack, true);
        }
        match (invocation.any_failed, reports) {
            (false, _) => (BatchFate::Deleted, false),
            (true, false) => (BatchFate::ComesBack, true),
            (true, true) if invocation.hides_failures => (BatchFate::Deleted, false),
            (true, true) => (BatchFate::FailedComeBack, false),
        }
    }

    /// Whether batches wait in line for the function.
    pub fn has_line(&self) -> bool {
        self.settings.throttled == ThrottledBatches::Prefetch
    }
}
