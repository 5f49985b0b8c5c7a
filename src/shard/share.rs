//! A share of the runs.

use std::fmt;
use std::str::FromStr;

/// Most shares that the runs of a sweep are divided into.
const MOST: u32 = 1_000_000;

/// The share of one job of several: `2/7` is the second of seven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    index: u32,
    count: u32,
}

impl Share {
    /// All runs.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The share with that number, from 1, of so many; `None` where there is none.
    pub fn new(number: u32, count: u32) -> Option<Self> {
        ((1..=count).contains(&number) && count <= MOST).then(|| Self { index: number - 1, count })
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.index + 1
    }

    /// How many shares there are.
    pub fn count(self) -> u32 {
        self.count
    }

    /// Whether a run belongs to it. Of as many runs in a row as there are shares each share has one, and which one moves
    /// on from row to row: so neither a variant nor a replication always falls to the same share.
    pub fn has(self, run: u64) -> bool {
        let count = u64::from(self.count);
        (run + run / count) % count == u64::from(self.index)
    }

    /// Its runs, in order.
    pub fn runs(self, all: u64) -> impl Iterator<Item = u64> {
        (0..all).filter(move |run| self.has(*run))
    }

    /// The name of its file, without an ending.
    pub fn file_stem(self) -> String {
        let digits = self.count.to_string().len();
        format!("shard-{:0digits$}-of-{}", self.number(), self.count)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.number(), self.count)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not K/N with K from 1 to N, such as 2/7, and N at most {MOST}");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let read = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        Self::new(read(number)?, read(count)?).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_equal_and_have_every_run_once() {
        for count in [1, 2, 3, 7, 20] {
            let shares = (1..=count).filter_map(|number| Share::new(number, count));
            let runs: Vec<Vec<u64>> = shares.map(|share| share.runs(100).collect()).collect();
            let sizes = runs.iter().map(Vec::len);
            assert!(sizes.clone().max() <= sizes.min().map(|size| size + 1), "{count}");
            let mut all: Vec<u64> = runs.concat();
            all.sort_unstable();
            assert_eq!(all, (0..100).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn shares_are_written_as_they_are_read() {
        for text in ["1/1", "2/7", "7/7"] {
            assert_eq!(text.parse::<Share>().map(|share| share.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/2/3", "1/99999999"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
        assert_eq!(Share::new(3, 12).map(Share::file_stem).as_deref(), Some("shard-03-of-12"));
    }
}
