//! A search for the values that suit a goal best: all points x variants of a sweep are candidates, some replications tell
//! which are worth more of them, and fresh replications say how good the best few are.

mod board;
mod front;
mod goal;
mod rank;
mod result;
mod rungs;
mod standing;
mod tuning;

pub use goal::Goal;
pub use result::{CandidateResult, Finalist, TuneResult};
pub use rungs::{GRID_RUNS, Rung, Search};
pub use standing::Standing;
pub use tuning::Tuning;
