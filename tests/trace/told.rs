//! What a trace says, line by line.

use retrystorm::report::{trace_json, trace_text};
use retrystorm::simulation::Happening;
use serde_json::{Value, json};

use crate::story::{first, report};

/// N = 3, VT 30 s, calls of 1 s that cannot succeed, nothing else in the queue: received at 0, 30 and 60 s. The last lease
/// ends at 90 s, when a poll waits that moves it.
const USED_UP: &str = "
duration: 5m
queue: { redrive: { max_receive_count: 3 } }
producers: [ { burst: 1, classes: { permanent: 100% } } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s }
variants: { only: {} }
";

#[test]
fn a_message_that_is_used_up_is_told_line_by_line() {
    let expected = "\
Message 0 of variant only, test.yaml, seed 42, replication 0

         time   since before  what happened
      0.000 s           +0 s  is sent, class permanent: no other is visible in the queue
      0.000 s           +0 s  receive 1, by consumer 0: leased until 30 s (rule Q3, lease per
                              receive)
      0.000 s           +0 s  a handler begins
      0.000 s           +0 s  its call goes out
      1.000 s           +1 s  its call fails: the message itself is at fault
      1.000 s           +0 s  after this error the policy lets the lease run out (rule Q1, expired
                              lease)
     30.000 s          +29 s  its lease ends: visible again, alone (rule Q1, expired lease)
     30.000 s           +0 s  receive 2, by consumer 0: leased until 60 s (rule Q3, lease per
                              receive)
     30.000 s           +0 s  a handler begins
     30.000 s           +0 s  its call goes out
     31.000 s           +1 s  its call fails: the message itself is at fault
     31.000 s           +0 s  after this error the policy lets the lease run out (rule Q1, expired
                              lease)
     60.000 s          +29 s  its lease ends: visible again, alone (rule Q1, expired lease)
     60.000 s           +0 s  receive 3, by consumer 0: leased until 90 s; this receive uses it up
                              (rule Q7, lazy redrive)
     60.000 s           +0 s  a handler begins
     60.000 s           +0 s  its call goes out
     61.000 s           +1 s  its call fails: the message itself is at fault
     61.000 s           +0 s  after this error the policy lets the lease run out (rule Q1, expired
                              lease)
     90.000 s          +29 s  its lease ends: visible again, alone; used up, but it moves only when
                              a poll meets it (rule Q7, lazy redrive)
     90.000 s           +0 s  a poll meets it, sees 3 receives behind it, and moves it to the
                              dead-letter queue (rule Q7, lazy redrive)
                              -- in the dead-letter queue:
     90.000 s           +0 s  arrives, class permanent: no other is visible in the dead-letter queue

The answer
  It was received 3 times (N = 3); each led to a call.
  In the queue it was used up by receive 3 of 3; it moved to the dead-letter queue after 90 s,
    when the next poll met it (rule Q7, lazy redrive).
  In the dead-letter queue it is still there at the end of the run, after 210 s.
  Where its 90 s outside the dead-letter queue went: 3 s in the handler, 87 s leased, with nobody
    at work on it.

The gaps between its receives
  receive 1 to 2, 30 s: 1 s in the handler, 29 s leased, with nobody at work on it
  receive 2 to 3, 30 s: 1 s in the handler, 29 s leased, with nobody at work on it
  receive 3 to the move, 30 s: 1 s in the handler, 29 s leased, with nobody at work on it
  The gaps are even: 30 s each.
";
    assert_eq!(trace_text(&report(&first(USED_UP))), expected);
}

/// The lines of a trace as JSON: event, time, time since the one before.
fn lines(json: &str) -> Vec<Value> {
    json.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}

#[test]
fn json_lines_tell_the_same() {
    let trace = first(USED_UP);
    let lines = lines(&trace_json(&report(&trace)));
    assert_eq!(
        lines[0],
        json!({
            "event": "run", "scenario": "test.yaml", "variant": "only", "seed": 42, "replication": 0, "message": 0
        })
    );
    assert_eq!(
        lines[2],
        json!({
            "event": "received", "at_s": 0.0, "since_s": 0.0, "queue": "the queue", "second_send": false, "times_anew": 0, "extra_copy": 0,
            "receive": 1, "leased_until_s": 30.0, "consumer": 0, "waited_s": 0.0, "behind": 0,
            "words": "receive 1, by consumer 0: leased until 30 s", "rule": "rule Q3, lease per receive"
        })
    );
    let events: Vec<(&str, f64)> = lines[1..lines.len() - 1]
        .iter()
        .map(|line| (line["event"].as_str().expect("a name"), line["at_s"].as_f64().expect("a time")))
        .collect();
    let receive = |at_s: f64| {
        [
            ("received", at_s),
            ("handler_began", at_s),
            ("call_began", at_s),
            ("call_failed", at_s + 1.0),
            ("decided", at_s + 1.0),
            ("lease_ended", at_s + 30.0),
        ]
    };
    let mut expected = vec![("entered", 0.0)];
    expected.extend([0.0, 30.0, 60.0].into_iter().flat_map(receive));
    expected.extend([("dead_lettered", 90.0), ("entered", 90.0)]);
    assert_eq!(events, expected);
    let answer = lines.last().expect("the answer");
    assert_eq!(
        (&answer["receives"], &answer["calls"], &answer["spent_s"]),
        (&json!(3), &json!(3), &json!({ "handled": 3.0, "lease_runs": 87.0 }))
    );
    assert_eq!(answer["gaps"][2]["to_receive"], Value::Null);
}

