//! What calls have brought about, and what they have brought about twice.

const BITS: u64 = u64::BITS as u64;

/// Business keys whose effect has happened. Keys are numbers from 0 on without large gaps, so a bit for each is enough.
#[derive(Debug, Default)]
pub(super) struct Effects {
    happened: Vec<u64>,
    /// Effects so far.
    pub count: u64,
    /// Those of a key that had had its effect before.
    pub repeated: u64,
}

impl Effects {
    /// The effect of that key happens.
    #[inline]
    pub fn happen(&mut self, key: u64) {
        let (word, bit) = ((key / BITS) as usize, 1 << (key % BITS));
        if self.happened.len() <= word {
            self.make_room_for(word);
        }
        self.count += 1;
        self.repeated += u64::from(self.happened[word] & bit != 0);
        self.happened[word] |= bit;
    }

    /// Counts anew; what has happened stays known.
    pub fn count_anew(self) -> Self {
        Self { happened: self.happened, count: 0, repeated: 0 }
    }

    #[cold]
    fn make_room_for(&mut self, word: usize) {
        self.happened.resize(word + 1, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effect_is_repeated_from_the_second_time_on() {
        let mut effects = Effects::default();
        for key in [0, 64, 63, 64, 1_000, 64] {
            effects.happen(key);
        }
        assert_eq!((effects.count, effects.repeated), (6, 2));
    }
}
