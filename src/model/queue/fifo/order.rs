//! The order in which messages arrived in a FIFO queue.

/// All messages in the order of their arrival, as a list through their slots; and how far the search for groups that are
/// free gets (rule F6, search depth). Each step costs O(1).
#[derive(Debug)]
pub(super) struct ArrivalOrder {
    places: Vec<Position>,
    first: u32,
    last: u32,
    /// The last message that is searched, and how many are.
    last_searched: u32,
    searched: usize,
    look_ahead: usize,
    last_sequence: u64,
}

#[derive(Debug, Clone, Copy)]
struct Position {
    sequence: u64,
    previous: u32,
    next: u32,
}

/// Stands for no slot.
const NONE: u32 = u32::MAX;

impl ArrivalOrder {
    pub fn new(look_ahead: u32) -> Self {
        let look_ahead = look_ahead as usize;
        Self {
            places: Vec::new(),
            first: NONE,
            last: NONE,
            last_searched: NONE,
            searched: 0,
            look_ahead,
            last_sequence: 0,
        }
    }

    /// Adds a message at the end; returns its number in the order.
    pub fn push(&mut self, slot: u32) -> u64 {
        self.last_sequence += 1;
        let position = Position { sequence: self.last_sequence, previous: self.last, next: NONE };
        match self.places.get_mut(slot as usize) {
            Some(place) => *place = position,
            None => self.places.push(position),
        }
        match self.last {
            NONE => self.first = slot,
            last => self.places[last as usize].next = slot,
        }
        self.last = slot;
        if self.searched < self.look_ahead {
            self.searched += 1;
            self.last_searched = slot;
        }
        self.last_sequence
    }

    /// Takes a message out: the search gets one message further.
    pub fn remove(&mut self, slot: u32) {
        if self.is_searched(self.sequence(slot)) {
            let following = self.places[self.last_searched as usize].next;
            if following != NONE {
                self.last_searched = following;
            } else {
                self.searched -= 1;
                if slot == self.last_searched {
                    self.last_searched = self.places[slot as usize].previous;
                }
            }
        }
        let Position { previous, next, .. } = self.places[slot as usize];
        match previous {
            NONE => self.first = next,
            previous => self.places[previous as usize].next = next,
        }
        match next {
            NONE => self.last = previous,
            next => self.places[next as usize].previous = previous,
        }
    }

    /// The number of a message in the order.
    #[inline]
    pub fn sequence(&self, slot: u32) -> u64 {
        self.places[slot as usize].sequence
    }

    /// Whether the search gets as far as that number.
    #[inline]
    pub fn is_searched(&self, sequence: u64) -> bool {
        self.last_searched != NONE && sequence <= self.sequence(self.last_searched)
    }

    /// The message that arrived first.
    #[inline]
    pub fn first(&self) -> Option<u32> {
        (self.first != NONE).then_some(self.first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots from the first on, and how many of them are searched.
    fn slots(order: &ArrivalOrder) -> (Vec<u32>, usize) {
        let following = |&slot: &u32| Some(order.places[slot as usize].next).filter(|&next| next != NONE);
        let slots: Vec<u32> = std::iter::successors(order.first(), following).collect();
        let searched = slots.iter().filter(|&&slot| order.is_searched(order.sequence(slot))).count();
        (slots, searched)
    }

    #[test]
    fn messages_leave_from_anywhere_and_the_search_moves_on() {
        let mut order = ArrivalOrder::new(2);
        (0..5).for_each(|slot| assert_eq!(order.push(slot), u64::from(slot) + 1));
        assert_eq!(slots(&order), (vec![0, 1, 2, 3, 4], 2));
        order.remove(1);
        assert_eq!(slots(&order), (vec![0, 2, 3, 4], 2));
        order.remove(4);
        assert_eq!(slots(&order), (vec![0, 2, 3], 2));
        order.remove(2);
        assert_eq!(slots(&order), (vec![0, 3], 2));
        order.remove(3);
        assert_eq!(slots(&order), (vec![0], 1));
        order.remove(0);
        assert_eq!((slots(&order), order.first()), ((vec![], 0), None));
        order.push(4);
        assert_eq!(slots(&order), (vec![4], 1));
    }
}
