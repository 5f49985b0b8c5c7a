//! The breaker step by step, and what holds whatever happens to it.

use super::CallOutcome::{Failure, Success, Throttled};
use super::*;
use proptest::prelude::*;

fn settings(failures: u32, probes: u32) -> BreakerSettings {
    BreakerSettings {
        trips: BreakerTrips { failures: Some(failures), ..BreakerTrips::default() },
        counts: BreakerCounts::Messages,
        ignores_permanent: false,
        scope: BreakerScope::Consumer,
        cooldown_us: 30,
        probes,
        ramp_up: None,
    }
}

fn breaker(failures: u32) -> Breaker {
    Breaker::new(settings(failures, 1), 10)
}

/// Half-open at 30.
fn half_open(settings: BreakerSettings) -> Breaker {
    let mut breaker = Breaker::new(settings, 10);
    assert_eq!(breaker.record(0, Failure, None), BreakerChange::Opened { until_us: 30 });
    assert!(breaker.cooled_down(30));
    breaker
}

const CLOSED: BreakerChange = BreakerChange::Closed { grows_us: None };

#[test]
fn a_success_starts_the_count_again() {
    let mut breaker = breaker(3);
    for outcome in [Failure, Failure, Success, Failure, Throttled] {
        assert_eq!(breaker.record(0, outcome, None), BreakerChange::Unchanged);
    }
    assert_eq!(breaker.record(5, Failure, None), BreakerChange::Opened { until_us: 35 });
}

#[test]
fn a_failed_probe_opens_it_again_for_a_whole_cooldown() {
    let mut breaker = half_open(settings(1, 1));
    let probe = breaker.probe_taken();
    assert_eq!(breaker.record(40, Failure, probe), BreakerChange::Opened { until_us: 70 });
}

#[test]
fn late_results_of_other_work_neither_close_nor_reopen_it() {
    let mut breaker = breaker(1);
    breaker.record(0, Failure, None);
    assert_eq!(breaker.record(1, Success, None), BreakerChange::Unchanged);
    assert!(!breaker.cooled_down(29), "not this cooldown");
    assert!(breaker.cooled_down(30));
    breaker.probe_taken();
    assert_eq!(breaker.record(31, Success, None), BreakerChange::Unchanged);
    assert_eq!(breaker.record(31, Failure, None), BreakerChange::Unchanged);
    assert_eq!(breaker.admission(31), Admission::Denied);
}

#[test]
fn a_probe_that_was_given_back_may_be_taken_again() {
    let mut breaker = half_open(settings(1, 1));
    breaker.probe_taken();
    breaker.probe_given_back();
    assert_eq!(breaker.admission(30), Admission::OneProbe);
    let probe = breaker.probe_taken();
    assert_eq!(breaker.ignore(None), BreakerChange::Unchanged);
    assert_eq!(breaker.ignore(probe), BreakerChange::ProbeGivenBack);
    assert_eq!(breaker.admission(30), Admission::OneProbe);
}

#[test]
fn all_probes_have_to_succeed() {
    let mut breaker = half_open(settings(1, 3));
    let probes = [breaker.probe_taken(), breaker.probe_taken()];
    assert_eq!(breaker.record(31, Success, probes[0]), BreakerChange::Unchanged);
    assert_eq!(breaker.admission(31), Admission::OneProbe, "the third");
    let third = breaker.probe_taken();
    assert_eq!(breaker.admission(31), Admission::Denied);
    assert_eq!(breaker.record(32, Success, third), BreakerChange::Unchanged);
    assert_eq!(breaker.record(33, Success, probes[1]), CLOSED);
}

