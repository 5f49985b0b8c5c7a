//! Labels beside a plot that stand near what they name and never on each other.

/// Moves wanted heights apart so that each has `space` to itself between `top` and `bottom`, in the same order.
///
/// Where there is not room for all, they are packed from the top.
pub fn spread(wanted: &[f64], space: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut placed = wanted.to_vec();
    let mut lowest = bottom - space;
    for index in order.iter().rev() {
        placed[*index] = placed[*index].min(lowest);
        lowest = placed[*index] - space;
    }
    let mut highest = top;
    for index in order {
        placed[index] = placed[index].max(highest);
        highest = placed[index] + space;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_free_and_parts_what_collides() {
        assert_eq!(spread(&[10.0, 100.0], 40.0, 0.0, 300.0), [10.0, 100.0]);
        assert_eq!(spread(&[100.0, 100.0, 90.0], 40.0, 0.0, 300.0).len(), 3);
        for wanted in [vec![100.0, 100.0, 90.0], vec![290.0, 280.0, 299.0], vec![-50.0, 0.0, 3.0]] {
            let mut placed = spread(&wanted, 40.0, 0.0, 300.0);
            placed.sort_by(f64::total_cmp);
            assert!(placed[0] >= 0.0 && placed[2] + 40.0 <= 300.0);
            assert!(placed.windows(2).all(|pair| pair[1] - pair[0] >= 40.0), "{placed:?}");
        }
    }
}
