//! Where a message was, from one event to the next.

use crate::model::policy::Disposition;
use crate::model::queue::DeleteAnswer;
use crate::simulation::{Changed, DeadLettering, Happening, MessageIdentity, Sight};

/// Where a message is, seen from its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// Held back before its first receive (rule Q16, delivery delay).
    Delayed,
    /// Visible: it waits for a poll.
    Visible,
    /// Leased, in a consumer's buffer or in a batch that is not begun.
    Buffered,
    /// Leased, and a handler is at work on it.
    Handled,
    /// Hidden for as long as the policy has asked.
    BackingOff,
    /// Leased, and nobody works on it: the lease runs to its end.
    LeaseRuns,
}

impl Whereabouts {
    /// All, in the order of a message's life.
    pub const ALL: [Self; 6] =
        [Self::Delayed, Self::Visible, Self::Buffered, Self::Handled, Self::BackingOff, Self::LeaseRuns];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Delayed => "delayed",
            Self::Visible => "visible",
            Self::Buffered => "buffered",
            Self::Handled => "handled",
            Self::BackingOff => "backing_off",
            Self::LeaseRuns => "lease_runs",
        }
    }

    /// What the message does there, in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Delayed => "held back by the delivery delay",
            Self::Visible => "waiting visible",
            Self::Buffered => "leased in a buffer",
            Self::Handled => "in the handler",
            Self::BackingOff => "hidden by the backoff",
            Self::LeaseRuns => "leased, with nobody at work on it",
        }
    }
}

/// A time that a message spends at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// From when.
    pub from_us: u64,
    /// Until when.
    pub until_us: u64,
    /// Where.
    pub whereabouts: Whereabouts,
}

impl Stretch {
    /// How much of it lies in a time.
    pub fn within_us(&self, from_us: u64, until_us: u64) -> u64 {
        self.until_us.min(until_us).saturating_sub(self.from_us.max(from_us))
    }
}

/// How a message leaves a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Deleted.
    Deleted,
    /// Moved or sent to the dead-letter queue.
    DeadLettered(DeadLettering),
    /// Removed by retention.
    Expired,
    /// Sent anew by a redrive.
    Redriven,
    /// Still there at the end of the run.
    Pending,
}

/// A handler's work on a message; it may go on when the lease is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handling {
    /// Which receive it belongs to.
    pub receive_count: u32,
    /// When it began.
    pub from_us: u64,
    /// When it was over; the end of the run if it was not.
    pub until_us: u64,
    /// Whether it was a success.
    pub worked: bool,
}

/// One copy of a message in one queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The queue: 0 is the setup's own, then the others, then the dead-letter queue.
    pub line: usize,
    /// Which copy.
    pub message: MessageIdentity,
    /// When it came.
    pub from_us: u64,
    /// When it left, or the run was over.
    pub until_us: u64,
    /// How it left.
    pub ending: Ending,
    /// Where it was; without gaps.
    pub stretches: Vec<Stretch>,
    /// What handlers did.
    pub handlings: Vec<Handling>,
    /// Receives: when, and the count.
    pub receives: Vec<(u64, u32)>,
    whereabouts: Whereabouts,
    since_us: u64,
    is_over: bool,
    /// Handlers at work: receive, and since when.
    at_work: Vec<(u32, u64)>,
}

impl Track {
    /// A copy that comes now.
    pub(super) fn new(sight: &Sight) -> Self {
        let delayed = matches!(sight.happening, Happening::Entered { delayed_until_us: Some(_), .. });
        Self {
            line: sight.line,
            message: sight.message,
            from_us: sight.at_us,
            until_us: sight.at_us,
            ending: Ending::Pending,
            stretches: Vec::new(),
            handlings: Vec::new(),
            receives: Vec::new(),
            whereabouts: if delayed { Whereabouts::Delayed } else { Whereabouts::Visible },
            since_us: sight.at_us,
            is_over: false,
            at_work: Vec::new(),
        }
    }

    /// Whether it has left its queue.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Where it is, and since when.
    pub(super) fn now(&self) -> (Whereabouts, u64) {
        (self.whereabouts, self.since_us)
    }

    /// The count of its latest receive.
    pub(super) fn receive_count(&self) -> u32 {
        self.receives.last().map_or(0, |(_, count)| *count)
    }

