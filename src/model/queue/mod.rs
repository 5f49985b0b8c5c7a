//! The queue: messages, leases, receive counts, redrive and retention.

mod ages;
mod message;
mod settings;
mod standard;
#[cfg(test)]
mod tests;
mod visible;

pub use message::{Delivery, MessageTag, Receipt, Removed};
pub use settings::{QueueSettings, RedriveTiming, ReturnOrder, TwelveHourClock};
pub use standard::{BeyondTwelveHours, LeaseEnd, Received, StandardQueue, VisibilityChange};
