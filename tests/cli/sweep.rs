//! Sweeps, their shards, and what an interrupt leaves of them.

use std::path::PathBuf;

use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::tool::{Desk, SMALL};

/// Twelve runs a variant.
const SWEEP: &str = "
sweep:
  downstream.outages.0.for: [6s, 12s, 16s]
  queue.redrive.max_receive_count: [2, 4]
";

/// What a sweep over two axes writes, without what the features of the build add.
const FILES: [&str; 4] = ["sweep-dead_lettered.valid.png", "sweep-dead_lettered.valid.svg", "sweep.csv", "sweep.json"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("sweep.yaml", &format!("{SMALL}{SWEEP}"));
    desk
}

/// The bytes of every file in a folder, with their names.
fn bytes(desk: &Desk, folder: &str) -> Vec<(String, Vec<u8>)> {
    let names = desk.names(folder).into_iter();
    names.map(|name| (name.clone(), desk.read(&format!("{folder}/{name}")))).collect()
}

#[test]
fn a_sweep_writes_its_files_and_prints_a_row_for_each_point() {
    let desk = desk();
    let run = desk.run(&["run", "sweep.yaml", "--out", "out"]).ended_with(0);
    let names: Vec<String> = desk.names("out").into_iter().filter(|name| name != "sweep.parquet").collect();
    assert_eq!(names, FILES, "and neither a checkpoint nor a temporary file");
    for words in ["6 points", "outages.", "max_receive_count", "jitter", "not judged"] {
        assert!(run.stdout().contains(words), "{words} in\n{}", run.stdout());
    }
    let widest = run.stdout().lines().map(UnicodeWidthStr::width).max();
    assert!(widest.is_some_and(|width| width <= 100), "{}", run.stdout());

    let csv = String::from_utf8(desk.read("out/sweep.csv")).expect("UTF-8");
    let header =
        "downstream.outages.0.for,queue.redrive.max_receive_count,variant,metric,unit,mean,half_width,lo,hi,min,max";
    assert_eq!(csv.lines().next(), Some(header));
    assert!(csv.lines().any(|line| line.starts_with("16s,2,plain,dead_lettered.valid,messages,")), "{csv}");
    let json: Value = serde_json::from_slice(&desk.read("out/sweep.json")).expect("JSON");
    assert_eq!(json["points"].as_array().map(Vec::len), Some(6));
    assert_eq!(json["points"][5]["at"]["downstream.outages.0.for"], 16.0);
    assert!(json["points"][5]["variants"][1]["metrics"]["calls"]["mean"].is_number());
}

#[test]
fn a_point_of_a_sweep_is_the_scenario_with_its_values() {
    let desk = desk();
    desk.run(&["run", "sweep.yaml", "--out", "out", "--quiet"]).ended_with(0);
    let sweep: Value = serde_json::from_slice(&desk.read("out/sweep.json")).expect("JSON");
    desk.put(
        "point.yaml",
        &SMALL.replace("for: 12s", "for: 16s").replace("max_receive_count: 3", "max_receive_count: 2"),
    );
    let run = desk.run(&["run", "point.yaml", "--format", "json"]).ended_with(0);
    let point: Value = serde_json::from_str(run.stdout()).expect("JSON");
    for variant in 0..2 {
        assert_eq!(sweep["points"][4]["variants"][variant]["metrics"], point["variants"][variant]["metrics"]);
    }
}

#[test]
fn vary_makes_a_sweep_of_any_scenario_and_metric_chooses_what_is_shown() {
    let desk = Desk::new();
    let vary = ["run", "small.yaml", "--vary", "downstream.servers={ from: 5, to: 15, steps: 3 }", "--out", "out"];
    let run = desk.run(&[&vary[..], &["--metric", "calls", "--metric", "sound_again_s"]].concat()).ended_with(0);
    assert!(run.stdout().contains("calls (calls)") && run.stdout().contains("sound_again_s (s)"), "{}", run.stdout());
    assert!(desk.names("out").contains(&"sweep-sound_again_s.svg".to_owned()));
    let run = desk.run(&["run", "small.yaml", "--vary", "downstream.servers=5", "--metric", "call"]).ended_with(2);
    assert!(run.stderr().contains("did you mean `calls`?"), "{}", run.stderr());
    let run = desk.run(&["run", "small.yaml", "--vary", "downstream.sever=5,6"]).ended_with(2);
    assert!(run.stderr().contains("did you mean `servers`?"), "{}", run.stderr());
}

