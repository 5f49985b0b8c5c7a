//! What consumers do by the kind of error, checked.

use crate::model::policy::{Dispositions, Misreading};
use crate::scenario::language::Field;
use crate::scenario::raw::{RawDispositions, RawMisreading};
use crate::scenario::value::Share;

/// The dispositions, with defaults.
pub(super) fn dispositions(raw: &RawDispositions) -> Dispositions {
    Dispositions {
        transient: raw.transient.value().copied().unwrap_or_default(),
        throttled: raw.throttled.value().copied().unwrap_or_default(),
        permanent: raw.permanent.value().copied().unwrap_or_default(),
        unknown: raw.unknown.value().copied().unwrap_or_default(),
    }
}

/// How often errors are misread.
pub(super) fn misreading(raw: &RawMisreading) -> Misreading {
    Misreading {
        transient_as_permanent: share(&raw.transient_as_permanent),
        permanent_as_transient: share(&raw.permanent_as_transient),
        unknown: share(&raw.unknown),
    }
}

/// The share, or none.
pub(super) fn share(field: &Field<Share>) -> f64 {
    field.value().map_or(0.0, |share| share.value)
}
