//! What a run tells whoever watches it, message by message.
//!
//! Nobody watches most runs. Whether somebody does is known when the program is built, so that a run without an observer
//! has no code for one.

use super::identity::MessageIdentity;
use super::world::World;
use crate::model::MessageClass;
use crate::model::consumer::SlotId;
use crate::model::policy::{AttemptError, Disposition, RetryPolicy};
use crate::model::queue::{ChangeRefused, DeleteAnswer, LeaseEnd, Receipt, VisibilityChange};

/// Something that happened to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// When.
    pub at_us: u64,
    /// At which queue: 0 is the setup's own, then the others, then the dead-letter queue.
    pub line: usize,
    /// To which message.
    pub message: MessageIdentity,
    /// What.
    pub happening: Happening,
}

/// How a message stands in its queue when it is visible again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Other messages that are visible.
    pub others: u64,
    /// Whether it has gone to the back (rule Q8, back of queue).
    pub at_back: bool,
}

/// How a message comes into the dead-letter queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeadLettering {
    /// A poll has found that it has used up its receives (rule Q7, lazy redrive).
    Polled,
    /// Its lease has ended and the queue moves it at once (rule Q7, lazy redrive, switched to eager).
    AtOnce,
    /// Its consumer has sent it there and deleted it.
    ByConsumer,
    /// Its consumer has sent a copy there and has not deleted it.
    Copied,
}

/// What a change of visibility has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is hidden until then.
    HiddenUntil {
        /// The new end of the lease.
        at_us: u64,
    },
    /// It is visible now.
    Visible(Standing),
    /// It has moved to the dead-letter queue.
    Moved,
    /// Nothing: the lease of the receipt had ended (rule Q15, stale handles).
    Nothing,
    /// The queue has refused it.
    Refused(ChangeRefused),
}

/// What can happen to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Happening {
    /// It is in the queue.
    Entered {
        /// Its class.
        class: MessageClass,
        /// End of its delay (rule Q16, delivery delay), if it has one.
        delayed_until_us: Option<u64>,
        /// Other messages that are visible.
        others: u64,
    },
    /// The queue has not taken it again (rule F7, deduplication).
    Deduplicated,
    /// Its delay is over.
    DelayEnded(Standing),
    /// A consumer has received it.
    Received {
        /// Receives so far, this one included.
        receive_count: u32,
        /// End of the lease.
        leased_until_us: u64,
        /// By whom.
        consumer: u32,
    },
    /// It was handed out and reached nobody (rule Q14, duplicates and lost deliveries).
    DeliveryLost {
        /// Receives so far, this one included.
        receive_count: u32,
        /// End of the lease.
        leased_until_us: u64,
    },
    /// It waits in its consumer's buffer, or in the batch of a poller.
    Buffered,
    /// Its consumer has no place for it.
    NoPlace,
    /// Its consumer comes to it after its lease, and lets it be.
    AgedOut,
    /// An earlier message of its group has failed in its consumer's hands, and it is left to its lease (rule S1, container
    /// defaults).
    GroupStopped,
    /// A function is invoked with it.
    Invoked {
        /// Whether a new environment has to start first.
        is_cold: bool,
        /// Messages of the batch.
        batch: usize,
    },
    /// Its batch was given up before any handler has seen it (rule L6, over-pull).
    BatchDropped,
    /// The function has ended, and it stays under its lease (rule L4, batch failures).
    CameBackWithBatch {
        /// In which receive.
        receive_count: u32,
        /// Whether it failed itself.
        has_failed: bool,
    },
    /// A handler begins on it.
    HandlerBegan {
        /// In which receive.
        receive_count: u32,
    },
    /// Its call goes out.
    CallBegan {
        /// In which receive.
        receive_count: u32,
        /// Which try within the receive, the first is 1.
        tries: u32,
    },
    /// Its call waits for a server.
    CallWaits,
    /// Its call was a success.
    CallWorked {
        /// In which receive.
        receive_count: u32,
        /// Whether it is the message's first.
        is_first: bool,
    },
    /// Its call has failed.
    CallFailed {
        /// In which receive.
        receive_count: u32,
        /// Why.
        error: AttemptError,
    },
    /// The downstream has done the work of a call that nobody waits for any more. Where it was sent from is not known.
    WorkedUnheard,
    /// The store says that it is done already: no call.
    Skipped {
        /// In which receive.
        receive_count: u32,
    },
    /// The client library calls again within the receive.
    ClientRetries {
        /// After how long.
        after_us: u64,
    },
    /// The policy has decided.
    Decided {
        /// After which receive.
        receive_count: u32,
        /// Why the attempt has failed.
        error: AttemptError,
        /// What the consumer took the error for.
        seen: AttemptError,
        /// What is to be done.
        disposition: Disposition,
    },
    /// Its consumer has asked for another visibility.
    VisibilityChanged {
        /// For how long, in seconds.
        delay_s: u32,
        /// What that did.
        changed: Changed,
    },
    /// A heartbeat has asked for a longer lease.
    Extended {
        /// For how long, in seconds.
        extend_to_s: u32,
        /// What that did.
        changed: Changed,
    },
    /// Its lease has ended, and it is visible again.
    LeaseEnded(Standing),
    /// Its consumer has asked for it to be deleted.
    Deleted {
        /// What the queue said and did.
        answer: DeleteAnswer,
    },
    /// Its delete waits for those of others (rule S2, batched acknowledgements).
    DeleteHeldBack,
    /// A delete that was held back has died with its consumer.
    DeleteLost,
    /// Its handler took too long and was killed.
    HandlerKilled {
        /// In which receive.
        receive_count: u32,
    },
    /// Its consumer's process has died.
    ConsumerDied {
        /// In which receive.
        receive_count: u32,
    },
    /// It goes to the dead-letter queue.
    DeadLettered(DeadLettering),
    /// Retention has removed it (rule Q10, retention).
    Expired,
    /// A redrive sends it anew (rule R1, message move task).
    Redriven,
    /// Its consumer sends it anew.
    Resent,
}

