//! Which candidates are not beaten in two things at once.

/// The places of the points that no other beats: none is as low in both and lower in one. In the order of the first
/// number; of equal points the first.
pub(super) fn front(points: &[(f64, f64)]) -> Vec<usize> {
    let is_number = |&index: &usize| points[index].0.is_finite() && points[index].1.is_finite();
    let mut order: Vec<usize> = (0..points.len()).filter(is_number).collect();
    order.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0).then(points[a].1.total_cmp(&points[b].1)));
    let mut lowest = f64::INFINITY;
    order.retain(|&index| {
        let is_lower = points[index].1 < lowest;
        lowest = lowest.min(points[index].1);
        is_lower
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beaten_in_both_is_not_on_the_front() {
        let points = [(1.0, 9.0), (2.0, 9.0), (2.0, 4.0), (3.0, 5.0), (5.0, 1.0), (5.0, 1.0), (f64::NAN, 0.0)];
        assert_eq!(front(&points), [0, 2, 4]);
        assert_eq!(front(&[]), [0_usize; 0]);
    }
}
