//! `retrystorm budget`.

use serde_json::Value;

use crate::tool::Desk;

fn json(arguments: &[&str]) -> Value {
    let finished = Desk::new().run(&[&["budget", "--format", "json"], arguments].concat());
    serde_json::from_str(finished.stdout()).expect("JSON")
}

#[test]
fn the_waits_add_up_in_text_json_and_files() {
    let desk = Desk::new();
    let asked = ["budget", "--base", "10s", "--cap", "5m", "--jitter", "full", "-n", "6", "--out", "out"];
    let finished = desk.run(&asked).ended_with(0);
    assert!(finished.stdout().replace('\u{a0}', " ").contains("dead-lettered after   305 s"), "{}", finished.stdout());
    for name in ["budget.txt", "budget.json", "budget.svg", "budget.png"] {
        assert!(desk.path("out").join(name).is_file(), "{name}");
    }
    let found = json(&["--base", "10s", "--cap", "5m", "--jitter", "full", "-n", "6"]);
    assert_eq!(found["budgets"][0]["time_to_dlq_s"]["mean"], 305.0);
    assert_eq!(found["budgets"][0]["receives"].as_array().map(Vec::len), Some(6));
    assert_eq!(found["budgets"][0]["backoff"], "exponential: { base: 10s, cap: 5m, jitter: full }");
}

#[test]
fn a_scenario_has_a_budget_for_each_variant() {
    let desk = Desk::new();
    let finished = desk.run(&["budget", "small.yaml", "--format", "json"]).ended_with(0);
    let found: Value = serde_json::from_str(finished.stdout()).expect("JSON");
    assert_eq!((&found["source"], &found["budgets"][0]["name"]), (&"small.yaml".into(), &"plain".into()));
    assert_eq!(found["budgets"][0]["time_to_dlq_s"]["mean"], 12.0);
    assert_eq!(found["budgets"][1]["time_to_dlq_s"]["mean"], 3.5);
}

#[test]
fn the_exit_code_says_whether_both_questions_are_answered_well() {
    let desk = Desk::new();
    desk.run(&["budget", "--outage", "2m"]).ended_with(0);
    desk.run(&["budget", "--outage", "2m1s"]).ended_with(3);
    desk.run(&["budget", "--visibility-timeout", "1h", "-n", "48"]).ended_with(0);
    desk.run(&["budget", "--visibility-timeout", "1h", "-n", "49"]).ended_with(3);
    desk.run(&["budget", "--visibility-timeout", "1h", "-n", "96"]).ended_with(3);
}

#[test]
fn no_line_is_wider_than_a_hundred_columns_however_long_it_takes() {
    for backoff in
        ["sidekiq", "exponential: { base: 1s, jitter: full }", "exponential: { base: 12h, jitter: decorrelated }"]
    {
        for receives in ["1", "20", "1000"] {
            let finished = Desk::new().run(&[
                "budget",
                "--backoff",
                backoff,
                "-n",
                receives,
                "--retention",
                "14d",
                "--outage",
                "3h",
            ]);
            assert!(finished.stdout().lines().all(|line| line.chars().count() <= 100), "{}", finished.stdout());
            assert!(finished.stdout().contains("dead-lettered after"), "{}", finished.stderr());
        }
    }
}

#[test]
fn wrong_options_are_told_with_what_was_meant() {
    let desk = Desk::new();
    for (arguments, words) in [
        (&["--base", "10"][..], "did you mean `10s`?"),
        (&["--base", "10s", "--jitter", "ful"], "did you mean `full`?"),
        (&["--backoff", "exponentail: { base: 1s }"], "did you mean `{ exponential: ... }`?"),
        (&["--backoff", "fixed: { delay: 13h }"], "12h"),
        (&["-n", "1001"], "allowed: 1 to 1000"),
        (&["--outage", "90"], "did you mean 90s?"),
        (&["--outage", "0s"], "takes some time"),
        (&["--handler", "30s"], "make the visibility timeout longer"),
        (&["--visibility-timeout", "}}}"], "error"),
        (&["nothing.yaml"], "nothing.yaml"),
        (&["small.yaml", "--base", "1s"], "cannot be used with"),
    ] {
        let finished = desk.run(&[&["budget"], arguments].concat()).ended_with(2);
        assert!(finished.stderr().contains(words), "{arguments:?}: {}", finished.stderr());
    }
    desk.put(
        "breaker.yaml",
        &crate::tool::SMALL.replace("plain: {}", "plain: { policy: { breaker: { failures: 5, cooldown: 5s } } }"),
    );
    let finished = desk.run(&["budget", "breaker.yaml"]).ended_with(2);
    assert!(finished.stderr().contains("variant plain: the policy has a breaker"), "{}", finished.stderr());
}