#[test]
fn the_first_failure_of_a_probe_opens_it_and_the_others_are_probes_no_more() {
    let mut breaker = half_open(settings(1, 3));
    let probes = [breaker.probe_taken(), breaker.probe_taken(), breaker.probe_taken()];
    assert_eq!(breaker.record(35, Throttled, probes[0]), BreakerChange::Opened { until_us: 65 });
    assert!(breaker.cooled_down(65));
    assert_eq!(breaker.record(66, Failure, probes[1]), BreakerChange::Unchanged);
    assert_eq!(breaker.record(67, Success, probes[2]), BreakerChange::Unchanged);
    let again = [breaker.probe_taken(), breaker.probe_taken(), breaker.probe_taken()];
    let changes = again.map(|probe| breaker.record(70, Success, probe));
    assert_eq!(changes, [BreakerChange::Unchanged, BreakerChange::Unchanged, CLOSED]);
}

#[test]
fn admission_grows_after_it_has_closed() {
    let ramp_up = Some(RampUp { for_us: 80, from: 0.2 });
    let mut breaker = half_open(BreakerSettings { ramp_up, ..settings(1, 1) });
    let probe = breaker.probe_taken();
    assert_eq!(breaker.record(40, Success, probe), BreakerChange::Closed { grows_us: Some(41) });
    assert_eq!(breaker.admission(40), Admission::Limited { held: 2 });
    assert_eq!(breaker.ramp_grows(40), None, "not yet");
    assert_eq!(breaker.ramp_grows(41), Some(Growth { next_us: Some(51) }));
    assert_eq!(breaker.admission(50), Admission::Limited { held: 3 });
    assert_eq!(breaker.admission(80), Admission::Limited { held: 6 }, "0.2 + 0.8 / 2 of 10 slots");
    for at_us in [51, 61, 71, 81, 91, 101] {
        assert_eq!(breaker.ramp_grows(at_us), Some(Growth { next_us: Some(at_us + 10) }));
    }
    assert_eq!(breaker.ramp_grows(111), Some(Growth { next_us: Some(120) }));
    assert_eq!(breaker.ramp_grows(120), Some(Growth { next_us: None }));
    assert_eq!(breaker.admission(120), Admission::Free);
}

#[test]
fn a_failure_while_admission_grows_opens_it_as_ever() {
    let ramp_up = Some(RampUp { for_us: 80, from: 0.2 });
    let mut breaker = half_open(BreakerSettings { ramp_up, ..settings(1, 1) });
    let probe = breaker.probe_taken();
    breaker.record(40, Success, probe);
    assert_eq!(breaker.record(45, Failure, None), BreakerChange::Opened { until_us: 75 });
    assert_eq!(breaker.ramp_grows(51), None, "of the time before");
}

/// What can happen to a breaker.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// Somebody asks for messages.
    Poll,
    /// A message in hand ends: the number says which.
    End(usize, Option<CallOutcome>),
    /// A poll for a probe is cut short.
    CutShort,
    /// Time passes.
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![
        4 => Just(Some(Success)),
        2 => Just(Some(Failure)),
        1 => Just(Some(Throttled)),
        1 => Just(None),
    ];
    prop_oneof![
        3 => Just(Step::Poll),
        4 => (any::<usize>(), outcome).prop_map(|(which, outcome)| Step::End(which, outcome)),
        1 => Just(Step::CutShort),
        2 => (1..20_u64).prop_map(Step::Wait),
    ]
}

fn any_settings() -> impl Strategy<Value = BreakerSettings> {
    let failure_rate = prop_oneof![
        (0.1..=1.0, 1..8_u32, 1..5_u32).prop_map(|(share, count, minimum)| FailureRate {
            share,
            window: RateWindow::Results { count },
            minimum
        }),
        (0.1..=1.0, 1..50_u64, 1..5_u32).prop_map(|(share, length_us, minimum)| FailureRate {
            share,
            window: RateWindow::Time { length_us },
            minimum
        }),
    ];
    let throttling =
        (0.1..=1.0, 1..50_u64, 1..5_u32).prop_map(|(share, for_us, minimum)| Throttling { share, for_us, minimum });
    let trips = (prop::option::of(1..5_u32), prop::option::of(failure_rate), prop::option::of(throttling))
        .prop_map(|(failures, failure_rate, throttling)| BreakerTrips { failures, failure_rate, throttling });
    let ramp_up = prop::option::of((1..60_u64, 0.0..=1.0).prop_map(|(for_us, from)| RampUp { for_us, from }));
    (trips, 1..5_u32, ramp_up).prop_map(|(trips, probes, ramp_up)| BreakerSettings {
        trips,
        probes,
        ramp_up,
        ..settings(1, 1)
    })
}

