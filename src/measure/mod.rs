//! What is counted during a run, and the numbers that come out of it.

mod histogram;
mod metric;

pub use histogram::TimeHistogram;
pub use metric::{Metric, SeriesMetric};
