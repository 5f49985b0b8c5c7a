//! When a producer sends, one arrival after the other.

use rand::Rng;
use rand_distr::{Distribution, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Arrivals, ClassShares, ProducerSettings};
use crate::engine::random::KeyedDraw;
use crate::engine::time::SECOND_US;
use crate::model::MessageClass;

/// Yields the moments at which one producer sends, in order of time.
#[derive(Debug, Clone)]
pub struct ArrivalSource {
    settings: ProducerSettings,
    random: Xoshiro256PlusPlus,
    /// Exact time of the latest arrival; fractions of a microsecond would add up otherwise.
    exact_us: f64,
    /// Arrivals so far; of a profile, within the current step.
    count: u64,
    /// Position in a profile.
    step: usize,
}

impl ArrivalSource {
    /// The source of a producer, with a random stream of its own.
    pub fn new(settings: ProducerSettings, random: Xoshiro256PlusPlus) -> Self {
        let exact_us = settings.from_us as f64;
        Self { settings, random, exact_us, count: 0, step: 0 }
    }

    /// The next arrival; `None` after the last.
    #[inline]
    pub fn next_us(&mut self) -> Option<u64> {
        let at_us = match &self.settings.arrivals {
            Arrivals::Poisson { rate_per_s } => {
                let gap: f64 = Exp1.sample(&mut self.random);
                self.exact_us += gap * (SECOND_US as f64 / rate_per_s);
                self.exact_us as u64
            }
            Arrivals::Constant { rate_per_s } => {
                // Counted, not summed up: the thousandth arrival at 3/s is where it belongs.
                self.settings.from_us + (self.count as f64 * SECOND_US as f64 / rate_per_s + 0.5) as u64
            }
            Arrivals::Burst { messages, every_us } => {
                let burst = self.count / messages;
                match every_us {
                    Some(every_us) => self.settings.from_us.saturating_add(burst.saturating_mul(*every_us)),
                    None if burst == 0 => self.settings.from_us,
                    None => return None,
                }
            }
            Arrivals::Profile { .. } => return self.next_of_profile(),
        };
        self.count += 1;
        (at_us < self.settings.until_us).then_some(at_us)
    }

    /// The n messages of a step lie in n equal cells, each at a random place in its cell: an exact count, no bunching that
    /// the measurement did not show, and no need to remember them.
    fn next_of_profile(&mut self) -> Option<u64> {
        let Arrivals::Profile { steps } = &self.settings.arrivals else { return None };
        while let Some(step) = steps.get(self.step) {
            if self.count == step.messages {
                self.step += 1;
                self.count = 0;
                continue;
            }
            let cell_us = (step.until_us - step.from_us) as f64 / step.messages as f64;
            let place = (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let at_us = step.from_us + ((self.count as f64 + place) * cell_us) as u64;
            self.count += 1;
            if at_us >= self.settings.until_us {
                return None;
            }
            if at_us >= self.settings.from_us {
                return Some(at_us);
            }
        }
        None
    }
}

/// Chooses the class of each message by its share.
#[derive(Debug, Clone, Copy)]
pub struct ClassSampler {
    shares: ClassShares,
    /// Whether there is no other class than valid: then nothing is drawn.
    all_valid: bool,
}

impl ClassSampler {
    /// A sampler for these shares.
    pub fn new(shares: ClassShares) -> Self {
        Self { shares, all_valid: shares == ClassShares::default() }
    }

    /// The class of a message, from the draw that belongs to it.
    #[inline]
    pub fn class(&self, draw: impl FnOnce() -> KeyedDraw) -> MessageClass {
        if self.all_valid {
            return MessageClass::Valid;
        }
        let roll = draw().unit();
        if roll < self.shares.permanent {
            MessageClass::Permanent
        } else if roll < self.shares.permanent + self.shares.poison {
            MessageClass::Poison
        } else {
            MessageClass::Valid
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::random::Streams;
    use crate::model::producer::ProfileStep;

    fn arrivals_us(arrivals: Arrivals, from_us: u64, until_us: u64) -> Vec<u64> {
        let settings = ProducerSettings { from_us, until_us, ..ProducerSettings::new(arrivals) };
        let mut source = ArrivalSource::new(settings, Streams::new(42, 0).sequential("arrivals", 0));
        std::iter::from_fn(|| source.next_us()).collect()
    }

    #[test]
    fn constant_arrivals_keep_their_distance() {
        let arrivals = arrivals_us(Arrivals::Constant { rate_per_s: 3.0 }, 1_000_000, 2_000_001);
        assert_eq!(arrivals, [1_000_000, 1_333_333, 1_666_667, 2_000_000]);
    }

    #[test]
    fn bursts_come_once_or_again_and_again() {
        assert_eq!(arrivals_us(Arrivals::Burst { messages: 2, every_us: None }, 5, 100), [5, 5]);
        assert_eq!(arrivals_us(Arrivals::Burst { messages: 2, every_us: Some(40) }, 5, 80), [5, 5, 45, 45]);
    }

    #[test]
    fn poisson_arrivals_have_their_rate_and_exponential_gaps() {
        let arrivals = arrivals_us(Arrivals::Poisson { rate_per_s: 800.0 }, 0, 500 * SECOND_US);
        approx::assert_relative_eq!(arrivals.len() as f64, 400_000.0, max_relative = 0.01);
        let long_gaps = arrivals.windows(2).filter(|pair| pair[1] - pair[0] > 1_250).count();
        approx::assert_relative_eq!(long_gaps as f64 / arrivals.len() as f64, (-1_f64).exp(), max_relative = 0.02);
    }

    #[test]
    fn a_profile_gives_each_step_its_exact_count_in_order() {
        let step = |from_s: u64, until_s: u64, messages| ProfileStep {
            from_us: from_s * SECOND_US,
            until_us: until_s * SECOND_US,
            messages,
        };
        let steps = vec![step(0, 10, 100), step(10, 20, 0), step(20, 30, 7)];
        let arrivals = arrivals_us(Arrivals::Profile { steps }, 0, 60 * SECOND_US);
        assert!(arrivals.is_sorted());
        let within = |from_s, until_s| {
            arrivals.iter().filter(|&&at_us| (from_s * SECOND_US..until_s * SECOND_US).contains(&at_us)).count()
        };
        assert_eq!([within(0, 10), within(10, 20), within(20, 30)], [100, 0, 7]);
    }

    #[test]
    fn classes_come_in_their_shares() {
        let sampler = ClassSampler::new(ClassShares { permanent: 0.2, poison: 0.1 });
        let stream = Streams::new(42, 0).keyed("class");
        let mut counts = [0_u32; 3];
        for message in 0..100_000 {
            counts[sampler.class(|| stream.draw(message, 0)) as usize] += 1;
        }
        for (count, share) in counts.into_iter().zip([0.7, 0.2, 0.1]) {
            approx::assert_relative_eq!(f64::from(count) / 1e5, share, max_relative = 0.03);
        }
    }
}
