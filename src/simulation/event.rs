//! The kinds of events, and how they are packed into the agenda's 32 bits.

/// Lanes of the agenda: one for each kind of event whose delay is the same most of the time.
pub(super) mod lane {
    pub const ARRIVAL: usize = 0;
    pub const LEASE: usize = 1;
    pub const POLL: usize = 2;
    pub const PATIENCE: usize = 3;
    pub const FAILURE: usize = 4;
    pub const COUNT: usize = 5;
}

/// Something that happens at a moment. The number says to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A producer sends a message.
    Arrival(u32),
    /// A lease of the message in that place of the queue may have ended.
    LeaseEnds(u32),
    /// The wait of a consumer's poll may have ended.
    PollTimer(u32),
    /// The handler in that slot calls the downstream: its own work is done, or its sleep before the next try.
    HandlerCalls(u32),
    /// A server of the downstream is done.
    ServerDone(u32),
    /// A caller's patience with a call may have ended.
    PatienceEnds(u32),
    /// The caller in that slot learns that its call has failed.
    CallFails(u32),
    /// A circuit breaker's cooldown may have ended.
    BreakerCooled(u32),
    /// A crashed consumer is back.
    ConsumerRestarts(u32),
    /// Retention may remove messages.
    Expiry,
}

/// Bits of the number; the kind is above them. 2^28 are 268 million messages or slots at the same time.
const NUMBER_BITS: u32 = 28;

impl Event {
    #[inline]
    pub fn pack(self) -> u32 {
        let (kind, number) = match self {
            Self::Arrival(producer) => (0, producer),
            Self::LeaseEnds(message) => (1, message),
            Self::PollTimer(consumer) => (2, consumer),
            Self::HandlerCalls(slot) => (3, slot),
            Self::ServerDone(server) => (4, server),
            Self::PatienceEnds(call) => (5, call),
            Self::CallFails(slot) => (6, slot),
            Self::BreakerCooled(breaker) => (7, breaker),
            Self::ConsumerRestarts(consumer) => (8, consumer),
            Self::Expiry => (9, 0),
        };
        debug_assert!(number < 1 << NUMBER_BITS);
        kind << NUMBER_BITS | number
    }

    #[inline]
    pub fn unpack(payload: u32) -> Self {
        let number = payload & ((1 << NUMBER_BITS) - 1);
        match payload >> NUMBER_BITS {
            0 => Self::Arrival(number),
            1 => Self::LeaseEnds(number),
            2 => Self::PollTimer(number),
            3 => Self::HandlerCalls(number),
            4 => Self::ServerDone(number),
            5 => Self::PatienceEnds(number),
            6 => Self::CallFails(number),
            7 => Self::BreakerCooled(number),
            8 => Self::ConsumerRestarts(number),
            _ => Self::Expiry,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_survive_packing() {
        let largest = (1 << NUMBER_BITS) - 1;
        for event in [
            Event::Arrival(3),
            Event::LeaseEnds(largest),
            Event::PollTimer(0),
            Event::HandlerCalls(1),
            Event::ServerDone(2),
            Event::PatienceEnds(largest),
            Event::CallFails(9),
            Event::BreakerCooled(4),
            Event::ConsumerRestarts(5),
            Event::Expiry,
        ] {
            assert_eq!(Event::unpack(event.pack()), event);
        }
    }
}
