//! The Lambda event source mapping: pollers that read batches for a function, and the environments that run it.

mod environments;
mod ramp;
mod settings;

pub use environments::{Environments, Started};
pub use ramp::{PollerRamp, RampLook};
pub use settings::{
    BatchResponses, ColdStarts, LambdaSettings, PollerSettings, RecordOrder, ThrottledBatches, WrongAnswers,
};
