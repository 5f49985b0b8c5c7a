//! The names of events in files.

use crate::simulation::Happening;

/// The name of an event in files.
pub fn event_name(happening: Happening) -> &'static str {
    match happening {
        Happening::Entered { .. } => "entered",
        Happening::Deduplicated => "deduplicated",
        Happening::DelayEnded(_) => "delay_ended",
        Happening::Received { .. } => "received",
        Happening::DeliveryLost { .. } => "delivery_lost",
        Happening::Buffered => "buffered",
        Happening::NoPlace => "no_place",
        Happening::AgedOut => "aged_out",
        Happening::GroupStopped => "group_stopped",
        Happening::Invoked { .. } => "invoked",
        Happening::BatchDropped => "batch_dropped",
        Happening::CameBackWithBatch { .. } => "came_back_with_batch",
        Happening::HandlerBegan { .. } => "handler_began",
        Happening::CallBegan { .. } => "call_began",
        Happening::CallWaits => "call_waits",
        Happening::CallWorked { .. } => "call_worked",
        Happening::CallFailed { .. } => "call_failed",
        Happening::WorkedUnheard => "worked_unheard",
        Happening::Skipped { .. } => "skipped",
        Happening::ClientRetries { .. } => "client_retries",
        Happening::Decided { .. } => "decided",
        Happening::VisibilityChanged { .. } => "visibility_changed",
        Happening::Extended { .. } => "extended",
        Happening::LeaseEnded(_) => "lease_ended",
        Happening::Deleted { .. } => "deleted",
        Happening::DeleteHeldBack => "delete_held_back",
        Happening::DeleteLost => "delete_lost",
        Happening::HandlerKilled { .. } => "handler_killed",
        Happening::ConsumerDied { .. } => "consumer_died",
        Happening::DeadLettered(_) => "dead_lettered",
        Happening::Expired => "expired",
        Happening::Redriven => "redriven",
        Happening::Resent => "resent",
    }
}
