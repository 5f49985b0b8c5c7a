//! Every number that the page prints can be found in `summary.json`.

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;
use serde_json::Value;

use super::{answer, charts, findings, numbers, phases};
use crate::report::{json, number, sample};
use crate::scenario::parse;
use crate::study::{StudyResult, run_study};

const SMALL: &str = "
title: small
duration: 3m
replications: 4
queue: { visibility_timeout: 4s, redrive: { max_receive_count: 3 } }
producers: [ { rate: 20/s, until: 150s, classes: { permanent: 1% } } ]
consumers: { fleet: 2, concurrency: 20 }
downstream:
  servers: 10
  service_time: { exponential: 20ms }
  outages: [ { at: 50s, for: 42s, mode: refuse, after: 50ms } ]
variants:
  plain: {}
  jitter: { policy: { backoff: { exponential: { base: 1s, cap: 20s, jitter: full } } } }
";

/// All numbers of a JSON document, each in every way in which reports write one; with the spreads of all estimates.
fn written(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Number(of) => {
            let of = of.as_f64().expect("a number");
            let ways = [number::human, number::compact, number::mean_count, number::duration, number::percent];
            // Which way a difference goes is said in words.
            found.extend(ways.map(|way| way(of)).into_iter().chain(ways.map(|way| way(of.abs()))));
        }
        Value::Array(items) => items.iter().for_each(|item| written(item, found)),
        Value::Object(members) => {
            let of = |key: &str| members.get(key).and_then(Value::as_f64);
            if let (Some(mean), Some(lo), Some(hi)) = (of("mean"), of("lo"), of("hi")) {
                found.insert(number::with_spread(mean, (hi - lo) / 2.0));
                found.insert(number::duration_with_spread(mean, (hi - lo) / 2.0));
            }
            members.values().for_each(|member| written(member, found));
        }
        _ => {}
    }
}

/// What of a part of the page reads as a number with its unit: a word with a digit in it, since a number and what belongs
/// to it are held together. Pictures are left out, as their words stand beside them too, and so are heads of rows.
fn printed(markup: &str) -> Vec<String> {
    let without = |text: &str, pattern: &str, by: &str| {
        Regex::new(pattern).expect("a pattern").replace_all(text, by).into_owned()
    };
    let text = without(markup, "(?s)<svg.*?</svg>|<caption>.*?</caption>|<th[ >].*?</th>", " ");
    let text = without(&text, "<[^>]*>", " ");
    let words = text.split([' ', '\n']).map(|word| word.trim_matches([',', ';', ':', '.', '[', ']', '(', ')']));
    let words = words.filter(|word| word.chars().any(|character| character.is_ascii_digit()));
    words.map(|word| without(word, "\u{a0}(calls?|messages?|valid|calls/s)$", "")).collect()
}

/// What has a digit and is no number of a study: what an interval is, and names of metrics.
fn is_no_finding(word: &str) -> bool {
    ["95", "95\u{a0}%", "99th"].contains(&word) || word.contains('_')
}

fn small_study() -> StudyResult {
    run_study(&parse(SMALL, "small.yaml", Path::new(".")).expect("a sound scenario"), |_| ()).expect("a study")
}

#[test]
fn each_number_of_the_page_stands_in_the_summary() {
    // Peaks after the first are read off the series: `series.csv` has them, the summary has not.
    let later = Regex::new("; later [^<\"]*").expect("a pattern");
    for result in [small_study(), sample::failover(), sample::with_alarms(sample::failover())] {
        let summary = serde_json::from_str(&json(&result, "small.yaml").expect("a summary")).expect("JSON");
        let mut known = BTreeSet::new();
        written(&summary, &mut known);
        let parts = [answer::section(&result), numbers::section(&result), phases::section(&result)];
        for part in parts.map(maud::PreEscaped::into_string) {
            let printed = printed(&part);
            assert!(printed.len() > 10, "few numbers: {printed:?}");
            for number in printed {
                assert!(known.contains(&number), "{number:?} is not in the summary");
            }
        }
        let others = [
            charts::section(&result, &[""; 4]),
            findings::differences(&result),
            findings::probabilities(&result),
            findings::alarms(&result),
        ];
        for part in others.map(|part| later.replace_all(&part.into_string(), "").into_owned()) {
            for number in printed(&part).iter().filter(|word| !is_no_finding(word)) {
                assert!(known.contains(number), "{number:?} is not in the summary");
            }
        }
    }
}

#[test]
fn numbers_are_found_with_their_units_and_spreads() {
    let printed = printed(
        "<p>It takes 7\u{a0}min\u{a0}3\u{a0}s, and 1\u{a0}call; <b>12\u{a0}%</b>.</p><td>3\u{a0}120\u{a0}±\u{a0}640</td>",
    );
    assert_eq!(printed, ["7\u{a0}min\u{a0}3\u{a0}s", "1", "12\u{a0}%", "3\u{a0}120\u{a0}±\u{a0}640"]);
}

#[test]
fn the_answer_names_the_worst_and_the_best() {
    let plain = |result: &StudyResult| answer::sentence(result).replace(number::NO_BREAK, " ");
    let expected = "no-backoff turns an outage of 90 s into 7 min 20 s of disturbance and dead-letters 3 120 valid messages; \
        with-breaker is over it after 3 min and dead-letters none.";
    assert_eq!(plain(&sample::failover()), expected);
    let mut alone = sample::failover();
    alone.variants.truncate(1);
    assert!(plain(&alone).ends_with("and dead-letters 3 120 valid messages."), "{}", plain(&alone));
    assert_eq!(plain(&sample::empty()), "idle peaks at 0 calls a second and dead-letters no valid message.");
}
