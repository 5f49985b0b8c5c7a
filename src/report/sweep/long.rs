//! `sweep.csv`: one row a point, variant and metric.

use crate::measure::Metric;
use crate::report::ReportError;
use crate::report::delimited::{Table, harmless, shortest};
use crate::report::words;
use crate::study::{Estimate, SweepResult};

/// The columns after those of the axes.
const COLUMNS: [&str; 9] = ["variant", "metric", "unit", "mean", "half_width", "lo", "hi", "min", "max"];

/// The file; the cells of the axes are written as in a scenario, and numbers are empty where no replication defines them.
pub fn csv(result: &SweepResult) -> Result<Vec<u8>, ReportError> {
    let axes = result.facts.axes.iter().map(|axis| harmless(&axis.path));
    let mut table = Table::with_header("sweep.csv", axes.chain(COLUMNS.map(str::to_owned)))?;
    for point in 0..result.facts.points() {
        let values: Vec<String> = result.facts.labels(point).map(harmless).collect();
        for (variant, name) in result.facts.variants.iter().enumerate() {
            for metric in Metric::ALL {
                let words = [harmless(name), metric.name().to_owned(), metric.unit().to_owned()];
                let numbers = numbers(result.metric(point, variant, *metric));
                table.row(values.iter().cloned().chain(words).chain(numbers))?;
            }
        }
    }
    table.finish()
}

fn numbers(found: Option<Estimate>) -> [String; 6] {
    found.map_or_else(Default::default, |found| {
        [found.mean, words::half_width(found), found.lo, found.hi, found.min, found.max].map(shortest)
    })
}