/// A breaker with the work that it has let through.
struct Driven {
    breaker: Breaker,
    now_us: u64,
    in_hand: Vec<Option<Probe>>,
    cools_us: Option<u64>,
    grows_us: Option<u64>,
}

impl Driven {
    /// Probes under way that count.
    fn probes(&self) -> usize {
        self.in_hand.iter().filter(|probe| probe.is_some() && **probe == self.breaker.probe()).count()
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Wait(us) => self.wait(us),
            Step::CutShort => {
                let place = self.in_hand.iter().position(|probe| probe.is_some() && *probe == self.breaker.probe());
                if let Some(place) = place {
                    self.in_hand.remove(place);
                    self.breaker.probe_given_back();
                }
            }
            Step::Poll => match self.breaker.admission(self.now_us) {
                Admission::Free | Admission::Limited { .. } => self.in_hand.push(None),
                Admission::OneProbe => {
                    let probe = self.breaker.probe_taken();
                    assert!(probe.is_some());
                    self.in_hand.push(probe);
                }
                Admission::Denied => {}
            },
            Step::End(which, outcome) if !self.in_hand.is_empty() => {
                let probe = self.in_hand.swap_remove(which % self.in_hand.len());
                self.end(probe, outcome);
            }
            Step::End(..) => {}
        }
    }

    fn end(&mut self, probe: Option<Probe>, outcome: Option<CallOutcome>) {
        let (was_open, counts) = (self.breaker.is_open(), probe.is_some() && probe == self.breaker.probe());
        let change = match outcome {
            Some(outcome) => self.breaker.record(self.now_us, outcome, probe),
            None => self.breaker.ignore(probe),
        };
        match change {
            BreakerChange::Opened { until_us } => {
                assert!(!was_open || (counts && outcome != Some(Success)), "only a probe opens it again");
                self.cools_us = Some(until_us);
            }
            BreakerChange::Closed { grows_us } => {
                assert!(counts && outcome == Some(Success), "only a probe closes it");
                self.grows_us = grows_us;
            }
            BreakerChange::ProbeGivenBack => assert!(counts && outcome.is_none()),
            BreakerChange::Unchanged => assert_eq!(self.breaker.is_open(), was_open),
        }
    }

    fn wait(&mut self, us: u64) {
        let end_us = self.now_us + us;
        while let Some(due_us) = self.cools_us.into_iter().chain(self.grows_us).min().filter(|due_us| *due_us <= end_us)
        {
            self.now_us = due_us;
            if self.cools_us.take_if(|cools_us| *cools_us == due_us).is_some() {
                assert!(self.breaker.cooled_down(due_us));
            }
            if self.grows_us.take_if(|grows_us| *grows_us == due_us).is_some() {
                self.grows_us = self.breaker.ramp_grows(due_us).and_then(|growth| growth.next_us);
            }
        }
        self.now_us = end_us;
    }
}

proptest! {
    #[test]
    fn whatever_happens_no_more_than_its_probes_are_under_way(
        settings in any_settings(),
        steps in prop::collection::vec(step(), 1..300),
    ) {
        let breaker = Breaker::new(settings, 7);
        let mut driven = Driven { breaker, now_us: 0, in_hand: Vec::new(), cools_us: None, grows_us: None };
        for step in steps {
            driven.take(step);
            prop_assert!(driven.probes() <= settings.probes as usize);
            let is_stuck = driven.breaker.is_open()
                && driven.probes() == 0
                && driven.cools_us.is_none()
                && driven.breaker.admission(driven.now_us) == Admission::Denied;
            prop_assert!(!is_stuck, "somebody can always end it");
            if let Admission::Limited { held } = driven.breaker.admission(driven.now_us) {
                prop_assert!((1..=7).contains(&held) && driven.grows_us.is_some());
            }
        }
    }
}
