//! No message is lost or counted twice, whatever the setup: random setups, run for a few minutes.

mod guards;
mod lambda;
mod setups;
mod watched;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};
use retrystorm::engine::time::{SECOND_US, seconds};
use retrystorm::measure::{Fate, Metric, Outcome, SeriesMetric};
use retrystorm::model::MessageClass;
use retrystorm::model::policy::BackoffSettings;
use retrystorm::scenario::Setup;
use retrystorm::simulation::{Run, simulate};
use setups::{DURATION_US, setup, whole_setup};

/// Many, since each setup is one combination of some thirty choices; few enough for a quarter of a minute.
const CASES: u32 = 3_000;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: CASES,
        max_shrink_iters: 2_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

fn outcome(setup: &Setup, seed: u64) -> Outcome {
    match simulate(setup, Run { seed, replication: 0, duration_us: DURATION_US }) {
        Ok(outcome) => outcome,
        Err(unbalanced) => panic!("{unbalanced}"),
    }
}

fn metric(outcome: &Outcome, metric: Metric) -> f64 {
    outcome.metric(metric).unwrap_or_else(|| panic!("{} is always defined", metric.name()))
}

fn total(outcome: &Outcome, metric: SeriesMetric) -> f64 {
    outcome.series(metric).map(f64::from).sum()
}

/// Every message has one fate, by the ledger and by the metrics.
fn every_message_has_one_fate(outcome: &Outcome) {
    let ledger = &outcome.ledger;
    for class in MessageClass::ALL {
        let accounted: u64 = Fate::ALL.iter().map(|&fate| ledger.count(fate, class)).sum();
        assert_eq!(accounted, ledger.enqueued[class as usize], "{class:?}");
    }
    let fates = [Metric::Processed, Metric::DeadLettered, Metric::Expired, Metric::DeletedUnprocessed, Metric::Pending];
    let sum: f64 = fates.iter().map(|&fate| metric(outcome, fate)).sum();
    assert_eq!(sum, metric(outcome, Metric::Enqueued));
    let by_class = [Metric::DeadLetteredValid, Metric::DeadLetteredPermanent, Metric::DeadLetteredPoison];
    assert_eq!(
        by_class.iter().map(|&class| metric(outcome, class)).sum::<f64>(),
        metric(outcome, Metric::DeadLettered)
    );
    assert!(metric(outcome, Metric::ExpiredInDeadLetterQueue) <= metric(outcome, Metric::DeadLettered));

    for class in [MessageClass::Permanent, MessageClass::Poison] {
        assert_eq!(ledger.count(Fate::Processed, class), 0, "{class:?} messages never succeed");
    }
    assert_eq!(ledger.total(Fate::DeletedUnprocessed), 0, "none of the built-in policies deletes");
}

/// With redrives: what was sent and what was sent anew.
fn every_message_of_every_queue_has_one_fate(outcome: &Outcome) {
    let fates = [Metric::Processed, Metric::DeadLettered, Metric::Expired, Metric::DeletedUnprocessed, Metric::Pending];
    let sum: f64 = fates.iter().map(|&fate| metric(outcome, fate)).sum();
    let sent_anew = outcome.ledger.total(Fate::Redriven) as f64;
    let sent = [Metric::Enqueued, Metric::Redriven, Metric::Resent].map(|name| metric(outcome, name));
    assert_eq!(sum + sent_anew, sent.iter().sum::<f64>());
    assert!(sent_anew <= metric(outcome, Metric::Resent), "a lost lease leaves the old message where it is");
    let left = [Metric::ExpiredInDeadLetterQueue, Metric::ProcessedInDeadLetterQueue, Metric::Redriven];
    let left: f64 = left.iter().map(|&fate| metric(outcome, fate)).sum();
    assert!(left <= metric(outcome, Metric::DeadLettered) + metric(outcome, Metric::DuplicatesInDlq));
    assert!(metric(outcome, Metric::DeadLetteredAgain) <= metric(outcome, Metric::Redriven));
}

