//! `tune`: what it finds, what it refuses, and what an interrupt leaves of it.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::tool::{Desk, SMALL};

/// What a search writes.
const FILES: [&str; 4] = ["tune-front.png", "tune-front.svg", "tune.csv", "tune.json"];

/// Twelve candidates: with two receives much is lost, with four or eight nothing or nearly so.
const SEARCH: [&str; 8] = [
    "tune",
    "small.yaml",
    "--objective",
    "dead_lettered.valid",
    "--over",
    "queue.redrive.max_receive_count=2,4,8",
    "--over",
    "downstream.servers=5,10",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SEARCH, more].concat()
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

#[test]
fn a_search_prints_the_best_and_writes_its_files() {
    let desk = Desk::new();
    let arguments = with(&["--subject-to", "calls_peak_per_s < 500", "--out", "out", "--replications", "4"]);
    let run = desk.run(&arguments).ended_with(0);
    assert_eq!(desk.names("out"), FILES, "and no temporary file");
    insta::assert_snapshot!("best_and_front", run.stdout().replace('\u{a0}', " "));
    let widest = run.stdout().lines().map(UnicodeWidthStr::width).max();
    assert!(widest.is_some_and(|width| width <= 100), "{}", run.stdout());

    let csv = String::from_utf8(desk.read("out/tune.csv")).expect("UTF-8");
    let header = "queue.redrive.max_receive_count,downstream.servers,variant,rung,replications,feasible,on_front,best,\
                  dead_lettered.valid.mean,dead_lettered.valid.half_width,dead_lettered.valid.lo,dead_lettered.valid.hi,\
                  calls_peak_per_s.mean,calls_peak_per_s.half_width,calls_peak_per_s.lo,calls_peak_per_s.hi";
    assert_eq!(csv.lines().next(), Some(header));
    assert_eq!(csv.lines().count(), 13);
    let found = json(&desk.read("out/tune.json"));
    assert_eq!((&found["finished"], &found["search"]["kind"]), (&Value::from(true), &Value::from("grid")));
    assert_eq!(found["search"]["runs"], 12 * 4 + 5 * 4);
    assert_eq!(found["best"][0]["at"]["queue.redrive.max_receive_count"], 4.0, "{}", found["best"][0]);
    assert_eq!(found["best"][0]["metrics"]["dead_lettered.valid"]["mean"], 0.0);
    assert_eq!(found["best"][0]["runs"], 4);
}

/// The numbers of the best are those of replications that the search has not seen, as a run of the pasted variant shows.
#[test]
fn what_is_pasted_is_sound_and_gives_the_numbers_that_were_printed() {
    let desk = Desk::new();
    let run = desk.run(&with(&["--format", "json", "--replications", "3", "--top", "3"])).ended_with(0);
    let found = json(run.stdout().as_bytes());
    for best in found["best"].as_array().expect("the best") {
        let yaml = best["yaml"].as_str().expect("text");
        assert_eq!(best["yaml_is"], "variant");
        desk.put("pasted.yaml", &SMALL.replace("variants:\n", &format!("variants:\n{yaml}")));
        desk.run(&["check", "pasted.yaml"]).ended_with(0);
        let name = yaml.trim().split(':').next().expect("a name");
        // Six replications are the three of the search and the three fresh ones.
        let of = |replications: &str| {
            let arguments = ["run", "pasted.yaml", "--only", name, "--format", "json", "--replications", replications];
            let study = json(desk.run(&arguments).stdout().as_bytes());
            study["variants"][0]["metrics"]["calls_peak_per_s"]["mean"].as_f64().expect("a mean")
        };
        let fresh = best["metrics"]["calls_peak_per_s"]["mean"].as_f64().expect("a mean");
        assert!(((6.0 * of("6") - 3.0 * of("3")) / 3.0 - fresh).abs() < 1e-6, "{best}");
    }
}

#[test]
fn grid_and_halving_find_the_same_and_threads_change_nothing() {
    let desk = Desk::new();
    let best = |search: &str, threads: &str, out: &str| {
        let more =
            ["--search", search, "--threads", threads, "--out", out, "--replications", "8", "--top", "2", "--quiet"];
        desk.run(&with(&more)).ended_with(0);
        json(&desk.read(&format!("{out}/tune.json")))
    };
    let (grid, halving) = (best("grid", "2", "grid"), best("halving", "1", "one"));
    assert_eq!(grid["best"][0]["at"], halving["best"][0]["at"]);
    assert_eq!(halving["search"]["rungs"].as_array().map(Vec::len), Some(2));
    best("halving", "2", "two");
    for name in FILES {
        assert!(desk.read(&format!("one/{name}")) == desk.read(&format!("two/{name}")), "{name}");
    }
}

