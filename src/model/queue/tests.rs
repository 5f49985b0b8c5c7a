//! The rules of the queue, one by one, by their numbers (docs/model.md).

use super::*;
use crate::engine::random::Streams;
use crate::engine::time::{HOUR_US, SECOND_US};

/// A queue with times in seconds, and room for what its calls return.
struct Desk {
    queue: StandardQueue,
    /// Ids of messages that receive calls moved to the dead-letter queue.
    moved: Vec<u64>,
}

impl Desk {
    fn new(settings: QueueSettings) -> Self {
        let order = Streams::new(42, 0).keyed("order");
        Self { queue: StandardQueue::new(settings, u64::MAX, order), moved: Vec::new() }
    }

    fn send(&mut self, now_s: u64, ids: impl IntoIterator<Item = u64>) {
        ids.into_iter().for_each(|id| self.queue.enqueue(now_s * SECOND_US, id, MessageTag::default()));
    }

    fn receive(&mut self, now_s: u64, limit: u32) -> Vec<Delivery> {
        let (mut deliveries, mut moved) = (Vec::new(), Vec::new());
        self.queue.receive(now_s * SECOND_US, limit, &mut deliveries, &mut moved);
        self.moved.extend(moved.iter().map(|message| message.id));
        deliveries
    }

    /// Receives one message, which there has to be.
    fn receive_one(&mut self, now_s: u64) -> Delivery {
        self.receive(now_s, 1).pop().expect("a visible message")
    }

    fn receive_ids(&mut self, now_s: u64, limit: u32) -> Vec<u64> {
        self.receive(now_s, limit).iter().map(|delivery| delivery.id).collect()
    }

    fn lease_ends(&mut self, now_s: u64, delivery: Delivery) -> LeaseEnd {
        self.queue.lease_ended(now_s * SECOND_US, delivery.receipt.slot())
    }

    /// Receives everything and lets all of the leases run out, so many times; returns the time of the last end.
    fn rounds(&mut self, now_s: u64, rounds: u64) -> u64 {
        for round in 0..rounds {
            let from_s = now_s + round * 30;
            for delivery in self.receive(from_s, 10) {
                assert_eq!(self.lease_ends(from_s + 30, delivery), LeaseEnd::Visible);
            }
        }
        now_s + rounds * 30
    }

    fn change(&mut self, now_s: u64, delivery: Delivery, delay_s: u32) -> Result<VisibilityChange, BeyondTwelveHours> {
        self.queue.change_visibility(now_s * SECOND_US, delivery.receipt, delay_s)
    }

    /// Visible messages and messages in flight.
    fn counts(&self) -> (usize, usize) {
        (self.queue.visible_count(), self.queue.in_flight_count())
    }
}

fn redrive(max_receive_count: u32) -> QueueSettings {
    QueueSettings { max_receive_count: Some(max_receive_count), ..QueueSettings::default() }
}

const NOTHING: [u64; 0] = [];

fn leased_until(at_s: u64) -> Result<VisibilityChange, BeyondTwelveHours> {
    Ok(VisibilityChange::LeasedUntil { at_us: at_s * SECOND_US })
}

const VISIBLE: Result<VisibilityChange, BeyondTwelveHours> = Ok(VisibilityChange::Ended(LeaseEnd::Visible));

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
    assert_eq!(desk.change(110, first, 43_191), Err(BeyondTwelveHours), "one second too late");
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
        Err(BeyondTwelveHours),
        "the clock did not start again at the change"
    );
    assert_eq!(desk.change(20_000, first, 23_200), leased_until(43_200));
}

#[test]
fn q5_the_clock_starts_at_each_receive_or_at_the_first_as_the_switch_says() {
    for (clock, of_second_lease) in
        [(TwelveHourClock::PerReceive, leased_until(43_230)), (TwelveHourClock::Lifetime, Err(BeyondTwelveHours))]
    {
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
fn q7_without_a_redrive_policy_a_message_circulates() {
    for redrive_timing in [RedriveTiming::Lazy, RedriveTiming::Eager] {
        let mut desk = Desk::new(QueueSettings { redrive_timing, ..QueueSettings::default() });
        desk.send(0, [1]);
        let end_s = desk.rounds(0, 2_000);
        assert_eq!(desk.receive_one(end_s).receive_count, 2_001);
        assert_eq!(desk.moved, NOTHING);
    }
}

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
                order.iter().for_each(|delivery| assert!(desk.queue.delete(delivery.receipt).is_some()));
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

    assert_eq!(desk.queue.delete(held.receipt), None, "too late");
    assert_eq!(desk.change(71, held, 5), Ok(VisibilityChange::Unchanged));
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
    let order = Streams::new(42, 0).keyed("order");
    let settings = QueueSettings { retention_us: 60 * SECOND_US, ..QueueSettings::default() };
    assert!(!StandardQueue::new(settings.clone(), 60 * SECOND_US, order).follows_retention());
    assert!(StandardQueue::new(settings, 60 * SECOND_US + 1, order).follows_retention());
}

#[test]
fn q11_a_move_to_the_dead_letter_queue_keeps_the_enqueue_time() {
    let mut desk = Desk::new(redrive(1));
    desk.send(7, [1]);
    desk.rounds(10, 1);
    let mut moved = Vec::new();
    desk.queue.receive(99 * SECOND_US, 1, &mut Vec::new(), &mut moved);
    assert_eq!(moved[0].enqueued_us, 7 * SECOND_US);
    assert_eq!(moved[0].first_received_us, Some(10 * SECOND_US));
}

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
    assert_eq!(desk.queue.delete(first.receipt).map(|message| message.id), Some(1));

    let again = desk.receive_one(31);
    assert_eq!((again.id, desk.queue.delete(second.receipt)), (2, None), "an older receipt is ignored");
    assert_eq!(desk.queue.delete(again.receipt).map(|message| message.id), Some(2));
    assert_eq!(desk.queue.delete(again.receipt), None, "deleted is deleted");
    assert_eq!(desk.counts(), (0, 0));
}

#[test]
fn q15_a_change_after_expiry_succeeds_and_changes_nothing() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let first = desk.receive_one(0);
    desk.lease_ends(30, first);
    assert_eq!(desk.change(31, first, 60), Ok(VisibilityChange::Unchanged));
    assert_eq!(desk.change(31, first, 0), Ok(VisibilityChange::Unchanged));
    assert_eq!(desk.receive_ids(31, 10), [1], "visible all the time");
}

#[test]
fn q15_an_old_receipt_ends_a_newer_lease_with_zero_and_with_nothing_else() {
    let mut desk = Desk::new(QueueSettings::default());
    desk.send(0, [1]);
    let old = desk.receive_one(0);
    desk.lease_ends(30, old);
    let new = desk.receive_one(30);
    assert_eq!(desk.change(35, old, 600), Ok(VisibilityChange::Unchanged));
    assert_eq!(desk.counts(), (0, 1));
    assert_eq!(desk.change(36, old, 0), VISIBLE);
    assert_eq!(desk.counts(), (1, 0));
    assert_eq!(desk.queue.delete(new.receipt).map(|message| message.id), Some(1), "nobody has received it since");
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
    desk.queue.tag_mut(first.receipt).succeeded = true;
    desk.send(40, [2]);
    let other = desk.receive_one(40);
    assert!(!desk.queue.tag_mut(other.receipt).succeeded);
    desk.queue.let_go(first.receipt);
    desk.send(50, [3]);
    assert_eq!(desk.receive_one(50).receipt.slot(), first.receipt.slot(), "now its place is used again");
}
