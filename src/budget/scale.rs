//! A scale of whole numbers that has each of the small ones, and fewer and fewer of the large ones. A number between two
//! points counts with both, in such shares that no mean changes.

/// The points, in ascending order from 0 on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    points: Vec<u64>,
}

impl Scale {
    /// From 0 to the largest number: each up to `exact`, then points that lie apart by this share of themselves.
    pub fn new(largest: u64, exact: u64, apart: f64) -> Self {
        let mut points: Vec<u64> = (0..=largest.min(exact)).collect();
        let mut last = largest.min(exact);
        while last < largest {
            last = (last + ((last as f64 * apart) as u64).max(1)).min(largest);
            points.push(last);
        }
        Self { points }
    }

    /// From 0 to the largest number or beyond, at equal distances, with about so many points at most.
    pub fn evenly(largest: u64, points: u64) -> Self {
        let step = largest.div_ceil(points).max(1);
        Self { points: (0..=largest.div_ceil(step)).map(|number| number * step).collect() }
    }

    /// The points.
    pub fn points(&self) -> &[u64] {
        &self.points
    }

    /// The point at or below a number, where the search begins at a point that is not above it, and the share of the one
    /// behind it.
    pub fn place(&self, number: u64, from: usize) -> (usize, f64) {
        let mut point = from;
        while self.points.get(point + 1).is_some_and(|next| *next <= number) {
            point += 1;
        }
        let own = self.points[point];
        match self.points.get(point + 1) {
            Some(next) => (point, number.saturating_sub(own) as f64 / (next - own) as f64),
            None => (point, 0.0),
        }
    }

    /// What each point has of the numbers from 0 to `end`, without it, if each number counts one.
    pub fn shares(&self, end: u64) -> Vec<f64> {
        let mut shares = vec![0.0; self.points.len()];
        for (point, own) in self.points.iter().enumerate() {
            let Some(next) = self.points.get(point + 1) else {
                shares[point] += if *own < end { 1.0 } else { 0.0 };
                break;
            };
            let (width, count) = ((next - own) as f64, next.min(&end).saturating_sub(*own) as f64);
            let beyond = count * (count - 1.0).max(0.0) / (2.0 * width);
            shares[point] += count - beyond;
            shares[point + 1] += beyond;
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_all_small_numbers_and_the_largest() {
        assert_eq!(Scale::new(5, 10, 0.1).points(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(Scale::new(20, 5, 0.5).points(), [0, 1, 2, 3, 4, 5, 7, 10, 15, 20]);
        assert_eq!(Scale::new(0, 5, 0.5).points(), [0]);
        assert_eq!(Scale::evenly(10, 4).points(), [0, 3, 6, 9, 12]);
        assert_eq!(Scale::evenly(3, 4).points(), [0, 1, 2, 3]);
    }

    #[test]
    fn neither_counts_nor_sums_change_on_it() {
        let scale = Scale::new(200, 5, 0.3);
        for end in [0, 1, 5, 6, 7, 50, 199, 200, 201] {
            let shares = scale.shares(end);
            let count: f64 = shares.iter().sum();
            let sum: f64 = shares.iter().zip(scale.points()).map(|(share, point)| share * *point as f64).sum();
            assert!((count - end as f64).abs() < 1e-9, "{end}: {count}");
            assert!((sum - (end as f64 - 1.0) * end as f64 / 2.0).abs() < 1e-6, "{end}: {sum}");
        }
        for number in 0..=200 {
            let (point, beyond) = scale.place(number, 0);
            let next = scale.points().get(point + 1).copied().unwrap_or(0) as f64;
            let mean = scale.points()[point] as f64 * (1.0 - beyond) + next * beyond;
            assert!((mean - number as f64).abs() < 1e-9, "{number}: {mean}");
        }
    }
}
