//! The JSON Schema of the scenario language is in the tree, is up to date, and judges as the reader does.

use regex::Regex;
use retrystorm::scenario::{json_schema, json_schema_text, parse, read_file};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn scenarios() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

#[test]
fn the_schema_in_the_tree_is_up_to_date() {
    let in_tree = fs::read_to_string(scenarios().join("scenario.schema.json")).unwrap_or_default();
    assert!(
        in_tree == json_schema_text(),
        "the schema has changed: run `retrystorm schema > scenarios/scenario.schema.json`"
    );
}

#[test]
fn every_shipped_scenario_is_valid_for_reader_and_schema() {
    for folder in ["", "mistakes", "sweeps"] {
        let schema = if folder.is_empty() { "scenario.schema.json" } else { "../scenario.schema.json" };
        let yaml = yaml_files(&scenarios().join(folder));
        assert!(!yaml.is_empty());
        for path in yaml {
            if let Err(error) = read_file(&path) {
                panic!("{error}");
            }
            let text = fs::read_to_string(&path).expect("a text");
            assert!(schema_accepts(&text), "{}", path.display());
            let first_line = format!("# yaml-language-server: $schema={schema}\n");
            assert!(text.starts_with(&first_line), "{}", path.display());
        }
    }
}

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the scenarios are in the tree");
    let files = entries.map(|entry| entry.expect("a file").path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect()
}

