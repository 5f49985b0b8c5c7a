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
const DISTANCES: [f64; 8] = [10.0, 26.0, 44.0, 64.0, 88.0, 116.0, 150.0, 190.0];
/// Directions, in turns: to the right first.
const DIRECTIONS: [f64; 16] =
    [0.0, 0.875, 0.125, 0.5, 0.625, 0.375, 0.75, 0.25, 0.0625, 0.9375, 0.4375, 0.5625, 0.1875, 0.8125, 0.3125, 0.6875];
/// Height of a name.
const HEIGHT: f64 = 18.0;
/// A name that stands further from its point than this has a line to it.
const LINE_FROM: f64 = 14.0;

/// A name that has its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// Where it is.
    pub area: Area,
    /// The line that leads to it, where it needs one.
    pub line: Option<(Point, Point)>,
}

/// The place of a name of that width for a point within a plot: where it covers the fewest points, and of those the
/// nearest; none where it would lie on what is taken, on another name or on its line.
pub fn place(
    point: Point,
    width: f64,
    plot: &Area,
    taken: &[Area],
    named: &[Placed],
    points: &[Point],
) -> Option<Placed> {
    let all = DISTANCES.iter().flat_map(|distance| DIRECTIONS.map(|turn| beside(point, width, *distance, turn)));
    let is_free = |one: &Placed| {
        one.area.is_within(plot)
            && !taken.iter().any(|other| one.area.overlaps(other))
            && !named.iter().any(|other| {
                one.area.overlaps(&other.area) || crosses(other.line, &one.area) || crosses(one.line, &other.area)
            })
    };
    let free = all.map(|area| Placed { area, line: line(point, &area) }).filter(is_free);
    free.map(|one| (points.iter().filter(|point| one.area.holds(**point)).count(), one))
        .min_by_key(|(covered, _)| *covered)
        .map(|(_, one)| one)
}

/// The line from a point to a name, where one is needed.
fn line((x, y): Point, area: &Area) -> Option<(Point, Point)> {
    let end = (x.clamp(area.left, area.right), y.clamp(area.top + 3.0, area.bottom - 3.0));
    ((end.0 - x).hypot(end.1 - y) > LINE_FROM).then_some(((x, y), end))
}

fn crosses(line: Option<(Point, Point)>, area: &Area) -> bool {
    const STEPS: u32 = 40;
    line.is_some_and(|(from, to)| points_between(from, to, STEPS).any(|point| area.holds(point)))
}

/// So many points at equal distances on a straight line, its ends included.
pub fn points_between(from: Point, to: Point, steps: u32) -> impl Iterator<Item = Point> {
    (0..=steps).map(move |step| {
        let share = f64::from(step) / f64::from(steps.max(1));
        (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
    })
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
        let found = place((100.0, 100.0), 80.0, &PLOT, &[], &[], &[(100.0, 100.0)]).expect("room");
        assert_eq!((found.area.left, found.area.right, found.line), (110.0, 190.0, None));
        let found = place((390.0, 100.0), 80.0, &PLOT, &[], &[], &[]).expect("room");
        assert!(found.area.right <= 390.0, "to the left at the right edge");
    }

    #[test]
    fn names_never_overlap_and_go_without_where_all_is_taken() {
        let mut named: Vec<Placed> = Vec::new();
        while let Some(found) = place((200.0, 150.0), 60.0, &PLOT, &[], &named, &[]) {
            for other in &named {
                assert!(!found.area.overlaps(&other.area) && !crosses(found.line, &other.area));
                assert!(!crosses(other.line, &found.area));
            }
            named.push(found);
        }
        assert!(named.len() >= 4, "{named:?}");
        assert_eq!(place((50.0, 280.0), 120.0, &PLOT, &[PLOT], &[], &[]), None);
    }
}
