//! Many runs, and what they say together: replications, intervals, differences, expectations, claims.

mod batch;
mod difference;
mod estimate;
mod groups;
mod judge;
mod phases;
mod proportion;
mod result;
mod run;
mod student;
mod sweep;
mod tally;
mod tune;
mod until;
mod welch;

pub use batch::{Ended, Progress, StudyError};
pub use difference::{Difference, DifferenceVerdict, KEY_METRICS};
pub use estimate::Estimate;
pub use groups::TwoGroups;
pub use phases::{Peak, PeakCause, Phase, PhaseSpan, peak, phases};
pub use proportion::Proportion;
pub use result::{
    AlarmResult, ClaimResult, ExpectationResult, RunStatistics, Series, StudyResult, VariantResult, Verdict,
};
pub use run::{StudyOptions, run_study, run_study_with};
pub use sweep::{RunPlace, RunValues, SweepFacts, SweepResult, run_sweep};
pub use tune::{CandidateResult, Finalist, GRID_RUNS, Goal, Rung, Search, Standing, TuneResult, Tuning};
pub use until::{Until, UntilResult, Width};
pub use welch::{Sample, Welch};

use crate::scenario::Quantity;
