//! Decorrelated jitter: each delay is drawn from the one before, so that the sum has to be followed together with the last
//! delay.

use super::distribution::Distribution;
use super::scale::Scale;
use super::sums::Wait;

/// Receives up to which sums keep their precision however small they are. Each step moves a sum between two points, and what
/// that blurs adds up: beyond, points at equal distances blur less.
const FEW_RECEIVES: u32 = 30;
/// With few receives: sums and delays up to which each second has its own chance, so that the retries of half an hour are
/// exact; and how far apart the points lie beyond, as a share of themselves.
const FINE: (u64, f64) = (1_800, 0.01);
/// The same of the delays of many receives.
const COARSE: (u64, f64) = (100, 0.05);
/// Points of the sums of many receives.
const MANY_SUMS: u64 = 4_000;

/// The delays that follow each other: from the base to three times the one before, at most the cap, at least the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chain {
    base: u64,
    cap: u64,
    floor: u64,
}

impl Chain {
    /// The delays of these parameters, in seconds.
    pub fn new(base_s: u32, cap_s: u32, floor_s: u32) -> Self {
        Self { base: base_s.into(), cap: cap_s.into(), floor: floor_s.into() }
    }

    /// The smallest and the largest delay.
    fn ends(self) -> (u64, u64) {
        (self.base.max(self.floor), self.cap.max(self.floor))
    }

    /// Mean and ends of each wait, exact.
    pub fn waits(self, receives: u32) -> Vec<Wait> {
        let (low, high) = self.ends();
        let delays = Delays::new(self, Scale::new(high - low, u64::MAX, 0.0));
        let mut chances: Option<Vec<f64>> = None;
        let mut longest = self.base;
        let wait = |_| {
            let next = chances.as_ref().map_or_else(|| delays.first(), |chances| delays.after(chances));
            let mean_s = next.iter().zip(low..).map(|(chance, delay)| chance * delay as f64).sum();
            longest = (longest * 3).clamp(low, high);
            chances = Some(next);
            Wait { mean_s, low_s: low as f64, high_s: longest as f64 }
        };
        (0..receives).map(wait).collect()
    }

    /// The distributions of the sums of the waits: after no attempt, after one, and so on.
    pub fn sums(self, receives: u32) -> impl Iterator<Item = Distribution> {
        let (low, high) = self.ends();
        let largest = (high - low) * u64::from(receives);
        match receives {
            0..=FEW_RECEIVES => self.sums_on(receives, FINE, Scale::new(largest, FINE.0, FINE.1)),
            _ => self.sums_on(receives, COARSE, Scale::evenly(largest, MANY_SUMS)),
        }
    }

    fn sums_on(self, receives: u32, delays: (u64, f64), scale: Scale) -> impl Iterator<Item = Distribution> {
        let (low, high) = self.ends();
        let delays = Delays::new(self, Scale::new(high - low, delays.0, delays.1));
        let mut joint: Option<Joint> = None;
        let rest = (1..=u64::from(receives)).map(move |number| {
            let next = joint.take().map_or_else(|| Joint::first(&delays, &scale), |joint| joint.next(&delays, &scale));
            let distribution = next.distribution(&scale, number * low);
            joint = Some(next);
            distribution
        });
        std::iter::once(Distribution::exactly(0.0)).chain(rest)
    }
}

/// How one delay follows another, on a scale that begins at the smallest delay.
struct Delays {
    chain: Chain,
    scale: Scale,
    /// What each point has of all numbers below the largest delay.
    shares: Vec<f64>,
}

impl Delays {
    fn new(chain: Chain, scale: Scale) -> Self {
        let (low, high) = chain.ends();
        let shares = scale.shares(high - low);
        Self { chain, scale, shares }
    }

    /// The chances of the first delay; the one before it counts as the base.
    fn first(&self) -> Vec<f64> {
        let mut next = Next::new(self.scale.points().len());
        self.spread(self.chain.base, 1.0, &mut next);
        next.chances(&self.shares)
    }

    /// The chances of the delay after one with these chances.
    fn after(&self, chances: &[f64]) -> Vec<f64> {
        let (low, _) = self.chain.ends();
        let mut next = Next::new(chances.len());
        for (point, chance) in self.scale.points().iter().zip(chances).filter(|(_, chance)| **chance > 0.0) {
            self.spread(low + point, *chance, &mut next);
        }
        next.chances(&self.shares)
    }

