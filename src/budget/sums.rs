//! The sums of the first waits, for each number of them.

use super::chances::Chances;
use super::decorrelated::Chain;
use super::distribution::Distribution;
use super::{BudgetSettings, Moment};
use crate::model::policy::{Backoff, DelayLaw, Spread};

/// Steps of work that a budget may take: a fraction of a second.
const WORK: f64 = 5e7;

/// A wait: its mean, and its shortest and longest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wait {
    /// The mean.
    pub mean_s: f64,
    /// The shortest.
    pub low_s: f64,
    /// The longest.
    pub high_s: f64,
}

/// The time from the first receive to the one after some attempts.
pub(super) struct Sum {
    /// The part that is drawn.
    pub drawn: Distribution,
    /// The part that is always the same.
    pub constant_s: f64,
    /// Mean and ends of both; exact.
    pub total: Wait,
}

impl Sum {
    /// When that is.
    pub fn moment(&self) -> Moment {
        self.drawn.moment(self.constant_s, self.total)
    }

    /// The moments and their chances.
    pub fn cases(&self) -> impl Iterator<Item = (f64, f64)> {
        self.drawn.cases.iter().map(|(drawn_s, chance)| (drawn_s + self.constant_s, *chance))
    }
}

/// The waits, and how their sums are distributed.
pub(super) struct Sums {
    /// The wait after each attempt, from the first on.
    pub waits: Vec<Wait>,
    /// What each attempt takes beside its wait.
    each_s: f64,
    /// The sum that is drawn, after no attempt, after one, and so on. Each is large: they come one by one.
    drawn: Box<dyn Iterator<Item = Distribution>>,
}

impl Sums {
    /// Those of these settings.
    pub fn of(settings: &BudgetSettings) -> Self {
        let receives = settings.max_receive_count;
        let Some(backoff) = settings.backoff.build() else {
            // The lease is the wait, and the handler is at work within it.
            let lease_s = settings.visibility_timeout_s;
            let waits = vec![Wait { mean_s: lease_s, low_s: lease_s, high_s: lease_s }; receives as usize];
            let drawn = (0..=receives).map(move |number| Distribution::exactly(f64::from(number) * lease_s));
            return Self { waits, each_s: 0.0, drawn: Box::new(drawn) };
        };
        let each_s = settings.handler_s;
        match backoff.law(1) {
            DelayLaw::Decorrelated { base_s, cap_s } => {
                let chain = Chain::new(base_s, cap_s, settings.floor_s);
                Self { waits: chain.waits(receives), each_s, drawn: Box::new(chain.sums(receives)) }
            }
            DelayLaw::Even { .. } => {
                let laws: Vec<(Spread, u32)> =
                    (1..=receives).filter_map(|attempt| even(&backoff, settings.floor_s, attempt)).collect();
                Self { waits: laws.iter().map(wait).collect(), each_s, drawn: Box::new(independent(laws)) }
            }
        }
    }

    /// The sums, after no attempt, after one, and so on.
    pub fn after(self) -> impl Iterator<Item = Sum> {
        let mut total = Wait { mean_s: 0.0, low_s: 0.0, high_s: 0.0 };
        let each_s = self.each_s;
        let mut waits = self.waits.into_iter();
        self.drawn.zip(0_u32..).map(move |(drawn, number)| {
            let sum = Sum { drawn, constant_s: f64::from(number) * each_s, total };
            if let Some(wait) = waits.next() {
                total.mean_s += wait.mean_s + each_s;
                total.low_s += wait.low_s + each_s;
                total.high_s += wait.high_s + each_s;
            }
            sum
        })
    }
}

/// The sums of waits that know nothing of each other.
fn independent(laws: Vec<(Spread, u32)>) -> impl Iterator<Item = Distribution> {
    let widest: f64 = laws.iter().map(|(spread, _)| f64::from(spread.more)).sum();
    let grid_s = (widest * laws.len() as f64 / WORK).ceil().max(1.0) as u64;
    let mut sum = Chances::nothing(grid_s);
    let first = sum.distribution();
    let rest = laws.into_iter().map(move |(spread, floor_s)| {
        sum = sum.plus(spread, floor_s);
        sum.distribution()
    });
    std::iter::once(first).chain(rest)
}

fn wait(&(spread, floor_s): &(Spread, u32)) -> Wait {
    Wait {
        mean_s: spread.mean_above(floor_s),
        low_s: spread.low.max(floor_s).into(),
        high_s: spread.high().max(floor_s).into(),
    }
}

/// What the delay after an attempt is drawn from, and what it is at least.
fn even(backoff: &Backoff, floor_s: u32, attempt: u32) -> Option<(Spread, u32)> {
    match backoff.law(attempt) {
        DelayLaw::Even { spread, floor_s: own_s } => Some((spread, floor_s.max(own_s))),
        DelayLaw::Decorrelated { .. } => None,
    }
}
