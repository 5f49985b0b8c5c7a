//! What cannot be done is said in one clear message, with exit code 2, and leaves no trace.

use crate::tool::{Desk, FILES, SMALL};

#[test]
fn usage_errors_are_exit_code_2() {
    let desk = Desk::new();
    for (arguments, words) in [
        (&[][..], "Usage"),
        (&["runn", "small.yaml"], "run"),
        (&["run"], "SCENARIO"),
        (&["run", "small.yaml", "--sed", "1"], "--seed"),
        (&["run", "small.yaml", "--seed", "x"], "invalid value 'x'"),
        (&["run", "small.yaml", "--seed", "-1"], "'-1'"),
        (&["run", "small.yaml", "--replications", "0"], "1..=100000"),
        (&["run", "small.yaml", "--threads", "0"], "1..=1024"),
        (&["run", "small.yaml", "--format", "xml"], "possible values"),
        (&["run", "small.yaml", "--only"], "--only"),
        (&["schema", "x"], "unexpected argument"),
    ] {
        let run = desk.run(arguments).ended_with(2);
        assert!(run.stderr().contains(words), "{arguments:?} should say {words}:\n{}", run.stderr());
        assert_eq!(run.stdout(), "", "{arguments:?}");
    }
    assert_eq!(desk.names("."), ["small.yaml"]);
}

#[test]
fn an_unknown_variant_is_refused_with_the_nearest_name() {
    let desk = Desk::new();
    let run = desk.run(&["run", "small.yaml", "--only", "plain", "jiter"]).ended_with(2);
    assert!(run.stderr().contains("no variant `jiter`"), "{}", run.stderr());
    assert!(run.stderr().contains("did you mean `jitter`?"), "{}", run.stderr());
    assert_eq!(desk.names("."), ["small.yaml"]);
}

#[test]
fn a_refused_scenario_leaves_nothing_behind_not_even_a_folder() {
    let desk = Desk::new();
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("key.yaml", SMALL.replace("replications", "replicatoins").into(), "key.yaml:4:1"),
        ("outage.yaml", SMALL.replace("for: 12s", "for: 12m").into(), "beyond the end of the run"),
        ("metric.yaml", SMALL.replace("metric: enqueued", "metric: enqeued").into(), "did you mean `enqueued`?"),
        ("huge.yaml", SMALL.replace("rate: 20/s", "rate: 1000000000/s").into(), "too large to run"),
        ("empty.yaml", Vec::new(), "empty.yaml"),
        ("binary.yaml", vec![0, 159, 146, 150], "binary.yaml"),
        ("nested.yaml", "[".repeat(100_000).into(), "nested.yaml"),
    ];
    for (name, bytes, words) in cases {
        std::fs::write(desk.path(name), bytes).expect("a file of the test");
        for command in ["run", "check"] {
            let run = desk.run(&[command, name]).ended_with(2);
            assert!(run.stderr().contains(words), "{name} should say {words}:\n{}", run.stderr());
            assert_eq!(run.stdout(), "", "{name}");
        }
        std::fs::remove_file(desk.path(name)).expect("it is there");
    }
    for missing in ["missing.yaml", "."] {
        desk.run(&["run", missing]).ended_with(2);
    }
    assert_eq!(desk.names("."), ["small.yaml"]);
}

#[test]
fn a_run_that_the_command_line_makes_too_large_is_refused() {
    let desk = Desk::new();
    desk.put("long.yaml", &SMALL.replace("duration: 40s", "duration: 5d").replace("until: 30s", "until: 5d"));
    let run = desk.run(&["run", "long.yaml", "--replications", "100000"]).ended_with(2);
    assert!(run.stderr().contains("too large to run"), "{}", run.stderr());
    assert!(!desk.path("output").exists());
}

#[test]
fn a_file_in_the_place_of_the_output_folder_is_named_and_kept() {
    let desk = Desk::new();
    desk.put("taken", "mine");
    for out in ["taken", "taken/below"] {
        let run = desk.run(&["run", "small.yaml", "--out", out]).ended_with(2);
        assert!(run.stderr().contains(&format!("cannot write {out}")), "{}", run.stderr());
    }
    assert_eq!(desk.names("."), ["small.yaml", "taken"]);
    assert_eq!(desk.read("taken"), b"mine");
}

#[test]
fn a_folder_in_the_place_of_a_file_is_named_and_the_former_files_stay() {
    let desk = Desk::new();
    desk.run(&["run", "small.yaml", "--out", "out", "--seed", "1"]).ended_with(0);
    std::fs::remove_file(desk.path("out/summary.csv")).expect("it is there");
    std::fs::create_dir(desk.path("out/summary.csv")).expect("a folder");
    let before = FILES.map(|name| (name != "summary.csv").then(|| desk.read(&format!("out/{name}"))));
    let run = desk.run(&["run", "small.yaml", "--out", "out", "--seed", "2"]).ended_with(2);
    assert!(run.stderr().contains("out/summary.csv"), "{}", run.stderr());
    assert_eq!(desk.names("out"), FILES, "no temporary file");
    let after = FILES.map(|name| (name != "summary.csv").then(|| desk.read(&format!("out/{name}"))));
    assert!(before == after, "all old, and none of them new");
}
