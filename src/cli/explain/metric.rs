//! Pages of metrics.

use retrystorm::measure::{AlarmFigure, AlarmMetric, Fact, Metric, SeriesMetric};

use super::super::page::{paragraph, preformatted};

/// Where metrics of one kind are told of.
struct Table {
    kind: &'static str,
    rows: Vec<[&'static str; 3]>,
    /// How a scenario names one, with `@` in its place.
    scenario: &'static str,
}

/// All tables of docs/metrics.md.
fn tables() -> [Table; 5] {
    macro_rules! rows {
        ($type:ty) => {
            <$type>::ALL.iter().map(|metric| [metric.name(), metric.unit(), metric.definition()]).collect()
        };
    }
    const OF_A_RUN: &str = "expect:\n  - { variant: NAME, metric: @, below: 100 }";
    [
        Table { kind: "metric of a run", rows: rows!(Metric), scenario: OF_A_RUN },
        Table {
            kind: "fact of a run",
            rows: rows!(Fact),
            scenario: "expect:\n  - { variant: NAME, metric: @, at_most: 5% }",
        },
        Table {
            kind: "metric of each second",
            rows: rows!(SeriesMetric),
            scenario: "expect:\n  - { variant: NAME, metric: @, at: 30s, below: 100 }",
        },
        Table {
            kind: "metric of an alarm",
            rows: rows!(AlarmMetric),
            scenario: "alarms:\n  NAME: { metric: @, above: 100, ... }",
        },
        Table { kind: "figure of an alarm", rows: rows!(AlarmFigure), scenario: "" },
    ]
}

/// The names of all metrics.
pub fn names() -> impl Iterator<Item = &'static str> {
    tables().into_iter().flat_map(|table| table.rows).map(|[name, ..]| name)
}

/// The pages of all metrics of that name.
pub fn pages(name: &str) -> Vec<String> {
    let tables = tables();
    let rows = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.filter(|(_, row)| row[0] == name).map(|(table, row)| page(table, row)).collect()
}

fn page(table: &Table, [name, unit, definition]: &[&str; 3]) -> String {
    let mut text = format!("{name} ({})\n{}", table.kind, paragraph("", definition));
    text += &paragraph("Unit", unit);
    if !table.scenario.is_empty() {
        text += &format!("\nScenario\n{}", preformatted(&table.scenario.replace('@', name)));
    }
    text + &paragraph("All of them", "docs/metrics.md")
}
