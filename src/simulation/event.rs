//! The kinds of events, and how they are packed into the agenda's payload.

/// Lanes of the agenda: one for each kind of event whose delay is the same most of the time.
pub(super) mod lane {
    pub const ARRIVAL: usize = 0;
    pub const LEASE: usize = 1;
    pub const POLL: usize = 2;
    pub const PATIENCE: usize = 3;
    pub const FAILURE: usize = 4;
    pub const COUNT: usize = 5;
}

/// Names a place of one line: a message's place in its queue, a slot, a consumer, a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The line.
    pub line: usize,
    /// The number within it.
    pub number: u32,
}

/// Bits of a place's number; the line is above them. 2^25 are 33 million messages or slots of one line.
const PLACE_BITS: u32 = 25;

impl Place {
    /// The most lines that a run can have.
    pub const LINES_MAX: usize = 1 << (NUMBER_BITS - PLACE_BITS);

    /// Line and number in one.
    #[inline]
    pub fn pack(self) -> u32 {
        debug_assert!(self.line < Self::LINES_MAX && self.number < 1 << PLACE_BITS);
        (self.line as u32) << PLACE_BITS | self.number
    }

    #[inline]
    pub fn unpack(packed: u32) -> Self {
        Self { line: (packed >> PLACE_BITS) as usize, number: packed & ((1 << PLACE_BITS) - 1) }
    }
}

/// Something that happens at a moment. The number says to whom; where that belongs to a line, it is a packed [`Place`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A producer sends a message.
    Arrival(u32),
    /// A lease of the message in that place of the queue may have ended.
    LeaseEnds(u32),
    /// The wait of a consumer's poll may have ended.
    PollTimer(u32),
    /// The handler in that slot goes on: its own work is done, or its sleep or wait before the next try, or it is killed.
    HandlerGoesOn(u32),
    /// A server of the downstream is done.
    ServerDone(u32),
    /// A caller's patience with a call may have ended.
    PatienceEnds(u32),
    /// The caller in that slot learns that its call has failed.
    CallFails(u32),
    /// A circuit breaker's cooldown may have ended, or the limit of its ramp-up have grown.
    BreakerTimer(u32),
    /// A crashed consumer is back.
    ConsumerRestarts(u32),
    /// Retention may remove messages of that line.
    Expiry(u32),
    /// A delayed message of that place becomes visible.
    DelayEnds(u32),
    /// An operator acts: the number is the action's in the setup.
    Operation(u32),
    /// What an operator changed takes effect.
    ChangeApplies(u32),
    /// A redrive task moves its next messages: the number is the action's.
    Redrive(u32),
    /// A producer sends a message a second time: the number is the repeated send's.
    SendAgain(u32),
    /// The lease of the message in that slot may have to be extended.
    Heartbeat(u32),
    /// New consumers of that line have started, or its autoscaler looks at the backlog.
    AutoscalerTimer(u32),
    /// A consumer that has not ended in time is killed.
    ConsumerKilled(u32),
    /// A consumer's process crashes by itself.
    ProcessCrashes(u32),
    /// A consumer's pause between two polls may have ended.
    PauseEnds(u32),
    /// A consumer may have to send the deletes that it has held back.
    AcknowledgementsDue(u32),
    /// Polls of that line may wait for messages that have become free.
    MessagesFreed(u32),
    /// Something may be due for a poller of a Lambda mapping.
    PollerTimer(u32),
    /// The number of pollers of that line's mapping is looked at.
    RampTimer(u32),
}

/// Bits of the number; the kind is above them.
const NUMBER_BITS: u32 = 28;

impl Event {
    #[inline]
    pub fn pack(self) -> u64 {
        let (kind, number) = match self {
            Self::Arrival(producer) => (0, producer),
            Self::LeaseEnds(message) => (1, message),
            Self::PollTimer(consumer) => (2, consumer),
            Self::HandlerGoesOn(slot) => (3, slot),
            Self::ServerDone(server) => (4, server),
            Self::PatienceEnds(call) => (5, call),
            Self::CallFails(slot) => (6, slot),
            Self::BreakerTimer(breaker) => (7, breaker),
            Self::ConsumerRestarts(consumer) => (8, consumer),
            Self::Expiry(line) => (9, line),
            Self::DelayEnds(message) => (10, message),
            Self::Operation(action) => (11, action),
            Self::ChangeApplies(action) => (12, action),
            Self::Redrive(action) => (13, action),
            Self::SendAgain(send) => (14, send),
            Self::Heartbeat(slot) => (15, slot),
            Self::AutoscalerTimer(line) => (16, line),
            Self::ConsumerKilled(consumer) => (17, consumer),
            Self::ProcessCrashes(consumer) => (18, consumer),
            Self::PauseEnds(consumer) => (19, consumer),
            Self::AcknowledgementsDue(consumer) => (20, consumer),
            Self::MessagesFreed(line) => (21, line),
            Self::PollerTimer(poller) => (22, poller),
            Self::RampTimer(line) => (23, line),
        };
        debug_assert!(number < 1 << NUMBER_BITS);
        kind << NUMBER_BITS | u64::from(number)
    }

    #[inline]
    pub fn unpack(payload: u64) -> Self {
        let number = (payload & ((1 << NUMBER_BITS) - 1)) as u32;
        match payload >> NUMBER_BITS {
            0 => Self::Arrival(number),
            1 => Self::LeaseEnds(number),
            2 => Self::PollTimer(number),
            3 => Self::HandlerGoesOn(number),
            4 => Self::ServerDone(number),
            5 => Self::PatienceEnds(number),
            6 => Self::CallFails(number),
            7 => Self::BreakerTimer(number),
            8 => Self::ConsumerRestarts(number),
            9 => Self::Expiry(number),
            10 => Self::DelayEnds(number),
            11 => Self::Operation(number),
            12 => Self::ChangeApplies(number),
            13 => Self::Redrive(number),
            14 => Self::SendAgain(number),
            15 => Self::Heartbeat(number),
            16 => Self::AutoscalerTimer(number),
            17 => Self::ConsumerKilled(number),
            18 => Self::ProcessCrashes(number),
            19 => Self::PauseEnds(number),
            20 => Self::AcknowledgementsDue(number),
            21 => Self::MessagesFreed(number),
            22 => Self::PollerTimer(number),
            _ => Self::RampTimer(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_packing() {
        let place = Place { line: Place::LINES_MAX - 1, number: (1 << PLACE_BITS) - 1 };
        assert_eq!(Place::unpack(place.pack()), place);
    }

    #[test]
    fn events_survive_packing() {
        let largest = (1 << NUMBER_BITS) - 1;
        for event in [
            Event::Arrival(3),
            Event::LeaseEnds(largest),
            Event::PollTimer(0),
            Event::HandlerGoesOn(1),
            Event::ServerDone(2),
            Event::PatienceEnds(largest),
            Event::CallFails(9),
            Event::BreakerTimer(4),
            Event::ConsumerRestarts(5),
            Event::Expiry(7),
            Event::DelayEnds(8),
            Event::Operation(1),
            Event::ChangeApplies(2),
            Event::Redrive(3),
            Event::SendAgain(largest),
            Event::Heartbeat(6),
            Event::AutoscalerTimer(6),
            Event::ConsumerKilled(7),
            Event::ProcessCrashes(8),
            Event::PauseEnds(7),
            Event::AcknowledgementsDue(largest),
            Event::MessagesFreed(1),
            Event::PollerTimer(9),
            Event::RampTimer(6),
        ] {
            assert_eq!(Event::unpack(event.pack()), event);
        }
    }
}
