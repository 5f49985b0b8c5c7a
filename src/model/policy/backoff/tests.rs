//! Exact and distributional tests of the arithmetic.

use super::*;
use crate::engine::random::Streams;
use crate::model::policy::catalogue::samples::some_values;
use proptest::prelude::*;

fn built(name: &str, given: &[(&str, Value)]) -> Backoff {
    let kind = backoff(name).expect("a kind of the catalogue");
    let settings = Settings::new(kind, given).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
    settings.build().expect("not `none`")
}

fn exponential(base_s: u32, cap_s: u32, jitter: Jitter) -> Backoff {
    exponential_by(base_s, 2.0, cap_s, jitter)
}

fn exponential_by(base_s: u32, factor: f64, cap_s: u32, jitter: Jitter) -> Backoff {
    let given = [
        ("base", Value::seconds(base_s)),
        ("factor", Value::Number(factor)),
        ("cap", Value::seconds(cap_s)),
        ("jitter", Value::Jitter(jitter)),
    ];
    built("exponential", &given)
}

/// Delays after the same attempt of many messages.
fn draws_s(backoff: &Backoff, attempt: u32, messages: u64) -> Vec<u32> {
    let stream = Streams::new(5, 0).keyed("jitter");
    (0..messages).map(|message| backoff.delay_s(attempt, None, &mut stream.draw(message, attempt.into()))).collect()
}

/// Smallest and largest delays of the first attempts.
fn bounds_s(backoff: &Backoff, attempts: u32) -> Vec<(u32, u32)> {
    let ranges = (1..=attempts).map(|attempt| backoff.range(attempt));
    ranges.map(|range| (range.low_s, range.high_s)).collect()
}

/// Delays of the first attempts, where they are not random.
fn exact_s(backoff: &Backoff, attempts: u32) -> Vec<u32> {
    let bounds_s = bounds_s(backoff, attempts);
    assert!(bounds_s.iter().all(|(low_s, high_s)| low_s == high_s), "{bounds_s:?}");
    bounds_s.into_iter().map(|(low_s, _)| low_s).collect()
}

fn mean(values: &[u32]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64
}

/// Chi-square statistic of draws against equal shares of the values `from..=to`; panics on a value outside.
fn chi_square_against_uniform(values: &[u32], from: u32, to: u32) -> f64 {
    let mut cells = vec![0_u32; (to - from + 1) as usize];
    values.iter().for_each(|&value| cells[(value - from) as usize] += 1);
    let expected = values.len() as f64 / cells.len() as f64;
    cells.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// An upper bound that a chi-square variable passes with a probability below 1e-4 (Wilson and Hilferty).
fn chi_square_bound(degrees_of_freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees_of_freedom);
    degrees_of_freedom * (1.0 - spread + 3.72 * spread.sqrt()).powi(3)
}

/// Holds the draws after an attempt against the numbers from..=to, all equally likely.
#[track_caller]
fn assert_uniform(backoff: &Backoff, attempt: u32, from: u32, to: u32) {
    let cells = to - from + 1;
    let statistic = chi_square_against_uniform(&draws_s(backoff, attempt, u64::from(cells) * 3_000), from, to);
    assert!(statistic < chi_square_bound(f64::from(cells - 1)), "{statistic}");
    let range = backoff.range(attempt);
    assert_eq!((range.low_s, range.high_s), (from, to));
    approx::assert_relative_eq!(range.mean_s, f64::from(from + to) / 2.0, max_relative = 1e-9);
}

#[test]
fn five_doublings_from_30_s_add_up_to_930_s() {
    assert_eq!(exact_s(&exponential(30, 900, Jitter::None), 5).iter().sum::<u32>(), 930);
}

#[test]
fn six_full_jitter_waits_from_10_s_add_up_to_305_s_on_average() {
    let backoff = exponential(10, 300, Jitter::Full);
    let exact: f64 = (1..=6).map(|attempt| backoff.range(attempt).mean_s).sum();
    assert_eq!(exact, 305.0);
    let drawn: f64 = (1..=6).map(|attempt| mean(&draws_s(&backoff, attempt, 100_000))).sum();
    approx::assert_relative_eq!(drawn, 305.0, max_relative = 0.005);
}