/// A small scenario with some sections replaced or added.
fn with(sections: &str) -> String {
    let common = [
        "duration: 20m",
        "producers: [ { rate: 800/s } ]",
        "downstream: { servers: 10, service_time: 5ms }",
        "variants: { a: {} }",
    ];
    let key = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
    let replaced: Vec<String> = sections.lines().map(key).collect();
    let kept = common.into_iter().filter(|line| !replaced.contains(&key(line)));
    kept.chain(sections.lines()).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn reader_and_schema_accept_the_same_good_documents() {
    for sections in [
        "title: x\nduration: 1s\nseed: 18446744073709551615\nreplications: 100000",
        "duration: 0.5h\nvariants: { a: , \"b c\": {}, 7: { producers: [ { burst: 3, every: 1m } ] } }",
        "queue: { redrive: {}, back_of_queue: false, return_order: random, twelve_hour_clock: lifetime }",
        "queue: { redrive: none, dead_letter_queue: { retention: 1h30m } }",
        "producers: [ { rate: 0.5/m, arrivals: constant, classes: { permanent: 0.5, poison: 0.25% } }, { rate: 10/d } ]",
        "consumers: { fleet: 3, prefetch: 0, handler_time: { exponential: 250us }, restart: 1ms }",
        "downstream: { servers: 1, service_time: { lognormal: { mean: 5ms, p99: 9ms } }, max_waiting: none, error_rate: 100% }",
        "downstream: { servers: 1, service_time: 1us, call_timeout: 2s, outages: [ { at: 0s, for: 1s, mode: hang } ] }",
        "policy: { backoff: { fixed: { delay: 30s, jitter: equal } }, breaker: none }",
        "policy: { backoff: { linear: { step: 1s, jitter: { floored_full: { floor: 3s } } } } }",
        "policy: { backoff: { exponential: { base: 1s, factor: 1.5 } }, breaker: { failures: 1, cooldown: 1s, counts: batches, scope: fleet } }",
        "policy: { breaker: { failures: none, failure_rate: { share: 0.5, calls: 100, minimum: 20 }, cooldown: 1s, probes: 3 } }",
        "policy: { breaker: { throttling: { share: 20%, for: 30s }, cooldown: 1s, ramp_up: { for: 60s, from: 10% } } }",
        "policy: { backoff: sidekiq, floor: 5s, retry_after: honour, ceiling_guard: remaining, client: aws-sdk-adaptive }",
        "policy: { backoff: { celery: {} }, client: { retries: { attempts: 5, base: 1ms, jitter: half } } }",
        "policy: { backoff: { intervals: { intervals: [1s, 1m], jitter: { bounded: { share: 20% } } } }, client: none }",
        "policy: { backoff: { spring-exponential: { initial: 30s, jitter: half } } }",
        "consumers: { like: spring-cloud-aws, polls: when_empty, drops_aged: true, pause: 3s }",
        "consumers: { polls: always, overflow: release, acknowledge: early, handler_time: { in_turn: [65s, 0s] } }",
        "consumers: { acknowledge: { batched: {} }, handler_timeout: 5s, handler_timeout_checked_every: 1m }",
        "consumers: { autoscale: { target: 100, min: 2, max: 60, every: 60s, cooldown: 5m, start_up: 30s } }",
        "alarms: { deep: { metric: depth, above: 1000 }, old: { metric: oldest_age, above: 10m, for: 2, out_of: 3 } }",
        "alarms: { b: { metric: breaker_open, above: 50%, period: 5m, delay: 90s } }\nexpect: [ { metric: alarm.b.fired, equals: 0 } ]",
        "expect: [ { metric: calls, from: 0s, below: { variant: a, times: 0.5 } }, { metric: visible, at: 3s, between: [1, 2.5] } ]",
        "expect: [ { metric: sound_again_s, at_most: 4m }, { metric: breaker_open, at: 3s, equals: 50% } ]",
        "sweep: { downstream.servers: [5, 10], queue.visibility_timeout: { from: 10s, to: 2m, steps: 4, scale: logarithmic } }",
        "claims: [ { metric: calls, figure: 3, reproduced_within: 10%, close_within: 5, because: x } ]",
    ] {
        let text = with(sections);
        if let Err(error) = parse(&text, "s.yaml", Path::new("")) {
            panic!("{error}");
        }
        assert!(schema_accepts(&text), "the schema refuses {sections}");
    }
}

#[test]
fn reader_and_schema_refuse_the_same_bad_documents() {
    for sections in [
        "titel: x",
        "title: 3",
        "seed: -1",
        "seed: 1.5",
        "duration: 20",
        "duration: 5M",
        "duration: 5 m",
        "duration: s",
        "duration: 30m1h",
        "duration: \"\"",
        "replications: 0",
        "replications: 100001",
        "queue: 30s",
        "queue:",
        "queue: { visibility: 30s }",
        "queue: { back_of_queue: on }",
        "queue: { return_order: by-age }",
        "queue: { redrive: { max_receive_count: 0 } }",
        "queue: { redrive: { max_receive_count: 1001 } }",
        "queue: { redrive: never }",
        "producers: { rate: 1/s }",
        "producers: [ { rate: 800 } ]",
        "producers: [ { rate: -1/s } ]",
        "producers: [ { rate: 0/s } ]",
        "producers: [ { rate: 0.0/s } ]",
        "producers: [ { rate: 1/week } ]",
        "producers: [ { burst: 0 } ]",
        "producers: [ { rate: 1/s, classes: { poison: 101% } } ]",
        "producers: [ { rate: 1/s, classes: { poison: 1.5 } } ]",
        "consumers: { batch: 11 }",
        "consumers: { fleet: 0 }",
        "consumers: { autoscale: { target: 0, max: 3 } }",
        "consumers: { like: my-own }",
        "consumers: { polls: sometimes }",
        "consumers: { acknowledge: batched }",
        "consumers: { acknowledge: { batched: { messages: 1001 } } }",
        "consumers: { handler_time: { in_turn: 3s } }",
        "consumers: { handler_time: { normal: 3s } }",
        "consumers: { handler_time: { exponential: 3s, lognormal: { mean: 1s, p99: 2s } } }",
        "consumers: { handler_time: { lognormal: { mean: 1s } } }",
        "downstream: { servers: 1, service_time: 1s, failure_cost: 101 }",
        "downstream: { servers: 1, service_time: 1s, outages: [ { at: 0s, mode: refuse } ] }",
        "downstream: { servers: 1, service_time: 1s, outages: [ { at: 0s, for: 1s, mode: refuze } ] }",
        "downstream: { servers: 1, service_time: 1s, outages: [ { at: 0s, for: 1s, mode: slow, factor: 0.5 } ] }",
        "policy: none",
        "policy: { backoff: exponential }",
        "policy: { backoff: { fixed: { delay: 1s }, linear: { step: 1s } } }",
        "policy: { backoff: { logarithmic: { base: 1s } } }",
        "policy: { backoff: { sidekiq: {} } }",
        "policy: { backoff: { celery: { base: 1s } } }",
        "policy: { backoff: { intervals: { intervals: [] } } }",
        "policy: { backoff: { spring-exponential: { jitter: decorrelated } } }",
        "policy: { backoff: { linear: { step: 1s, jitter: { floored_full: {} } } } }",
        "policy: { client: { retries: { attempts: 0 } } }",
        "policy: { retry_after: obey }",
        "policy: { backoff: { exponential: { base: 1s, factor: 0.5 } } }",
        "policy: { breaker: { failures: 0, cooldown: 1s } }",
        "policy: { breaker: { failures: 1, probes: 0, cooldown: 1s } }",
        "policy: { breaker: { failure_rate: 50%, cooldown: 1s } }",
        "policy: { breaker: { failure_rate: { share: 50, calls: 10 }, cooldown: 1s } }",
        "policy: { breaker: { throttling: { share: 50%, window: 3s }, cooldown: 1s } }",
        "policy: { breaker: { failures: 1, ramp_up: 60s, cooldown: 1s } }",
        "alarms: [ { metric: depth, above: 1 } ]",
        "alarms: { a: { metric: dept, above: 1 } }",
        "alarms: { a: { metric: depth, above: many } }",
        "alarms: { a: { metric: depth, above: 1, for: 0 } }",
        "variants: {}",
        "variants: [a]",
        "variants: { a: 3 }",
        "variants: { a: { seed: 3 } }",
        "expect: [ { variant: a, equals: 0 } ]",
        "expect: [ { metric: calls, from: 1s, between: [1] } ]",
        "sweep: { downstream.servers: 5 }",
        "sweep: { downstream.servers: [] }",
        "sweep: { downstream.servers: { from: 5, to: 10 } }",
        "sweep: { downstream.servers: { from: 5, to: 10, steps: 1 } }",
        "sweep: { downstream.servers: { from: 5, to: 10, steps: 3, scale: log } }",
        "sweep: [ downstream.servers ]",
        "sweep: {}",
        "claims: [ { variant: a, metric: calls } ]",
        "claims: [ { variant: a, metric: calls, figure: many } ]",
        "claims: [ { variant: a, metric: calls, figure: 1, close_within: -1 } ]",
    ] {
        let text = with(sections);
        assert!(parse(&text, "s.yaml", Path::new("")).is_err(), "the reader accepts {sections}");
        assert!(!schema_accepts(&text), "the schema accepts {sections}");
    }
}

/// Whether the schema accepts a text, judged by the few keywords that it uses. A full validator would be a large
/// dependency; a keyword that is not known here fails the test.
fn schema_accepts(text: &str) -> bool {
    let options = serde_saphyr::options! { strict_booleans: true };
    let document: Value = serde_saphyr::from_str_with_options(text, options).expect("YAML");
    let schema = json_schema();
    accepts(&schema, &schema, &document)
}

fn accepts(root: &Value, schema: &Value, value: &Value) -> bool {
    let keywords = schema.as_object().expect("a schema is an object");
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "$defs" | "title" | "description" | "patternErrorMessage" => true,
        "$ref" => {
            let pointer = rule.as_str().expect("a reference").trim_start_matches('#');
            accepts(root, root.pointer(pointer).expect("a definition"), value)
        }
        "type" => has_type(rule, value),
        "const" => rule == value,
        "oneOf" => choices(rule).filter(|choice| accepts(root, choice, value)).count() == 1,
        "anyOf" => choices(rule).any(|choice| accepts(root, choice, value)),
        "pattern" => {
            let pattern = Regex::new(rule.as_str().expect("a pattern")).expect("a regular expression");
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= number(rule) as u64),
        "minimum" => value.as_f64().is_none_or(|found| found >= number(rule)),
        "maximum" => value.as_f64().is_none_or(|found| found <= number(rule)),
        "minItems" => value.as_array().is_none_or(|items| items.len() as f64 >= number(rule)),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as f64 <= number(rule)),
        "minProperties" => value.as_object().is_none_or(|keys| keys.len() as f64 >= number(rule)),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| accepts(root, rule, item))),
        "required" => value
            .as_object()
            .is_none_or(|keys| choices(rule).all(|key| keys.contains_key(key.as_str().expect("a key")))),
        "properties" => value.as_object().is_none_or(|keys| {
            keys.iter().all(|(key, value)| rule.get(key).is_none_or(|schema| accepts(root, schema, value)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|keys| {
            let mut others = keys.iter().filter(|(key, _)| {
                keywords.get("properties").is_none_or(|properties| properties.get(key.as_str()).is_none())
            });
            others.all(|(_, value)| if rule.is_object() { accepts(root, rule, value) } else { rule == true })
        }),
        other => panic!("the schema uses `{other}`, which this test does not know"),
    })
}

fn has_type(rule: &Value, value: &Value) -> bool {
    match rule.as_str().expect("one type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("an unknown type {other}"),
    }
}

fn choices(rule: &Value) -> impl Iterator<Item = &Value> {
    rule.as_array().expect("a list").iter()
}

fn number(rule: &Value) -> f64 {
    rule.as_f64().expect("a number")
}
