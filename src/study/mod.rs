//! Many runs, and what they say together: replications, intervals, expectations, claims.

mod estimate;
mod judge;
mod result;
mod run;
mod sweep;
mod tally;

pub use estimate::Estimate;
pub use result::{
    AlarmResult, ClaimResult, ExpectationResult, RunStatistics, Series, StudyResult, VariantResult, Verdict,
};
pub use run::{Progress, StudyError, run_study};
pub use sweep::{RunPlace, RunValues, SweepFacts, SweepResult, run_sweep};

use crate::scenario::Quantity;
