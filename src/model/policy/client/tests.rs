//! Exact and distributional tests of the clients.

use super::aws_quota::{Cost, Mode, Quota};
use super::rate_limiter::RateLimiter;
use super::*;
use crate::engine::random::Streams;
use crate::engine::time::{MILLISECOND_US, SECOND_US};
use crate::model::policy::catalogue::Value;
use crate::model::policy::catalogue::samples::some_values;
use crate::model::policy::jitter::Jitter;
use AttemptError::{Errored, Permanent, Refused, Rejected, Throttled, TimedOut, Unknown};
use proptest::prelude::*;

fn built(name: &str, given: &[(&str, Value)]) -> Client {
    let kind = client(name).expect("a kind of the catalogue");
    Client::new(&Settings::new(kind, given).unwrap_or_else(|refusal| panic!("{name}: {refusal}")))
}

fn draw(number: u64) -> KeyedDraw {
    Streams::new(3, 0).keyed("client").draw(number, 1)
}

/// Largest distance between the shares of draws below a value and those of a uniform distribution on 0..=most,
/// times the root of their number (Kolmogorov and Smirnov); above 2.0 with a probability below 1e-3.
fn kolmogorov_smirnov(mut draws: Vec<u64>, most: u64) -> f64 {
    draws.sort_unstable();
    let number = draws.len() as f64;
    let distances = draws.iter().enumerate().map(|(index, &value)| {
        let expected = (value as f64 + 0.5) / (most as f64 + 1.0);
        (index as f64 / number - expected).abs().max(((index + 1) as f64 / number - expected).abs())
    });
    distances.fold(0.0, f64::max) * number.sqrt()
}

/// Waits after a try, each in a fresh client.
fn waits_us(name: &str, given: &[(&str, Value)], error: AttemptError, tries: u32) -> Vec<u64> {
    (0..20_000).filter_map(|number| built(name, given).failed(0, error, tries, &mut draw(number))).collect()
}

#[test]
fn no_client_retries_what_cannot_pass_and_every_example_is_sound() {
    for kind in CLIENTS {
        for error in [Permanent, Rejected] {
            let mut client = Client::new(&Settings::of_example(kind));
            assert_eq!(client.failed(0, error, 1, &mut draw(1)), None, "{}", kind.about.name);
        }
        for text in [kind.about.title, kind.about.summary, kind.about.formula, kind.about.source, kind.about.mistake] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text:?}", kind.about.name);
        }
    }
}

#[test]
fn no_client_overflows_at_the_end_of_time() {
    for kind in CLIENTS {
        let mut client = Client::new(&Settings::of_example(kind));
        for now_us in [0, 1, u64::MAX / 2, u64::MAX] {
            for tries in [1, 2, 1_000, u32::MAX] {
                client.admit(now_us, &mut draw(1));
                client.failed(now_us, Throttled, tries, &mut draw(1));
                client.succeeded(now_us, tries, Some(TimedOut));
            }
        }
    }
}

#[test]
fn plain_retries_grow_by_their_factor_up_to_the_cap() {
    let given = [
        ("attempts", Value::Count(6)),
        ("base", Value::milliseconds(100)),
        ("factor", Value::Number(3.0)),
        ("cap", Value::seconds(2)),
        ("jitter", Value::Jitter(Jitter::None)),
    ];
    let mut client = built("retries", &given);
    let waits_ms: Vec<_> = (1..=6)
        .map(|tries| client.failed(0, Refused, tries, &mut draw(1)).map(|wait_us| wait_us / MILLISECOND_US))
        .collect();
    assert_eq!(waits_ms, [Some(100), Some(300), Some(900), Some(2_000), Some(2_000), None]);
    assert_eq!(client.failed(0, Unknown, u32::MAX, &mut draw(1)), None);
}

#[test]
fn plain_retries_have_their_jitter() {
    let with = |jitter| [("base", Value::milliseconds(100)), ("jitter", Value::Jitter(jitter))];
    let full = waits_us("retries", &with(Jitter::Full), Refused, 1);
    assert!(kolmogorov_smirnov(full, 100_000) < 2.0);
    let equal = waits_us("retries", &with(Jitter::Equal), Refused, 2);
    assert!(equal.iter().all(|wait_us| (100_000..=200_000).contains(wait_us)));
    assert!(kolmogorov_smirnov(equal.iter().map(|wait_us| wait_us - 100_000).collect(), 100_000) < 2.0);
}