/// Calls end at most once, and each success is a message's first or a repeated one.
fn calls_add_up(outcome: &Outcome) {
    let [calls, successes, failures] =
        [SeriesMetric::Calls, SeriesMetric::Successes, SeriesMetric::Failures].map(|metric| total(outcome, metric));
    assert_eq!(calls, metric(outcome, Metric::Calls));
    assert_eq!(failures, metric(outcome, Metric::CallsFailed));
    assert!(successes + failures <= calls, "{successes} and {failures} of {calls} calls ended");
    assert!(calls <= metric(outcome, Metric::Receives), "no built-in policy calls twice for one receive");
    let first_successes = outcome.time_to_success.count() as f64;
    assert_eq!(metric(outcome, Metric::Duplicates), successes - first_successes);
    assert_eq!(metric(outcome, Metric::CallsWasted), successes + failures - first_successes);
    assert!(metric(outcome, Metric::Processed) <= first_successes);
    assert!(metric(outcome, Metric::CallsDuringOutage) <= calls);
    assert!(metric(outcome, Metric::CallsPeakPerS) <= calls);
}

/// Receives and levels lie within what was sent.
fn the_queue_holds_no_more_than_was_sent(setup: &Setup, outcome: &Outcome) {
    let enqueued = metric(outcome, Metric::Enqueued);
    let receives = metric(outcome, Metric::Receives);
    assert_eq!(total(outcome, SeriesMetric::Enqueued), enqueued);
    assert_eq!(total(outcome, SeriesMetric::Receives), receives);
    assert!(receives >= metric(outcome, Metric::Processed));
    for peak in [Metric::InFlightPeak, Metric::BacklogPeak] {
        assert!(metric(outcome, peak) <= enqueued, "{}", peak.name());
    }
    if let Some(most) = setup.queue.max_receive_count {
        assert!(receives <= enqueued * f64::from(most), "{receives} receives of {enqueued} messages");
    }
    let last = outcome.steps.last().expect("the run has seconds");
    let [visible, in_flight] =
        [SeriesMetric::Visible, SeriesMetric::InFlight].map(|level| f64::from(last.values[level as usize]));
    assert_eq!(visible + in_flight, metric(outcome, Metric::Pending), "nothing happens after the last second's end");
    let sends = enqueued;
    assert!(metric(outcome, Metric::SqsRequests) >= sends + receives / f64::from(setup.consumers.batch));
}

/// Nothing is dead-lettered without a redrive policy, nor before the last of its N leases has ended.
fn only_a_used_up_message_is_dead_lettered(setup: &Setup, outcome: &Outcome) {
    let dead_lettered = metric(outcome, Metric::DeadLettered);
    assert_eq!(total(outcome, SeriesMetric::DeadLettered), dead_lettered);
    assert_eq!(outcome.time_to_dlq.count() as f64, dead_lettered);
    let Some(receives) = setup.queue.max_receive_count else {
        return assert_eq!(dead_lettered, 0.0);
    };
    assert!(dead_lettered * f64::from(receives) <= metric(outcome, Metric::Receives));
    if setup.policy.backoff == BackoffSettings::default()
        && let Some(shortest_s) = outcome.time_to_dlq.quantile_s(0.0)
    {
        let leases_s = f64::from(receives) * seconds(setup.queue.visibility_timeout_us);
        assert!(shortest_s * 1.001 >= leases_s, "{receives} leases last {leases_s} s in all, this took {shortest_s} s");
    }
}

/// An alarm is in alarm from its firing on, within the run, and clears after it has fired.
fn alarms_keep_to_the_run(setup: &Setup, outcome: &Outcome) {
    assert_eq!(outcome.alarms.len(), setup.alarms.len());
    for (settings, alarm) in setup.alarms.iter().zip(&outcome.alarms) {
        let [fired, fired_s, cleared_s, in_alarm_s, lead_s] = alarm.values;
        assert_eq!(fired == Some(1.0), fired_s.is_some());
        assert_eq!(lead_s.is_some(), fired_s.is_some() && outcome.metric(Metric::FirstLossS).is_some());
        let in_alarm_s = in_alarm_s.expect("always defined");
        let Some(fired_s) = fired_s else {
            assert_eq!((cleared_s, in_alarm_s), (None, 0.0));
            continue;
        };
        let rest_s = seconds(DURATION_US) - fired_s;
        let rounding_s = 1e-6;
        assert!(fired_s >= seconds(settings.period_us) && in_alarm_s <= rest_s + rounding_s);
        match cleared_s {
            Some(cleared_s) => assert!(cleared_s > fired_s && in_alarm_s >= cleared_s - fired_s - rounding_s),
            None => assert!((in_alarm_s - rest_s).abs() <= rounding_s),
        }
    }
}

