//! Retention, ages, delays and attributes (rules Q10 and Q16 to Q18).

use super::*;

#[test]
fn q10_retention_removes_messages_visible_or_in_flight_counted_from_their_enqueue() {
    let mut desk = Desk::new(QueueSettings { retention_us: 60 * SECOND_US, ..QueueSettings::default() });
    desk.send(0, [1]);
    desk.send(10, [2]);
    desk.send(20, [3]);
    let held = desk.receive_one(50);
    let mut expired = Vec::new();
    assert_eq!(desk.queue.expire(59 * SECOND_US, &mut expired), Some(60 * SECOND_US));
    assert_eq!(expired, []);
    assert_eq!(desk.queue.expire(70 * SECOND_US, &mut expired), Some(80 * SECOND_US));
    assert_eq!(expired.iter().map(|message| message.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(expired[0].first_received_us, Some(50 * SECOND_US), "it was in flight");
    assert_eq!(expired[1].first_received_us, None, "it was visible and had never been received");
    assert_eq!(desk.counts(), (1, 0));

    assert_eq!(desk.delete(held), DeleteAnswer::AlreadyGone, "too late");
    assert_eq!(desk.change(71, held, 5), Err(ChangeRefused::MessageGone));
    assert_eq!(desk.lease_ends(80, held), LeaseEnd::Stale);
    assert_eq!(desk.receive_ids(71, 10), [3]);
}

#[test]
fn q10_the_place_of_an_expired_message_serves_another_and_its_old_entries_do_no_harm() {
    let mut desk = Desk::new(QueueSettings { retention_us: 60 * SECOND_US, ..QueueSettings::default() });
    desk.send(0, [1, 2]);
    assert_eq!(desk.queue.expire(60 * SECOND_US, &mut Vec::new()), None);
    desk.send(61, [3, 4]);
    assert_eq!(desk.receive_ids(61, 10), [3, 4], "each once, although their places were used before");
    assert_eq!(desk.counts(), (0, 2));
}

#[test]
fn q10_retention_is_not_followed_where_it_ends_after_the_run() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let settings = QueueSettings { kind, retention_us: 60 * SECOND_US, ..QueueSettings::default() };
        assert!(!Queue::new(settings.clone(), 60 * SECOND_US, draws()).follows_retention());
        assert!(Queue::new(settings, 60 * SECOND_US + 1, draws()).follows_retention());
    }
}

#[test]
fn q18_visible_and_in_flight_have_no_message_in_common() {
    let mut desk = Desk::new(redrive(1));
    desk.send(0, 1..=5);
    assert_eq!(desk.counts(), (5, 0));
    let held = desk.receive(0, 3);
    assert_eq!(desk.counts(), (2, 3));
    desk.queue.delete(held[0].receipt);
    desk.lease_ends(30, held[1]);
    assert_eq!(desk.counts(), (3, 1));
    desk.receive(30, 10);
    assert_eq!((desk.counts(), desk.moved.len()), ((0, 3), 1));
}

#[test]
fn q18_the_age_of_the_oldest_leaves_out_messages_with_three_receives() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let mut at_s = desk.rounds(0, 2);
    desk.send(50, [2]);
    assert_eq!(desk.queue.oldest_enqueued_us(), Some(0), "two receives still count");
    at_s += 30;
    let third = desk.receive_one(at_s);
    assert_eq!((third.id, third.receive_count), (1, 3));
    assert_eq!(desk.queue.oldest_enqueued_us(), Some(50 * SECOND_US));
    let second = desk.receive_one(at_s);
    desk.queue.delete(second.receipt);
    assert_eq!(desk.queue.oldest_enqueued_us(), None, "although message 1 is still there");
}

/// A message as another queue hands it over, sent and first received at that time.
fn moved(id: u64, sent_s: u64) -> Removed {
    let sent_us = sent_s * SECOND_US;
    let tag = MessageTag::default();
    Removed { id, enqueued_us: sent_us, first_received_us: Some(sent_us), receive_count: 5, group: 0, tag }
}

#[test]
fn q11_a_dead_letter_queue_goes_by_the_enqueue_time_and_not_by_the_order_of_the_moves() {
    let mut desk = Desk::new(QueueSettings { retention_us: 100 * SECOND_US, ..QueueSettings::default() });
    for (move_s, id, sent_s) in [(50, 1, 30), (51, 2, 10), (52, 3, 20), (53, 4, 30)] {
        desk.queue.enqueue_moved(move_s * SECOND_US, moved(id, sent_s));
    }
    desk.send(54, [5]);
    assert_eq!(desk.expire(60), (vec![], Some(110)));
    assert_eq!(desk.expire(125), (vec![2, 3], Some(130)), "the oldest first, although they came later");
    assert_eq!(desk.receive_ids(126, 10), [1, 4, 5]);
    assert_eq!(desk.expire(130), (vec![1, 4], Some(154)), "in flight or not");
}

#[test]
fn q11_a_message_can_be_too_old_on_its_arrival() {
    let mut desk = Desk::new(QueueSettings { retention_us: 100 * SECOND_US, ..QueueSettings::default() });
    desk.queue.enqueue_moved(200 * SECOND_US, moved(1, 10));
    assert_eq!(desk.queue.next_expiry_us(), Some(110 * SECOND_US));
    assert_eq!(desk.expire(200), (vec![1], None));
}

