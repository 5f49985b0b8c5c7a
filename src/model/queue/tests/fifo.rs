//! FIFO queues (rules F1 to F7).

use super::*;

fn fifo() -> QueueSettings {
    QueueSettings { kind: QueueKind::Fifo, ..QueueSettings::default() }
}

/// A desk with messages 1, 2, 3 ... in these groups, sent at 0 s.
fn desk(settings: QueueSettings, groups: impl IntoIterator<Item = u32>) -> Desk {
    let mut desk = Desk::new(settings);
    for (id, group) in (1..).zip(groups) {
        assert_eq!(desk.enqueue(0, NewMessage { group, ..message(id) }), Enqueued::Visible);
    }
    desk
}

#[test]
fn f1_a_hidden_message_blocks_those_behind_it_and_not_those_before_it_or_in_other_groups() {
    let mut desk = desk(fifo(), [7, 7, 7, 8]);
    let [first, second] = desk.receive(0, 2)[..] else { panic!("two messages") };
    assert_eq!((first.id, second.id), (1, 2));
    assert_eq!(desk.receive_ids(1, 10), [4], "3 waits for 1 and 2");
    assert_eq!(desk.change(2, first, 0), VISIBLE);
    assert_eq!(desk.receive_ids(2, 10), [1], "2 does not block what came before it, but 3 still");
    assert_eq!((desk.deleted_id(second), desk.receive_ids(3, 10)), (Some(2), vec![]), "1 is in flight again");
    desk.queue.lease_ended(32 * SECOND_US, first.receipt.slot());
    assert_eq!(desk.receive_ids(32, 10), [1, 3]);
}

#[test]
fn f1_a_message_that_arrives_while_its_group_is_blocked_waits_too() {
    let mut desk = desk(fifo(), [7]);
    let held = desk.receive_one(0);
    desk.enqueue(1, NewMessage { group: 7, ..message(2) });
    assert!(!desk.queue.has_receivable());
    assert_eq!((desk.receive_ids(1, 10), desk.counts()), (vec![], (1, 1)));
    assert_eq!((desk.deleted_id(held), desk.queue.has_receivable()), (Some(1), true));
    assert_eq!(desk.receive_ids(1, 10), [2]);
}

#[test]
fn f2_a_receive_takes_what_one_group_has_before_it_goes_on_to_the_next() {
    let mut desk = desk(fifo(), [7, 8, 7, 8, 7, 9]);
    assert_eq!(desk.receive_ids(0, 4), [1, 3, 5, 2], "of group 7, then of the group with the earliest message");
    assert_eq!(desk.receive_ids(0, 10), [6], "group 8 is blocked by message 2");
}

#[test]
fn f2_a_message_never_goes_to_the_back() {
    let mut desk = desk(fifo(), [7]);
    for round in 0..5 {
        let first = desk.receive_one(round * 30);
        assert_eq!(first.id, 1);
        desk.enqueue(round * 30, NewMessage { group: 7, ..message(10 + round) });
        assert_eq!(desk.lease_ends(round * 30 + 30, first), LeaseEnd::Visible);
    }
    assert_eq!(desk.receive_ids(150, 10), [1, 10, 11, 12, 13, 14], "whatever its receives");
}

#[test]
fn f3_a_delete_after_the_end_of_the_lease_is_refused_and_the_message_comes_back() {
    let mut desk = desk(fifo(), [7]);
    let late = desk.receive_one(0);
    desk.lease_ends(30, late);
    assert_eq!(desk.delete(late), DeleteAnswer::Refused);
    let again = desk.receive_one(31);
    assert_eq!((again.id, again.receive_count), (1, 2));
    assert_eq!(desk.delete(late), DeleteAnswer::Refused, "a newer lease is no reason to delete it");
    assert_eq!(desk.deleted_id(again), Some(1));
    assert_eq!(desk.delete(again), DeleteAnswer::AlreadyGone);
}

#[test]
fn f4_a_move_to_the_dead_letter_queue_lets_the_group_go_on_within_the_same_call() {
    let mut desk = desk(QueueSettings { max_receive_count: Some(1), ..fifo() }, [7]);
    let first = desk.receive_one(0);
    for id in 2..=4 {
        desk.enqueue(1, NewMessage { group: 7, ..message(id) });
    }
    desk.lease_ends(30, first);
    assert_eq!(desk.receive_ids(30, 2), [2, 3]);
    assert_eq!(desk.moved, [1]);
}

#[test]
fn f5_at_the_limit_a_receive_is_empty_and_no_error() {
    let mut desk = desk(QueueSettings { in_flight_limit: 2, ..fifo() }, [1, 2, 3]);
    let held = desk.receive(0, 10);
    assert_eq!(held.len(), 2);
    assert_eq!(desk.steps(0, 10, ReceiveCall::new()), [Received::Nothing]);
    assert!(!desk.queue.has_receivable());
    desk.delete(held[0]);
    assert_eq!(desk.receive_ids(0, 10), [3]);
}

