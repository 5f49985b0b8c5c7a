//! `trace`: one message, event by event.

use crate::tool::{Desk, SMALL};

/// Two messages, one slot, N = 2: both are used up.
const USED_UP: &str = "
duration: 3m
queue: { redrive: { max_receive_count: 2 } }
producers: [ { burst: 2, classes: { permanent: 100% } } ]
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
";

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("used-up.yaml", USED_UP);
    desk
}

#[test]
fn the_only_variant_need_not_be_named() {
    let desk = desk();
    let trace = desk.run(&["trace", "used-up.yaml", "--message", "1"]).ended_with(0);
    assert!(trace.stdout().starts_with("Message 1 of variant only, used-up.yaml, seed "), "{}", trace.stdout());
    assert!(trace.stdout().contains("It was received 2 times (N = 2)"), "{}", trace.stdout());
    assert_eq!(desk.names("."), ["small.yaml", "used-up.yaml"], "nothing is written without --out");
    for line in trace.stdout().lines() {
        assert!(line.chars().count() <= 100, "wider than 100 columns: {line}");
        assert_eq!(line.trim_end(), line);
    }
}

#[test]
fn files_are_the_same_each_time_and_those_that_are_printed() {
    let desk = desk();
    let text = desk.run(&["trace", "used-up.yaml", "--out", "one"]).ended_with(0);
    let json = desk.run(&["trace", "used-up.yaml", "--out", "two", "--format", "jsonl"]).ended_with(0);
    let names = ["timeline.png", "timeline.svg", "trace.jsonl", "trace.txt"];
    assert_eq!(desk.names("one"), names);
    for name in names {
        assert!(desk.read(&format!("one/{name}")) == desk.read(&format!("two/{name}")), "{name}");
    }
    assert_eq!(desk.read("one/trace.txt"), text.stdout().as_bytes());
    assert_eq!(desk.read("one/trace.jsonl"), json.stdout().as_bytes());
    let picture = String::from_utf8(desk.read("one/timeline.svg")).expect("text");
    assert!(picture.contains("Message 0 of only: 2\u{a0}receives, used up and dead-lettered after"), "{picture}");
}

#[test]
fn wrong_input_gets_the_nearest_right_word() {
    let desk = desk();
    let cases: [(&[&str], &str); 7] = [
        (&["trace", "small.yaml", "--variant", "jiter"], "did you mean `jitter`?"),
        (&["trace", "small.yaml"], "say which with --variant (plain, jitter)"),
        (&["trace", "used-up.yaml", "--message", "2"], "the messages of this run have the numbers 0 to 1"),
        (&["trace", "used-up.yaml", "--message", "first"], "invalid value 'first' for '--message <ID>'"),
        (&["trace", "used-up.yaml", "--pick", "slow"], "a similar value exists: 'slowest'"),
        (&["trace", "used-up.yaml", "--pick", "duplicated"], "no message was processed twice in this run"),
        (&["trace", "used-up.yaml", "--pick", "slowest"], "no message of this run was a success, and none is pending"),
    ];
    for (arguments, words) in cases {
        let refused = desk.run(arguments).ended_with(2);
        assert!(refused.stderr().contains(words), "{arguments:?}: {}", refused.stderr());
        assert_eq!(refused.stdout(), "", "{arguments:?}");
    }
    assert!(SMALL.contains("jitter"), "the small scenario has that variant");
}
