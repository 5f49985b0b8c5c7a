//! Deletes that do not come one by one after the work: those that come before it, and those that are held back until there
//! are several.

use super::event::{Event, Place};
use super::observing::{Happening, Observer};
use super::results::Decision;
use super::world::World;
use crate::measure::Fate;
use crate::model::MessageClass;
use crate::model::consumer::{Acknowledge, ConsumerSettings, SlotId};
use crate::model::policy::{Disposition, RetryPolicy};
use crate::model::queue::{QueueKind, Receipt};

/// Deletes that one request can carry (rule B1, requests).
const DELETES_A_REQUEST: usize = 10;

/// How a fleet deletes, where it is not each message by itself after its work. It stands beside the slots, not in them:
/// most fleets have none of it.
#[derive(Debug)]
pub(super) enum Acknowledging {
    /// Before the work. By slot: whether that delete has removed the message that is worked on, so that its fate is still
    /// open.
    Early(Vec<bool>),
    /// Several at a time.
    Batched(Batches),
}

/// Deletes that are held back.
#[derive(Debug)]
pub(super) struct Batches {
    messages: usize,
    every_us: u64,
    by_consumer: Vec<Batch>,
}

/// Those of one consumer.
#[derive(Debug, Default)]
struct Batch {
    done: Vec<(Receipt, MessageClass)>,
    /// When they are sent at the latest, if there are any.
    due_us: Option<u64>,
}

/// What a delete that is held back leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeldBack {
    /// It waits with the others.
    Waits,
    /// It is the first: all are due at that time.
    DueAt(u64),
    /// There are enough now.
    Enough,
}

impl Acknowledging {
    /// How such a fleet deletes; `None`: each message by itself. On a FIFO queue no delete is held back (rule S2, batched
    /// acknowledgements): the rest of the group waits for it.
    pub fn new(consumers: &ConsumerSettings, queue: QueueKind) -> Option<Self> {
        match consumers.acknowledge {
            Acknowledge::Each => None,
            Acknowledge::Early => Some(Self::Early(Vec::new())),
            Acknowledge::Batched { .. } if queue == QueueKind::Fifo => None,
            Acknowledge::Batched { messages, every_us } => {
                Some(Self::Batched(Batches { messages: messages as usize, every_us, by_consumer: Vec::new() }))
            }
        }
    }

    /// How long after its work a message is deleted at the latest.
    pub fn lag_us(&self) -> u64 {
        match self {
            Self::Early(_) => 0,
            Self::Batched(batches) => batches.every_us,
        }
    }

    fn is_early(&self) -> bool {
        matches!(self, Self::Early(_))
    }

    /// Whether the fate of the message in that slot is open, though it has left the queue.
    pub fn is_open(&self, slot: SlotId) -> bool {
        match self {
            Self::Early(open) => open.get(slot.0 as usize).is_some_and(|open| *open),
            Self::Batched(_) => false,
        }
    }

    fn set_open(&mut self, slot: SlotId, is_open: bool) {
        let (Self::Early(open), number) = (self, slot.0 as usize) else { return };
        if open.len() <= number {
            open.resize(number + 1, false);
        }
        open[number] = is_open;
    }
}

impl Batches {
    fn of(&mut self, consumer: u32) -> &mut Batch {
        let number = consumer as usize;
        if self.by_consumer.len() <= number {
            self.by_consumer.resize_with(number + 1, Batch::default);
        }
        &mut self.by_consumer[number]
    }

    fn hold_back(&mut self, now_us: u64, consumer: u32, receipt: Receipt, class: MessageClass) -> HeldBack {
        let (messages, due_us) = (self.messages, now_us + self.every_us);
        let batch = self.of(consumer);
        batch.done.push((receipt, class));
        if batch.done.len() >= messages {
            return HeldBack::Enough;
        }
        match batch.due_us.replace(batch.due_us.unwrap_or(due_us)) {
            None => HeldBack::DueAt(due_us),
            Some(_) => HeldBack::Waits,
        }
    }

