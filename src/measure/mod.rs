//! What is counted during a run, and the numbers that come out of it.

mod alarm;
mod effects;
mod histogram;
mod ledger;
mod metric;
mod metric_words;
mod outcome;
mod recorder;

pub use alarm::{AlarmOutcome, AlarmSettings};
pub use histogram::TimeHistogram;
pub use ledger::{Fate, Ledger, Unbalanced};
pub use metric::{AlarmFigure, AlarmMetric, Direction, Fact, Metric, SeriesMetric};
pub use outcome::{Outcome, Step};
pub use recorder::{Levels, Recorder, RecorderPlan};