#[test]
fn q16_a_delay_holds_back_the_first_receive_and_no_other() {
    let mut desk = Desk::new(QueueSettings { delay_us: 10 * SECOND_US, ..QueueSettings::default() });
    let sent = desk.enqueue(0, message(1));
    let Enqueued::DelayedUntil { slot, at_us } = sent else { panic!("{sent:?}") };
    assert_eq!(at_us, 10 * SECOND_US);
    assert_eq!(
        desk.enqueue(0, NewMessage { delay_us: Some(0), ..message(2) }),
        Enqueued::Visible,
        "its own delay counts"
    );
    assert_eq!(desk.receive_ids(9, 10), [2]);
    assert_eq!(
        (desk.queue.lease_ended(at_us, slot), desk.queue.delay_ended(9, slot)),
        (LeaseEnd::Stale, LeaseEnd::Stale)
    );
    assert_eq!(desk.queue.delay_ended(at_us, slot), LeaseEnd::Visible);
    let first = desk.receive_one(10);
    assert_eq!((first.id, first.receive_count, first.enqueued_us), (1, 1, 0));
    desk.lease_ends(40, first);
    assert_eq!(desk.receive_ids(40, 10), [1], "without a new delay");
}

#[test]
fn q16_a_message_stands_by_its_enqueue_time_when_its_delay_ends() {
    let mut desk = Desk::new(QueueSettings::default());
    let sent = desk.enqueue(0, NewMessage { delay_us: Some(10 * SECOND_US), ..message(1) });
    let Enqueued::DelayedUntil { slot, at_us } = sent else { panic!("{sent:?}") };
    desk.send(5, [2, 3]);
    desk.queue.delay_ended(at_us, slot);
    assert_eq!(desk.receive_ids(10, 10), [1, 2, 3]);
}

#[test]
fn q16_retention_removes_delayed_messages_and_the_end_of_the_delay_finds_nothing() {
    let mut desk = Desk::new(QueueSettings { retention_us: 60 * SECOND_US, ..QueueSettings::default() });
    let sent = desk.enqueue(0, NewMessage { delay_us: Some(900 * SECOND_US), ..message(1) });
    let Enqueued::DelayedUntil { slot, at_us } = sent else { panic!("{sent:?}") };
    assert_eq!(desk.expire(60), (vec![1], None));
    assert_eq!((desk.queue.delayed_count(), desk.queue.delay_ended(at_us, slot)), (0, LeaseEnd::Stale));
}

#[test]
fn q17_a_new_visibility_timeout_is_for_receives_to_come() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = Desk::new(QueueSettings { kind, ..QueueSettings::default() });
        desk.send(0, [1]);
        let first = desk.receive_one(0);
        desk.queue.set_visibility_timeout_us(300 * SECOND_US);
        assert_eq!(desk.lease_ends(30, first), LeaseEnd::Visible, "{kind:?}: the running lease keeps its end");
        assert_eq!(desk.receive_one(30).leased_until_us, 330 * SECOND_US, "{kind:?}");
    }
}

#[test]
fn q17_a_new_receive_limit_is_for_receives_to_come() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = Desk::new(QueueSettings { kind, ..redrive(2) });
        desk.send(0, [1]);
        desk.rounds(0, 2);
        desk.queue.set_max_receive_count(Some(3));
        let end_s = desk.rounds(60, 1);
        desk.queue.set_max_receive_count(None);
        let end_s = desk.rounds(end_s, 1);
        desk.queue.set_max_receive_count(Some(1));
        assert_eq!((desk.receive_ids(end_s, 10), &desk.moved[..]), (vec![], &[1][..]), "{kind:?}");
    }
}

#[test]
fn q17_a_new_retention_is_for_the_messages_that_are_there_too() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = Desk::new(QueueSettings { kind, ..QueueSettings::default() });
        desk.queue.set_retention_us(u64::MAX);
        assert!(!desk.queue.follows_retention());
        desk.send(0, [1, 2]);
        desk.send(10, [3]);
        let first = desk.receive_one(10);
        desk.delete(first);
        desk.queue.set_retention_us(60 * SECOND_US);
        assert_eq!(desk.queue.next_expiry_us(), Some(60 * SECOND_US), "{kind:?}");
        desk.send(20, [4]);
        assert_eq!(desk.expire(70), (vec![2, 3], Some(80)), "{kind:?}");
    }
}

#[test]
fn q18_visible_in_flight_and_delayed_have_no_message_in_common() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = Desk::new(QueueSettings { kind, delay_us: 10 * SECOND_US, ..QueueSettings::default() });
        let sent: Vec<Enqueued> = (1..=3).map(|id| desk.enqueue(0, message(id))).collect();
        assert_eq!((desk.counts(), desk.queue.delayed_count()), ((0, 0), 3), "{kind:?}");
        for sent in &sent[..2] {
            let Enqueued::DelayedUntil { slot, at_us } = *sent else { panic!("{sent:?}") };
            desk.queue.delay_ended(at_us, slot);
        }
        desk.receive_one(10);
        assert_eq!((desk.counts(), desk.queue.delayed_count()), ((1, 1), 1), "{kind:?}");
        assert_eq!(desk.queue.classes_of_outstanding().count(), 3, "{kind:?}");
    }
}

#[test]
fn q18_on_a_dead_letter_queue_the_age_counts_from_the_move() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.queue.enqueue_moved(50 * SECOND_US, moved(1, 30));
    desk.queue.enqueue_moved(60 * SECOND_US, moved(2, 10));
    assert_eq!(desk.queue.oldest_enqueued_us(), Some(50 * SECOND_US), "its receives in the source do not count");
    desk.take(1);
    assert_eq!(desk.queue.oldest_enqueued_us(), Some(50 * SECOND_US), "message 2 is older and was taken");
    desk.take(1);
    assert_eq!(desk.queue.oldest_enqueued_us(), None);
}
