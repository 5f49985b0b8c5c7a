//! A budget for people.

use super::{BudgetEntry, BudgetReport, short, time, verdicts};
use crate::budget::{Attempt, Moment};
use crate::report::terminal::WIDTH;
use crate::report::{table, words};

/// Rows that a table shows; of more, the first and the last.
const ROWS: usize = 12;

/// The budgets as text of at most a hundred columns.
pub fn budget_text(report: &BudgetReport) -> String {
    let sections = report.entries.iter().map(section);
    sections.collect::<Vec<_>>().join("\n")
}

fn section(entry: &BudgetEntry) -> String {
    let mut lines = words::wrapped(&entry.name, WIDTH);
    lines.extend(words::wrapped(&setting(entry), WIDTH));
    let mut text = lines.join("\n") + "\n\n" + &waits(entry) + "\n";
    let answers = [verdicts::ride_out(entry), Some(verdicts::retention(entry)), verdicts::dead_letters(entry)];
    for answer in answers.into_iter().flatten() {
        text += &(words::wrapped(&answer, WIDTH).join("\n") + "\n");
    }
    if entry.budget.grid_s > 1 {
        let grid = time(entry.budget.grid_s as f64);
        let note = format!(
            "Mean and ends are exact; medians, percentiles and shares are worked out in steps of up to {grid}."
        );
        text += &(words::wrapped(&note, WIDTH).join("\n") + "\n");
    }
    text
}

fn setting(entry: &BudgetEntry) -> String {
    let settings = &entry.settings;
    let receives = if settings.max_receive_count == 1 { "receive" } else { "receives" };
    let handler = match settings.handler_s {
        0.0 => "attempts that fail at once".to_owned(),
        handler_s => format!("attempts that take {}", time(handler_s)),
    };
    let lease = time(settings.visibility_timeout_s);
    format!("{} {receives}, a visibility timeout of {lease}, {handler}", settings.max_receive_count)
}

fn waits(entry: &BudgetEntry) -> String {
    let budget = &entry.budget;
    let header = ["", "mean", "median", "95 %", "99 %", "latest", "waits", "from", "to"].map(str::to_owned);
    let (first, last) = shown(&budget.attempts);
    let of_attempt =
        |attempt: &Attempt| row(&format!("receive {} after", attempt.number), &attempt.begins, Some(attempt));
    let gap = (!last.is_empty()).then(|| vec!["…".to_owned()]);
    let moved = row("dead-lettered after", &budget.to_dead_letter_queue, None);
    let rows = first.iter().map(of_attempt).chain(gap).chain(last.iter().map(of_attempt)).chain([moved]);
    table::drawn(1, header.to_vec(), rows)
}

/// The first rows and, where there are too many, the last.
fn shown(attempts: &[Attempt]) -> (&[Attempt], &[Attempt]) {
    if attempts.len() <= ROWS {
        return (attempts, &[]);
    }
    (&attempts[..ROWS - 2], &attempts[attempts.len() - 1..])
}

fn row(name: &str, moment: &Moment, attempt: Option<&Attempt>) -> Vec<String> {
    let times = [moment.mean_s, moment.p50_s, moment.p95_s, moment.p99_s, moment.high_s].map(short);
    let waits = attempt.map(|attempt| [attempt.wait_mean_s, attempt.wait_low_s, attempt.wait_high_s].map(short));
    std::iter::once(name.to_owned()).chain(times).chain(waits.into_iter().flatten()).collect()
}
