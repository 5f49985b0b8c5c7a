//! The lanes of a timeline, and what its colours mean.

use crate::report::chart::style::{Colour, GRID, SUCCESSES, line_colour};
use crate::trace::{Handling, Whereabouts};

/// A lane of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Visible,
    Leased,
    Handler,
    Drawn,
    DeadLetters,
}

impl Lane {
    pub fn name(self) -> &'static str {
        match self {
            Self::Visible => "in the queue, visible",
            Self::Leased => "in the queue, hidden",
            Self::Handler => "handler and call",
            Self::Drawn => "delays drawn",
            Self::DeadLetters => "dead-letter queue",
        }
    }

    /// How much of the height it takes: the delays stand one below the other.
    pub fn weight(self) -> f64 {
        if self == Self::Drawn { 2.5 } else { 1.0 }
    }
}

/// The lane of a stretch.
pub(super) fn lane_of(whereabouts: Whereabouts) -> Lane {
    match whereabouts {
        Whereabouts::Visible => Lane::Visible,
        _ => Lane::Leased,
    }
}

/// The colour of a stretch.
pub(super) fn colour_of(whereabouts: Whereabouts) -> Colour {
    match whereabouts {
        Whereabouts::Delayed => GRID,
        Whereabouts::Visible => line_colour(5),
        Whereabouts::Buffered => line_colour(4),
        Whereabouts::Handled => line_colour(0),
        Whereabouts::BackingOff => line_colour(3),
        Whereabouts::LeaseRuns => SUCCESSES,
    }
}

/// What that colour means.
pub(super) fn meaning(whereabouts: Whereabouts) -> &'static str {
    match whereabouts {
        Whereabouts::Delayed => "delivery delay",
        Whereabouts::Visible => "visible",
        Whereabouts::Buffered => "leased in a buffer",
        Whereabouts::Handled => "leased, in the handler",
        Whereabouts::BackingOff => "hidden by the backoff",
        Whereabouts::LeaseRuns => "leased, nobody at work",
    }
}

/// The colour of a handler's work.
pub(super) fn handling_colour(handling: &Handling) -> Colour {
    if handling.worked { line_colour(2) } else { line_colour(1) }
}
