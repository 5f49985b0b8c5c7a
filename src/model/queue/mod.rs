//! The queue.

mod settings;

pub use settings::{QueueSettings, RedriveTiming, ReturnOrder, TwelveHourClock};
