//! Leases: how they begin, change and end (rules Q1 to Q6).

use super::*;

#[test]
fn q1_a_message_that_nobody_deletes_is_there_again_when_its_lease_ends() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    assert_eq!(desk.receive_ids(29, 10), NOTHING, "hidden");
    assert_eq!(desk.lease_ends(29, first), LeaseEnd::Stale, "not yet");
    assert_eq!(desk.lease_ends(30, first), LeaseEnd::Visible);
    assert_eq!(desk.receive_ids(30, 10), [1]);
}

#[test]
fn q2_a_lease_lasts_30_s_unless_the_queue_says_otherwise() {
    let lease_us = |settings: QueueSettings| {
        let mut desk = Desk::new(settings);
        desk.send(5, [1]);
        desk.receive_one(5).leased_until_us - 5 * SECOND_US
    };
    assert_eq!(lease_us(QueueSettings::default()), 30 * SECOND_US);
    for visibility_timeout_us in [0, SECOND_US, 12 * HOUR_US] {
        assert_eq!(
            lease_us(QueueSettings { visibility_timeout_us, ..QueueSettings::default() }),
            visibility_timeout_us
        );
    }
}

#[test]
fn q2_with_no_visibility_timeout_a_received_message_is_there_again_at_once() {
    let mut desk = Desk::new(QueueSettings { visibility_timeout_us: 0, ..redrive(2) });
    desk.send(0, [1]);
    for receive in 1..=2 {
        let delivery = desk.receive_one(7);
        assert_eq!(delivery.receive_count, receive);
        assert_eq!(desk.lease_ends(7, delivery), LeaseEnd::Visible);
    }
    assert_eq!((desk.receive_ids(7, 10), &desk.moved[..]), (vec![], &[1][..]), "and N counts all the same");
}

#[test]
fn q3_a_changed_visibility_is_forgotten_at_the_next_receive() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    assert_eq!(desk.change(10, first, 100), leased_until(110));
    assert_eq!(desk.lease_ends(110, first), LeaseEnd::Visible);
    assert_eq!(desk.receive_one(110).leased_until_us, 140 * SECOND_US, "the queue's 30 s again");
}

#[test]
fn q4_a_change_counts_from_its_own_moment_and_replaces_what_was_left() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1, 2]);
    let shorter = desk.receive_one(0);
    assert_eq!(desk.change(5, shorter, 10), leased_until(15), "earlier than the lease would have ended");
    assert_eq!(desk.lease_ends(15, shorter), LeaseEnd::Visible);

    let longer = desk.receive(15, 2)[1];
    assert_eq!(desk.change(20, longer, 60), leased_until(80));
    assert_eq!(desk.lease_ends(45, longer), LeaseEnd::Stale, "the end that was replaced");
    assert_eq!(desk.lease_ends(80, longer), LeaseEnd::Visible);
}

#[test]
fn q4_a_change_to_zero_makes_the_message_visible_at_once() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    assert_eq!(desk.change(3, first, 0), VISIBLE);
    assert_eq!(desk.receive_one(3).receive_count, 2);
    assert_eq!(desk.lease_ends(30, first), LeaseEnd::Stale, "the first lease is of the past; the second lasts to 33 s");
}

#[test]
fn q5_a_change_past_twelve_hours_after_the_receive_is_refused_and_changes_nothing() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(100);
    assert_eq!(desk.change(110, first, 43_191), Err(ChangeRefused::BeyondTwelveHours), "one second too late");
    assert_eq!(
        desk.lease_ends(130, first),
        LeaseEnd::Visible,
        "the lease was left as it was, not cut to what is allowed"
    );

    let second = desk.receive_one(130);
    assert_eq!(desk.change(140, second, 43_190), leased_until(130 + 43_200), "exactly twelve hours are allowed");
}

#[test]
fn q5_changes_add_up_to_twelve_hours_of_one_lease() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    assert_eq!(desk.change(0, first, 40_000), leased_until(40_000));
    assert_eq!(
        desk.change(20_000, first, 23_201),
        Err(ChangeRefused::BeyondTwelveHours),
        "the clock did not start again at the change"
    );
    assert_eq!(desk.change(20_000, first, 23_200), leased_until(43_200));
}

#[test]
fn q5_the_clock_starts_at_each_receive_or_at_the_first_as_the_switch_says() {
    for (clock, of_second_lease) in [
        (TwelveHourClock::PerReceive, leased_until(43_230)),
        (TwelveHourClock::Lifetime, Err(ChangeRefused::BeyondTwelveHours)),
    ] {
        let mut desk = Desk::new(QueueSettings { twelve_hour_clock: clock, ..QueueSettings::default() });
        desk.send(0, [1]);
        let first = desk.receive_one(0);
        desk.lease_ends(30, first);
        let second = desk.receive_one(30);
        assert_eq!(desk.change(30, second, 43_200), of_second_lease, "{clock:?}");
        assert_eq!(
            desk.change(30, second, 43_170),
            leased_until(43_200),
            "{clock:?}: both allow what is left of the first"
        );
        assert_eq!(desk.change(31, second, 0), VISIBLE, "{clock:?}: nothing is no time at all");
    }
}

#[test]
fn q6_every_receive_counts_whatever_happens_next() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(4, [1]);
    for receive in 1..=5_u32 {
        let delivery = desk.receive_one(u64::from(receive) * 100);
        assert_eq!((delivery.receive_count, delivery.first_received_us), (receive, 100 * SECOND_US));
        assert_eq!(delivery.enqueued_us, 4 * SECOND_US);
        desk.lease_ends(u64::from(receive) * 100 + 30, delivery);
    }
}

#[test]
fn q2_a_receive_call_may_bring_a_visibility_timeout_of_its_own_for_what_it_returns() {
    for kind in [QueueKind::Standard, QueueKind::Fifo] {
        let mut desk = Desk::new(QueueSettings { kind, ..QueueSettings::default() });
        desk.send(0, [1, 2]);
        let steps = desk.steps(0, 2, ReceiveCall::with_visibility_timeout_us(5 * SECOND_US));
        let [Received::Message(first), Received::Message(second)] = steps[..] else { panic!("{steps:?}") };
        assert_eq!((first.leased_until_us, second.leased_until_us), (5 * SECOND_US, 5 * SECOND_US), "{kind:?}");
        desk.lease_ends(5, first);
        desk.lease_ends(5, second);
        assert_eq!(desk.receive_one(5).leased_until_us, 35 * SECOND_US, "{kind:?}: the next call has none");
    }
}
