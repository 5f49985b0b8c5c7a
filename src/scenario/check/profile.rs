//! Arrival profiles: CSV files with the columns `time` and `messages`.

use crate::engine::time::MINUTE_US;
use crate::model::producer::ProfileStep;
use crate::scenario::text::quoted;
use crate::scenario::value::Duration;
use crate::text::read_text;
use csv::StringRecord;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest profile in bytes.
const LARGEST_BYTES: u64 = 8 * 1024 * 1024;
/// Most rows of a profile: a row a second for a day has room, and every variant keeps its own copy.
const MOST_ROWS: usize = 100_000;
/// Most messages of one step.
const MOST_MESSAGES: u64 = 1_000_000_000_000;
/// Length of a profile's only step.
const SINGLE_STEP_US: u64 = MINUTE_US;

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::scenario) struct ProfileProblem {
    pub title: String,
    pub help: Option<String>,
}

/// The profiles that a scenario mentions, each read once however many variants and points of a sweep share it.
pub(in crate::scenario) struct Profiles {
    folder: PathBuf,
    read: BTreeMap<PathBuf, Result<Vec<ProfileStep>, ProfileProblem>>,
}

impl Profiles {
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), read: BTreeMap::new() }
    }

    /// The steps of a profile, counted from its own start.
    pub fn steps(&mut self, name: &str) -> Result<&[ProfileStep], ProfileProblem> {
        let path = self.folder.join(name);
        let steps = self.read.entry(path).or_insert_with_key(|path| {
            let text = read_text(path, LARGEST_BYTES).map_err(|title| ProfileProblem { title, help: None })?;
            parse(&text, name)
        });
        steps.as_deref().map_err(Clone::clone)
    }
}

/// One row as it is written.
struct Row {
    time_us: u64,
    messages: u64,
}

/// Reads the text of a profile; the name is for messages.
fn parse(text: &str, name: &str) -> Result<Vec<ProfileStep>, ProfileProblem> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| malformed(name, &error))?;
    if header != &StringRecord::from(vec!["time", "messages"]) {
        let found = header.iter().collect::<Vec<_>>().join(",");
        return Err(problem(name, 1, &format!("the header is {}, not `time,messages`", quoted(&found))));
    }
    let mut rows: Vec<Row> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| malformed(name, &error))?;
        let line = record.position().map_or(1, |position| line_of(text, position));
        let row = row(&record).map_err(|what| problem(name, line, &what))?;
        if let Some(last) = rows.last().filter(|last| last.time_us >= row.time_us) {
            let (time, before) = (Duration { us: row.time_us }, Duration { us: last.time_us });
            return Err(problem(name, line, &format!("the time {time} is not after the one before it, {before}")));
        }
        rows.push(row);
        if rows.len() > MOST_ROWS {
            return Err(problem(name, line, &format!("there are more than {MOST_ROWS} rows")));
        }
    }
    if rows.is_empty() {
        return Err(problem(name, 1, "there is no row after the header"));
    }
    Ok(steps(&rows))
}

/// The line of a record. Its position is where the reader looked for it, in front of any empty lines.
fn line_of(text: &str, position: &csv::Position) -> u64 {
    let rest = text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = rest.bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).filter(|byte| *byte == b'\n');
    position.line() + skipped.count() as u64
}

fn row(record: &StringRecord) -> Result<Row, String> {
    let (time, messages) = (record.get(0).unwrap_or_default(), record.get(1).unwrap_or_default());
    let time_us = Duration::parse(time)
        .or_else(|| Duration::parse(&format!("{time}s")))
        .ok_or_else(|| format!("the time is {}, neither seconds nor a duration such as 1m30s", quoted(time)))?
        .us;
    let messages: u64 = messages
        .parse()
        .ok()
        .filter(|count| *count <= MOST_MESSAGES)
        .ok_or_else(|| format!("messages is {}, not a whole number from 0 to {MOST_MESSAGES}", quoted(messages)))?;
    Ok(Row { time_us, messages })
}

/// Each step lasts until the next one begins; the last is as long as the one before it.
fn steps(rows: &[Row]) -> Vec<ProfileStep> {
    let last_length_us = match rows {
        [.., before, last] => last.time_us - before.time_us,
        _ => SINGLE_STEP_US,
    };
    let ends_us = rows.iter().skip(1).map(|row| row.time_us);
    let end_us = rows.last().map(|row| row.time_us + last_length_us);
    rows.iter()
        .zip(ends_us.chain(end_us))
        .map(|(row, until_us)| ProfileStep { from_us: row.time_us, until_us, messages: row.messages })
        .collect()
}

fn problem(name: &str, line: u64, what: &str) -> ProfileProblem {
    ProfileProblem {
        title: format!("profile {}, line {line}: {what}", quoted(name)),
        help: Some("a profile has the columns `time,messages`, times in ascending order".to_owned()),
    }
}

fn malformed(name: &str, error: &csv::Error) -> ProfileProblem {
    let line = error.position().map_or(1, csv::Position::line);
    let what = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the row has {len} columns, not {expected_len}")
        }
        _ => format!("not valid CSV: {error}"),
    };
    problem(name, line, &what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::time::SECOND_US;

    fn step(from_s: u64, until_s: u64, messages: u64) -> ProfileStep {
        ProfileStep { from_us: from_s * SECOND_US, until_us: until_s * SECOND_US, messages }
    }

    #[test]
    fn a_step_lasts_until_the_next_and_the_last_as_long_as_the_one_before() {
        let steps = parse("time,messages\n0,5\n30, 0\n1m30s,7\n", "p.csv").unwrap();
        assert_eq!(steps, [step(0, 30, 5), step(30, 90, 0), step(90, 150, 7)]);
        assert_eq!(parse("time,messages\n10,5\n", "p.csv").unwrap(), [step(10, 70, 5)]);
    }

    #[test]
    fn problems_name_the_file_and_the_line() {
        for (text, expected) in [
            ("time,count\n0,1\n", "profile `p.csv`, line 1: the header is `time,count`, not `time,messages`"),
            ("time,messages\n", "profile `p.csv`, line 1: there is no row after the header"),
            ("time,messages\n0,1\n0,1\n", "profile `p.csv`, line 3: the time 0s is not after the one before it, 0s"),
            (
                "time,messages\n\n0,-1\n",
                "profile `p.csv`, line 3: messages is `-1`, not a whole number from 0 to 1000000000000",
            ),
            (
                "time,messages\nsoon,1\n",
                "profile `p.csv`, line 2: the time is `soon`, neither seconds nor a duration such as 1m30s",
            ),
            ("time,messages\n1,2,3\n", "profile `p.csv`, line 2: the row has 3 columns, not 2"),
        ] {
            assert_eq!(parse(text, "p.csv").unwrap_err().title, expected);
        }
    }
}
