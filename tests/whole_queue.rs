//! What stands beside the queue, in small histories that can be followed by hand: operators, the life of dead letters,
//! FIFO groups, delays, limits, losses without a failure, and several queues.

mod support;

use retrystorm::measure::{Metric, Outcome, SeriesMetric};
use support::{each_second, metric, outcome};

/// A run of one variant: what is given, with consumers and a downstream that are never the bottleneck.
fn run(sections: &str) -> Outcome {
    outcome(&format!("variants: {{ only: {{}} }}\n{sections}"))
}

const KEEPS_UP: &str = "
consumers: { fleet: 1, concurrency: 100 }
downstream: { servers: 100, service_time: 1ms }
";

/// The seconds in which messages were received, each once for each message.
fn receives(outcome: &Outcome) -> Vec<usize> {
    let counts = each_second(outcome, SeriesMetric::Receives);
    counts.iter().enumerate().flat_map(|(second, &count)| vec![second; count as usize]).collect()
}

#[test]
fn a_redrive_of_messages_that_fail_again_shows_as_such() {
    // Three leases of 10 s end at 10 s and the messages move. The redrive takes one a second from 20 s on; each fails
    // again and moves again ten seconds later.
    let outcome = run(&format!(
        "
duration: 1m
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 1 }} }}
producers: [ {{ burst: 3, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 20s, redrive: {{ rate: 1/s }} }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [0, 0, 0, 20, 21, 22]);
    assert_eq!(metric(&outcome, Metric::Redriven), 3.0);
    assert_eq!(metric(&outcome, Metric::DeadLettered), 6.0);
    assert_eq!(metric(&outcome, Metric::DeadLetteredAgain), 3.0);
    assert_eq!(each_second(&outcome, SeriesMetric::DlqDepth)[..23][9..], [0, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0]);
}

/// Rule R1, message move task: where the receive count goes on, a used-up message is not received again but goes straight
/// back to the dead-letter queue, when the next receive call meets it.
#[test]
fn a_redrive_that_keeps_the_counts_sends_used_up_messages_in_a_circle() {
    let outcome = run(&format!(
        "
duration: 1m
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 1 }} }}
producers: [ {{ burst: 3, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 20s, redrive: {{ messages: 3, receive_count: kept }} }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [0, 0, 0]);
    let names = [Metric::Redriven, Metric::DeadLettered, Metric::DeadLetteredAgain, Metric::Calls];
    assert_eq!(names.map(|name| metric(&outcome, name)), [3.0, 6.0, 3.0, 3.0]);
}

#[test]
fn a_redrive_of_a_batch_moves_no_more_than_it_says() {
    let outcome = run(&format!(
        "
duration: 1m
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 1 }} }}
producers: [ {{ burst: 5, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 20s, redrive: {{ messages: 2 }} }} ]
{KEEPS_UP}"
    ));
    assert_eq!(metric(&outcome, Metric::Redriven), 2.0);
}

#[test]
fn consumers_of_the_dead_letter_queue_process_what_they_can() {
    // Everything is refused until 15 s: the messages move at 10 s, and the consumers of the dead-letter queue, who fail
    // at 10 s too, get them again at 40 s.
    let outcome = run("
duration: 1m
queue:
  visibility_timeout: 10s
  redrive: { max_receive_count: 1 }
  dead_letter_queue: { consumers: { fleet: 1, concurrency: 4 } }
producers: [ { burst: 4 } ]
consumers: { fleet: 1, concurrency: 4 }
downstream: { servers: 9, service_time: 1ms, outages: [ { at: 0s, for: 15s, mode: refuse } ] }
");
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 4.0);
    assert_eq!(metric(&outcome, Metric::ProcessedInDeadLetterQueue), 4.0);
    let calls = each_second(&outcome, SeriesMetric::Calls);
    assert_eq!([calls[0], calls[10], calls[40]], [4, 4, 4]);
}

#[test]
fn a_new_visibility_timeout_takes_its_time_and_leaves_running_leases_alone() {
    // Raised at 5 s, applied at 25 s: the lease that began at 20 s ends at 30 s all the same, the next one at 130 s.
    let outcome = run(&format!(
        "
duration: 200s
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 100 }} }}
producers: [ {{ burst: 1, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 5s, visibility_timeout: 100s, applies_after: 20s }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [0, 10, 20, 30, 130]);
}

#[test]
fn a_new_receive_count_holds_for_messages_on_their_way() {
    let outcome = run(&format!(
        "
duration: 200s
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 100 }} }}
producers: [ {{ burst: 1, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 35s, max_receive_count: 2, applies_after: 0s }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [0, 10, 20, 30], "at 40 s four receives are more than two");
    assert_eq!(metric(&outcome, Metric::TimeToDlqMaxS), 40.0);
}