    /// Adds the chances of the delay after a previous one.
    fn spread(&self, previous: u64, chance: f64, next: &mut Next) {
        let Chain { base, .. } = self.chain;
        let (low, high) = self.chain.ends();
        let upper = (previous * 3).max(base);
        let each = chance / (upper - base + 1) as f64;
        // What is drawn below the smallest counts as that, what is drawn from the largest on as this.
        next.at[0] += each * (low.min(upper + 1) - base) as f64;
        let last = self.scale.points().len() - 1;
        if upper >= high {
            let above = (upper + 1 - high.max(base)) as f64;
            next.at[last] += each * (above + self.share_from_before(last));
            next.even(last, each);
        } else if upper >= low {
            // The shares of a range that ends between two points.
            let (point, _) = self.scale.place(upper - low, self.point_before(upper - low));
            next.even(point, each);
            let points = self.scale.points();
            let (own, behind) = (points[point], points.get(point + 1).copied());
            let (width, count) = (behind.map_or(1, |behind| behind - own) as f64, (upper - low + 1 - own) as f64);
            let beyond = count * (count - 1.0) / (2.0 * width);
            // Its point has already what lies before it.
            next.at[point] += each * (count - beyond + self.share_from_before(point));
            if behind.is_some() {
                next.at[point + 1] += each * beyond;
            }
        }
    }

    /// A point at or below a number.
    fn point_before(&self, number: u64) -> usize {
        self.scale.points().partition_point(|point| *point <= number).saturating_sub(1)
    }

    /// What a point has of the numbers between the one before and itself.
    fn share_from_before(&self, point: usize) -> f64 {
        let points = self.scale.points();
        match point.checked_sub(1) {
            Some(before) => ((points[point] - points[before]) as f64 - 1.0) / 2.0,
            None => 0.0,
        }
    }
}

/// Chances in the making.
struct Next {
    /// What single points have.
    at: Vec<f64>,
    /// At each point, what every number below it has; summed up from the right at the end.
    below: Vec<f64>,
}

impl Next {
    fn new(points: usize) -> Self {
        Self { at: vec![0.0; points], below: vec![0.0; points] }
    }

    /// All numbers whose points lie below this one have that chance each.
    fn even(&mut self, point: usize, each: f64) {
        self.below[point] += each;
    }

    fn chances(mut self, shares: &[f64]) -> Vec<f64> {
        let mut each = 0.0;
        for point in (0..self.at.len()).rev() {
            self.at[point] += each * shares[point];
            each += self.below[point];
        }
        self.at
    }
}

/// The chances of each sum, less the smallest possible, with each last delay.
struct Joint {
    by_sum: Vec<Vec<f64>>,
}

impl Joint {
    fn first(delays: &Delays, scale: &Scale) -> Self {
        Self::moved(std::iter::once((0, delays.first())), delays, scale)
    }

    fn next(&self, delays: &Delays, scale: &Scale) -> Self {
        let possible = self.by_sum.iter().enumerate().filter(|(_, chances)| !chances.is_empty());
        Self::moved(possible.map(|(sum, chances)| (sum, delays.after(chances))), delays, scale)
    }

    /// From the next delay at each point of the sums to the new sums: a delay moves its chance as far as it is long.
    fn moved(sums: impl Iterator<Item = (usize, Vec<f64>)>, delays: &Delays, scale: &Scale) -> Self {
        let points = delays.scale.points();
        let mut by_sum: Vec<Vec<f64>> = vec![Vec::new(); scale.points().len()];
        let mut add = |sum: usize, delay: usize, chance: f64| {
            let chances = &mut by_sum[sum];
            if chances.is_empty() {
                chances.resize(points.len(), 0.0);
            }
            chances[delay] += chance;
        };
        for (sum, chances) in sums {
            let (mut place, sum) = (sum, scale.points()[sum]);
            for (delay, chance) in chances.into_iter().enumerate().filter(|(_, chance)| *chance > 0.0) {
                let (point, beyond) = scale.place(sum + points[delay], place);
                place = point;
                add(point, delay, chance * (1.0 - beyond));
                if beyond > 0.0 {
                    add(point + 1, delay, chance * beyond);
                }
            }
        }
        Self { by_sum }
    }