    fn take(&mut self, consumer: u32) -> Vec<(Receipt, MessageClass)> {
        std::mem::take(self.of(consumer)).done
    }
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// The handler in that slot is about to begin: where its fleet deletes early, it deletes the message. Says whether this
    /// delete has removed it.
    #[cold]
    pub fn acknowledge_early(&mut self, line: usize, slot: SlotId) -> bool {
        let state = &mut self.lines[line];
        if !state.acknowledging.as_ref().is_some_and(Acknowledging::is_early) {
            return false;
        }
        let Some(attempt) = state.fleet.work_mut(slot) else { return false };
        let receipt = attempt.receipt;
        self.recorder.request();
        let is_removed = self.delete(line, receipt);
        let state = &mut self.lines[line];
        if let Some(acknowledging) = &mut state.acknowledging {
            acknowledging.set_open(slot, is_removed);
        }
        // Others are served by an event of their own, not from within: they would delete early in turn, and so on.
        if is_removed && state.may_serve_polls() {
            self.agenda.schedule(self.now_us, Event::MessagesFreed(line as u32).pack());
        }
        is_removed
    }

    /// Polls may wait for what an early delete has made free.
    pub fn messages_freed(&mut self, line: usize) {
        if !self.lines[line].may_serve_polls() {
            self.event_was_stale();
        }
        self.serve_waiting(line);
    }

    /// The message in that slot is done, and its fleet does not delete it now: it has done so before, or will do so with
    /// others.
    #[cold]
    pub fn acknowledge_apart(&mut self, line: usize, slot: SlotId, receipt: Receipt, class: MessageClass) {
        if matches!(self.lines[line].acknowledging, Some(Acknowledging::Batched(_))) {
            self.tell_of(line, receipt, |_| Happening::DeleteHeldBack);
        }
        let state = &mut self.lines[line];
        let consumer = state.fleet.consumer_of(slot);
        match &mut state.acknowledging {
            Some(Acknowledging::Batched(batches)) => {
                state.queue.hold(receipt);
                match batches.hold_back(self.now_us, consumer, receipt, class) {
                    HeldBack::Waits => {}
                    HeldBack::DueAt(at_us) => {
                        let event = Event::AcknowledgementsDue(Place { line, number: consumer }.pack());
                        self.agenda.schedule(at_us, event.pack());
                    }
                    HeldBack::Enough => self.flush_acknowledgements(line, consumer),
                }
            }
            _ => self.settle_early(line, slot),
        }
        self.end(line, slot, Ok(()));
    }

    /// It may be time to send what a consumer holds back.
    pub fn acknowledgements_due(&mut self, Place { line, number: consumer }: Place) {
        let Some(Acknowledging::Batched(batches)) = &mut self.lines[line].acknowledging else { return };
        if batches.of(consumer).due_us != Some(self.now_us) {
            return self.event_was_stale();
        }
        self.flush_acknowledgements(line, consumer);
        self.serve_waiting(line);
    }

    /// A consumer sends the deletes that it holds back, if any. Deleted messages may have freed a place under the limit of
    /// messages in flight: the caller serves the polls that wait.
    pub fn flush_acknowledgements(&mut self, line: usize, consumer: u32) {
        let Some(Acknowledging::Batched(batches)) = &mut self.lines[line].acknowledging else { return };
        let done = batches.take(consumer);
        (0..done.len().div_ceil(DELETES_A_REQUEST)).for_each(|_| self.recorder.request());
        for (receipt, class) in done {
            if self.delete(line, receipt) {
                self.record_left(line, class, Fate::Processed);
            }
            self.lines[line].queue.let_go(receipt);
        }
    }

