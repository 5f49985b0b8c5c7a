//! The story of a message for programs: one JSON object a line.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::TraceReport;
use crate::engine::time::seconds;
use crate::simulation::{DeadLettering, Happening};
use crate::trace::{Answer, Entry, Gap, GapEnd, Trace, event_name, tell};

/// The trace as JSON lines: the run, each event, the answer.
pub fn trace_json(report: &TraceReport<'_>) -> String {
    let trace = report.trace;
    let run = json!({
        "event": "run",
        "scenario": report.scenario_file,
        "variant": report.variant,
        "seed": report.seed,
        "replication": report.replication,
        "message": trace.key,
    });
    let events = trace.entries.iter().map(|entry| event(trace, entry));
    let lines = std::iter::once(run).chain(events).chain(std::iter::once(answer(&trace.answer())));
    lines.map(|line| format!("{line}\n")).collect()
}

fn event(trace: &Trace, entry: &Entry) -> Value {
    let (sight, told) = (&entry.sight, tell(trace, entry));
    let mut line = Map::new();
    put(&mut line, "event", event_name(sight.happening));
    put(&mut line, "at_s", seconds(sight.at_us));
    put(&mut line, "since_s", seconds(entry.since_us));
    put(&mut line, "queue", &trace.queues[sight.line]);
    put(&mut line, "second_send", sight.message.is_second_send);
    put(&mut line, "times_anew", sight.message.times_anew);
    put(&mut line, "extra_copy", sight.message.extra_copy);
    numbers(&mut line, entry);
    put(&mut line, "words", told.words);
    put(&mut line, "rule", told.rule);
    Value::Object(line)
}

fn put(line: &mut Map<String, Value>, key: &str, value: impl Serialize) {
    // Only maps with odd keys fail, and there are none.
    line.insert(key.to_owned(), serde_json::to_value(value).unwrap_or_default());
}

/// The numbers that an event has of its own.
fn numbers(line: &mut Map<String, Value>, entry: &Entry) {
    if let Some(receive_count) = entry.sight.happening.attempt() {
        put(line, "receive", receive_count);
    }
    match entry.sight.happening {
        Happening::Received { receive_count, leased_until_us, consumer } => {
            put(line, "receive", receive_count);
            put(line, "leased_until_s", seconds(leased_until_us));
            put(line, "consumer", consumer);
            put(line, "waited_s", seconds(entry.stood_us));
            put(line, "behind", entry.overtaken_by);
        }
        Happening::DeliveryLost { receive_count, leased_until_us } => {
            put(line, "receive", receive_count);
            put(line, "leased_until_s", seconds(leased_until_us));
        }
        Happening::Decided { .. } => {
            if let Some(drawn) = entry.drawn {
                put(line, "delay_s", drawn.delay_s);
                put(line, "delay_from_s", drawn.low_s);
                put(line, "delay_to_s", drawn.high_s);
            }
        }
        Happening::CallBegan { tries, .. } => put(line, "try", tries),
        Happening::LeaseEnded(standing) | Happening::DelayEnded(standing) => {
            put(line, "others_visible", standing.others);
            put(line, "at_back", standing.at_back);
        }
        Happening::DeadLettered(way) => put(line, "way", way_name(way)),
        _ => {}
    }
}

fn way_name(way: DeadLettering) -> &'static str {
    match way {
        DeadLettering::Polled => "polled",
        DeadLettering::AtOnce => "at_once",
        DeadLettering::ByConsumer => "by_consumer",
        DeadLettering::Copied => "copied",
    }
}

fn answer(answer: &Answer) -> Value {
    let spent: Map<String, Value> = answer
        .spent_us
        .iter()
        .map(|(whereabouts, spent_us)| (whereabouts.name().to_owned(), json!(seconds(*spent_us))))
        .collect();
    let words: Vec<&String> = answer.sentences.iter().chain(&answer.evenness).collect();
    json!({
        "event": "answer",
        "receives": answer.receives,
        "receives_with_call": answer.receives_with_call,
        "calls": answer.calls,
        "successes": answer.successes,
        "spent_s": spent,
        "gaps": answer.gaps.iter().map(|(gap, words)| gap_value(gap, words)).collect::<Vec<_>>(),
        "words": words,
    })
}

fn gap_value(gap: &Gap, words: &str) -> Value {
    let parts: Map<String, Value> =
        gap.parts.iter().map(|part| (part.whereabouts.name().to_owned(), json!(seconds(part.for_us)))).collect();
    let until = match gap.end {
        GapEnd::Receive(count) => json!(count),
        GapEnd::Left(_) => Value::Null,
    };
    json!({
        "from_receive": gap.receive_count,
        "to_receive": until,
        "for_s": seconds(gap.for_us),
        "spent_s": parts,
        "behind": gap.overtaken_by,
        "words": words,
    })
}
