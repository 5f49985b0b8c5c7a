//! The arithmetic of backoff and jitter, in whole seconds: a visibility timeout is a whole number of seconds.

use super::{BackoffSettings, Disposition, FailedAttempt, Jitter, RetryPolicy};
use crate::engine::random::KeyedDraw;

/// A backoff, ready to compute delays: the delays before jitter are worked out once, so that a draw is a look-up and an
/// integer multiplication, and nothing overflows at any attempt.
///
/// ```
/// use retrystorm::model::policy::{Backoff, BackoffSettings, Jitter};
///
/// let settings = BackoffSettings::Exponential { base_s: 30, factor: 2.0, cap_s: 900, jitter: Jitter::None };
/// let backoff = Backoff::new(&settings).expect("not `none`");
/// let delays: Vec<u32> = (1..=6).map(|attempt| backoff.ceiling_s(attempt)).collect();
/// assert_eq!(delays, [30, 60, 120, 240, 480, 900]);
/// assert_eq!(backoff.ceiling_s(u32::MAX), 900);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Backoff {
    /// Delay after each attempt, from the first on; the last one holds for all further attempts.
    ceilings_s: Vec<u32>,
    /// Largest delay; the last ceiling stays below it where the factor is too small to get there.
    cap_s: u32,
    jitter: Jitter,
}

impl Backoff {
    /// The backoff of these settings; `None` where they say that there is none.
    pub fn new(settings: &BackoffSettings) -> Option<Self> {
        let (ceilings_s, cap_s, jitter) = match *settings {
            BackoffSettings::None => return None,
            BackoffSettings::Fixed { delay_s, jitter } => (vec![delay_s], delay_s, jitter),
            BackoffSettings::Linear { step_s, cap_s, jitter } => (linear_ceilings(step_s, cap_s), cap_s, jitter),
            BackoffSettings::Exponential { base_s, factor, cap_s, jitter } => {
                (exponential_ceilings(base_s, factor, cap_s), cap_s, jitter)
            }
        };
        Some(Self { ceilings_s, cap_s, jitter })
    }

    /// The delay before jitter after the given attempt (the first is 1), in seconds.
    #[inline]
    pub fn ceiling_s(&self, attempt: u32) -> u32 {
        let last = self.ceilings_s.len() - 1;
        self.ceilings_s[(attempt.saturating_sub(1) as usize).min(last)]
    }

    /// Draws the delay after the given attempt, in seconds. Only decorrelated jitter looks at the previous delay.
    #[inline]
    pub fn delay_s(&self, attempt: u32, previous_delay_s: Option<u32>, draw: &mut KeyedDraw) -> u32 {
        let ceiling_s = self.ceiling_s(attempt);
        match self.jitter {
            Jitter::None => ceiling_s,
            Jitter::Full => draw.up_to(ceiling_s),
            // Half is rounded up, so that fixed part and largest draw add up to the ceiling.
            Jitter::Equal => ceiling_s.div_ceil(2) + draw.up_to(ceiling_s / 2),
            Jitter::FlooredFull { floor_s } => draw.up_to(ceiling_s).max(floor_s),
            Jitter::Decorrelated => self.decorrelated_s(previous_delay_s, draw),
        }
    }

    /// min(cap, U{base .. 3 x previous}), the previous delay of a first failure being the base.
    #[inline]
    fn decorrelated_s(&self, previous_delay_s: Option<u32>, draw: &mut KeyedDraw) -> u32 {
        let base_s = self.ceilings_s[0];
        let upper_s = previous_delay_s.unwrap_or(base_s).saturating_mul(3).max(base_s);
        base_s.saturating_add(draw.up_to(upper_s - base_s)).min(self.cap_s)
    }
}

/// step, 2 x step, 3 x step ... up to the cap.
fn linear_ceilings(step_s: u32, cap_s: u32) -> Vec<u32> {
    let mut ceilings_s = vec![step_s.min(cap_s)];
    let mut next_s = step_s;
    while step_s > 0 && next_s < cap_s {
        next_s = next_s.saturating_add(step_s);
        ceilings_s.push(next_s.min(cap_s));
    }
    ceilings_s
}

/// base, base x factor, base x factor^2 ... up to the cap, or as far as receive counts go: a factor of 1 never gets there.
fn exponential_ceilings(base_s: u32, factor: f64, cap_s: u32) -> Vec<u32> {
    /// The largest maxReceiveCount (rule Q7, lazy redrive): a factor that does not reach the cap by then may stop there.
    const ATTEMPTS: usize = 1_000;
    let mut ceilings_s = vec![base_s.min(cap_s)];
    let mut next_s = f64::from(base_s);
    while base_s > 0 && next_s < f64::from(cap_s) && ceilings_s.len() < ATTEMPTS {
        next_s *= factor;
        ceilings_s.push(next_s.min(f64::from(cap_s)).round() as u32);
    }
    ceilings_s
}

