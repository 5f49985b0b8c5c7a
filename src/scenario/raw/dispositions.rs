//! What consumers do by the kind of error, as it is written.

use crate::model::policy::ClassDisposition;
use crate::scenario::language::{mapping, words};
use crate::scenario::value::Share;

mapping! {
    /// What is done with a message, by the kind of error. Poison messages crash their consumer before it can do anything.
    RawDispositions is "the dispositions" {
        /// After a refusal, a timeout or an error of the downstream. Default: back_off.
        transient: ClassDisposition,
        /// After "too many requests". Default: back_off.
        throttled: ClassDisposition,
        /// After an error that is the message's own fault. Default: back_off, as where consumers do not look.
        permanent: ClassDisposition,
        /// After an error that says nothing. Default: back_off.
        unknown: ClassDisposition,
    }
}

words! {
    ClassDisposition is "a disposition" {
        "back_off" = BackOff, "As the backoff says.";
        "let_lease_expire" = LetLeaseExpire, "Nothing: the message comes back when its lease expires.";
        "visibility_zero" = VisibilityZero, "The visibility is set to 0: the message comes back at once.";
        "dead_letter" = DeadLetter, "The message is sent to the dead-letter queue, then deleted.";
        "delete" = Delete, "The message is deleted, as after a success.";
        "resend" = Resend, "A copy is sent to the queue, as a new message, and the message is deleted.";
        "record_and_delete" = RecordAndDelete, "The message is written down elsewhere, then deleted.";
    }
}

mapping! {
    /// How often consumers take an error for one of another kind.
    RawMisreading is "misreading" {
        /// Share of the transient errors that are taken for permanent ones. Default: 0%.
        transient_as_permanent: Share,
        /// Share of the messages with a fault of their own whose errors are taken for transient ones. Default: 0%.
        permanent_as_transient: Share,
        /// Share of the other errors, but for throttling, that say nothing. Default: 0%.
        unknown: Share,
    }
}