#[test]
fn a_floor_at_the_base_leaves_no_jitter_at_the_first_retry() {
    let backoff = exponential(30, 900, Jitter::FlooredFull { floor_s: 30 });
    assert!(draws_s(&backoff, 1, 10_000).iter().all(|&delay_s| delay_s == 30));
    let second = draws_s(&backoff, 2, 200_000);
    let at_floor = second.iter().filter(|&&delay_s| delay_s == 30).count() as f64 / second.len() as f64;
    approx::assert_abs_diff_eq!(at_floor, 31.0 / 61.0, epsilon = 0.005);
    assert_eq!(bounds_s(&backoff, 2), [(30, 30), (30, 60)]);
    // 31 of 61 draws are lifted to 30, the others are 31..60.
    approx::assert_relative_eq!(backoff.range(2).mean_s, (31.0 * 30.0 + 30.0 * 45.5) / 61.0);
    approx::assert_relative_eq!(mean(&second), backoff.range(2).mean_s, max_relative = 0.005);
}

#[test]
fn full_jitter_is_uniform_from_zero_to_the_delay() {
    assert_uniform(&exponential(10, 300, Jitter::Full), 3, 0, 40);
}

#[test]
fn equal_jitter_is_uniform_over_the_upper_half() {
    assert_uniform(&exponential(10, 300, Jitter::Equal), 2, 10, 20);
    assert_uniform(&exponential(5, 300, Jitter::Equal), 1, 3, 5);
}

#[test]
fn half_jitter_is_equal_jitter() {
    let half = find(crate::model::policy::JITTERS, "half").expect("a jitter");
    assert_eq!(Settings::of_example(half).build(), Jitter::Equal);
    for delay in 0..1_000 {
        // U{ceil(t / 2)..t}, as Spring draws it.
        let spread = Jitter::Equal.spread(delay, u32::MAX);
        assert_eq!((spread.low, spread.high()), (delay.div_ceil(2), delay));
    }
}

#[test]
fn bounded_jitter_is_uniform_around_the_delay_with_rounded_ends_below_12_h() {
    assert_uniform(&exponential(10, 300, Jitter::Bounded { share: 0.25 }), 2, 15, 25);
    assert_uniform(&exponential(10, 300, Jitter::Bounded { share: 0.25 }), 1, 8, 13);
    let backoff = exponential(40_000, 43_000, Jitter::Bounded { share: 0.2 });
    assert_eq!(bounds_s(&backoff, 2), [(32_000, 43_200), (34_400, 43_200)]);
    assert_eq!(bounds_s(&exponential(10, 300, Jitter::Bounded { share: 1.0 }), 1), [(0, 20)]);
}

#[test]
fn decorrelated_jitter_is_uniform_from_base_to_three_times_the_previous() {
    let backoff = exponential(10, 300, Jitter::Decorrelated);
    assert_uniform(&backoff, 1, 10, 30);
    let stream = Streams::new(5, 0).keyed("jitter");
    let capped =
        (0..10_000).filter(|&message| backoff.delay_s(2, Some(300), &mut stream.draw(message, 2)) == 300).count();
    // U{10..900} is at least 300 in 601 of 891 cases.
    approx::assert_abs_diff_eq!(capped as f64 / 10_000.0, 601.0 / 891.0, epsilon = 0.02);
}

#[test]
fn the_exact_means_of_decorrelated_jitter_are_those_of_messages() {
    let backoff = exponential(10, 300, Jitter::Decorrelated);
    let stream = Streams::new(5, 0).keyed("jitter");
    let mut sums_s = [0.0; 8];
    for message in 0..50_000 {
        let mut previous_s = None;
        for (sum_s, attempt) in sums_s.iter_mut().zip(1..) {
            previous_s = Some(backoff.delay_s(attempt, previous_s, &mut stream.draw(message, attempt.into())));
            *sum_s += f64::from(previous_s.unwrap_or_default()) / 50_000.0;
        }
    }
    for ((sum_s, range), high_s) in sums_s.iter().zip(backoff.ranges()).zip([30, 90, 270, 300, 300, 300, 300, 300]) {
        approx::assert_relative_eq!(*sum_s, range.mean_s, max_relative = 0.01);
        assert_eq!((range.low_s, range.high_s), (10, high_s));
    }
    assert_eq!(backoff.range(u32::MAX), backoff.range(50), "settled");
}

