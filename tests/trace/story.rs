//! Traces of scenarios from text.

use retrystorm::report::TraceReport;
use retrystorm::trace::{Trace, TraceError, Wanted, trace};

use crate::support::{run, scenario};

/// The trace of a message of the first variant.
pub fn traced(text: &str, wanted: Wanted) -> Result<Trace, TraceError> {
    let scenario = scenario(text);
    trace(&scenario.variants[0], run(&scenario, 0), wanted)
}

/// The same of message 0.
pub fn first(text: &str) -> Trace {
    traced(text, Wanted::Message(0)).unwrap_or_else(|error| panic!("{error}"))
}

/// The trace with the run that it is of.
pub fn report(trace: &Trace) -> TraceReport<'_> {
    TraceReport { trace, scenario_file: "test.yaml", variant: "only", seed: 42, replication: 0, outages: &[] }
}
