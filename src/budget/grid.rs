//! A grid for seconds: where there are too many of them, each counts with the points of the grid on both its sides, in such
//! shares that no mean changes.

use std::ops::Range;

/// The numbers from 0 on, with the same chance each, on a grid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OnGrid {
    /// Points with a chance of their own.
    pub points: [(usize, f64); 3],
    /// Points that all have the same chance.
    pub plateau: Range<usize>,
    /// That chance.
    pub plateau_chance: f64,
}

/// The numbers 0 to `most`, each with that chance, on a grid of that many numbers a step.
pub(super) fn evenly(grid: u64, most: u64, chance: f64) -> OnGrid {
    let (whole, rest) = ((most + 1) / grid, ((most + 1) % grid) as f64);
    let (step, last) = (grid as f64, whole as usize);
    // In a whole step the first number is the point itself, the next ones lie farther and farther from it.
    let (to_own, to_next) = if whole > 0 { ((step + 1.0) / 2.0, (step - 1.0) / 2.0) } else { (0.0, 0.0) };
    let beyond = rest * (rest - 1.0) / (2.0 * step);
    OnGrid {
        points: [(0, to_own * chance), (last, (to_next + rest - beyond) * chance), (last + 1, beyond * chance)],
        plateau: 1..last.max(1),
        plateau_chance: step * chance,
    }
}

/// Points that a grid needs for the numbers 0 to `most`.
pub(super) fn points(grid: u64, most: u64) -> usize {
    most.div_ceil(grid) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_chances_nor_means_change_on_a_grid() {
        for grid in [1, 2, 3, 7, 60] {
            for most in [0, 1, 2, 5, 6, 7, 59, 60, 61, 500] {
                let on_grid = evenly(grid, most, 0.5);
                let mut points = vec![0.0; super::points(grid, most) + 2];
                on_grid.points.iter().for_each(|(point, chance)| points[*point] += chance);
                on_grid.plateau.clone().for_each(|point| points[point] += on_grid.plateau_chance);
                let sum: f64 = points.iter().sum();
                let weighted: f64 = points.iter().zip(0..).map(|(chance, point)| chance * (point * grid) as f64).sum();
                let numbers = (most + 1) as f64;
                assert!((sum - 0.5 * numbers).abs() < 1e-9, "{grid} {most}: {points:?}");
                assert!((weighted - 0.5 * numbers * most as f64 / 2.0).abs() < 1e-6, "{grid} {most}: {points:?}");
                let needed = super::points(grid, most);
                assert!(points[needed..].iter().all(|chance| chance.abs() < 1e-12), "{grid} {most}: {points:?}");
            }
        }
    }
}
