//! What the real service was recorded to answer, case by case.

use super::*;

fn of_kind(kind: QueueKind, max_receive_count: Option<u32>) -> Desk {
    Desk::new(QueueSettings { kind, max_receive_count, ..QueueSettings::default() })
}

fn standard() -> Desk {
    of_kind(QueueKind::Standard, None)
}

#[test]
fn after_n_receives_waiting_moves_nothing_and_a_later_receive_does_and_may_return_another_message() {
    let mut desk = of_kind(QueueKind::Standard, Some(2));
    desk.send(0, [1]);
    let end_s = desk.rounds(0, 2);
    desk.send(end_s, [2]);
    assert_eq!((desk.counts(), desk.moved.len()), ((2, 0), 0), "a minute later it is still there");
    assert_eq!(desk.receive_ids(end_s + 60, 1), [2]);
    assert_eq!(desk.moved, [1]);
}

#[test]
fn the_first_receive_in_the_dead_letter_queue_counts_n_and_one() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut source = of_kind(kind, Some(3));
        source.send(0, [1]);
        let end_s = source.rounds(0, 3);
        let removed = source.dead_letter(end_s);
        let mut dead_letters = of_kind(kind, None);
        dead_letters.queue.enqueue_moved(end_s * SECOND_US, removed);
        let first = dead_letters.receive_one(end_s);
        assert_eq!((first.id, first.receive_count, first.first_received_us), (1, 4, 0), "{kind:?}");
    }
}

#[test]
fn a_change_of_an_expired_lease_succeeds_and_hides_nothing() {
    let mut desk = standard();
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.lease_ends(30, first);
    assert_eq!(desk.change(31, first, 60), UNCHANGED);
    assert_eq!(desk.receive_ids(31, 10), [1]);
}

#[test]
fn a_change_of_a_deleted_message_fails() {
    let mut desk = standard();
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.delete(first);
    assert_eq!(desk.change(1, first, 60), Err(ChangeRefused::MessageGone));
    assert_eq!(desk.change(1, first, 0), Err(ChangeRefused::MessageGone));
}

#[test]
fn a_change_to_zero_with_an_old_handle_releases_the_new_lease() {
    let mut desk = standard();
    desk.send(0, [1]);
    let old = desk.receive_one(0);
    desk.lease_ends(30, old);
    desk.receive_one(30);
    assert_eq!(desk.change(31, old, 0), VISIBLE);
    assert_eq!(desk.receive_one(31).receive_count, 3);
}

#[test]
fn an_expired_handle_deletes_on_a_standard_queue_and_fails_on_a_fifo_queue() {
    for (kind, is_deleted) in [(QueueKind::Standard, true), (QueueKind::Fifo, false)] {
        let mut desk = of_kind(kind, None);
        desk.send(0, [1]);
        let first = desk.receive_one(0);
        desk.lease_ends(30, first);
        let answer = desk.delete(first);
        assert_eq!(answer.has_deleted(), is_deleted, "{kind:?}");
        assert_eq!(answer == DeleteAnswer::Refused, !is_deleted, "{kind:?}");
        assert_eq!(desk.receive(31, 10).is_empty(), is_deleted, "{kind:?}");
    }
}

#[test]
fn an_old_handle_after_a_new_receive_might_not_delete() {
    for (stale_delete, is_deleted) in [(StaleDelete::Ignored, false), (StaleDelete::Deletes, true)] {
        let mut desk = Desk::new(QueueSettings { stale_delete, ..QueueSettings::default() });
        desk.send(0, [1]);
        let old = desk.receive_one(0);
        desk.lease_ends(30, old);
        desk.receive_one(30);
        let answer = desk.delete(old);
        assert_eq!(answer.has_deleted(), is_deleted);
        assert_eq!(answer == DeleteAnswer::Ignored, !is_deleted, "a success in both cases");
        assert_eq!(desk.counts(), (0, usize::from(!is_deleted)));
    }
}

#[test]
fn a_second_delete_succeeds() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = of_kind(kind, None);
        desk.send(0, [1]);
        let first = desk.receive_one(0);
        assert_eq!(desk.deleted_id(first), Some(1));
        assert_eq!(desk.delete(first), DeleteAnswer::AlreadyGone, "{kind:?}");
    }
}

#[test]
fn a_change_beyond_twelve_hours_fails_by_itself_or_in_all() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = of_kind(kind, None);
        desk.send(0, [1]);
        let first = desk.receive_one(0);
        assert_eq!(desk.change(0, first, 43_201), Err(ChangeRefused::OutOfRange));
        assert_eq!(desk.change(1, first, 43_200), Err(ChangeRefused::BeyondTwelveHours));
        assert_eq!(desk.lease_ends(30, first), LeaseEnd::Visible, "the lease stayed as it was");
        assert_eq!(desk.change(31, first, 43_201), Err(ChangeRefused::OutOfRange), "whatever the receipt");
    }
}

#[test]
fn fifo_of_two_in_flight_the_first_is_released_and_served_alone() {
    let mut desk = of_kind(QueueKind::Fifo, None);
    desk.send(0, 1..=3);
    let held = desk.receive(0, 2);
    assert_eq!(desk.change(1, held[0], 0), VISIBLE);
    assert_eq!(desk.receive_ids(1, 10), [1]);
}

#[test]
fn fifo_of_three_in_flight_the_middle_one_is_extended_and_only_the_first_is_served() {
    let mut desk = of_kind(QueueKind::Fifo, None);
    desk.send(0, 1..=3);
    let [first, middle, last] = desk.receive(0, 3)[..] else { panic!("three messages") };
    assert_eq!(desk.change(10, middle, 100), leased_until(110));
    desk.lease_ends(30, first);
    desk.lease_ends(30, last);
    assert_eq!(desk.receive_ids(31, 10), [1]);
}

#[test]
fn retention_in_the_dead_letter_queue_counts_from_the_enqueue_or_on_fifo_from_the_move() {
    for (kind, due_s) in [(QueueKind::Standard, 60), (QueueKind::Fifo, 90)] {
        let mut source = of_kind(kind, Some(1));
        source.send(0, [1]);
        let end_s = source.rounds(0, 1);
        let removed = source.dead_letter(end_s);
        let settings = QueueSettings { kind, retention_us: 60 * SECOND_US, ..QueueSettings::default() };
        let mut dead_letters = Desk::new(settings);
        dead_letters.queue.enqueue_moved(end_s * SECOND_US, removed);
        assert_eq!(dead_letters.queue.next_expiry_us(), Some(due_s * SECOND_US), "{kind:?}");
        assert_eq!(dead_letters.expire(due_s), (vec![1], None), "{kind:?}");
    }
}