    fn distribution(&self, scale: &Scale, smallest: u64) -> Distribution {
        let sums = scale.points().iter().zip(&self.by_sum).filter(|(_, chances)| !chances.is_empty());
        let cases: Vec<(f64, f64)> =
            sums.map(|(sum, chances)| ((smallest + sum) as f64, chances.iter().sum())).collect();
        // The points that lie widest apart, as far as there are chances that count.
        let mut left = 1.0;
        let counts = cases.windows(2).take_while(|pair| {
            left -= pair[0].1;
            left > 0.005
        });
        let grid_s = counts.map(|pair| pair[1].0 - pair[0].0).fold(1.0, f64::max) as u64;
        Distribution { grid_s, cases }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways in which three delays can follow each other, one by one.
    fn counted(base: u64, cap: u64, floor: u64) -> Vec<(u64, f64)> {
        let next = |previous: u64| -> Vec<(u64, f64)> {
            let upper = (previous * 3).max(base);
            let chance = 1.0 / (upper - base + 1) as f64;
            (base..=upper).map(|drawn| (drawn.min(cap).max(floor), chance)).collect()
        };
        let mut found = std::collections::BTreeMap::new();
        for (first, p) in next(base) {
            for (second, q) in next(first) {
                for (third, r) in next(second) {
                    *found.entry(first + second + third).or_insert(0.0) += p * q * r;
                }
            }
        }
        found.into_iter().collect()
    }

    #[test]
    fn sums_are_those_that_counting_finds() {
        for (base, cap, floor) in [(1, 20, 0), (2, 7, 0), (3, 30, 5), (2, 10, 12), (4, 4, 0), (0, 5, 1)] {
            let chain = Chain::new(base, cap, floor);
            let (waits, sum) = (chain.waits(3), chain.sums(3).last().expect("a sum"));
            let expected = counted(base.into(), cap.into(), floor.into());
            let found: Vec<(u64, f64)> =
                sum.cases.iter().filter(|(_, chance)| *chance > 1e-15).map(|&(s, chance)| (s as u64, chance)).collect();
            assert_eq!(found.len(), expected.len(), "{chain:?}");
            for ((number, chance), (expected_number, expected_chance)) in found.iter().zip(&expected) {
                assert_eq!(number, expected_number, "{chain:?}");
                assert!((chance - expected_chance).abs() < 1e-12, "{chain:?} {number}: {chance} {expected_chance}");
            }
            let mean_s: f64 = expected.iter().map(|(number, chance)| *number as f64 * chance).sum();
            assert!((waits.iter().map(|wait| wait.mean_s).sum::<f64>() - mean_s).abs() < 1e-9, "{chain:?}");
            let ends = (expected[0].0 as f64, expected[expected.len() - 1].0 as f64);
            let sum = |end: fn(&Wait) -> f64| waits.iter().map(end).sum::<f64>();
            assert_eq!((sum(|wait| wait.low_s), sum(|wait| wait.high_s)), ends, "{chain:?}");
        }
    }

    fn told(distribution: &Distribution) -> [f64; 3] {
        [0.5, 0.95, 0.99].map(|share| distribution.quantile_s(share))
    }

    #[test]
    fn a_coarser_scale_moves_what_it_tells_by_little() {
        for (base_s, cap_s) in [(5, 200), (10, 300), (1, 400), (1, 2_000)] {
            let chain = Chain::new(base_s, cap_s, 0);
            let largest = 5 * u64::from(cap_s - base_s);
            let sum = |exact, apart| {
                let scale = Scale::new(largest, exact, apart);
                chain.sums_on(5, (exact, apart), scale).last().expect("a sum")
            };
            let exact = told(&sum(u64::MAX, 0.0));
            let even = chain.sums_on(5, COARSE, Scale::evenly(largest, MANY_SUMS)).last().expect("a sum");
            for (coarse, within) in [(sum(100, 0.01), 0.01), (sum(300, 0.02), 0.02), (even, 0.05)] {
                for (exact_s, coarse_s) in exact.into_iter().zip(told(&coarse)) {
                    assert!((exact_s / coarse_s - 1.0).abs() <= within, "{chain:?}: {exact_s} {coarse_s}");
                }
            }
        }
    }

    #[test]
    fn many_receives_spread_as_the_law_of_large_numbers_says() {
        // Of a chain that has settled: the median is the mean, and the spread of the sum grows with the root of their number.
        let chain = Chain::new(10, 300, 0);
        let spread = |receives| {
            let mean_s: f64 = chain.waits(receives).iter().map(|wait| wait.mean_s).sum();
            let [median_s, high_s, _] = told(&chain.sums(receives).last().expect("a sum"));
            assert!((median_s / mean_s - 1.0).abs() < 0.02, "{receives}: {median_s} {mean_s}");
            (high_s - median_s) / f64::from(receives).sqrt()
        };
        let [exact, some, many] = [FEW_RECEIVES, 120, 480].map(spread);
        assert!((some / exact - 1.0).abs() < 0.15 && (many / some - 1.0).abs() < 0.1, "{exact} {some} {many}");
    }

    #[test]
    fn the_longest_delays_and_the_most_receives_keep_their_mean() {
        for (base_s, cap_s, receives, within) in
            [(1, 43_200, 10, 0.01), (10, 300, 1_000, 0.01), (1, 43_200, 60, 0.02), (43_200, 43_200, 3, 0.0)]
        {
            let chain = Chain::new(base_s, cap_s, 0);
            let mean_s: f64 = chain.waits(receives).iter().map(|wait| wait.mean_s).sum();
            let found = chain.sums(receives).last().expect("a sum");
            let found_s: f64 = found.cases.iter().map(|(at_s, chance)| at_s * chance).sum();
            assert!((found.cases.iter().map(|(_, chance)| chance).sum::<f64>() - 1.0).abs() < 1e-9, "{chain:?}");
            assert!((found_s / mean_s - 1.0).abs() <= within, "{chain:?}: {found_s} {mean_s}");
        }
    }
}
