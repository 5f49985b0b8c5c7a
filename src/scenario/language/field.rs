//! A key of a mapping: absent, unreadable, or given at a place.

use super::Language;
use crate::scenario::text::Place;

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::scenario) struct Located<T> {
    pub value: T,
    pub place: Place,
}

/// What a mapping says about one of its keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::scenario) enum Field<T> {
    /// The key is not there.
    #[default]
    Absent,
    /// The key is there, but its value could not be read; that has been reported.
    Unreadable,
    /// The key has a value.
    Given(Located<T>),
}

impl<T> Field<T> {
    pub fn given(&self) -> Option<&Located<T>> {
        match self {
            Self::Given(located) => Some(located),
            _ => None,
        }
    }

    pub fn value(&self) -> Option<&T> {
        self.given().map(|located| &located.value)
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Where the value stands, if there is one.
    pub fn place(&self) -> Option<Place> {
        self.given().map(|located| located.place)
    }
}

impl<T: Language> Field<T> {
    /// Lays a variant's field over the common one.
    pub fn overlay(&mut self, over: &Self) {
        match (&mut *self, over) {
            (_, Self::Absent) => {}
            (Self::Given(base), Self::Given(over)) => T::overlay(base, over),
            (base, over) => *base = over.clone(),
        }
    }
}