#[test]
fn the_waits_of_the_standard_mode_are_uniform_up_to_1_and_2_s() {
    for (tries, most_us) in [(1, 1_000_000), (2, 2_000_000)] {
        let waits_us = waits_us("aws-sdk-standard", &[], Errored, tries);
        assert!(kolmogorov_smirnov(waits_us, most_us) < 2.0);
    }
    assert!(waits_us("aws-sdk-standard", &[], Errored, 3).is_empty(), "three attempts are all");
    let long = [("attempts", Value::Count(50))];
    let capped = waits_us("aws-sdk-standard", &long, Errored, 40);
    assert!(kolmogorov_smirnov(capped, 20_000_000) < 2.0, "20 s are the cap at any try");
}

#[test]
fn the_waits_of_2026_are_20_times_shorter_but_for_throttling() {
    for (error, tries, most_us) in
        [(Errored, 1, 50_000), (TimedOut, 2, 100_000), (Throttled, 1, 1_000_000), (Throttled, 2, 2_000_000)]
    {
        assert!(kolmogorov_smirnov(waits_us("aws-sdk-2026", &[], error, tries), most_us) < 2.0, "{error:?} {tries}");
    }
}

/// How many first tries in a row may be retried after an error.
fn retries_until_empty(name: &str, error: AttemptError) -> usize {
    let mut client = built(name, &[]);
    (0..1_000).take_while(|&number| client.failed(0, error, 1, &mut draw(number)).is_some()).count()
}

#[test]
fn a_bucket_of_500_tokens_holds_as_many_retries_as_its_costs_say() {
    for (name, error, retries) in [
        ("aws-sdk-standard", Errored, 100),
        ("aws-sdk-standard", Throttled, 100),
        ("aws-sdk-standard", TimedOut, 50),
        ("aws-sdk-2026", Errored, 35),
        ("aws-sdk-2026", TimedOut, 35),
        ("aws-sdk-2026", Throttled, 100),
        ("aws-sdk-adaptive", Errored, 100),
        ("aws-sdk-adaptive", TimedOut, 50),
    ] {
        assert_eq!(retries_until_empty(name, error), retries, "{name} {error:?}");
    }
}

#[test]
fn tokens_come_back_as_they_were_taken_and_never_above_500() {
    let cost = Cost { usual: 5, timed_out: 10, throttled: 5 };
    let mut quota = Quota::new(Mode { attempts: 3, base_us: 1_000_000, throttled_base_us: 1_000_000, cost });
    quota.succeeded(None);
    assert_eq!(quota.tokens(), 500);
    for (error, left) in [(Errored, 495), (TimedOut, 485), (Throttled, 480), (Errored, 475)] {
        quota.failed(error, 1, &mut draw(1));
        assert_eq!(quota.tokens(), left);
    }
    for (last_error, left) in [(Some(TimedOut), 485), (None, 486), (Some(Errored), 491), (Some(TimedOut), 500)] {
        quota.succeeded(last_error);
        assert_eq!(quota.tokens(), left, "{last_error:?}");
    }
    assert_eq!(quota.failed(Errored, 3, &mut draw(1)), None);
    assert_eq!(quota.tokens(), 500, "what is not tried again costs nothing");
}

#[test]
fn an_empty_bucket_fills_by_one_token_a_success() {
    let mut client = built("aws-sdk-standard", &[]);
    for number in 0..100 {
        client.failed(0, Errored, 1, &mut draw(number));
    }
    for _ in 0..4 {
        client.succeeded(0, 1, None);
        assert_eq!(client.failed(0, Errored, 1, &mut draw(1)), None);
    }
    client.succeeded(0, 1, None);
    assert!(client.failed(0, Errored, 1, &mut draw(1)).is_some(), "five tokens are a retry");
}

/// 20 answers a second for 3 s, the last one a throttle.
fn throttled_limiter() -> (RateLimiter, u64) {
    let mut limiter = RateLimiter::default();
    for number in 1..60 {
        assert_eq!(limiter.reserve(number * 50_000), number * 50_000, "it sleeps");
        limiter.answered(number * 50_000, false);
    }
    limiter.answered(3_000_000, true);
    (limiter, 3_000_000)
}