#[test]
fn what_only_sweeps_have_is_refused_elsewhere() {
    let desk = Desk::new();
    for option in [["--shard", "1/2"], ["--metric", "calls"]] {
        let run = desk.run(&[&["run", "small.yaml"][..], &option].concat()).ended_with(2);
        assert!(run.stderr().contains("is for sweeps"), "{}", run.stderr());
    }
    let vary = ["run", "small.yaml", "--vary", "variants.jitter.policy.floor=1s,2s", "--only", "plain"];
    let run = desk.run(&vary).ended_with(2);
    assert!(run.stderr().contains("no variant that the axis"), "{}", run.stderr());
    let desk = self::desk();
    for shard in ["0/2", "3/2", "x", "auto", "auto/x"] {
        let run = desk.run(&["run", "sweep.yaml", "--shard", shard]).ended_with(2);
        assert!(run.stderr().contains("--shard"), "{}", run.stderr());
    }
}

#[test]
fn check_says_how_large_a_sweep_is() {
    let run = desk().run(&["check", "sweep.yaml"]).ended_with(0);
    assert!(run.stdout().contains("6 points, 24 runs"), "{}", run.stdout());
}

/// Runs every shard of a sweep into a folder, the last first.
fn shards(desk: &Desk, count: u32, folder: &str, threads: &str) {
    for number in (1..=count).rev() {
        let shard = format!("{number}/{count}");
        let options = ["--shard", &shard, "--out", folder, "--threads", threads, "--quiet"];
        desk.run(&[&["run", "sweep.yaml"][..], &options].concat()).ended_with(0);
    }
}

#[test]
fn shards_join_to_the_bytes_of_the_whole_whatever_their_number_order_and_threads() {
    let desk = desk();
    desk.run(&["run", "sweep.yaml", "--out", "whole", "--threads", "1"]).ended_with(0);
    let whole = bytes(&desk, "whole");
    for (count, threads) in [(1, "2"), (3, "1"), (7, "2")] {
        let (folder, joined) = (format!("shards-{count}"), format!("joined-{count}"));
        shards(&desk, count, &folder, threads);
        assert_eq!(desk.names(&folder).len(), count as usize);
        desk.run(&["merge", &folder, "--out", &joined]).ended_with(0);
        assert_eq!(bytes(&desk, &joined), whole, "{count} shards");
    }
    let mut files: Vec<String> = desk.names("shards-3").iter().map(|name| format!("shards-3/{name}")).collect();
    files.reverse();
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let merged = desk.run(&[&["merge"], &arguments[..], &["--out", "reversed"]].concat()).ended_with(0);
    assert_eq!(bytes(&desk, "reversed"), whole);
    let run = desk.run(&["run", "sweep.yaml", "--out", "again"]).ended_with(0);
    assert_eq!(merged.stdout(), run.stdout(), "the table too");
}

#[test]
fn a_job_of_an_array_finds_its_share() {
    let desk = desk();
    let arguments = ["run", "sweep.yaml", "--shard", "auto/3", "--out", "out"];
    let ended = desk.command(&arguments).env("JOB_COMPLETION_INDEX", "2").status().expect("it runs");
    assert!(ended.success());
    assert_eq!(desk.names("out"), ["shard-3-of-3.shard"]);
}

/// The message with which a merge of the shards is refused.
fn refused(desk: &Desk, paths: &[&str]) -> String {
    let run = desk.run(&[&["merge"], paths, &["--out", "joined"]].concat()).ended_with(2);
    assert!(!desk.path("joined").exists(), "nothing is written");
    run.stderr().to_owned()
}

