//! What receives return and what receipts can do (rules Q12 to Q15 and Q19).

use super::*;

#[test]
fn q13_a_receive_call_returns_as_many_as_there_are_and_no_more_than_it_asks_for() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, 1..=12);
    assert_eq!(desk.receive_ids(0, 10), (1..=10).collect::<Vec<_>>(), "the oldest first");
    assert_eq!(desk.receive_ids(0, 10), [11, 12]);
    assert_eq!(desk.receive_ids(0, 10), NOTHING);
}

#[test]
fn q15_an_expired_receipt_still_deletes_until_the_message_is_received_again() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1, 2]);
    let [first, second] = desk.receive(0, 10)[..] else { panic!("two messages") };
    desk.lease_ends(30, first);
    desk.lease_ends(30, second);
    assert_eq!(desk.deleted_id(first), Some(1));

    let again = desk.receive_one(31);
    assert_eq!((again.id, desk.delete(second)), (2, DeleteAnswer::Ignored), "an older receipt is ignored");
    assert_eq!(desk.deleted_id(again), Some(2));
    assert_eq!(desk.delete(again), DeleteAnswer::AlreadyGone, "deleted is deleted");
    assert_eq!(desk.counts(), (0, 0));
}

#[test]
fn q15_a_change_after_expiry_succeeds_and_changes_nothing() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.lease_ends(30, first);
    assert_eq!(desk.change(31, first, 60), UNCHANGED);
    assert_eq!(desk.change(31, first, 0), UNCHANGED);
    assert_eq!(desk.receive_ids(31, 10), [1], "visible all the time");
}

#[test]
fn q15_an_old_receipt_ends_a_newer_lease_with_zero_and_with_nothing_else() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let old = desk.receive_one(0);
    desk.lease_ends(30, old);
    let new = desk.receive_one(30);
    assert_eq!(desk.change(35, old, 600), UNCHANGED);
    assert_eq!(desk.counts(), (0, 1));
    assert_eq!(desk.change(36, old, 0), VISIBLE);
    assert_eq!(desk.counts(), (1, 0));
    assert_eq!(desk.deleted_id(new), Some(1), "nobody has received it since");
}

#[test]
fn q19_a_message_keeps_its_id_and_gets_a_new_receipt_at_each_receive() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [77]);
    let first = desk.receive_one(0);
    desk.lease_ends(30, first);
    let second = desk.receive_one(30);
    assert_eq!((first.id, second.id), (77, 77));
    assert_ne!(first.receipt, second.receipt);
}

#[test]
fn the_record_of_a_deleted_message_is_given_up_with_the_last_receipt() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.lease_ends(30, first);
    let second = desk.receive_one(30);
    desk.queue.delete(second.receipt);
    desk.queue.let_go(second.receipt);
    // The first consumer still works on it: what it notes goes to this message and not to one in its place.
    desk.queue.held(first.receipt).tag.succeeded = true;
    desk.send(40, [2]);
    let other = desk.receive_one(40);
    assert!(!desk.queue.held(other.receipt).tag.succeeded);
    desk.queue.let_go(first.receipt);
    desk.send(50, [3]);
    assert_eq!(desk.receive_one(50).receipt.slot(), first.receipt.slot(), "now its place is used again");
}

#[test]
fn q12_at_the_limit_a_receive_says_so_until_a_message_in_flight_is_gone() {
    let mut desk = Desk::new(QueueSettings { in_flight_limit: 2, ..QueueSettings::default() });
    desk.send(0, 1..=4);
    let steps = desk.steps(0, 10, ReceiveCall::new());
    assert!(matches!(steps[..], [Received::Message(_), Received::Message(_), Received::OverLimit]), "{steps:?}");
    let Received::Message(first) = steps[0] else { panic!("a message") };
    assert_eq!((desk.counts(), desk.queue.has_receivable()), ((2, 2), false));
    assert_eq!(desk.steps(1, 10, ReceiveCall::new()), [Received::OverLimit]);
    assert_eq!(desk.change(1, first, 600), leased_until(601), "a long backoff is in flight too");
    assert_eq!(desk.steps(2, 10, ReceiveCall::new()), [Received::OverLimit]);
    desk.delete(first);
    assert_eq!((desk.queue.has_receivable(), desk.receive_ids(2, 10)), (true, vec![3]));
}

