//! Names beside points, such that none lies on another and few points are covered.

use crate::report::chart::scene::Point;

/// A rectangle: left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn holds(&self, (x, y): Point) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    fn is_within(&self, other: &Self) -> bool {
        self.left >= other.left && self.right <= other.right && self.top >= other.top && self.bottom <= other.bottom
    }
}

/// Distances from a point at which its name may stand.
const DISTANCES: [f64; 6] = [10.0, 26.0, 48.0, 76.0, 110.0, 150.0];
/// Directions, in turns: to the right first.
const DIRECTIONS: [f64; 12] = [0.0, 0.875, 0.125, 0.5, 0.625, 0.375, 0.75, 0.25, 0.0625, 0.9375, 0.4375, 0.5625];
/// Height of a name.
const HEIGHT: f64 = 18.0;

/// The place of a name of that width for a point within a plot: where it covers the fewest points, and of those the
/// nearest; none where it would lie on what is taken.
pub fn place(point: Point, width: f64, plot: &Area, taken: &[Area], points: &[Point]) -> Option<Area> {
    let all = DISTANCES.iter().flat_map(|distance| DIRECTIONS.map(|turn| beside(point, width, *distance, turn)));
    let free = all.filter(|area| area.is_within(plot) && !taken.iter().any(|other| area.overlaps(other)));
    free.map(|area| (points.iter().filter(|point| area.holds(**point)).count(), area))
        .min_by_key(|(covered, _)| *covered)
        .map(|(_, area)| area)
}

fn beside((x, y): Point, width: f64, distance: f64, turn: f64) -> Area {
    let angle = std::f64::consts::TAU * turn;
    let (across, down) = (libm::cos(angle), libm::sin(angle));
    // The side that looks at the point is at the distance: of a name above or below, its middle.
    let left = x + across * distance - width * (1.0 - across) / 2.0;
    let top = y + down * distance - HEIGHT / 2.0;
    Area { left, top, right: left + width, bottom: top + HEIGHT }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLOT: Area = Area { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };

    #[test]
    fn a_name_stands_to_the_right_where_there_is_room() {
        let area = place((100.0, 100.0), 80.0, &PLOT, &[], &[(100.0, 100.0)]).expect("room");
        assert_eq!((area.left, area.right), (110.0, 190.0));
        let area = place((390.0, 100.0), 80.0, &PLOT, &[], &[]).expect("room");
        assert!(area.right <= 390.0, "to the left at the right edge");
    }

    #[test]
    fn names_never_overlap_and_go_without_where_all_is_taken() {
        let mut taken = Vec::new();
        for _ in 0..8 {
            let area = place((50.0, 280.0), 120.0, &PLOT, &taken, &[]).expect("room");
            assert!(!taken.iter().any(|other| area.overlaps(other)));
            taken.push(area);
        }
        assert_eq!(place((50.0, 280.0), 120.0, &PLOT, &[PLOT], &[]), None);
    }
}