#[test]
fn decorrelated_jitter_grows_to_its_cap_whatever_the_factor() {
    let backoff = exponential_by(10, 1.0, 300, Jitter::Decorrelated);
    let stream = Streams::new(5, 0).keyed("jitter");
    let largest = (0..1_000).map(|message| backoff.delay_s(2, Some(90), &mut stream.draw(message, 2))).max();
    assert!(largest.is_some_and(|delay_s| (260..=270).contains(&delay_s)), "{largest:?}");
}

#[test]
fn linear_backoff_climbs_by_its_step() {
    let backoff = built("linear", &[("step", Value::seconds(20)), ("cap", Value::seconds(50))]);
    assert_eq!(exact_s(&backoff, 5), [20, 40, 50, 50, 50]);
    let slow = built("linear", &[("step", Value::seconds(1))]);
    assert_eq!([5_000, 43_200, u32::MAX].map(|attempt| slow.range(attempt).high_s), [5_000, 43_200, 43_200]);
}

#[test]
fn a_factor_between_whole_numbers_rounds_to_whole_seconds() {
    assert_eq!(exact_s(&exponential_by(10, 1.5, 60, Jitter::None), 6), [10, 15, 23, 34, 51, 60]);
}

#[test]
fn intervals_are_taken_in_turn_and_the_last_repeats() {
    let given = [("intervals", Value::list_of_seconds([5, 0, 600]))];
    assert_eq!(exact_s(&built("intervals", &given), 5), [5, 0, 600, 600, 600]);
    let given = [given[0].clone(), ("jitter", Value::Jitter(Jitter::Full))];
    assert_eq!(bounds_s(&built("intervals", &given), 4), [(0, 5), (0, 0), (0, 600), (0, 600)]);
}

#[test]
fn springs_linear_handler_adds_2_s_each_time_up_to_its_cap() {
    assert_eq!(exact_s(&built("spring-linear", &[]), 4), [100, 102, 104, 106]);
    let given = [("initial", Value::seconds(5)), ("increment", Value::seconds(10)), ("cap", Value::seconds(20))];
    assert_eq!(exact_s(&built("spring-linear", &given), 4), [5, 15, 20, 20]);
}

#[test]
fn springs_defaults_are_100_s_doubled_up_to_12_h() {
    let expected = [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 43_200, 43_200];
    assert_eq!(exact_s(&built("spring-exponential", &[]), 11), expected);
    let with = |jitter| {
        let given = [("initial", Value::seconds(3)), ("jitter", Value::Jitter(jitter))];
        built("spring-exponential", &given)
    };
    assert_uniform(&with(Jitter::Equal), 2, 3, 6);
    // max(1, U{0..3}): 0 and 1 both become 1.
    let full = draws_s(&with(Jitter::Full), 1, 40_000);
    let share_of = |value| full.iter().filter(|&&delay_s| delay_s == value).count() as f64 / full.len() as f64;
    assert_eq!(share_of(0), 0.0);
    approx::assert_abs_diff_eq!(share_of(1), 0.5, epsilon = 0.01);
    approx::assert_abs_diff_eq!(share_of(3), 0.25, epsilon = 0.01);
    // A cast to int cuts: 10, 15, 22.5, 33.75.
    let given = [("initial", Value::seconds(10)), ("multiplier", Value::Number(1.5))];
    assert_eq!(exact_s(&built("spring-exponential", &given), 4), [10, 15, 22, 33]);
}

#[test]
fn shoryukens_list_is_its_documented_one() {
    let given = [("retry_intervals", Value::list_of_seconds([300, 1_800, 3_600]))];
    assert_eq!(exact_s(&built("shoryuken", &given), 4), [300, 1_800, 3_600, 3_600]);
}

