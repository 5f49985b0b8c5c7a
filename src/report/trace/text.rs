//! The story of a message for people.

use super::TraceReport;
use crate::engine::time::SECOND_US;
use crate::report::number::NO_BREAK;
use crate::report::terminal::WIDTH;
use crate::report::words::{clean, wrapped};
use crate::simulation::MessageIdentity;
use crate::trace::{Entry, copy_words, exact, tell};

/// Columns of the two times, with the gaps beside them.
const TIMES: usize = 30;

/// The trace as text of at most a hundred columns: the events, then what they come to.
pub fn trace_text(report: &TraceReport<'_>) -> String {
    let trace = report.trace;
    let mut text = sentence(&title(report), 0);
    text += &format!("\n{:>13}  {:>13}  what happened\n", "time", "since before");
    let mut before: Option<(usize, MessageIdentity)> = None;
    for entry in &trace.entries {
        let here = (entry.sight.line, entry.sight.message);
        if before.is_some_and(|before| before != here) {
            text += &format!("{:TIMES$}{}\n", "", place(report, entry));
        }
        before = Some(here);
        text += &event(report, entry);
    }
    let answer = trace.answer();
    text += "\nThe answer\n";
    answer.sentences.iter().for_each(|words| text += &sentence(words, 2));
    if !answer.gaps.is_empty() {
        text += "\nThe gaps between its receives\n";
        answer.gaps.iter().for_each(|(_, words)| text += &sentence(words, 2));
        answer.evenness.iter().for_each(|words| text += &sentence(words, 2));
    }
    text
}

/// Which message of which run.
pub(in crate::report) fn title(report: &TraceReport<'_>) -> String {
    format!(
        "Message {} of variant {}, {}, seed {}, replication {}",
        report.trace.key,
        clean(report.variant),
        clean(report.scenario_file),
        report.seed,
        report.replication
    )
}

/// Where the story goes on, when it changes to another copy or queue.
fn place(report: &TraceReport<'_>, entry: &Entry) -> String {
    let queue = clean(&report.trace.queues[entry.sight.line]);
    match copy_words(entry.sight.message) {
        copy if copy.is_empty() => format!("-- in {queue}:"),
        copy => format!("-- in {queue}, {copy}:"),
    }
}

fn event(report: &TraceReport<'_>, entry: &Entry) -> String {
    let told = tell(report.trace, entry);
    let words = match told.rule {
        Some(rule) => format!("{} ({rule})", told.words),
        None => told.words,
    };
    let lines = wrapped_with_units(&words, WIDTH - TIMES);
    let times = format!("{:>13}  {:>13}  ", clock(entry.sight.at_us), format!("+{}", exact(entry.since_us)));
    let rest = lines.iter().skip(1).map(|line| format!("{:TIMES$}{line}\n", ""));
    format!("{times}{}\n{}", lines.first().map_or("", String::as_str), rest.collect::<String>())
}

/// The time of the run, always with three decimals so that the column can be read down.
fn clock(at_us: u64) -> String {
    match at_us % 1_000 {
        0 => format!("{}.{:03} s", at_us / SECOND_US, at_us % SECOND_US / 1_000),
        _ => format!("{}.{:06} s", at_us / SECOND_US, at_us % SECOND_US),
    }
}

fn sentence(words: &str, indent: usize) -> String {
    let lines = wrapped_with_units(words, WIDTH - indent - 2);
    let line = |(number, line): (usize, &String)| {
        let hanging = if number == 0 { indent } else { indent + 2 };
        format!("{:hanging$}{line}\n", "")
    };
    lines.iter().enumerate().map(line).collect()
}

/// The words in lines, with no number at the end of a line whose unit begins the next.
fn wrapped_with_units(words: &str, width: usize) -> Vec<String> {
    let mut kept = String::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        let is_unit = matches!(word.trim_end_matches([',', ';', ':', '.', ')']), "s" | "ms");
        let follows_number = kept.ends_with(|last: char| last.is_ascii_digit());
        kept.push(if is_unit && follows_number { NO_BREAK } else { ' ' });
        kept += word;
    }
    wrapped(&kept, width).into_iter().map(|line| line.replace(NO_BREAK, " ")).collect()
}