    /// A consumer's process dies: what it holds back is never sent, and what it has deleted early is lost.
    #[cold]
    pub fn acknowledgements_die(&mut self, line: usize, consumer: u32) {
        let state = &mut self.lines[line];
        match &mut state.acknowledging {
            Some(Acknowledging::Batched(batches)) => {
                let done = batches.take(consumer);
                self.recorder.acknowledgements_lost(done.len() as u64);
                for (receipt, _) in done {
                    self.tell_of(line, receipt, |_| Happening::DeleteLost);
                    self.lines[line].queue.let_go(receipt);
                }
            }
            Some(Acknowledging::Early(_)) => {
                state.fleet.slots_of(consumer).for_each(|slot| self.settle_early(line, slot));
            }
            None => {}
        }
    }

    /// The handler in that slot is through with a message. If an early delete has removed it, its fate is known now.
    pub fn settle_early(&mut self, line: usize, slot: SlotId) {
        let state = &mut self.lines[line];
        let Some(acknowledging) = state.acknowledging.as_mut().filter(|acknowledging| acknowledging.is_open(slot))
        else {
            return;
        };
        acknowledging.set_open(slot, false);
        let Some(attempt) = state.fleet.work_mut(slot) else { return };
        let (receipt, class) = (attempt.receipt, attempt.class);
        let has_succeeded = state.queue.held(receipt).tag.succeeded;
        self.record_left(line, class, if has_succeeded { Fate::Processed } else { Fate::DeletedUnprocessed });
    }

    /// The attempt at a message that was deleted early has failed; says whether that is all. There is nothing left to hide
    /// or to delete, but the consumer still has its copy: it may try again, write it down, send it anew, or send it to
    /// the dead-letter queue.
    pub fn dispose_of_deleted(&mut self, line: usize, slot: SlotId, receipt: Receipt, decision: Decision) -> bool {
        let is_early = self.lines[line].acknowledging.as_ref().is_some_and(Acknowledging::is_early);
        if !is_early || matches!(decision.disposition, Disposition::RetryInProcess { .. }) {
            return false;
        }
        match decision.disposition {
            Disposition::DeadLetter if line != self.dead_letter_line => self.dead_letter_deleted(line, slot, receipt),
            Disposition::Resend if line != self.dead_letter_line => self.resend_deleted(line, slot, receipt),
            Disposition::RecordAndDelete => self.recorder.written_down(),
            _ => {}
        }
        self.settle_early(line, slot);
        self.end(line, slot, Err(decision.error));
        true
    }

    fn dead_letter_deleted(&mut self, line: usize, slot: SlotId, receipt: Receipt) {
        self.recorder.request();
        let state = &mut self.lines[line];
        let removed = state.queue.copy_of(receipt);
        match state.acknowledging.as_mut().filter(|acknowledging| acknowledging.is_open(slot)) {
            Some(acknowledging) => {
                acknowledging.set_open(slot, false);
                self.send_to_dead_letter_queue(line, removed);
            }
            None => self.copy_to_dead_letter_queue(line, receipt),
        }
    }

    fn resend_deleted(&mut self, line: usize, slot: SlotId, receipt: Receipt) {
        self.recorder.request();
        let state = &mut self.lines[line];
        let copied = state.queue.copy_of(receipt);
        let open = state.acknowledging.as_mut().filter(|acknowledging| acknowledging.is_open(slot));
        let is_gone = open.is_some();
        if let Some(acknowledging) = open {
            acknowledging.set_open(slot, false);
            self.record_left(line, copied.tag.class, Fate::Redriven);
        }
        self.send_copy(line, copied, is_gone);
    }

    /// Classes of the messages that were deleted early and are still worked on.
    pub fn classes_of_open(&mut self, line: usize) -> Vec<MessageClass> {
        let state = &mut self.lines[line];
        let Some(Acknowledging::Early(open)) = &state.acknowledging else { return Vec::new() };
        let slots = (0..open.len() as u32).map(SlotId).filter(|slot| open[slot.0 as usize]);
        slots.filter_map(|slot| state.fleet.work_mut(slot).map(|attempt| attempt.class)).collect()
    }
}