#[test]
fn where_nothing_holds_the_closest_are_shown_with_code_3() {
    let desk = Desk::new();
    let arguments = with(&["--subject-to", "calls_peak_per_s < 1", "--out", "out", "--replications", "3"]);
    let run = desk.run(&arguments).ended_with(3);
    for words in ["NONE HOLDS: no candidate is shown to keep to every condition", "come closest", "breaks"] {
        assert!(run.stdout().contains(words), "{words} in\n{}", run.stdout());
    }
    let found = json(&desk.read("out/tune.json"));
    let peak = |one: &Value| one["metrics"]["calls_peak_per_s"]["mean"].as_f64().expect("a mean");
    let least = found["candidates"].as_array().expect("candidates").iter().map(peak).fold(f64::INFINITY, f64::min);
    let closest = found["best"][0]["candidate"].as_u64().expect("a number") as usize;
    assert_eq!(peak(&found["candidates"][closest]), least, "by the runs of the search");
}

#[test]
fn a_variant_that_an_axis_does_not_change_is_one_candidate() {
    let desk = Desk::new();
    let over = "policy.backoff.exponential.base=1s,2s,3s";
    desk.put(
        "own.yaml",
        &format!(
            "{}policy: {{ backoff: {{ exponential: {{}} }} }}\n",
            SMALL.replace("plain: {}", "plain: { policy: { backoff: none } }").replace("base: 1s, ", "")
        ),
    );
    let arguments = ["tune", "own.yaml", "--objective", "calls_wasted", "--over", over, "--out", "out"];
    let run = desk.run(&arguments).ended_with(0);
    assert!(run.stdout().contains("4 candidates"), "{}", run.stdout());
    assert!(run.stderr().contains("does not change `plain`"), "{}", run.stderr());
    let only = desk.run(&[&arguments[..], &["--variant", "jitter"]].concat()).ended_with(0);
    assert!(only.stdout().contains("3 candidates"), "{}", only.stdout());
}

#[test]
fn wrong_input_is_explained_and_nothing_is_written() {
    let desk = Desk::new();
    let over = ["--over", "downstream.servers=5,10"];
    let refused = |arguments: &[&str], words: &[&str]| {
        let run = desk.run(&[&["tune", "small.yaml"], arguments].concat()).ended_with(2);
        for words in words {
            assert!(run.stderr().contains(words), "{words} in\n{}", run.stderr());
        }
    };
    let lost = ["--objective", "dead_lettered.valid"];
    refused(&[&["--objective", "dead_leterred.valid"], &over[..]].concat(), &["did you mean `dead_lettered.valid`?"]);
    refused(&[&["--objective", "calls"], &over[..]].concat(), &["--minimize or --maximize"]);
    refused(&[&lost[..], &over[..], &["--maximize"]].concat(), &["cannot be maximized"]);
    refused(&[&lost[..], &over[..], &["--subject-to", "cals < 3"]].concat(), &["did you mean `calls`?"]);
    refused(&[&lost[..], &over[..], &["--subject-to", "calls"]].concat(), &["no comparison"]);
    refused(&[&lost[..], &over[..], &["--variant", "jiter"]].concat(), &["no variant `jiter`", "jitter"]);
    refused(&[&lost[..], &["--over", "downstream.sever=5,10"]].concat(), &["--over downstream.sever", "servers"]);
    refused(&[&lost[..], &["--over", "downstream.servers"]].concat(), &["KEY=A,B,C"]);
    refused(&lost, &["nothing to search"]);
    assert_eq!(desk.names("."), ["small.yaml"]);
    desk.put("large.yaml", &SMALL.replace("20/s", "20000/s"));
    let large =
        [&["tune", "large.yaml", "--replications", "100000", "--search", "grid"], &lost[..], &over[..]].concat();
    let run = desk.run(&large).ended_with(2);
    assert!(run.stderr().contains("too large to run"), "{}", run.stderr());
}

/// An interrupt leaves what is known by then, marked as unfinished, or nothing.
#[cfg(unix)]
#[test]
fn an_interrupted_search_tells_what_it_knows() {
    let desk = Desk::new();
    desk.put("long.yaml", &SMALL.replace("20/s", "200/s"));
    let mut arguments = with(&["--replications", "3000", "--search", "grid", "--out", "out"]);
    arguments[1] = "long.yaml";
    let mut command = desk.command(&arguments);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(child.try_wait().expect("it can be asked").is_none(), "it goes on for minutes");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("`kill` is there").success());
    let asked = Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
    assert_eq!(output.status.code(), Some(130));
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(stdout.contains("UNFINISHED") && stdout.contains("expect somewhat worse"), "{stdout}");
    assert_eq!(desk.names("out"), FILES, "all files, whole");
    let found = json(&desk.read("out/tune.json"));
    assert_eq!(found["finished"], false);
    let runs = found["search"]["runs"].as_u64().expect("a number");
    assert!(runs > 0 && runs < 36_000, "{runs}");
    assert!(desk.read("out/tune-front.png").ends_with(b"IEND\xae\x42\x60\x82"));
}