/// The numbers of a run, to be compared to the last bit.
fn fingerprint(outcome: &Outcome) -> (Vec<Option<u64>>, &[retrystorm::measure::Step], u64) {
    (outcome.metrics.iter().map(|value| value.map(f64::to_bits)).collect(), &outcome.steps, outcome.events)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_setup_accounts_for_every_message(setup in setup(), seed in any::<u64>()) {
        let outcome = outcome(&setup, seed);
        every_message_has_one_fate(&outcome);
        calls_add_up(&outcome);
        the_queue_holds_no_more_than_was_sent(&setup, &outcome);
        only_a_used_up_message_is_dead_lettered(&setup, &outcome);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_setup_with_all_that_may_stand_beside_the_queue_accounts_for_every_message(
        setup in whole_setup(),
        seed in any::<u64>(),
    ) {
        let outcome = outcome(&setup, seed);
        every_message_of_every_queue_has_one_fate(&outcome);
        alarms_keep_to_the_run(&setup, &outcome);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES / 4, ..config() })]

    #[test]
    fn every_setup_gives_the_same_numbers_again(setup in whole_setup(), seed in any::<u64>()) {
        let (first, second) = (outcome(&setup, seed), outcome(&setup, seed));
        prop_assert_eq!(fingerprint(&first), fingerprint(&second));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES / 4, ..config() })]

    #[test]
    fn a_warm_up_changes_what_counts_and_nothing_that_happens(
        setup in whole_setup(),
        warm_up_s in 1..DURATION_US / SECOND_US,
        seed in any::<u64>(),
    ) {
        let warm = Setup { warm_up_us: warm_up_s * SECOND_US, ..setup.clone() };
        let (all, counted) = (outcome(&setup, seed), outcome(&warm, seed));
        prop_assert_eq!(&all.steps, &counted.steps);
        prop_assert_eq!(all.events, counted.events);
        for fate in [Fate::Processed, Fate::DeadLettered, Fate::Expired, Fate::DeletedUnprocessed] {
            prop_assert!(counted.ledger.total(fate) <= all.ledger.total(fate));
        }
        prop_assert_eq!(counted.ledger.total(Fate::Pending), all.ledger.total(Fate::Pending));
    }
}

/// The properties above say little where nothing happens: in a good part of the setups each of these does.
#[test]
fn the_setups_reach_every_fate() {
    const SETUPS: u32 = 400;
    let mut runner = TestRunner::deterministic();
    let mut reached = [0; 6];
    for seed in 0..SETUPS {
        let setup = setup().new_tree(&mut runner).expect("a setup").current();
        let outcome = outcome(&setup, seed.into());
        let [in_flight_before, in_flight_after] =
            [58, 61].map(|second: usize| outcome.steps[second].values[SeriesMetric::InFlight as usize]);
        let expired = metric(&outcome, Metric::Expired) > 0.0;
        let happened = [
            metric(&outcome, Metric::Processed) > 0.0,
            metric(&outcome, Metric::DeadLettered) > 0.0,
            expired,
            expired && in_flight_after < in_flight_before,
            metric(&outcome, Metric::Duplicates) > 0.0,
            total(&outcome, SeriesMetric::BreakerOpen) > 0.0,
        ];
        reached.iter_mut().zip(happened).for_each(|(count, happened)| *count += u32::from(happened));
    }
    assert!(reached.iter().all(|&count| count > SETUPS / 25), "{reached:?} of {SETUPS}");
}

/// So do the switches of consumers of other kinds.
#[test]
fn the_setups_reach_what_consumers_of_other_kinds_do() {
    const SETUPS: u32 = 400;
    let mut runner = TestRunner::deterministic();
    let names = [
        Metric::Overflowed,
        Metric::AgedOut,
        Metric::AcknowledgementsLost,
        Metric::HandlersKilled,
        Metric::DeletedUnprocessed,
    ];
    let mut reached = [0; 5];
    for seed in 0..SETUPS {
        let setup = whole_setup().new_tree(&mut runner).expect("a setup").current();
        let outcome = outcome(&setup, seed.into());
        let happened = names.map(|name| metric(&outcome, name) > 0.0);
        reached.iter_mut().zip(happened).for_each(|(count, happened)| *count += u32::from(happened));
    }
    assert!(reached.iter().all(|&count| count > SETUPS / 50), "{reached:?} of {SETUPS}");
}