#[test]
fn a_throttle_sets_the_rate_to_seven_tenths_of_the_measured_one() {
    let (limiter, _) = throttled_limiter();
    // The first step has 10 answers, its last at its end; smoothing comes within 0.0001 of 20 a second in 6 steps.
    let rate_per_s = limiter.rate_per_s().expect("awake");
    approx::assert_relative_eq!(rate_per_s, 0.7 * 20.0, max_relative = 1e-3);
}

#[test]
fn successes_let_the_rate_grow_along_the_cubic_curve_to_twice_the_measured_one() {
    let (mut limiter, throttled_at_us) = throttled_limiter();
    let at_throttle = limiter.rate_per_s().expect("awake") / 0.7;
    let flat_s = libm::cbrt(at_throttle * 0.3 / 0.4);
    for number in 1..=160_u64 {
        let now_us = throttled_at_us + number * 50_000;
        limiter.answered(now_us, false);
        let from_flat_s = number as f64 * 0.05 - flat_s;
        let curve = 0.4 * from_flat_s.powi(3) + at_throttle;
        let most = 2.0 * 20.0;
        approx::assert_relative_eq!(limiter.rate_per_s().expect("awake"), curve.min(most), max_relative = 1e-3);
    }
    approx::assert_relative_eq!(limiter.rate_per_s().expect("awake"), 40.0, max_relative = 1e-3);
}

#[test]
fn a_rate_of_14_a_second_lets_a_call_out_every_14th_of_a_second() {
    let (mut limiter, now_us) = throttled_limiter();
    // While the limiter slept the bucket has filled to its capacity, the tokens of one second.
    assert!((0..14).any(|_| limiter.reserve(now_us) > now_us));
    let times_us: Vec<u64> = (0..5).map(|_| limiter.reserve(now_us)).collect();
    let apart_us = 1e6 / limiter.rate_per_s().expect("awake");
    for pair in times_us.windows(2) {
        approx::assert_abs_diff_eq!((pair[1] - pair[0]) as f64, apart_us, epsilon = 1.0);
    }
}

#[test]
fn the_rate_never_falls_below_one_call_in_two_seconds() {
    let mut limiter = RateLimiter::default();
    limiter.answered(0, true);
    assert_eq!(limiter.rate_per_s(), Some(0.5));
    let mut client = built("aws-sdk-adaptive", &[]);
    assert_eq!(client.admit(0, &mut draw(1)), CallAdmission::Go);
    client.failed(0, Throttled, 1, &mut draw(1));
    assert_eq!(client.admit(0, &mut draw(1)), CallAdmission::WaitUntil { at_us: 2 * SECOND_US });
    assert_eq!(client.admit(0, &mut draw(1)), CallAdmission::WaitUntil { at_us: 4 * SECOND_US });
    assert_eq!(client.admit(6 * SECOND_US, &mut draw(1)), CallAdmission::Go);
}

#[test]
fn a_budget_holds_its_reserve_of_100_retries_and_one_more_for_five_calls() {
    let given = [("ttl", Value::seconds(10))];
    let retries = |calls: u32| {
        let mut client = built("finagle-budget", &given);
        (0..calls).for_each(|_| client.succeeded(0, 1, None));
        // The second try is no new call: it makes no deposit.
        (0..1_000).take_while(|&number| client.failed(0, Errored, 2, &mut draw(number)).is_some()).count()
    };
    // 20 % of a balance of 5 is one retry, so a second one needs 6.
    assert_eq!(retries(0), 100 - 5 + 1);
    assert_eq!(retries(100), 120 - 5 + 1);
    assert_eq!(retries(104), 120 - 5 + 1, "104 calls are no 105");
    assert_eq!(retries(105), 121 - 5 + 1);
}

#[test]
fn one_call_may_use_a_fifth_of_the_balance_and_old_ones_are_forgotten() {
    let mut client = built("finagle-budget", &[]);
    let retries = (1..100).take_while(|&tries| client.failed(0, Errored, tries, &mut draw(1)).is_some()).count();
    assert_eq!(retries, 20);
    let given = [("min_retries_per_s", Value::Count(0)), ("ttl", Value::seconds(10))];
    let mut client = built("finagle-budget", &given);
    assert_eq!(client.failed(0, Errored, 1, &mut draw(1)), None, "one call is a fifth of a retry");
    (0..4).for_each(|_| client.succeeded(0, 1, None));
    assert_eq!(client.failed(9_999_999, Errored, 2, &mut draw(1)), None, "a fifth of one retry is one, not two");
    assert_eq!(client.failed(9_999_999, Errored, 1, &mut draw(1)), Some(0));
    (0..4).for_each(|_| client.succeeded(10_000_000, 1, None));
    assert_eq!(client.failed(10_000_001, Errored, 1, &mut draw(1)), None, "the retry of second 9 is still to be paid");
    assert_eq!(client.failed(18_999_999, Errored, 1, &mut draw(1)), None);
    assert_eq!(client.failed(19_000_000, Errored, 1, &mut draw(1)), Some(0), "it is forgotten ten seconds later");
}

