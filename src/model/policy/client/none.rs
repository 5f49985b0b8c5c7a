//! No client library of its own.

use super::{ClientKind, ClientRules};
use crate::model::policy::catalogue::{About, Kind};

pub(super) static KIND: ClientKind = Kind {
    about: About {
        name: "none",
        title: "no client",
        summary: "One try in each receive.",
        formula: "no wait, no retry",
        source: "No library's own.",
        mistake: "When errors are rare and short: a retry within the receive costs milliseconds, one through the queue \
                  a lease.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| Box::new(OneTry),
};

#[derive(Debug)]
struct OneTry;

impl ClientRules for OneTry {}
