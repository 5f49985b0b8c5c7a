//! No backoff.

use super::BackoffKind;
use crate::model::policy::catalogue::{About, Kind};

pub(super) static KIND: BackoffKind = Kind {
    about: About {
        name: "none",
        title: "no backoff",
        summary: "No backoff: the lease expires.",
        formula: "no change of the visibility: the rest of the lease",
        source: "Amazon SQS developer guide, sqs-visibility-timeout.html (rule Q1, expired lease)",
        mistake: "When the downstream can be overloaded: calls keep coming at the rate of the lease, however long the \
                  failure lasts.",
        parameters: &[],
        ordered: &[],
        example: &[],
    },
    build: |_| None,
};