#[test]
fn celerys_defaults_double_1_s_up_to_10_min_under_full_jitter() {
    let highs = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600];
    assert_eq!(bounds_s(&built("celery", &[]), 12), highs.map(|high_s| (0, high_s)));
    assert_uniform(&built("celery", &[]), 5, 0, 16);
    let plain = built("celery", &[("retry_jitter", Value::Switch(false)), ("retry_backoff", Value::seconds(5))]);
    assert_eq!(exact_s(&plain, 8), [5, 10, 20, 40, 80, 160, 320, 600]);
}

#[test]
fn masstransits_intervals_are_the_minimum_plus_a_doubled_delta_within_a_quarter() {
    let given = [("min", Value::seconds(4)), ("max", Value::seconds(100)), ("delta", Value::seconds(8))];
    let backoff = built("masstransit", &given);
    // 12, 20, 36, 68, 132 cut to 100.
    assert_eq!(bounds_s(&backoff, 6), [(9, 15), (15, 25), (27, 45), (51, 85), (75, 125), (75, 125)]);
    assert_uniform(&backoff, 2, 15, 25);
    let given = [("initial", Value::seconds(5)), ("increment", Value::seconds(10))];
    assert_eq!(exact_s(&built("masstransit-incremental", &given), 4), [5, 15, 25, 35]);
}

#[test]
fn sidekiqs_delays_are_the_fourth_power_and_15_s_and_a_growing_jitter() {
    let backoff = built("sidekiq", &[]);
    let expected = [(15, 24), (16, 35), (31, 60), (96, 135), (271, 320), (640, 699), (1_311, 1_380)];
    assert_eq!(bounds_s(&backoff, 7), expected);
    assert_uniform(&backoff, 3, 31, 60);
    // 14^4 + 15 = 38 431 is the last below 12 h.
    assert_eq!((backoff.range(15).low_s, backoff.range(16)), (38_431, backoff.range(u32::MAX)));
    assert_eq!((backoff.range(16).low_s, backoff.range(16).high_s), (43_200, 43_200));
}

/// What no delay may pass: the cap, but for a jitter around it.
fn limit_s(values: &crate::model::policy::catalogue::Values) -> u32 {
    let is_within = |value: &Value| !matches!(value, Value::Jitter(Jitter::Bounded { .. }));
    let cap = values.get("cap").filter(|_| values.get("jitter").is_none_or(is_within));
    cap.map_or(LONGEST_S, |_| values.seconds("cap"))
}

#[test]
fn every_example_is_sound_and_every_kind_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = BACKOFFS.iter().map(|kind| kind.about.name).collect();
    assert_eq!(names.len(), BACKOFFS.len());
    for kind in BACKOFFS {
        assert_eq!(Settings::of_example(kind).build().is_none(), kind.about.name == "none");
        for text in [kind.about.title, kind.about.summary, kind.about.formula, kind.about.source, kind.about.mistake] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text:?}", kind.about.name);
        }
    }
}

proptest! {
    #[test]
    fn no_kind_overflows_or_passes_its_cap_at_any_attempt_with_any_parameters(
        kind in 0..BACKOFFS.len(), seed in any::<u64>(), message in any::<u64>(),
        attempt in prop_oneof![1..20_u32, any::<u32>()], previous_delay_s in prop::option::of(any::<u32>()),
    ) {
        let kind = BACKOFFS[kind];
        let mut draw = Streams::new(seed, 0).keyed("parameters").draw(0, 0);
        let Ok(settings) = Settings::new(kind, &some_values(&kind.about, &mut draw)) else { return Ok(()) };
        let Some(backoff) = settings.build() else { return Ok(()) };
        let mut draw = Streams::new(1, 0).keyed("jitter").draw(message, attempt.into());
        let delay_s = backoff.delay_s(attempt, previous_delay_s, &mut draw);
        prop_assert!(delay_s <= limit_s(settings.values()), "{delay_s} of {settings:?}");
        if settings.values().get("jitter") != Some(&Value::Jitter(Jitter::Decorrelated)) {
            let range = backoff.range(attempt);
            prop_assert!((range.low_s..=range.high_s).contains(&delay_s), "{delay_s} outside {range:?}");
            prop_assert!((f64::from(range.low_s)..=f64::from(range.high_s)).contains(&range.mean_s), "{range:?}");
        }
    }
}