    /// Follows it one step.
    pub(super) fn step(&mut self, sight: &Sight) {
        let at_us = sight.at_us;
        match sight.happening {
            Happening::Received { receive_count, .. } | Happening::DeliveryLost { receive_count, .. } => {
                self.receives.push((at_us, receive_count));
                self.goes(at_us, Whereabouts::LeaseRuns);
            }
            Happening::Buffered => self.goes_on_under_lease(at_us, Whereabouts::Buffered),
            Happening::HandlerBegan { receive_count } => {
                self.at_work.push((receive_count, at_us));
                if receive_count == self.receive_count() {
                    self.goes_on_under_lease(at_us, Whereabouts::Handled);
                }
            }
            Happening::CallWorked { receive_count, .. } => self.handler_ends(at_us, receive_count, true),
            Happening::Decided { disposition: Disposition::RetryInProcess { .. }, .. } => {}
            Happening::Decided { receive_count, .. }
            | Happening::HandlerKilled { receive_count }
            | Happening::Skipped { receive_count }
            | Happening::ConsumerDied { receive_count }
            | Happening::CameBackWithBatch { receive_count, .. } => {
                self.handler_ends(at_us, receive_count, false);
            }
            Happening::NoPlace | Happening::AgedOut | Happening::GroupStopped | Happening::BatchDropped => {
                self.goes_on_under_lease(at_us, Whereabouts::LeaseRuns);
            }
            Happening::VisibilityChanged { changed, .. } => self.changes(at_us, changed, Whereabouts::BackingOff),
            Happening::Extended { changed, .. } => self.changes(at_us, changed, self.whereabouts),
            Happening::LeaseEnded(_) | Happening::DelayEnded(_) => self.goes(at_us, Whereabouts::Visible),
            Happening::Deleted { answer: DeleteAnswer::Deleted } => self.leaves(at_us, Ending::Deleted),
            Happening::DeadLettered(way) if way != DeadLettering::Copied => {
                self.leaves(at_us, Ending::DeadLettered(way));
            }
            Happening::Expired => self.leaves(at_us, Ending::Expired),
            Happening::Redriven => self.leaves(at_us, Ending::Redriven),
            _ => {}
        }
    }

    /// The run is over.
    pub(super) fn finish(&mut self, end_us: u64) {
        for (receive_count, from_us) in std::mem::take(&mut self.at_work) {
            self.handlings.push(Handling { receive_count, from_us, until_us: end_us, worked: false });
        }
        self.handlings.sort_by_key(|handling| (handling.from_us, handling.receive_count));
        if !self.is_over {
            self.leaves(end_us, Ending::Pending);
        }
    }

    fn goes(&mut self, at_us: u64, whereabouts: Whereabouts) {
        if self.is_over {
            return;
        }
        if at_us > self.since_us {
            let (from_us, whereabouts) = (self.since_us, self.whereabouts);
            self.stretches.push(Stretch { from_us, until_us: at_us, whereabouts });
        }
        (self.whereabouts, self.since_us) = (whereabouts, at_us);
    }

    /// What a consumer does says nothing of a message that is visible again.
    fn goes_on_under_lease(&mut self, at_us: u64, whereabouts: Whereabouts) {
        if self.whereabouts != Whereabouts::Visible && self.whereabouts != Whereabouts::BackingOff {
            self.goes(at_us, whereabouts);
        }
    }

    fn changes(&mut self, at_us: u64, changed: Changed, hidden: Whereabouts) {
        match changed {
            Changed::HiddenUntil { .. } => self.goes(at_us, hidden),
            Changed::Visible(_) => self.goes(at_us, Whereabouts::Visible),
            // The move is told by itself.
            Changed::Moved | Changed::Nothing | Changed::Refused(_) => {}
        }
    }

    fn handler_ends(&mut self, at_us: u64, receive_count: u32, worked: bool) {
        let position = self.at_work.iter().position(|(of, _)| *of == receive_count);
        if let Some(position) = position {
            let (_, from_us) = self.at_work.remove(position);
            self.handlings.push(Handling { receive_count, from_us, until_us: at_us, worked });
        }
        if receive_count == self.receive_count() {
            self.goes_on_under_lease(at_us, Whereabouts::LeaseRuns);
        }
    }

    fn leaves(&mut self, at_us: u64, ending: Ending) {
        self.goes(at_us, self.whereabouts);
        if !self.is_over {
            (self.is_over, self.until_us, self.ending) = (true, at_us, ending);
        }
    }
}