#[test]
fn q12_the_limit_is_120_000_unless_the_settings_say_otherwise() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, 0..120_001);
    assert_eq!(desk.receive(0, 120_001).len(), 120_000);
    assert_eq!(desk.steps(0, 1, ReceiveCall::new()), [Received::OverLimit]);
}

fn chances(lost_share: f64, duplicate_share: f64) -> QueueSettings {
    QueueSettings { lost_share, duplicate_share, ..QueueSettings::default() }
}

#[test]
fn q14_a_duplicate_is_returned_again_by_the_next_call_and_counts_twice() {
    let mut desk = Desk::new(QueueSettings { max_receive_count: Some(3), ..chances(0.0, 1.0) });
    desk.send(0, [1, 2]);
    assert_eq!((desk.receive_ids(0, 10), desk.counts()), (vec![1, 2], (2, 0)), "each once in one call");
    let again = desk.receive(0, 10);
    assert_eq!(
        again.iter().map(|delivery| (delivery.id, delivery.receive_count)).collect::<Vec<_>>(),
        [(1, 2), (2, 2)]
    );
    assert_eq!(desk.change(0, again[0], 60), UNCHANGED, "it is visible");
    assert_eq!(desk.deleted_id(again[0]), Some(1));
    assert_eq!(desk.receive_ids(0, 10), [2]);
    assert_eq!((desk.receive_ids(0, 10), &desk.moved[..]), (vec![], &[2][..]), "every delivery is a receive");
}

#[test]
fn q14_a_lost_delivery_counts_as_a_receive_and_holds_a_full_lease() {
    let mut desk = Desk::new(QueueSettings { max_receive_count: Some(1), ..chances(1.0, 1.0) });
    desk.send(0, [1]);
    let steps = desk.steps(0, 10, ReceiveCall::new());
    let [Received::Lost { slot, leased_until_us }, Received::Nothing] = steps[..] else { panic!("{steps:?}") };
    assert_eq!((leased_until_us, desk.counts()), (30 * SECOND_US, (0, 1)));
    assert_eq!(desk.queue.lease_ended(leased_until_us, slot), LeaseEnd::Visible);
    assert_eq!((desk.receive_ids(30, 10), &desk.moved[..]), (vec![], &[1][..]));
}

#[test]
fn q14_the_shares_hold_and_a_message_has_the_same_luck_in_every_run() {
    let luck = |settings| {
        let mut desk = Desk::new(settings);
        desk.send(0, 0..10_000);
        let steps = desk.steps(0, 10_000, ReceiveCall::new());
        let lost = steps.iter().map(|step| matches!(step, Received::Lost { .. })).collect::<Vec<_>>();
        (lost, desk.counts())
    };
    let (lost, (visible, in_flight)) = luck(chances(0.1, 0.2));
    let lost_count = lost.iter().filter(|&&lost| lost).count();
    assert!((900..1_100).contains(&lost_count), "{lost_count} of 1 000");
    assert!((1_650..1_950).contains(&visible), "{visible} of 1 800: a lost message cannot be a duplicate");
    assert_eq!(visible + in_flight, 10_000);
    assert_eq!(luck(chances(0.1, 0.0)).0, lost, "the one share leaves the luck of the other as it was");
}

#[test]
fn q15_every_answer_to_a_change_of_visibility() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    assert_eq!(desk.change(0, first, 43_201), Err(ChangeRefused::OutOfRange));
    assert_eq!(desk.change(1, first, 43_200), Err(ChangeRefused::BeyondTwelveHours));
    assert_eq!(desk.change(1, first, 10), leased_until(11));
    assert_eq!(desk.lease_ends(11, first), LeaseEnd::Visible);
    assert_eq!(desk.change(12, first, 43_200), UNCHANGED);
    desk.delete(first);
    assert_eq!(desk.change(13, first, 0), Err(ChangeRefused::MessageGone));
}
