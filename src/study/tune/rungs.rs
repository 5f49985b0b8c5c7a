//! How a search goes on: all candidates with all replications, or by successive halving.

use std::ops::Range;

/// Up to this many runs a search is a grid, if it is left to choose.
pub const GRID_RUNS: u64 = 1_000;
/// Fewest replications of a rung: with fewer, luck would decide too often who stays.
const FEWEST_REPLICATIONS: u32 = 3;

/// How candidates are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Every candidate gets all replications.
    Grid,
    /// Every candidate gets a few, the better half twice as many, and so on.
    Halving,
}

/// A step of a search: so many candidates have so many replications each at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// Candidates that are still in.
    pub candidates: usize,
    /// Replications of each, those of earlier rungs included.
    pub replications: u32,
}

impl Search {
    /// The search that suits so many candidates and replications: the grid up to [`GRID_RUNS`] runs.
    pub fn for_size(candidates: usize, replications: u32) -> Self {
        let runs = (candidates as u64).saturating_mul(replications.into());
        if runs <= GRID_RUNS { Self::Grid } else { Self::Halving }
    }

    /// The rungs, at least one. Halving keeps at least so many candidates to the last rung, which has all replications.
    pub fn rungs(self, candidates: usize, replications: u32, kept: usize) -> Vec<Rung> {
        let mut counts = vec![replications];
        if self == Self::Halving {
            let mut left = candidates;
            while let Some(&count) = counts.last()
                && count.div_ceil(2) >= FEWEST_REPLICATIONS
                && left > kept.max(1)
            {
                counts.push(count.div_ceil(2));
                left = left.div_ceil(2);
            }
        }
        let mut left = candidates;
        let rung = |(number, replications): (usize, u32)| {
            if number > 0 {
                left = left.div_ceil(2).max(kept.min(candidates));
            }
            Rung { candidates: left, replications }
        };
        counts.into_iter().rev().enumerate().map(rung).collect()
    }
}

/// The number of runs of all rungs.
pub(super) fn runs(rungs: &[Rung]) -> u64 {
    let mut before = 0;
    let of_rung = |rung: &Rung| {
        let new = rung.replications.saturating_sub(before);
        before = rung.replications;
        rung.candidates as u64 * u64::from(new)
    };
    rungs.iter().map(of_rung).sum()
}

/// Goes up the rungs; returns who is left at the top. `carry_out` runs the new replications of candidates, `better_first`
/// orders them by what is known then.
pub(super) fn climb<E>(
    rungs: &[Rung],
    candidates: usize,
    mut carry_out: impl FnMut(&[usize], Range<u32>) -> Result<(), E>,
    better_first: impl Fn(&[usize]) -> Vec<usize>,
) -> Result<Vec<usize>, E> {
    let mut left: Vec<usize> = (0..candidates).collect();
    let mut done = 0;
    for rung in rungs {
        if rung.candidates < left.len() {
            left = better_first(&left);
            left.truncate(rung.candidates);
            left.sort_unstable();
        }
        carry_out(&left, done..rung.replications)?;
        done = rung.replications;
    }
    Ok(better_first(&left))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::convert::Infallible;

    use super::*;
    use crate::engine::random::Streams;

    /// Searches for the least mean of a made-up objective; returns the order of the last rung, and the runs it took.
    fn search(search: Search, candidates: usize, objective: impl Fn(usize, u32) -> f64) -> (Vec<usize>, usize) {
        let sums = RefCell::new(vec![(0.0, 0_u32); candidates]);
        let rungs = search.rungs(candidates, 24, 3);
        let carry_out = |left: &[usize], replications: Range<u32>| {
            for &candidate in left {
                for replication in replications.clone() {
                    let sum = &mut sums.borrow_mut()[candidate];
                    *sum = (sum.0 + objective(candidate, replication), sum.1 + 1);
                }
            }
            Ok::<(), Infallible>(())
        };
        let better_first = |left: &[usize]| {
            let mean = |candidate: usize| sums.borrow()[candidate].0 / f64::from(sums.borrow()[candidate].1);
            let mut order = left.to_vec();
            order.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
            order
        };
        let Ok(order) = climb(&rungs, candidates, carry_out, better_first);
        let runs = sums.borrow().iter().map(|sum| sum.1 as usize).sum();
        (order, runs)
    }

    /// A bowl with its bottom at 41 of 64, and luck that candidates share, and some of their own.
    fn bowl(candidate: usize, replication: u32) -> f64 {
        let shared = Streams::new(7, replication).keyed("shared").draw(0, 0).unit();
        let own = Streams::new(7, replication).keyed("own").draw(candidate as u64, 0).unit();
        (candidate as f64 - 41.0).powi(2) + 100.0 * shared + 0.5 * own
    }

    #[test]
    fn halving_finds_what_the_grid_finds_with_fewer_runs() {
        let (grid, all) = search(Search::Grid, 64, bowl);
        let (halving, some) = search(Search::Halving, 64, bowl);
        assert_eq!((grid[0], halving[0]), (41, 41));
        assert_eq!((all, some), (64 * 24, 64 * 3 + 32 * 3 + 16 * 6 + 8 * 12));
    }

    /// The best of all looks the worst in the runs of the first rung: halving cannot know, the grid does.
    #[test]
    fn halving_misses_what_shows_late() {
        let late = |candidate: usize, replication: u32| match (candidate, replication) {
            (5, 0..3) => 1_000.0,
            (5, _) => -1_000.0,
            _ => bowl(candidate, replication),
        };
        assert_eq!(search(Search::Grid, 64, late).0[0], 5);
        assert_eq!(search(Search::Halving, 64, late).0[0], 41);
    }

    #[test]
    fn the_last_rung_has_all_replications_and_enough_candidates() {
        for (candidates, replications, kept) in [(1, 1, 5), (2, 20, 5), (84, 5, 5), (10_000, 20, 5), (9, 100, 8)] {
            let rungs = Search::Halving.rungs(candidates, replications, kept);
            let last = rungs.last().expect("a rung");
            assert_eq!(last.replications, replications);
            assert!(last.candidates >= kept.min(candidates), "{rungs:?}");
            assert_eq!(rungs[0].candidates, candidates);
            assert!(rungs.windows(2).all(|pair| pair[0].replications < pair[1].replications), "{rungs:?}");
            assert!(runs(&rungs) <= candidates as u64 * u64::from(replications));
        }
        assert_eq!(Search::Grid.rungs(7, 20, 5), [Rung { candidates: 7, replications: 20 }]);
        assert_eq!(Search::for_size(50, 20), Search::Grid);
        assert_eq!(Search::for_size(51, 20), Search::Halving);
    }
}
