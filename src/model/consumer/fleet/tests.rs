//! The fleet as a state machine.

use super::*;

fn fleet(concurrency: u32, prefetch: u32) -> Fleet<char> {
    Fleet::new(ConsumerSettings {
        fleet: 2,
        concurrency,
        batch: 3,
        wait_us: 20,
        prefetch,
        restart_us: 10,
        ..ConsumerSettings::default()
    })
}

const POLL: Poll = Poll { limit: 3, is_probe: false };

#[test]
fn room_is_free_slots_and_buffer_but_one_batch_at_most() {
    let mut fleet = fleet(2, 1);
    assert_eq!(fleet.room(0), 3);
    fleet.take(0, 'a');
    assert_eq!((fleet.room(0), fleet.held(0)), (2, 1));
    fleet.wait(0, 0, POLL);
    assert_eq!(fleet.room(0), 0, "one poll at a time");
}

fn polling(polls: Polls) -> Fleet<char> {
    let settings = ConsumerSettings { polls, concurrency: 1, prefetch: 1, batch: 3, ..ConsumerSettings::default() };
    Fleet::new(settings)
}

#[test]
fn a_consumer_that_polls_when_it_is_empty_has_room_for_all_or_for_nothing() {
    let mut fleet = polling(Polls::WhenEmpty);
    assert_eq!(fleet.room(0), 2);
    let slot = fleet.take(0, 'a').expect("a free slot");
    assert_eq!(fleet.room(0), 0);
    fleet.finish(slot);
    assert_eq!(fleet.room(0), 2);
}

#[test]
fn a_consumer_that_always_polls_asks_for_more_than_it_has_a_place_for() {
    let mut fleet = polling(Polls::Always);
    fleet.take(0, 'a');
    assert!(fleet.has_place(0));
    fleet.take(0, 'b');
    assert!(!fleet.has_place(0));
    assert_eq!(fleet.room(0), 3);
    fleet.pause(0, 30);
    assert_eq!(fleet.room(0), 0, "a pause is a pause");
}

#[test]
fn a_buffered_message_takes_the_slot_that_comes_free() {
    let mut fleet = fleet(1, 1);
    let slot = fleet.take(0, 'a').expect("a free slot");
    assert_eq!(fleet.take(0, 'b'), None);
    assert_eq!(fleet.held(0), 2);
    assert_eq!(fleet.finish(slot), (Some('a'), true));
    assert_eq!(fleet.work_mut(slot), Some(&mut 'b'));
    assert_eq!(fleet.finish(slot), (Some('b'), false));
    assert_eq!(fleet.busy_count(), 0);
}

#[test]
fn the_longest_waiting_poll_is_first_and_cut_polls_are_passed_over() {
    let mut fleet = fleet(1, 0);
    fleet.wait(0, 1, POLL);
    fleet.wait(5, 0, POLL);
    assert_eq!(fleet.first_waiting(), Some((1, POLL)));
    fleet.stop_waiting(1);
    assert_eq!(fleet.first_waiting(), Some((0, POLL)));
}

#[test]
fn one_timer_serves_all_polls_of_a_consumer() {
    let mut fleet = fleet(1, 0);
    assert_eq!(fleet.wait(0, 0, POLL), Some(20));
    fleet.stop_waiting(0);
    assert_eq!(fleet.wait(15, 0, POLL), None, "the timer is set");
    assert_eq!(fleet.poll_timer(20, 0), PollTimer::AskAgain { at_us: 35 });
    assert_eq!(fleet.poll_timer(35, 0), PollTimer::Empty(POLL));
    assert_eq!(fleet.poll_timer(40, 0), PollTimer::Idle);
}

#[test]
fn a_consumer_that_pauses_has_no_room_until_its_pause_has_ended() {
    let mut fleet = fleet(1, 0);
    fleet.pause(0, 30);
    assert_eq!(fleet.room(0), 0);
    assert!(!fleet.pause_ended(20, 0), "the end of another pause");
    assert_eq!(fleet.room(0), 0);
    assert!(fleet.pause_ended(30, 0));
    assert_eq!(fleet.room(0), 1);
    assert!(!fleet.pause_ended(30, 0), "it ends once");
}

#[test]
fn what_is_aside_takes_room_and_comes_when_it_is_asked_for() {
    let mut fleet = fleet(2, 1);
    fleet.take(0, 'a');
    fleet.put_aside(0, 'b');
    fleet.put_aside(0, 'c');
    assert_eq!((fleet.room(0), fleet.held(0)), (0, 3));
    assert!(fleet.has(0, |work| *work == 'a') && fleet.has(0, |work| *work == 'c'));
    assert!(!fleet.has(1, |work| *work == 'a'));
    assert_eq!(fleet.take_aside(0, |work| *work == 'c'), Some('c'));
    assert_eq!(fleet.take_aside(0, |work| *work == 'c'), None);
    assert_eq!(fleet.crash(0).0, ['a', 'b']);
}

#[test]
fn a_crash_ends_a_pause() {
    let mut fleet = fleet(1, 0);
    fleet.pause(0, 30);
    fleet.crash(0);
    fleet.restart(0);
    assert_eq!(fleet.room(0), 1, "a new process knows of no pause");
    assert!(!fleet.pause_ended(30, 0));
}

#[test]
fn a_dismissed_consumer_finishes_what_it_holds_and_polls_no_more() {
    let mut fleet = fleet(1, 0);
    let slot = fleet.take(1, 'a').expect("a free slot");
    fleet.wait(0, 0, POLL);
    assert_eq!(fleet.scale(0), [(0, POLL)]);
    assert_eq!((fleet.room(0), fleet.room(1)), (0, 0));
    assert_eq!(fleet.finish(slot), (Some('a'), false));
    assert_eq!(fleet.room(1), 0);
    fleet.scale(3);
    assert_eq!([0, 1, 2].map(|consumer| fleet.room(consumer)), [1, 1, 1]);
}

#[test]
fn a_process_that_is_told_to_end_finishes_what_it_holds() {
    let mut fleet = fleet(1, 1);
    let slot = fleet.take(0, 'a').expect("a free slot");
    fleet.wait(0, 0, POLL);
    assert_eq!(fleet.stop(0), Some(POLL));
    assert!(fleet.are_some_stopping() && !fleet.has_finished(0));
    fleet.finish(slot);
    assert_eq!(fleet.room(0), 0);
    assert!(fleet.has_finished(0));
    fleet.crash(0);
    assert!(!fleet.are_some_stopping());
    fleet.restart(0);
    assert_eq!((fleet.room(0), fleet.restarts(0)), (2, 1));
}

#[test]
fn who_is_hired_again_is_not_killed() {
    let mut fleet = fleet(1, 0);
    fleet.take(1, 'a');
    fleet.scale(1);
    fleet.kill_at(1, 50);
    assert!(fleet.is_killed_at(50, 1) && !fleet.is_killed_at(49, 1));
    fleet.scale(2);
    assert!(!fleet.is_killed_at(50, 1));
}

#[test]
fn a_crash_takes_slots_buffer_and_poll() {
    let mut fleet = fleet(1, 2);
    fleet.take(0, 'a');
    fleet.take(0, 'b');
    fleet.wait(0, 0, POLL);
    assert_eq!(fleet.crash(0), (vec!['a', 'b'], Some(POLL)));
    assert_eq!((fleet.room(0), fleet.busy_count()), (0, 0));
    fleet.restart(0);
    assert_eq!(fleet.room(0), 3);
}
