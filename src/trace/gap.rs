//! The time from one receive to the next, and what it is made of.

use super::recording::{Drawn, Trace};
use super::walk::{Ending, Track, Whereabouts};
use crate::simulation::{DeadLettering, Happening, Sight};

/// What ends the time after a receive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapEnd {
    /// The next receive, by its count.
    Receive(u32),
    /// The copy left its queue.
    Left(Ending),
}

/// A part of that time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Where the message was.
    pub whereabouts: Whereabouts,
    /// For how long.
    pub for_us: u64,
}

/// The time from one receive to the next, or to the move to the dead-letter queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// The count of the receive that it begins with.
    pub receive_count: u32,
    /// What it ends with.
    pub end: GapEnd,
    /// How long it is.
    pub for_us: u64,
    /// What it is made of, in the order of a message's life.
    pub parts: Vec<Part>,
    /// What the policy has drawn in it.
    pub drawn: Option<Drawn>,
    /// Messages that were received before this one while it was visible.
    pub overtaken_by: u64,
    /// Whether the lease has ended while the message was in a handler's hands or in a buffer.
    pub lease_ended_at: Option<Whereabouts>,
}

impl Gap {
    /// How long the message was there.
    pub fn part_us(&self, whereabouts: Whereabouts) -> u64 {
        self.parts.iter().find(|part| part.whereabouts == whereabouts).map_or(0, |part| part.for_us)
    }
}

/// The gaps of a copy.
pub(super) fn gaps(trace: &Trace, track: &Track) -> Vec<Gap> {
    let ends = track.receives.iter().skip(1).map(|&(at_us, count)| (at_us, GapEnd::Receive(count)));
    let moved = match track.ending {
        Ending::DeadLettered(DeadLettering::Polled | DeadLettering::AtOnce) => {
            Some((track.until_us, GapEnd::Left(track.ending)))
        }
        _ => None,
    };
    let gap = |(&(from_us, receive_count), (until_us, end))| gap(trace, track, receive_count, (from_us, until_us), end);
    track.receives.iter().zip(ends.chain(moved)).map(gap).collect()
}

fn gap(trace: &Trace, track: &Track, receive_count: u32, (from_us, until_us): (u64, u64), end: GapEnd) -> Gap {
    let part = |whereabouts| {
        let stretches = track.stretches.iter().filter(|stretch| stretch.whereabouts == whereabouts);
        Part { whereabouts, for_us: stretches.map(|stretch| stretch.within_us(from_us, until_us)).sum() }
    };
    let is_its = |sight: &Sight| sight.line == track.line && sight.message == track.message;
    let entries = trace.entries.iter().filter(|entry| is_its(&entry.sight));
    let after: Vec<_> = entries.filter(|entry| entry.sight.at_us >= from_us && entry.sight.at_us <= until_us).collect();
    // What a slow handler decides after its lease is of an earlier receive, and changes nothing.
    let of_receive =
        |happening: Happening| matches!(happening, Happening::Decided { receive_count: of, .. } if of == receive_count);
    let lease_ends = after.iter().find(|entry| {
        matches!(entry.sight.happening, Happening::LeaseEnded(_)) && entry.receive_count == receive_count
    });
    let next = after.iter().rev().find(|entry| match (end, entry.sight.happening) {
        (
            GapEnd::Receive(count),
            Happening::Received { receive_count, .. } | Happening::DeliveryLost { receive_count, .. },
        ) => count == receive_count,
        (GapEnd::Left(_), Happening::DeadLettered(_)) => true,
        _ => false,
    });
    Gap {
        receive_count,
        end,
        for_us: until_us - from_us,
        parts: Whereabouts::ALL.into_iter().map(part).filter(|part| part.for_us > 0).collect(),
        drawn: after.iter().find(|entry| of_receive(entry.sight.happening)).and_then(|entry| entry.drawn),
        overtaken_by: next.map_or(0, |entry| entry.overtaken_by),
        lease_ended_at: lease_ends
            .map(|entry| entry.whereabouts)
            .filter(|whereabouts| matches!(whereabouts, Whereabouts::Buffered | Whereabouts::Handled)),
    }
}
