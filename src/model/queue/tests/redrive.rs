//! Moves to the dead-letter queue and back (rules Q7, Q11 and R1).

use super::*;

#[test]
fn q7_a_later_receive_call_moves_a_message_that_was_received_n_times_and_does_not_return_it() {
    let mut desk = Desk::new(redrive(3));
    desk.send(0, [1]);
    let end_s = desk.rounds(0, 3);
    assert_eq!((desk.counts(), desk.moved.len()), ((1, 0), 0), "the end of the third lease moves nothing");
    assert_eq!(desk.receive_ids(end_s + 500, 10), NOTHING);
    assert_eq!(desk.moved, [1], "the fourth receive call does, whenever it comes");
    assert_eq!(desk.counts(), (0, 0));
}

#[test]
fn q7_a_receive_call_that_moves_messages_still_returns_as_many_as_it_was_asked_for() {
    let mut desk = Desk::new(redrive(1));
    desk.send(0, [1, 2, 3]);
    desk.rounds(0, 1);
    desk.send(31, [4, 5, 6]);
    assert_eq!(desk.receive_ids(31, 2), [4, 5]);
    assert_eq!(desk.moved, [1, 2, 3]);
    assert_eq!(desk.receive_ids(31, 2), [6]);
}

#[test]
fn q7_the_eager_reading_moves_a_message_at_the_end_of_its_last_lease() {
    let mut desk = Desk::new(QueueSettings { redrive_timing: RedriveTiming::Eager, ..redrive(2) });
    desk.send(0, [1, 2]);
    desk.rounds(0, 1);
    let [first, second] = desk.receive(30, 10)[..] else { panic!("two messages") };
    assert!(matches!(desk.lease_ends(60, first), LeaseEnd::DeadLettered(Removed { id: 1, .. })));
    let changed = desk.change(40, second, 0);
    assert!(
        matches!(changed, Ok(VisibilityChange::Ended(LeaseEnd::DeadLettered(Removed { id: 2, .. })))),
        "a change to zero ends a lease too"
    );
    assert_eq!(desk.counts(), (0, 0));
}

#[test]
fn q7_a_dlq_with_a_redrive_policy_of_its_own_counts_its_own_receives() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut source = Desk::new(QueueSettings { kind, ..redrive(3) });
        source.send(0, [1]);
        source.rounds(0, 3);
        let removed = source.dead_letter(90);
        let mut dead_letters = Desk::new(QueueSettings { kind, ..redrive(2) });
        dead_letters.queue.enqueue_moved(90 * SECOND_US, removed);
        let end_s = dead_letters.rounds(90, 2);
        assert_eq!(dead_letters.moved, NOTHING, "{kind:?}: it is received there twice");
        assert_eq!(dead_letters.dead_letter(end_s).receive_count, 5);
    }
}

#[test]
fn q7_without_a_redrive_policy_a_message_circulates() {
    for redrive_timing in [RedriveTiming::Lazy, RedriveTiming::Eager] {
        let mut desk = Desk::new(QueueSettings { redrive_timing, ..QueueSettings::default() });
        desk.send(0, [1]);
        let end_s = desk.rounds(0, 2_000);
        assert_eq!(desk.receive_one(end_s).receive_count, 2_001);
        assert_eq!(desk.moved, NOTHING);
    }
}

#[test]
fn q6_q11_a_move_keeps_id_count_tag_and_on_standard_queues_the_enqueue_time() {
    let mut source = Desk::new(redrive(2));
    source.send(7, [1]);
    let noted = source.receive_one(10);
    source.queue.held(noted.receipt).tag.succeeded = true;
    source.lease_ends(40, noted);
    source.rounds(40, 1);
    let removed = source.dead_letter(99);
    assert_eq!((removed.enqueued_us, removed.first_received_us), (7 * SECOND_US, Some(10 * SECOND_US)));

    let mut dead_letters = Desk::new(QueueSettings::default());
    dead_letters.queue.enqueue_moved(99 * SECOND_US, removed);
    let first = dead_letters.receive_one(100);
    assert_eq!((first.id, first.receive_count, first.enqueued_us), (1, 3, 7 * SECOND_US));
    assert_eq!(first.first_received_us, 10 * SECOND_US, "in the source");
    assert!(dead_letters.queue.held(first.receipt).tag.succeeded);
}

#[test]
fn r1_a_move_task_takes_visible_messages_from_the_oldest_enqueue_time_on() {
    let mut desk = Desk::new(redrive(4));
    desk.send(0, 1..=4);
    let [first, second, third] = desk.receive(0, 3)[..] else { panic!("three messages") };
    assert_eq!(ids(&desk.take(1)), [4], "the others are in flight");
    desk.send(20, [5]);
    desk.lease_ends(30, second);
    assert_eq!(ids(&desk.take(1)), [2], "visible since, and older than 5");
    desk.lease_ends(30, third);
    desk.receive_one(30);
    desk.lease_ends(30, first);
    let taken = desk.take(10);
    assert_eq!(ids(&taken), [1, 5], "3 is in flight again");
    assert_eq!((taken[0].receive_count, taken[1].receive_count), (1, 0));
    assert_eq!((ids(&desk.take(1)), desk.counts()), (vec![], (0, 1)));
}

#[test]
fn r1_a_move_task_goes_by_age_also_where_receives_do_not() {
    let by_visible_time = QueueSettings { return_order: ReturnOrder::ByVisibleTime, ..QueueSettings::default() };
    let mut desk = Desk::new(by_visible_time);
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.send(1, [2]);
    desk.lease_ends(30, first);
    assert_eq!(ids(&desk.take(2)), [1, 2]);
}
