//! The CSV files: every number once more, for spreadsheets and data frames.

use csv::Writer;

use super::{ReportError, summary, words};
use crate::measure::{AlarmFigure, Fact, Metric, SeriesMetric};
use crate::study::{Estimate, StudyResult};

/// `summary.csv`: one row a variant and metric; empty cells where no replication defines it.
pub fn metrics(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let mut table = Table::new("summary.csv", ["variant", "metric", "unit", "mean", "lo", "hi", "min", "max"])?;
    for variant in &result.variants {
        for metric in Metric::ALL {
            let words = [harmless(&variant.name), metric.name().to_owned(), metric.unit().to_owned()];
            table.row(words.into_iter().chain(five_numbers(variant.metric(*metric))))?;
        }
    }
    table.finish()
}

fn five_numbers(found: Option<Estimate>) -> [String; 5] {
    found.map_or_else(Default::default, |found| [found.mean, found.lo, found.hi, found.min, found.max].map(shortest))
}

/// `differences.csv`: one row a variant and key metric, against the baseline, replication by replication.
pub fn differences(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let header = ["variant", "baseline", "metric", "unit", "mean", "lo", "hi", "min", "max", "pairs", "verdict"];
    let mut table = Table::new("differences.csv", header)?;
    for one in &result.differences {
        let names = [one.variant, one.baseline].map(|variant| harmless(words::variant_name(result, variant)));
        let words = names.into_iter().chain([one.metric.name(), one.metric.unit()].map(str::to_owned));
        let verdict = summary::difference_verdict_name(one.verdict()).to_owned();
        table.row(words.chain(five_numbers(Some(one.found))).chain([one.found.n.to_string(), verdict]))?;
    }
    table.finish()
}

/// `probabilities.csv`: one row a variant and fact.
pub fn probabilities(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let mut table = Table::new("probabilities.csv", ["variant", "fact", "k", "n", "share", "lo", "hi"])?;
    for variant in &result.variants {
        for (fact, of) in Fact::ALL.iter().zip(&variant.facts) {
            let words = [harmless(&variant.name), fact.name().to_owned(), of.k.to_string(), of.n.to_string()];
            table.row(words.into_iter().chain([of.share(), of.lo, of.hi].map(shortest)))?;
        }
    }
    table.finish()
}

/// `alarms.csv`: one row a variant, alarm and figure; empty cells where no replication defines it.
pub fn alarms(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let header = ["variant", "alarm", "figure", "unit", "mean", "lo", "hi", "min", "max"];
    let mut table = Table::new("alarms.csv", header)?;
    for variant in &result.variants {
        for (alarm, found) in result.scenario.alarms.iter().zip(&variant.alarms) {
            for figure in AlarmFigure::ALL {
                let names = [harmless(&variant.name), harmless(&alarm.name)];
                let words = names.into_iter().chain([figure.name(), figure.unit()].map(str::to_owned));
                table.row(words.chain(five_numbers(found.figure(*figure))))?;
            }
        }
    }
    table.finish()
}

/// `series.csv`: one row a variant and step, named by the step's start.
pub fn series(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let metrics = SeriesMetric::ALL.iter().map(|metric| metric.name());
    let header = ["variant", "time_s"].into_iter().chain(metrics).chain(["calls_lowest", "calls_highest"]);
    let mut table = Table::new("series.csv", header)?;
    for variant in &result.variants {
        let series = &variant.series;
        let columns: Vec<&[f64]> = SeriesMetric::ALL
            .iter()
            .map(|metric| series.of(*metric))
            .chain([series.calls_lowest.as_slice(), series.calls_highest.as_slice()])
            .collect();
        let name = harmless(&variant.name);
        for step in 0..series.of(SeriesMetric::Calls).len() {
            let start_s = step as u64 * series.step_s;
            let numbers = columns.iter().map(|column| column.get(step).copied().map(shortest).unwrap_or_default());
            table.row([name.clone(), start_s.to_string()].into_iter().chain(numbers))?;
        }
    }
    table.finish()
}

