//! The runs of a sweep: every point x variant x replication, flattened, and what they say together.

mod facts;
mod result;
mod run;
mod values;

pub use facts::{RunPlace, SweepFacts};
pub use result::SweepResult;
pub use run::run_sweep;
pub use values::RunValues;
