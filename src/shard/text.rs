//! The file of a part: a line that says what it is, a line of facts, a line for each run, and a checksum.
//!
//! It is text, so that it can be looked at, compared and moved between machines; numbers have as many digits as it takes
//! to read them back exactly.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::digest::Checksum;
use super::{Part, ShardError, Share};
use crate::measure::Metric;
use crate::study::SweepFacts;

/// The first line; the number is the version of the form.
const MAGIC: &str = "retrystorm part 1";
/// A metric that a run does not define.
const UNDEFINED: &str = "-";
/// Most points and runs of a sweep; more in a file is no sweep of ours.
const MOST_POINTS: usize = 10_000;
const MOST_RUNS: u64 = 1_000_000;

/// The line of facts.
#[derive(Serialize, Deserialize)]
struct Header {
    version: String,
    fingerprint: String,
    shard: u32,
    shards: u32,
    sweep: SweepFacts,
    metrics: Vec<String>,
}

/// A part as text.
pub(super) fn written(part: &Part) -> String {
    let header = Header {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        fingerprint: part.fingerprint.clone(),
        shard: part.share.number(),
        shards: part.share.count(),
        sweep: part.facts.clone(),
        metrics: Metric::ALL.iter().map(|metric| metric.name().to_owned()).collect(),
    };
    // Names and finite numbers are always JSON.
    let header = serde_json::to_string(&header).unwrap_or_default();
    let mut text = format!("{MAGIC}\n{header}\n");
    let mut rows = 0_u64;
    for run in part.share.runs(part.values.runs()) {
        let Some(values) = part.values.get(run) else { continue };
        rows += 1;
        text += &run.to_string();
        for value in values {
            text.push(' ');
            if value.is_nan() { text += UNDEFINED } else { text += &value.to_string() }
        }
        text.push('\n');
    }
    let mut checksum = Checksum::new();
    checksum.add(text.as_bytes());
    text += &format!("end {rows} {}\n", checksum.written());
    text
}

/// Reads a part; the file is for messages.
pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Part, ShardError> {
    let torn = |what: &str| ShardError::Torn { file: file.to_owned(), what: what.to_owned() };
    if !bytes.starts_with(MAGIC.as_bytes()) {
        let is_cut = MAGIC.as_bytes().starts_with(bytes);
        return Err(if is_cut { torn("it has no content") } else { ShardError::NoPart { file: file.to_owned() } });
    }
    let text = std::str::from_utf8(bytes).map_err(|_| torn("it is no text"))?;
    let (body, end) = split_end(text).ok_or_else(|| torn("its end is missing"))?;
    let mut checksum = Checksum::new();
    checksum.add(body.as_bytes());
    let mut lines = body.lines().skip(1);
    let rows = body.lines().count().saturating_sub(2);
    if end != format!("end {rows} {}", checksum.written()) {
        return Err(torn("its checksum does not fit"));
    }
    let header = lines.next().unwrap_or_default();
    let header: Header = serde_json::from_str(header).map_err(|_| torn("its second line is no header"))?;
    let mut part = part(header).ok_or_else(|| torn("its header makes no sense to this version"))?;
    for line in lines {
        row(&mut part, line).ok_or_else(|| torn("one of its lines is no run of its share"))?;
    }
    Ok(part)
}

/// The text before its last line, and that line; nothing where the last line has no end.
fn split_end(text: &str) -> Option<(&str, &str)> {
    let whole = text.strip_suffix('\n')?;
    let start = whole.rfind('\n')? + 1;
    whole[start..].starts_with("end ").then(|| (&text[..start], &whole[start..]))
}

fn part(header: Header) -> Option<Part> {
    let share = Share::new(header.shard, header.shards)?;
    let facts = header.sweep;
    let has_our_metrics = header.metrics.iter().map(String::as_str).eq(Metric::ALL.iter().map(|metric| metric.name()));
    let is_sensible = facts.points() <= MOST_POINTS && facts.runs() <= MOST_RUNS && facts.runs() > 0;
    (has_our_metrics && is_sensible).then(|| Part::new(header.fingerprint, share, facts))
}

fn row(part: &mut Part, line: &str) -> Option<()> {
    let mut words = line.split(' ');
    let run: u64 = words.next()?.parse().ok()?;
    if run >= part.values.runs() || !part.share.has(run) || part.values.has(run) {
        return None;
    }
    let value = |word: &str| if word == UNDEFINED { Some(None) } else { word.parse().ok().map(Some) };
    let values: Vec<Option<f64>> = words.map(value).collect::<Option<_>>()?;
    (values.len() == Metric::ALL.len()).then(|| part.values.set(run, &values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Axis, AxisUnit, AxisValue};

    fn sample() -> Part {
        let value = |label: &str, number| AxisValue { label: label.to_owned(), number: Some(number) };
        let axis = Axis {
            path: "downstream.servers".to_owned(),
            unit: AxisUnit::Number,
            logarithmic: false,
            values: vec![value("1", 1.0), value("0.1", 0.1), value("3", 3.0)],
        };
        let facts = SweepFacts {
            title: "a \"title\" in\ntwo lines".to_owned(),
            file: "s.yaml".to_owned(),
            seed: u64::MAX,
            replications: 2,
            duration_s: Some(60.0),
            axes: vec![axis],
            variants: vec!["ä b".to_owned()],
            shown: vec!["calls".to_owned()],
        };
        let share = Share::new(2, 3).expect("a share");
        let mut part = Part::new("00ff".to_owned(), share, facts);
        let metrics: Vec<Option<f64>> =
            (0..Metric::ALL.len()).map(|index| (index % 3 > 0).then_some(index as f64 / 7.0)).collect();
        let first = share.runs(6).next().expect("a run");
        part.values.set(first, &metrics);
        part
    }

    fn reread(bytes: &[u8]) -> Result<Part, ShardError> {
        read(Path::new("x.shard"), bytes)
    }

    #[test]
    fn a_part_is_read_as_it_was_written() {
        let part = sample();
        let read = reread(&part.to_bytes()).expect("it is whole");
        // Undefined values are not equal to themselves; their text is.
        assert_eq!(written(&read), written(&part));
        assert_eq!((read.facts.clone(), read.share, read.missing()), (part.facts.clone(), part.share, part.missing()));
    }

    #[test]
    fn a_part_that_is_cut_anywhere_is_torn() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() {
            let error = reread(&bytes[..length]).expect_err("it is cut");
            assert!(matches!(error, ShardError::Torn { .. }), "{length}: {error}");
        }
    }

    #[test]
    fn a_part_with_any_byte_changed_is_no_part() {
        let bytes = sample().to_bytes();
        for position in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            assert!(reread(&changed).is_err(), "byte {position}");
        }
    }
}
