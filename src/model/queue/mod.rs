//! The queue: messages, leases, receive counts, redrive and retention; standard and FIFO.

mod ages;
mod answers;
mod any;
mod call;
mod fifo;
mod message;
mod settings;
mod standard;
#[cfg(test)]
mod tests;
mod visible;

pub use answers::{ChangeRefused, DeleteAnswer, Enqueued, LeaseEnd, Received, Step, VisibilityChange};
pub use any::Queue;
pub use call::ReceiveCall;
pub use fifo::FifoQueue;
pub use message::{Delivery, Held, MessageTag, NewMessage, Receipt, Removed};
pub use settings::{QueueDraws, QueueKind, QueueSettings, RedriveTiming, ReturnOrder, StaleDelete, TwelveHourClock};
pub use standard::StandardQueue;
