//! Exact and distributional tests of the arithmetic.

use super::*;
use crate::engine::random::Streams;
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
    approx::assert_relative_eq!(range.mean_s, f64::from(from + to) / 2.0);
}