impl Happening {
    /// Which receive the attempt belongs to that it happened in, if it was one.
    pub fn attempt(self) -> Option<u32> {
        match self {
            Self::HandlerBegan { receive_count }
            | Self::CallBegan { receive_count, .. }
            | Self::CallWorked { receive_count, .. }
            | Self::CallFailed { receive_count, .. }
            | Self::Decided { receive_count, .. }
            | Self::Skipped { receive_count }
            | Self::HandlerKilled { receive_count }
            | Self::ConsumerDied { receive_count }
            | Self::CameBackWithBatch { receive_count, .. } => Some(receive_count),
            _ => None,
        }
    }
}

/// Watches a run.
pub(super) trait Observer {
    /// Whether it does.
    const WATCHES: bool;

    /// Something has happened.
    fn saw(&mut self, sight: &Sight);
}

/// Nobody.
impl Observer for () {
    const WATCHES: bool = false;

    #[inline(always)]
    fn saw(&mut self, _: &Sight) {}
}

/// Somebody.
pub(super) struct Watching<'a>(pub &'a mut dyn FnMut(&Sight));

impl Observer for Watching<'_> {
    const WATCHES: bool = true;

    fn saw(&mut self, sight: &Sight) {
        (self.0)(sight);
    }
}

impl<P: RetryPolicy + ?Sized, O: Observer> World<'_, P, O> {
    /// Something has happened to the message of that id.
    #[inline(always)]
    pub fn tell(&mut self, line: usize, id: u64, happening: impl FnOnce(&Self) -> Happening) {
        if O::WATCHES {
            let happening = happening(self);
            self.observer.saw(&Sight { at_us: self.now_us, line, message: MessageIdentity::of(id), happening });
        }
    }

    /// Something has happened to the message of a receipt that is still held.
    #[inline(always)]
    pub fn tell_of(&mut self, line: usize, receipt: Receipt, happening: impl FnOnce(&Self) -> Happening) {
        if O::WATCHES {
            let id = self.lines[line].queue.copy_of(receipt).id;
            self.tell(line, id, happening);
        }
    }

    /// Something has happened in the attempt of that slot; the attempt's receive is handed in.
    #[inline(always)]
    pub fn tell_in(&mut self, line: usize, slot: SlotId, happening: impl FnOnce(u32, u32) -> Happening) {
        if O::WATCHES
            && let Some(attempt) = self.lines[line].fleet.work_mut(slot)
        {
            let (id, receive_count, tries) = (attempt.id, attempt.receive_count, attempt.tries);
            self.tell(line, id, |_| happening(receive_count, tries));
        }
    }

    /// A lease or a delay of the message in that place has ended.
    #[inline(always)]
    pub fn tell_end(&mut self, line: usize, place: u32, end: LeaseEnd, happening: fn(Standing) -> Happening) {
        if O::WATCHES && end == LeaseEnd::Visible {
            let id = self.lines[line].queue.delivery(place, 0).id;
            self.tell(line, id, |world| happening(world.standing(line, place)));
        }
    }

    /// How the visible message in that place stands.
    fn standing(&self, line: usize, place: u32) -> Standing {
        let queue = &self.lines[line].queue;
        Standing { others: self.others(line), at_back: queue.is_at_back(place) }
    }

    /// Messages that are visible beside one.
    pub fn others(&self, line: usize) -> u64 {
        self.lines[line].queue.visible_count().saturating_sub(1) as u64
    }

    /// What a change of visibility has done, for those who watch.
    pub fn changed(&self, line: usize, place: u32, result: Result<VisibilityChange, ChangeRefused>) -> Changed {
        match result {
            Ok(VisibilityChange::Unchanged) | Ok(VisibilityChange::Ended(LeaseEnd::Stale)) => Changed::Nothing,
            Ok(VisibilityChange::LeasedUntil { at_us }) => Changed::HiddenUntil { at_us },
            Ok(VisibilityChange::Ended(LeaseEnd::Visible)) => Changed::Visible(self.standing(line, place)),
            Ok(VisibilityChange::Ended(LeaseEnd::DeadLettered(_))) => Changed::Moved,
            Err(refused) => Changed::Refused(refused),
        }
    }
}