/// Without any backoff the lease runs out; with one, the message's visibility is changed.
impl RetryPolicy for Option<Backoff> {
    #[inline]
    fn decide(&self, attempt: &FailedAttempt, draw: &mut KeyedDraw) -> Disposition {
        match self {
            None => Disposition::LetLeaseExpire,
            Some(backoff) => Disposition::ChangeVisibility {
                delay_s: backoff.delay_s(attempt.receive_count, attempt.previous_delay_s, draw),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Streams;
    use proptest::prelude::*;

    fn exponential(base_s: u32, cap_s: u32, jitter: Jitter) -> Backoff {
        Backoff::new(&BackoffSettings::Exponential { base_s, factor: 2.0, cap_s, jitter }).expect("not `none`")
    }

    /// Delays after the same attempt of many messages.
    fn draws_s(backoff: &Backoff, attempt: u32, messages: u64) -> Vec<u32> {
        let stream = Streams::new(5, 0).keyed("jitter");
        (0..messages).map(|message| backoff.delay_s(attempt, None, &mut stream.draw(message, attempt.into()))).collect()
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

    #[test]
    fn five_doublings_from_30_s_add_up_to_930_s() {
        let backoff = exponential(30, 900, Jitter::None);
        assert_eq!((1..=5).map(|attempt| backoff.ceiling_s(attempt)).sum::<u32>(), 930);
    }

    #[test]
    fn six_full_jitter_waits_from_10_s_add_up_to_305_s_on_average() {
        let backoff = exponential(10, 300, Jitter::Full);
        let exact: f64 = (1..=6).map(|attempt| f64::from(backoff.ceiling_s(attempt)) / 2.0).sum();
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
    }

    #[test]
    fn full_jitter_is_uniform_from_zero_to_the_ceiling() {
        let statistic = chi_square_against_uniform(&draws_s(&exponential(10, 300, Jitter::Full), 3, 410_000), 0, 40);
        assert!(statistic < chi_square_bound(40.0), "{statistic}");
    }

    #[test]
    fn equal_jitter_is_uniform_over_the_upper_half() {
        let statistic = chi_square_against_uniform(&draws_s(&exponential(10, 300, Jitter::Equal), 2, 110_000), 10, 20);
        assert!(statistic < chi_square_bound(10.0), "{statistic}");
        let odd = draws_s(&exponential(5, 300, Jitter::Equal), 1, 1_000);
        assert_eq!((odd.iter().min(), odd.iter().max()), (Some(&3), Some(&5)));
    }

    #[test]
    fn decorrelated_jitter_is_uniform_from_base_to_three_times_the_previous() {
        let backoff = exponential(10, 300, Jitter::Decorrelated);
        let statistic = chi_square_against_uniform(&draws_s(&backoff, 1, 210_000), 10, 30);
        assert!(statistic < chi_square_bound(20.0), "{statistic}");
        let stream = Streams::new(5, 0).keyed("jitter");
        let capped =
            (0..10_000).filter(|&message| backoff.delay_s(2, Some(300), &mut stream.draw(message, 2)) == 300).count();
        // U{10..900} is at least 300 in 601 of 891 cases.
        approx::assert_abs_diff_eq!(capped as f64 / 10_000.0, 601.0 / 891.0, epsilon = 0.02);
    }

    #[test]
    fn decorrelated_jitter_grows_to_its_cap_whatever_the_factor() {
        let settings =
            BackoffSettings::Exponential { base_s: 10, factor: 1.0, cap_s: 300, jitter: Jitter::Decorrelated };
        let backoff = Backoff::new(&settings).expect("not `none`");
        let stream = Streams::new(5, 0).keyed("jitter");
        let largest = (0..1_000).map(|message| backoff.delay_s(2, Some(90), &mut stream.draw(message, 2))).max();
        assert!(largest.is_some_and(|delay_s| (260..=270).contains(&delay_s)), "{largest:?}");
    }

    #[test]
    fn linear_backoff_climbs_by_its_step() {
        let settings = BackoffSettings::Linear { step_s: 20, cap_s: 50, jitter: Jitter::None };
        let backoff = Backoff::new(&settings).expect("not `none`");
        assert_eq!([1, 2, 3, 4, 1_000].map(|attempt| backoff.ceiling_s(attempt)), [20, 40, 50, 50, 50]);
    }

    #[test]
    fn a_factor_between_whole_numbers_rounds_to_whole_seconds() {
        let settings = BackoffSettings::Exponential { base_s: 10, factor: 1.5, cap_s: 60, jitter: Jitter::None };
        let backoff = Backoff::new(&settings).expect("not `none`");
        assert_eq!([1, 2, 3, 4, 5, 6].map(|attempt| backoff.ceiling_s(attempt)), [10, 15, 23, 34, 51, 60]);
    }

    proptest! {
        #[test]
        fn a_delay_stays_within_its_cap_at_every_attempt(
            base_s in 0_u32..=43_200, factor in 1.0_f64..1e6, cap_s in 0_u32..=43_200,
            attempt in any::<u32>(), previous_delay_s in prop::option::of(any::<u32>()), message in any::<u64>(),
            jitter in prop_oneof![
                Just(Jitter::None), Just(Jitter::Full), Just(Jitter::Equal), Just(Jitter::Decorrelated)],
        ) {
            let cap_s = cap_s.max(base_s);
            let settings = BackoffSettings::Exponential { base_s, factor, cap_s, jitter };
            let backoff = Backoff::new(&settings).expect("not `none`");
            let mut draw = Streams::new(1, 0).keyed("jitter").draw(message, attempt.into());
            prop_assert!(backoff.delay_s(attempt, previous_delay_s, &mut draw) <= cap_s);
        }
    }
}
