//! `retrystorm explain`.

use crate::tool::{Desk, printed};

#[test]
fn without_a_word_it_lists_the_keys_at_the_top_and_how_to_go_on() {
    let text = printed(&["explain"]);
    let schema: serde_json::Value =
        serde_json::from_str(Desk::new().run(&["schema"]).ended_with(0).stdout()).expect("JSON");
    for key in schema["properties"].as_object().expect("keys").keys() {
        assert!(text.contains(&format!("\n  {key} ")), "{key} is not listed:\n{text}");
    }
    for line in text.lines().filter_map(|line| line.strip_prefix("  retrystorm ")) {
        let words: Vec<&str> = line.split_whitespace().take(2).collect();
        printed(&words);
    }
    assert!(text.contains("retrystorm explain Q7"), "{text}");
}

#[test]
fn the_page_of_a_key() {
    insta::assert_snapshot!(printed(&["explain", "queue.visibility_timeout"]), @"
    queue.visibility_timeout (key)
      How long a received message stays hidden, whole seconds from 0s to 12h (rule
      Q2).

    Value
      A duration is a number and a unit, such as 500ms, 30s, 5m, 1h30m or 4d.

    Default
      30s

    Rule of docs/model.md
      Q2, visibility timeout; `retrystorm explain Q2`

    Scenario
      queue:
        visibility_timeout: 30s
    ");
}

#[test]
fn the_page_of_a_section_lists_its_keys() {
    insta::assert_snapshot!(printed(&["explain", "queue.redrive"]), @"
    queue.redrive (key)
      When messages move to the dead-letter queue (rule Q7).

    Value
      A section with the keys below.
      none

    Keys
      max_receive_count  Receives before a message moves to the dead-letter queue, 1
                         to 1000 (rule Q7).
      timing             When the move happens (rule Q7).

    Default
      none, they circulate until retention

    Rule of docs/model.md
      Q7, lazy redrive; `retrystorm explain Q7`

    Scenario
      queue:
        redrive: { ... }
    ");
}

#[test]
fn the_page_of_a_parameter_leads_to_the_catalogue() {
    insta::assert_snapshot!(printed(&["explain", "policy.backoff.exponential.base"]), @"
    policy.backoff.exponential.base (key)
      First delay. Allowed: 1s to 12h.

    Value
      A duration is a number and a unit, such as 500ms, 30s, 5m, 1h30m or 4d.

    Default
      None: it has to be given.

    Scenario
      policy:
        backoff:
          exponential:
            base: 30s

    Formula, source and plot
      retrystorm policies exponential

    The same key stands at
      queue.dead_letter_queue.policy.backoff.exponential.base
    ");
}

#[test]
fn a_key_within_a_list_is_found_without_its_number() {
    insta::assert_snapshot!(printed(&["explain", "operations.deploy.drain"]), @"
    operations.0.deploy.drain (key)
      How long a process may go on with what it holds before it is killed, at most
      1d; 0s kills it at once.

    Value
      A duration is a number and a unit, such as 500ms, 30s, 5m, 1h30m or 4d.

    Default
      30s, as Kubernetes and Amazon ECS have it

    Scenario
      operations:
        - deploy:
            drain: 30s
    ");
}

#[test]
fn the_last_word_alone_lists_all_keys_of_that_name() {
    insta::assert_snapshot!(printed(&["explain", "visibility_timeout"]), @"
    Keys with the name visibility_timeout
      queue.visibility_timeout
        How long a received message stays hidden, whole seconds from 0s to 12h (rule
        Q2).
      operations.0.visibility_timeout
        A new visibility timeout of the queue, whole seconds from 0s to 12h.
      queue.dead_letter_queue.visibility_timeout
        Its visibility timeout, whole seconds from 0s to 12h (rule Q2).

    `retrystorm explain` with one of these paths tells all about it.
    ");
}

#[test]
fn the_page_of_a_metric() {
    insta::assert_snapshot!(printed(&["explain", "dead_lettered.valid"]), @"
    dead_lettered.valid (metric of a run)
      Dead-lettered messages that nothing was wrong with.

    Unit
      messages

    Scenario
      expect:
        - { variant: NAME, metric: dead_lettered.valid, below: 100 }

    All of them
      docs/metrics.md
    ");
}

#[test]
fn the_page_of_a_rule_is_its_section_of_the_model() {
    insta::assert_snapshot!(printed(&["explain", "q6"]), @"
    Q6, receive count (rule)
      The count goes up by one each time a receive call returns the message. It does
      not matter whether a handler ever ran.
      The first delivery has the count 1. The count goes on in the DLQ and does not
      start again there.
      Policies use it as the number of the attempt.

      Evidence: A (`API_ReceiveMessage.html`), V. Simulated.

    More
      docs/model.md
    ");
}

#[test]
fn the_default_is_the_one_that_a_run_takes() {
    // A run with the default written out is the same as one without.
    let desk = Desk::new();
    let page = printed(&["explain", "queue.dead_letter_queue.retention"]);
    assert!(page.contains("\nDefault\n  14d\n"), "{page}");
    let plain = String::from_utf8(desk.read("small.yaml")).expect("text");
    desk.put("given.yaml", &plain.replace("queue: {", "queue: { dead_letter_queue: { retention: 14d },"));
    let summary = |name: &str| {
        desk.run(&["run", name, "--format", "json"]).ended_with(0).stdout().replace("given.yaml", "small.yaml")
    };
    assert_eq!(summary("small.yaml"), summary("given.yaml"));
}

#[test]
fn what_is_mistyped_is_refused_with_the_nearest_right_words() {
    let desk = Desk::new();
    for (typed, words) in [
        ("queue.visability_timeout", "did you mean `queue.visibility_timeout`? `retrystorm explain queue` lists"),
        ("variants.mine.policy.bakoff", "did you mean `policy.backoff`?"),
        ("visability_timeout", "did you mean `visibility_timeout`?"),
        ("dead_letered.valid", "did you mean `dead_lettered.valid`?"),
        ("queue.zzz", "`retrystorm explain queue` lists the keys of that section"),
        ("zzzzzz", "`retrystorm explain` lists the keys at the top"),
        ("", "`retrystorm explain` lists the keys at the top"),
    ] {
        let run = desk.run(&["explain", typed]).ended_with(2);
        assert!(run.stderr().contains(&format!("no key, metric or rule `{typed}`")), "{}", run.stderr());
        assert!(run.stderr().contains(words), "{typed} should say {words}: {}", run.stderr());
        assert_eq!(run.stdout(), "");
    }
}
