//! A four-ary min-heap of packed keys: half the levels of a binary heap, and each level in one cache line.

/// A priority queue of `u128` keys, smallest first. Push and pop are O(log n).
#[derive(Debug, Default)]
pub struct QuaternaryHeap {
    keys: Vec<u128>,
}

/// Children of each node.
const ARITY: usize = 4;

impl QuaternaryHeap {
    /// The smallest key.
    pub fn peek(&self) -> Option<u128> {
        self.keys.first().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds a key.
    pub fn push(&mut self, key: u128) {
        let mut hole = self.keys.len();
        self.keys.push(key);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.keys[parent] <= key {
                break;
            }
            self.keys[hole] = self.keys[parent];
            hole = parent;
        }
        self.keys[hole] = key;
    }

    /// Takes the smallest key out.
    pub fn pop(&mut self) -> Option<u128> {
        let last = self.keys.pop()?;
        let Some(&smallest) = self.keys.first() else { return Some(last) };
        self.sift_down(last);
        Some(smallest)
    }

    /// Puts `key` in the place of the root, which is taken as empty, and restores the order.
    fn sift_down(&mut self, key: u128) {
        let keys = &mut self.keys[..];
        let mut hole = 0;
        loop {
            let first_child = hole * ARITY + 1;
            if first_child >= keys.len() {
                break;
            }
            let end = (first_child + ARITY).min(keys.len());
            let mut smallest_child = first_child;
            for child in first_child + 1..end {
                if keys[child] < keys[smallest_child] {
                    smallest_child = child;
                }
            }
            if keys[smallest_child] >= key {
                break;
            }
            keys[hole] = keys[smallest_child];
            hole = smallest_child;
        }
        keys[hole] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pops_in_ascending_order(keys in prop::collection::vec(any::<u128>(), 0..300)) {
            let mut heap = QuaternaryHeap::default();
            keys.iter().for_each(|&key| heap.push(key));
            let mut popped = Vec::new();
            while let Some(key) = heap.pop() {
                popped.push(key);
            }
            let mut sorted = keys;
            sorted.sort_unstable();
            prop_assert_eq!(popped, sorted);
        }
    }
}