#[test]
fn f6_only_the_first_messages_are_searched_for_a_free_group() {
    let mut desk = desk(QueueSettings { look_ahead: 4, ..fifo() }, [7, 7, 7, 7, 8, 9]);
    let [first, ..] = desk.receive(0, 1)[..] else { panic!("a message") };
    assert_eq!(desk.receive_ids(0, 10), NOTHING, "messages 5 and 6 are beyond the first four");
    assert!(!desk.queue.has_receivable());
    assert_eq!(desk.deleted_id(first), Some(1));
    assert_eq!(desk.receive_ids(0, 1), [2]);
    assert_eq!(desk.receive_ids(0, 10), [5], "the search got one message further, and message 6 is not in it");
}

#[test]
fn f7_a_deduplication_id_is_taken_once_in_five_minutes_even_when_its_message_is_gone() {
    let mut desk = Desk::new(fifo());
    let with_id = |id| NewMessage { deduplication_id: Some(99), ..message(id) };
    assert_eq!(desk.enqueue(0, with_id(1)), Enqueued::Visible);
    assert_eq!(desk.enqueue(10, with_id(2)), Enqueued::Duplicate);
    let first = desk.receive_one(20);
    desk.delete(first);
    assert_eq!(desk.enqueue(299, with_id(3)), Enqueued::Duplicate, "the refused one of 10 s has not renewed it");
    assert_eq!(desk.enqueue(300, with_id(4)), Enqueued::Visible);
    assert_eq!(desk.enqueue(301, message(5)), Enqueued::Visible, "without an id nothing is like it");
    assert_eq!(desk.receive_ids(301, 10), [4, 5]);
}

#[test]
fn q11_a_move_to_a_fifo_dead_letter_queue_sets_the_age_anew_and_keeps_group_id_and_count() {
    let mut source = desk(QueueSettings { max_receive_count: Some(2), ..fifo() }, [7]);
    let end_s = source.rounds(0, 2);
    let removed = source.dead_letter(end_s);
    let mut dead_letters = Desk::new(QueueSettings { retention_us: 100 * SECOND_US, ..fifo() });
    dead_letters.queue.enqueue_moved(60 * SECOND_US, removed);
    dead_letters.enqueue(61, NewMessage { group: 7, ..message(2) });
    assert_eq!(dead_letters.queue.oldest_enqueued_us(), Some(60 * SECOND_US));
    let first = dead_letters.receive_one(70);
    assert_eq!((first.id, first.receive_count, first.enqueued_us), (1, 3, 60 * SECOND_US));
    assert_eq!(dead_letters.receive_ids(70, 10), NOTHING, "it blocks its group");
    assert_eq!(dead_letters.expire(159), (vec![], Some(160)));
    assert_eq!(dead_letters.expire(160), (vec![1], Some(161)));
}

#[test]
fn q16_only_the_queue_has_a_delay_and_a_moved_message_has_none() {
    let mut desk = Desk::new(QueueSettings { delay_us: 5 * SECOND_US, ..fifo() });
    let sent = desk.enqueue(0, NewMessage { delay_us: Some(0), ..message(1) });
    let Enqueued::DelayedUntil { slot, at_us } = sent else { panic!("{sent:?}") };
    assert_eq!((at_us, desk.counts(), desk.queue.delayed_count()), (5 * SECOND_US, (0, 0), 1));
    assert_eq!(desk.queue.delay_ended(4 * SECOND_US, slot), LeaseEnd::Stale);
    assert_eq!(desk.queue.lease_ended(5 * SECOND_US, slot), LeaseEnd::Stale, "it is no lease");
    assert_eq!(desk.queue.delay_ended(5 * SECOND_US, slot), LeaseEnd::Visible);
    let moved = desk.take(1)[0];
    desk.queue.enqueue_moved(6 * SECOND_US, moved);
    assert_eq!((desk.receive_ids(6, 10), desk.queue.delayed_count()), (vec![1], 0));
}

#[test]
fn q18_no_message_is_left_out_of_the_age_of_the_oldest() {
    let mut desk = desk(fifo(), [7]);
    desk.rounds(0, 3);
    assert_eq!(desk.queue.oldest_enqueued_us(), Some(0));
}

#[test]
fn r1_a_move_task_takes_the_earliest_that_could_be_delivered() {
    let mut desk = desk(fifo(), [7, 7, 8, 9]);
    let held = desk.receive_one(0);
    let taken = desk.take(2);
    assert_eq!(ids(&taken), [3, 4], "message 2 is blocked");
    assert_eq!(taken[0].group, 8);
    desk.delete(held);
    assert_eq!(ids(&desk.take(10)), [2]);
}