#[test]
fn no_budget_allows_no_retry() {
    let given = [("min_retries_per_s", Value::Count(0)), ("percent_can_retry", Value::Share(0.0))];
    let mut client = built("finagle-budget", &given);
    (0..1_000).for_each(|_| client.succeeded(0, 1, None));
    assert_eq!(client.failed(0, Errored, 1, &mut draw(1)), None);
}

/// Share of calls that are rejected after so many requests and accepts.
fn share_rejected(requests: u32, accepts: u32, at_us: u64) -> f64 {
    let rejected = (0..20_000).filter(|&number| {
        let mut client = built("sre-adaptive-throttling", &[]);
        for request in 0..requests {
            // Accepts in advance: then nothing is rejected, and every request counts.
            if request < accepts {
                client.succeeded(0, 1, None);
            }
        }
        (0..requests).for_each(|request| {
            client.admit(0, &mut draw(u64::from(request)));
        });
        client.admit(at_us, &mut draw(1_000_000 + number)) == CallAdmission::Rejected
    });
    rejected.count() as f64 / 20_000.0
}

#[test]
fn calls_are_rejected_with_the_probability_of_the_book() {
    for (requests, accepts) in [(100, 50), (100, 60), (10, 0), (30, 5)] {
        let expected = (f64::from(requests) - 2.0 * f64::from(accepts)).max(0.0) / (f64::from(requests) + 1.0);
        approx::assert_abs_diff_eq!(share_rejected(requests, accepts, 0), expected, epsilon = 0.015);
    }
    assert_eq!(share_rejected(30, 0, 120 * SECOND_US), 0.0, "two minutes later all is forgotten");
}

#[test]
fn what_the_downstream_has_worked_on_is_accepted() {
    for (error, is_accepted) in
        [(Refused, false), (TimedOut, false), (Throttled, false), (Rejected, false), (Errored, true), (Permanent, true)]
    {
        let mut client = built("sre-adaptive-throttling", &[]);
        let rejected = (0..200).filter(|&number| {
            let admission = client.admit(0, &mut draw(number));
            client.failed(0, error, 1, &mut draw(number));
            admission == CallAdmission::Rejected
        });
        assert_eq!(rejected.count() == 0, is_accepted, "{error:?}");
    }
}

proptest! {
    #[test]
    fn no_client_overflows_or_waits_beyond_its_cap_with_any_parameters(
        kind in 0..CLIENTS.len(), seed in any::<u64>(), from_us in any::<u64>(),
        steps in prop::collection::vec((0..4_000_000_u64, prop_oneof![1..8_u32, any::<u32>()], 0..7_usize), 1..60),
    ) {
        const ERRORS: [AttemptError; 7] = [Refused, TimedOut, Errored, Throttled, Rejected, Permanent, Unknown];
        let kind = CLIENTS[kind];
        let mut draw = Streams::new(seed, 0).keyed("parameters").draw(0, 0);
        let Ok(settings) = Settings::new(kind, &some_values(&kind.about, &mut draw)) else { return Ok(()) };
        let longest_us = ["cap", "delay"].iter().find(|name| settings.values().get(name).is_some());
        let longest_us = longest_us.map_or(20_000_000, |name| settings.values().us(name));
        let mut client = Client::new(&settings);
        let mut now_us = from_us / 2;
        for (passed_us, tries, error) in steps {
            now_us += passed_us;
            if let CallAdmission::WaitUntil { at_us } = client.admit(now_us, &mut draw) {
                prop_assert!(at_us > now_us);
            }
            let wait_us = client.failed(now_us, ERRORS[error], tries, &mut draw);
            prop_assert!(wait_us.is_none_or(|wait_us| wait_us <= longest_us), "{wait_us:?} of {settings:?}");
            client.succeeded(now_us, tries, (tries > 1).then_some(ERRORS[error]));
        }
    }
}
