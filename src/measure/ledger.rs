//! The ledger: every message accounted for.

use crate::model::MessageClass;

/// Classes of message.
const CLASSES: usize = MessageClass::ALL.len();

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Deleted after a success.
    Processed,
    /// Moved to the dead-letter queue.
    DeadLettered,
    /// Removed by retention.
    Expired,
    /// Deleted without a success.
    DeletedUnprocessed,
    /// Still there at the end.
    Pending,
    /// Sent back to the queue that it came from, as a new message: a fate in a dead-letter queue only.
    Redriven,
}

impl Fate {
    /// Every fate, in the order of reports.
    pub const ALL: [Self; 6] =
        [Self::Processed, Self::DeadLettered, Self::Expired, Self::DeletedUnprocessed, Self::Pending, Self::Redriven];
}

/// The books of a run do not balance: a message was lost or counted twice, and no number of the run can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the ledger does not balance for {} messages: {enqueued} were enqueued, {accounted} are accounted \
     for; this is a defect of retrystorm, please report it with the scenario",
    class.name()
)]
pub struct Unbalanced {
    /// Class of the messages.
    pub class: MessageClass,
    /// How many were sent.
    pub enqueued: u64,
    /// How many have a known fate.
    pub accounted: u64,
}

/// Messages by class: how many were sent, and what became of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Messages sent by producers, by class; in a dead-letter queue, messages that have moved there.
    pub enqueued: [u64; CLASSES],
    /// Messages that a redrive has sent anew, by class.
    pub redriven: [u64; CLASSES],
    /// Messages by fate and class.
    pub fates: [[u64; CLASSES]; Fate::ALL.len()],
}

impl Ledger {
    /// Messages sent, of all classes.
    pub fn total_enqueued(&self) -> u64 {
        self.enqueued.iter().sum()
    }

    /// Messages of one fate, of all classes.
    pub fn total(&self, fate: Fate) -> u64 {
        self.fates[fate as usize].iter().sum()
    }

    /// Messages of one fate and class.
    pub fn count(&self, fate: Fate, class: MessageClass) -> u64 {
        self.fates[fate as usize][class as usize]
    }

    /// Valid messages that were lost.
    pub fn lost_valid(&self) -> u64 {
        let fates = [Fate::DeadLettered, Fate::Expired, Fate::DeletedUnprocessed];
        fates.iter().map(|&fate| self.count(fate, MessageClass::Valid)).sum()
    }

    /// New books, in which the messages that have no fate yet are sent now.
    pub fn begun_anew(&self) -> Self {
        let outstanding = |class: MessageClass| {
            let fates: u64 = Fate::ALL.iter().map(|&fate| self.count(fate, class)).sum();
            (self.enqueued[class as usize] + self.redriven[class as usize]).saturating_sub(fates)
        };
        Self { enqueued: MessageClass::ALL.map(outstanding), ..Self::default() }
    }

    /// Checks that every message that was sent has exactly one fate.
    ///
    /// # Errors
    /// Where it does not hold for a class.
    pub fn check(&self) -> Result<(), Unbalanced> {
        for class in MessageClass::ALL {
            let enqueued = self.enqueued[class as usize] + self.redriven[class as usize];
            let accounted = Fate::ALL.iter().map(|&fate| self.count(fate, class)).sum();
            if enqueued != accounted {
                return Err(Unbalanced { class, enqueued, accounted });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_begun_anew_have_what_is_outstanding() {
        let mut ledger = Ledger { enqueued: [9, 4, 0], redriven: [1, 0, 0], ..Ledger::default() };
        ledger.fates[Fate::Processed as usize] = [6, 0, 0];
        ledger.fates[Fate::Expired as usize] = [1, 4, 0];
        assert_eq!(ledger.begun_anew(), Ledger { enqueued: [3, 0, 0], ..Ledger::default() });
    }

    #[test]
    fn a_missing_and_a_doubled_message_both_show() {
        let mut ledger = Ledger { enqueued: [2, 1, 0], ..Ledger::default() };
        ledger.fates[Fate::Processed as usize] = [1, 1, 0];
        assert_eq!(ledger.check(), Err(Unbalanced { class: MessageClass::Valid, enqueued: 2, accounted: 1 }));
        ledger.fates[Fate::Pending as usize] = [1, 1, 0];
        assert_eq!(ledger.check(), Err(Unbalanced { class: MessageClass::Permanent, enqueued: 1, accounted: 2 }));
        ledger.fates[Fate::Processed as usize] = [1, 0, 0];
        assert_eq!(ledger.check(), Ok(()));
    }
}