/// Full jitter from 10 s: the delay is drawn from 0 to 10 s after the first attempt, 0 to 20 after the second, 0 to 40 after
/// the third. Each call takes 1 s, so a gap is 1 s and the delay.
#[test]
fn a_drawn_delay_stands_with_its_bounds() {
    let trace = first(
        "
duration: 10m
queue: { redrive: { max_receive_count: 3 } }
producers: [ { burst: 1, classes: { permanent: 100% } } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s }
policy: { backoff: { exponential: { base: 10s, cap: 5m, jitter: full } } }
variants: { only: {} }
",
    );
    let drawn: Vec<_> = trace.entries.iter().filter_map(|entry| entry.drawn).collect();
    assert_eq!(drawn.iter().map(|drawn| (drawn.low_s, drawn.high_s)).collect::<Vec<_>>(), [(0, 10), (0, 20), (0, 40)]);
    assert!(drawn.iter().all(|drawn| drawn.delay_s <= drawn.high_s));
    let answer = trace.answer();
    let gaps: Vec<u64> = answer.gaps.iter().map(|(gap, _)| gap.for_us).collect();
    let expected: Vec<u64> = drawn.iter().map(|drawn| (1 + u64::from(drawn.delay_s)) * 1_000_000).collect();
    assert_eq!(gaps, expected);
    let text = trace_text(&report(&trace));
    let first = drawn[0].delay_s;
    assert!(text.contains(&format!("after this error the policy wants {first} s, drawn from 0 to 10 s\n")), "{text}");
    assert!(
        text.contains(&format!("1 s in the handler, {first} s hidden by the backoff, which drew {first} s of 0 to")),
        "{text}"
    );
    assert!(text.contains("jitter draws each delay anew"), "{text}");
}

/// VT 10 s, work of 14 s and a call of 1 s, two consumers. The lease ends in work at 10 s, and the other consumer gets the
/// message. The first deletes with a stale receipt at 15 s; the third receive is at 20 s, the second success at 25 s.
#[test]
fn a_lease_that_ends_in_work_leads_to_a_duplicate() {
    let trace = first(
        "
duration: 28s
queue: { visibility_timeout: 10s }
producers: [ { burst: 1 } ]
consumers: { fleet: 2, concurrency: 1, handler_time: 14s }
downstream: { servers: 2, service_time: 1s }
variants: { only: {} }
",
    );
    let expected = "
     10.000 s          +10 s  its lease ends while its handler is at work: visible again, alone
                              (rule Q1, expired lease)
     10.000 s           +0 s  receive 2, by consumer 1: leased until 20 s (rule Q3, lease per
                              receive)
     10.000 s           +0 s  a handler begins
     14.000 s           +4 s  from receive 1: its call goes out
     15.000 s           +1 s  from receive 1: its call works
     15.000 s           +0 s  its delete does nothing: it has been received again since, and the
                              receipt is stale (rule Q15, stale handles)
     20.000 s           +5 s  its lease ends while its handler is at work: visible again, alone
                              (rule Q1, expired lease)
     20.000 s           +0 s  receive 3, by consumer 0: leased until 30 s (rule Q3, lease per
                              receive)
     20.000 s           +0 s  a handler begins
     24.000 s           +4 s  from receive 2: its call goes out
     25.000 s           +1 s  from receive 2: its call works, though one has worked before: it is
                              processed once more
     25.000 s           +0 s  its delete does nothing: it has been received again since, and the
                              receipt is stale (rule Q15, stale handles)

The answer
  It was received 3 times (its queue has no limit of receives); 2 of these led to a call.
  In the queue it is still there at the end of the run, after 28 s.
  It was processed 2 times: whatever its call does was done as often.
";
    let text = trace_text(&report(&trace));
    assert!(text.contains(expected), "{text}");
}