#[test]
fn paused_consumers_finish_what_they_hold_and_poll_no_more() {
    let outcome = run("
duration: 2m
queue: { visibility_timeout: 60s }
producers: [ { burst: 3 } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 1, service_time: 10s }
operations: [ { at: 5s, polling: pause }, { at: 50s, polling: resume } ]
");
    assert_eq!(receives(&outcome), [0, 50, 60]);
    assert_eq!(metric(&outcome, Metric::Processed), 3.0);
}

#[test]
fn a_fleet_grows_at_once_and_shrinks_as_its_work_ends() {
    // One slot each, 10 s a message. At 15 s there are three consumers, at 27 s one again.
    let outcome = run("
duration: 2m
queue: { visibility_timeout: 60s }
producers: [ { burst: 8 } ]
consumers: { fleet: 1, concurrency: 1 }
downstream: { servers: 9, service_time: 10s }
operations: [ { at: 15s, fleet: 3 }, { at: 27s, fleet: 1 } ]
");
    assert_eq!(receives(&outcome), [0, 10, 15, 15, 20, 25, 25, 30], "the two that began at 25 s end at 35 s");
}

#[test]
fn a_message_that_fails_blocks_its_group_until_it_moves() {
    // A slot and a group of two messages that never succeed: the second is received when the first is out of the way.
    let outcome = run("
duration: 2m
queue: { type: fifo, visibility_timeout: 30s, redrive: { max_receive_count: 1 } }
producers: [ { burst: 2, classes: { permanent: 100% } } ]
consumers: { fleet: 1, concurrency: 1, batch: 1 }
downstream: { servers: 1, service_time: 1ms }
");
    assert_eq!(receives(&outcome), [0, 30]);
    assert_eq!(metric(&outcome, Metric::DeadLettered), 2.0);
}

#[test]
fn a_deleted_message_frees_its_group_for_a_consumer_that_waits() {
    let outcome = run("
duration: 1m
queue: { type: fifo, visibility_timeout: 30s }
producers: [ { burst: 3 } ]
consumers: { fleet: 3, concurrency: 1, batch: 1 }
downstream: { servers: 3, service_time: 2s }
");
    assert_eq!(receives(&outcome), [0, 2, 4], "one after the other, although three consumers wait");
}

#[test]
fn a_delayed_message_is_neither_visible_nor_in_flight() {
    let outcome = run(&format!(
        "
duration: 20s
queue: {{ delay: 5s }}
producers: [ {{ burst: 2 }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [5, 5]);
    assert_eq!(metric(&outcome, Metric::BacklogPeak), 0.0);
    assert_eq!(metric(&outcome, Metric::Processed), 2.0);
}

#[test]
fn at_the_limit_of_messages_in_flight_idle_slots_wait() {
    let outcome = run("
duration: 20s
queue: { in_flight_limit: 4 }
producers: [ { burst: 10 } ]
consumers: { fleet: 1, concurrency: 100 }
downstream: { servers: 100, service_time: 1s }
");
    assert_eq!(receives(&outcome), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
}

#[test]
fn a_lost_delivery_counts_and_holds_its_lease_although_nobody_sees_it() {
    let outcome = run(&format!(
        "
duration: 2m
queue: {{ visibility_timeout: 30s, redrive: {{ max_receive_count: 2 }}, lost_deliveries: 100% }}
producers: [ {{ burst: 1 }} ]
{KEEPS_UP}"
    ));
    assert_eq!(receives(&outcome), [0, 30]);
    assert_eq!(metric(&outcome, Metric::Calls), 0.0);
    assert_eq!(metric(&outcome, Metric::DeadLetteredValid), 1.0, "dead-lettered without any failure");
}

#[test]
fn several_queues_share_the_dead_letter_queue_and_get_their_own_back() {
    // Each queue has two messages; the other one's never come back by themselves, since its lease is longer.
    let outcome = run(&format!(
        "
duration: 100s
queue: {{ visibility_timeout: 10s, redrive: {{ max_receive_count: 1 }} }}
producers: [ {{ burst: 2, classes: {{ permanent: 100% }} }} ]
other_queues:
  slow:
    queue: {{ visibility_timeout: 20s }}
    producers: [ {{ burst: 2, classes: {{ permanent: 100% }} }} ]
operations: [ {{ at: 50s, redrive: {{}} }} ]
{KEEPS_UP}"
    ));
    let depth = each_second(&outcome, SeriesMetric::DlqDepth);
    assert_eq!([depth[9], depth[10], depth[20], depth[50]], [0, 2, 4, 0]);
    assert_eq!(
        [depth[59], depth[60], depth[69], depth[70]],
        [0, 2, 2, 4],
        "back in their own queues, with their own leases"
    );
}