/// `time_to_dlq.csv`: the distribution of the time from first receive to the dead-letter queue; messages are the mean
/// of the replications.
pub fn time_to_dlq(result: &StudyResult) -> Result<Vec<u8>, ReportError> {
    let mut table = Table::new("time_to_dlq.csv", ["variant", "time_to_dlq_s", "messages", "cumulative_share"])?;
    let replications = f64::from(result.scenario.replications.max(1));
    for variant in &result.variants {
        let all = variant.time_to_dlq.count();
        let mut so_far = 0;
        for (time_s, count) in variant.time_to_dlq.steps() {
            so_far += count;
            let numbers = [time_s, count as f64 / replications, so_far as f64 / all as f64].map(shortest);
            table.row([harmless(&variant.name)].into_iter().chain(numbers))?;
        }
    }
    table.finish()
}

/// A CSV file in the making.
pub(super) struct Table {
    file: &'static str,
    writer: Writer<Vec<u8>>,
}

impl Table {
    fn new(file: &'static str, header: impl IntoIterator<Item = &'static str>) -> Result<Self, ReportError> {
        Self::with_header(file, header.into_iter().map(str::to_owned))
    }

    /// A file whose columns depend on the study.
    pub fn with_header(file: &'static str, header: impl IntoIterator<Item = String>) -> Result<Self, ReportError> {
        let mut table = Self { file, writer: Writer::from_writer(Vec::new()) };
        table.row(header)?;
        Ok(table)
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) -> Result<(), ReportError> {
        self.writer.write_record(cells).map_err(|error| failed(self.file, &error))
    }

    pub fn finish(self) -> Result<Vec<u8>, ReportError> {
        self.writer.into_inner().map_err(|error| failed(self.file, &error))
    }
}

fn failed(file: &'static str, error: &dyn std::error::Error) -> ReportError {
    ReportError::Render { file, reason: error.to_string() }
}

/// The fewest digits that read back as the same number; empty where there is none.
pub(super) fn shortest(value: f64) -> String {
    // Adding zero turns a negative zero into a plain one.
    if value.is_finite() { (value + 0.0).to_string() } else { String::new() }
}

/// A name that no spreadsheet takes for a formula; one that is a number stays one.
pub(super) fn harmless(name: &str) -> String {
    // The last four are what East Asian keyboards write; some spreadsheets take them for the first four.
    let begins_formula = name.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let is_number = name.parse::<f64>().is_ok_and(f64::is_finite);
    if begins_formula && !is_number { format!("'{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn text(bytes: Result<Vec<u8>, ReportError>) -> String {
        String::from_utf8(bytes.unwrap()).unwrap()
    }

    #[test]
    fn summary_has_a_row_for_each_metric() {
        insta::assert_snapshot!(text(metrics(&sample::tiny())));
    }

    #[test]
    fn series_has_a_row_for_each_step() {
        insta::assert_snapshot!(text(series(&sample::tiny())));
    }

    #[test]
    fn time_to_dlq_counts_messages_of_a_replication() {
        insta::assert_snapshot!(text(time_to_dlq(&sample::tiny())));
    }

    #[test]
    fn names_cannot_be_formulas() {
        for name in ["=1+1", "+1+1", "-x", "@x", "\tx", "\rx", "＝1", "-inf"] {
            assert_eq!(harmless(name), format!("'{name}"));
        }
        for name in ["a=b", "-2", "+1.5e3"] {
            assert_eq!(harmless(name), name, "no formula, or a number, which stays one");
        }
    }

    #[test]
    fn numbers_are_short_and_never_strange() {
        assert_eq!(shortest(800.0), "800");
        assert_eq!(shortest(0.1), "0.1");
        assert_eq!(shortest(-0.0), "0");
        assert_eq!(shortest(f64::NAN), "");
    }
}