#[test]
fn shards_that_do_not_make_a_whole_are_refused() {
    let desk = desk();
    shards(&desk, 3, "shards", "2");
    let second = "shards/shard-2-of-3.shard";
    let good = desk.read(second);

    std::fs::copy(desk.path(second), desk.path("shards/copy.shard")).expect("a copy");
    desk.run(&["merge", "shards", "--out", "twice"]).ended_with(0);
    std::fs::remove_file(desk.path("shards/copy.shard")).expect("it is there");

    std::fs::write(desk.path(second), &good[..good.len() / 2]).expect("a torn file");
    assert!(refused(&desk, &["shards"]).contains("shard-2-of-3.shard is torn: its end is missing"));
    let mut changed = good.clone();
    let digit = changed.iter().rposition(|byte| *byte == b' ').expect("a row") - 3;
    changed[digit] ^= 1;
    std::fs::write(desk.path(second), changed).expect("a changed file");
    assert!(refused(&desk, &["shards"]).contains("is torn"));
    std::fs::remove_file(desk.path(second)).expect("it is there");
    assert!(refused(&desk, &["shards"]).contains("of 3 shards one is missing: 2"));

    let other = ["--shard", "2/3", "--out", "shards", "--quiet"];
    desk.run(&[&["run", "sweep.yaml", "--seed", "7"][..], &other].concat()).ended_with(0);
    assert!(refused(&desk, &["shards"]).contains("is of another sweep than"));
    std::fs::write(desk.path(second), "a,b\n1,2\n").expect("another file");
    assert!(refused(&desk, &["shards"]).contains("is no shard of a sweep"));
    assert!(refused(&desk, &["nowhere"]).contains("cannot read nowhere"));
    std::fs::create_dir(desk.path("empty")).expect("a folder");
    assert!(refused(&desk, &["empty"]).contains("there is no shard in empty"));
}

#[cfg(unix)]
mod interrupted {
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// A sweep that takes a while, and its options.
    fn long(desk: &Desk) -> Vec<&'static str> {
        desk.put("sweep.yaml", &format!("{}{SWEEP}", SMALL.replace("replications: 2", "replications: 400")));
        vec!["run", "sweep.yaml", "--out", "out", "--threads", "1"]
    }

    /// Interrupts a sweep with a signal, goes on with it, and compares it with one that was left alone.
    fn goes_on_after(signal: &str) {
        let desk = desk();
        let mut arguments = long(&desk);
        let mut child =
            desk.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        thread::sleep(Duration::from_millis(700));
        Command::new("kill").args([signal, &child.id().to_string()]).status().expect("`kill` is there");
        let code = child.wait().expect("it ends").code();
        if code == Some(0) {
            return; // A fast machine: there was nothing left to interrupt.
        }
        assert_eq!(code, Some(130));
        assert_eq!(desk.names("out"), ["sweep.part"], "what is done is kept, and nothing else");
        let run = desk.run(&arguments).ended_with(0);
        assert!(run.stderr().contains("runs are done already"), "{}", run.stderr());
        assert!(!desk.names("out").contains(&"sweep.part".to_owned()));
        arguments[3] = "whole";
        desk.run(&arguments).ended_with(0);
        assert_eq!(bytes(&desk, "out"), bytes(&desk, "whole"));
    }

    #[test]
    fn an_interrupted_sweep_goes_on_where_it_was_and_gives_the_same_bytes() {
        goes_on_after("-INT");
    }

    /// What batch systems send to a job whose place they take away.
    #[test]
    fn a_terminated_sweep_goes_on_too() {
        goes_on_after("-TERM");
    }

    #[test]
    fn what_another_sweep_has_left_is_not_taken_for_ones_own() {
        let desk = desk();
        shards(&desk, 1, "out", "1");
        let shard: PathBuf = desk.path("out/shard-1-of-1.shard");
        std::fs::rename(shard, desk.path("out/sweep.part")).expect("it is there");
        let run = desk.run(&["run", "sweep.yaml", "--out", "out", "--seed", "9"]).ended_with(0);
        assert!(!run.stderr().contains("done already"), "{}", run.stderr());
    }
}
