//! A value that somebody wrote down, or could have.

use super::Spot;

/// What is known of one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting<T> {
    /// It is not written, and the service's default applies.
    Absent,
    /// It is written, and clear.
    Known {
        /// The value.
        value: T,
        /// Where it is written.
        spot: Spot,
    },
    /// It is written, and only known on deployment.
    Unresolved {
        /// Why it cannot be told.
        why: String,
        /// Where it is written.
        spot: Spot,
    },
    /// What is written is not of the kind that the service takes.
    WrongType {
        /// What is there, in words.
        found: String,
        /// What belongs there, in words.
        wanted: String,
        /// Where it is written.
        spot: Spot,
    },
}

impl<T> Setting<T> {
    /// The value, where it is written and clear.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Where it is written.
    pub fn spot(&self) -> Option<Spot> {
        match self {
            Self::Absent => None,
            Self::Known { spot, .. } | Self::Unresolved { spot, .. } | Self::WrongType { spot, .. } => Some(*spot),
        }
    }

    /// Whether nothing is written.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T: Clone> Setting<T> {
    /// The value, or the default where none is written; nothing where it cannot be told.
    pub fn or_default(&self, default: T) -> Option<T> {
        match self {
            Self::Absent => Some(default),
            Self::Known { value, .. } => Some(value.clone()),
            _ => None,
        }
    }
}
