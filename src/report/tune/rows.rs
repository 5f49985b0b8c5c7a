//! `tune.csv`: one row a candidate.

use crate::report::ReportError;
use crate::report::delimited::{Table, harmless, shortest};
use crate::report::words;
use crate::study::{Estimate, TuneResult};

/// The columns after those of the axes, and before those of the metrics.
const COLUMNS: [&str; 6] = ["variant", "rung", "replications", "feasible", "on_front", "best"];
/// What each metric has, after its name.
const OF_A_METRIC: [&str; 4] = ["mean", "half_width", "lo", "hi"];

/// The file; an axis that does not change a variant is empty, and so are numbers that no run defines.
pub fn csv(result: &TuneResult) -> Result<Vec<u8>, ReportError> {
    let metrics = result.goal.metrics();
    let of_metrics = metrics.iter().flat_map(|metric| OF_A_METRIC.map(|what| format!("{}.{what}", metric.name())));
    let axes = result.facts.axes.iter().map(|axis| harmless(&axis.path));
    let header = axes.chain(COLUMNS.map(str::to_owned)).chain(of_metrics);
    let mut table = Table::with_header("tune.csv", header)?;
    for (number, candidate) in result.candidates.iter().enumerate() {
        let labels = result.facts.labels(candidate.point).enumerate();
        let labels = labels
            .map(|(axis, label)| if candidate.idle_axes.contains(&axis) { String::new() } else { harmless(label) });
        let place = result.best.iter().position(|best| best.candidate == number);
        let cells = [
            harmless(&result.facts.variants[candidate.variant]),
            candidate.rung.to_string(),
            candidate.runs.to_string(),
            if candidate.runs == 0 { String::new() } else { candidate.standing.name().to_owned() },
            if result.front.contains(&number) { "yes" } else { "no" }.to_owned(),
            place.map_or(String::new(), |place| (place + 1).to_string()),
        ];
        let numbers = candidate.metrics.iter().flat_map(|found| numbers(*found));
        table.row(labels.chain(cells).chain(numbers))?;
    }
    table.finish()
}

fn numbers(found: Option<Estimate>) -> [String; 4] {
    found
        .map_or_else(Default::default, |found| [found.mean, words::half_width(found), found.lo, found.hi].map(shortest))
}
