//! Where returned messages stand (rules Q8 and Q9).

use super::*;

/// Ids in the order in which they come when message 1 has been received so often and messages 2 and 3 are younger.
fn order_after(receives: u64, settings: QueueSettings) -> Vec<u64> {
    let mut desk = Desk::new(settings);
    desk.send(0, [1]);
    for round in 0..receives {
        // The younger ones arrive before the last lease ends, so that both orders can show.
        let delivery = desk.receive_one(round * 30);
        if round + 1 == receives {
            desk.send(round * 30 + 1, [2, 3]);
        }
        desk.lease_ends(round * 30 + 30, delivery);
    }
    desk.receive_ids(receives * 30, 10)
}

#[test]
fn q8_from_its_third_receive_on_a_message_returns_to_the_back() {
    for settings in [QueueSettings::default(), redrive(4), redrive(1_000)] {
        assert_eq!(order_after(1, settings.clone()), [1, 2, 3], "{settings:?}");
        assert_eq!(order_after(2, settings.clone()), [1, 2, 3], "{settings:?}");
        assert_eq!(order_after(3, settings.clone()), [2, 3, 1], "{settings:?}");
    }
    assert_eq!(order_after(7, QueueSettings::default()), [2, 3, 1]);
}

#[test]
fn q8_does_not_hold_where_n_is_three_or_less_or_where_it_is_switched_off() {
    // With N = 3 the third lease is the last: only the switch of Q9 could place the message, and the move comes first.
    let mut desk = Desk::new(redrive(3));
    desk.send(0, [1]);
    desk.rounds(0, 3);
    desk.send(91, [2]);
    assert_eq!((desk.receive_ids(91, 1), &desk.moved[..]), (vec![2], &[1][..]), "met at the front, before 2");

    // With N = 4 it stands behind the younger one, and a receive of one message does not even meet it.
    let mut desk = Desk::new(redrive(4));
    desk.send(0, [1]);
    let mut at_s = desk.rounds(0, 3);
    let fourth = desk.receive_one(at_s);
    desk.send(at_s + 1, [2]);
    at_s += 30;
    desk.lease_ends(at_s, fourth);
    assert_eq!((desk.receive_ids(at_s, 1), &desk.moved[..]), (vec![2], &[][..]));

    let off = QueueSettings { back_of_queue: false, ..QueueSettings::default() };
    assert_eq!(order_after(3, off), [1, 2, 3]);
}

#[test]
fn q9_a_returned_message_stands_by_age_or_by_the_moment_of_its_return() {
    let ordered = |return_order| QueueSettings { return_order, back_of_queue: false, ..QueueSettings::default() };
    assert_eq!(order_after(1, ordered(ReturnOrder::ByAge)), [1, 2, 3]);
    assert_eq!(order_after(1, ordered(ReturnOrder::ByVisibleTime)), [2, 3, 1]);
    let by_visible_time = QueueSettings { return_order: ReturnOrder::ByVisibleTime, ..redrive(3) };
    assert_eq!(order_after(2, by_visible_time), [2, 3, 1]);
}

#[test]
fn q9_a_random_place_is_anywhere_and_the_same_in_every_run() {
    let places = || -> Vec<usize> {
        let settings = QueueSettings { return_order: ReturnOrder::Random, ..QueueSettings::default() };
        let mut desk = Desk::new(settings);
        // Message 1000 returns among 100 older and 100 younger ones, again and again.
        (0..200)
            .map(|round| {
                let from_s = round * 1_000;
                desk.send(from_s, [1_000 + round]);
                let returning = desk.receive_one(from_s);
                for second in 0..30 {
                    desk.send(from_s + second, (0..5).map(|number| 1_000_000 + round * 1_000 + second * 5 + number));
                }
                desk.lease_ends(from_s + 30, returning);
                let order = desk.receive(from_s + 30, 200);
                order.iter().for_each(|delivery| assert!(desk.delete(*delivery).has_deleted()));
                order.iter().position(|delivery| delivery.id == returning.id).expect("it is visible")
            })
            .collect()
    };
    let first = places();
    assert_eq!(first, places());
    let quarter = |from: usize| first.iter().filter(|&&place| (from..from + 38).contains(&place)).count();
    for from in [0, 38, 76, 114] {
        assert!((30..=70).contains(&quarter(from)), "about 50 of 200 in each quarter: {first:?}");
    }
}
