//! Idempotency keys as they are written.

use crate::model::IdempotencyKey;
use crate::scenario::language::{OrNone, mapping, words};
use crate::scenario::value::Duration;

mapping! {
    /// Keys by which it is known that a message is done.
    RawKeys is "idempotency keys" {
        /// What names a message. Default: business_key.
        key: IdempotencyKey,
        /// How long a key is remembered, at least 1s, or none for ever. Default: none.
        ttl: OrNone<Duration>,
    }
}

words! {
    IdempotencyKey is "an idempotency key" {
        "message_id" = MessageId, "The id that the queue gave the message; sent again, it has another.";
        "business_key" = BusinessKey, "A key in the message's body: sent again, it has the same.";
    }
}