/// One slot, prefetch of 1, two messages, VT 10 s, work of 14 s and a call of 1 s. Message 1 waits in the buffer; its lease
/// ends there at 10 s.
#[test]
fn a_lease_can_end_in_the_buffer() {
    let text = "
duration: 20s
queue: { visibility_timeout: 10s }
producers: [ { burst: 2 } ]
consumers: { fleet: 1, concurrency: 1, prefetch: 1, handler_time: 14s }
downstream: { servers: 2, service_time: 1s }
variants: { only: {} }
";
    let trace = crate::story::traced(text, retrystorm::trace::Wanted::Message(1)).expect("it is sent");
    let told = trace_text(&report(&trace));
    for words in [
        "waits in its consumer's hands: no handler is free for it yet",
        "10.000 s          +10 s  its lease ends in its consumer's buffer: visible again",
        "15.000 s           +5 s  a handler begins, though its lease is over",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
}

/// Two messages of one group. The first is received alone at 0 s and fails. At 30 s both are received together; the first
/// fails again at 31 s, and the second is left to its lease.
#[test]
fn a_failure_stops_the_rest_of_its_group() {
    let text = "
duration: 40s
queue: { type: fifo, redrive: { max_receive_count: 5 } }
producers: [ { burst: 2, classes: { permanent: 100% } } ]
consumers: { fleet: 1, concurrency: 2, groups: in_turn }
downstream: { servers: 2, service_time: 1s }
variants: { only: {} }
";
    let trace = crate::story::traced(text, retrystorm::trace::Wanted::Message(1)).expect("it is sent");
    let told = trace_text(&report(&trace));
    for words in [
        "30.000 s           +0 s  waits in its consumer's hands: no handler is free for it yet",
        "31.000 s           +1 s  an earlier message of its group has failed: its consumer lets it be,",
        "and its lease runs on (rule S1, container defaults)",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
}

/// One slot, calls of 1 s, N = 4, and the policy makes P visible at once. P fails at 1, 2 and 3 s and goes to the back for its
/// third receive: the 20 messages of 0.5 s take the slot until 23 s.
#[test]
fn the_back_of_the_queue_is_told_with_those_before_it() {
    let trace = first(
        "
duration: 1m
queue: { redrive: { max_receive_count: 4 } }
producers: [ { burst: 1, classes: { permanent: 100% } }, { burst: 20, from: 0.5s } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s }
variants: { only: { policy: { backoff: { fixed: { delay: 0s } } } } }
",
    );
    let told = trace_text(&report(&trace));
    let lines = "
      3.000 s           +0 s  its visibility is set to 0 s: visible now, at the back, behind 20
                              others (rule Q8, back of queue)
     23.000 s          +20 s  receive 4, by consumer 0 after 20 s visible, behind 20 others: leased
                              until 53 s; this receive uses it up (rule Q7, lazy redrive)
";
    assert!(told.contains(lines), "{told}");
    assert!(told.contains("receive 3 to 4, 21 s: 20 s visible, while 20 others were received, 1 s in the handler\n"));
    assert!(told.contains("uneven, 1 s to 21 s: once it had to wait visible for a poll to get to it.\n"), "{told}");
}

/// N = 1. The downstream refuses until 60 s: received at 0 s, moved at 30 s. The redrive at 120 s sends it anew, and it is done
/// at 121 s.
#[test]
fn a_redrive_goes_on_with_another_copy() {
    let trace = first(
        "
duration: 3m
queue: { redrive: { max_receive_count: 1 } }
producers: [ { burst: 1 } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 1s, outages: [ { at: 0s, for: 60s, mode: refuse, after: 50ms } ] }
operations: [ { at: 2m, redrive: { rate: 1/s } } ]
variants: { only: {} }
",
    );
    let expected = "
                              -- in the dead-letter queue:
     30.000 s           +0 s  arrives, class valid: no other is visible in the dead-letter queue
    120.000 s          +90 s  a redrive takes it, to send it anew (rule R1, message move task)
                              -- in the queue, copy 1:
    120.000 s           +0 s  comes as a new message, class valid: no other is visible in the queue
    120.000 s           +0 s  receive 1, by consumer 0: leased until 150 s; this receive uses it up
                              (rule Q7, lazy redrive)
    120.000 s           +0 s  a handler begins
    120.000 s           +0 s  its call goes out
    121.000 s           +1 s  its call works
    121.000 s           +0 s  deleted

The answer
  It was received 2 times (N = 1), over 2 copies that each count anew; each led to a call.
";
    let told = trace_text(&report(&trace));
    assert!(told.contains(expected), "{told}");
    assert!(told.contains("In the dead-letter queue it lay for 90 s, until a redrive sent it anew"), "{told}");
    let outside_us: u64 = trace.answer().spent_us.iter().map(|(_, spent_us)| spent_us).sum();
    assert_eq!(outside_us, 31_000_000, "30 s before the dead-letter queue, 1 s after it");
    assert!(trace.entries.iter().any(|entry| entry.sight.happening == Happening::Redriven));
}
