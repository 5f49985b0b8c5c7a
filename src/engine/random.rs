//! Named random streams: the same seed, replication and name give the same numbers on every machine.
//!
//! Two kinds. A *sequential* stream is drawn in order (arrivals). A *keyed* stream belongs to messages and attempts: the
//! draw depends on nothing but its key, never on what happened before. So two variants give the same message the same
//! service time and the same luck, even after their runs have parted, and the difference between them is their own
//! (common random numbers).

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The family of all streams of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    replication: u32,
}

impl Streams {
    /// The streams of a replication under a seed.
    pub fn new(seed: u64, replication: u32) -> Self {
        Self { seed, replication }
    }

    /// A stream to be drawn in order. `number` tells streams of the same name apart.
    pub fn sequential(&self, name: &str, number: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::from_rng(&mut self.source(name, number))
    }

    /// A stream whose draws belong to a message and an attempt.
    pub fn keyed(&self, name: &str) -> KeyedStream {
        KeyedStream { key: self.source(name, 0).next_u64() }
    }

    /// A cipher makes streams of related seeds and names unrelated.
    fn source(&self, name: &str, number: u64) -> ChaCha8Rng {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..12].copy_from_slice(&self.replication.to_le_bytes());
        seed[16..24].copy_from_slice(&number.to_le_bytes());
        let mut source = ChaCha8Rng::from_seed(seed);
        source.set_stream(fnv1a(name));
        source
    }
}

/// FNV-1a, 64 bits: a fixed number for a name.
fn fnv1a(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A stream whose draws depend on their key only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyedStream {
    key: u64,
}

impl KeyedStream {
    /// The draw of a message's attempt.
    #[inline]
    pub fn draw(&self, message: u64, attempt: u64) -> KeyedDraw {
        KeyedDraw { state: mix(mix(self.key ^ message).wrapping_add(attempt.wrapping_mul(GOLDEN_RATIO))) }
    }
}

/// The random numbers of one draw: SplitMix64 (Steele, Lea and Flood 2014), started at a hash of the key.
#[derive(Debug, Clone)]
pub struct KeyedDraw {
    state: u64,
}

/// 2^64 divided by the golden ratio: the increment of SplitMix64.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64: every input bit reaches every output bit.
#[inline]
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl KeyedDraw {
    /// Uniform over the whole numbers 0 to `largest`, both included; the bias is below 2^-31 for any `u32`.
    ///
    /// ```
    /// use retrystorm::engine::random::Streams;
    ///
    /// let mut draw = Streams::new(42, 0).keyed("jitter").draw(1, 1);
    /// assert!(draw.up_to(10) <= 10);
    /// assert_eq!(draw.up_to(0), 0);
    /// ```
    #[inline]
    pub fn up_to(&mut self, largest: u32) -> u32 {
        ((u128::from(self.next_u64()) * (u128::from(largest) + 1)) >> 64) as u32
    }

    /// Uniform from 0 to 1, without 1.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }
}

impl TryRng for KeyedDraw {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next_u64() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.state = self.state.wrapping_add(GOLDEN_RATIO);
        Ok(mix(self.state))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_depend_on_seed_replication_name_and_number() {
        let first =
            |seed, replication, name: &str, number| Streams::new(seed, replication).sequential(name, number).next_u64();
        let reference = first(1, 0, "arrivals", 0);
        assert_eq!(reference, first(1, 0, "arrivals", 0));
        for other in [
            first(2, 0, "arrivals", 0),
            first(1, 1, "arrivals", 0),
            first(1, 0, "service", 0),
            first(1, 0, "arrivals", 1),
        ] {
            assert_ne!(reference, other);
        }
    }

    #[test]
    fn a_keyed_draw_depends_on_its_key_and_not_on_the_order() {
        let stream = Streams::new(1, 0).keyed("service");
        let later = stream.draw(7, 2).next_u64();
        stream.draw(8, 1).next_u64();
        assert_eq!(later, stream.draw(7, 2).next_u64());
        assert_ne!(later, stream.draw(7, 1).next_u64());
        assert_ne!(later, stream.draw(2, 7).next_u64());
    }

    /// Neighbouring messages and attempts must not resemble one another: chi-square over 31 cells.
    #[test]
    fn keyed_draws_are_uniform_over_neighbouring_keys() {
        let stream = Streams::new(3, 0).keyed("jitter");
        let mut cells = [0_u32; 31];
        for message in 0..31_000 {
            for attempt in 1..=10 {
                cells[stream.draw(message, attempt).up_to(30) as usize] += 1;
            }
        }
        let chi_square: f64 = cells.iter().map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4).sum();
        assert!((10.0..60.0).contains(&chi_square), "30 degrees of freedom; 99.9 % lie below 59.7: {chi_square}");
    }

    /// A change of these numbers changes every published result.
    #[test]
    fn golden_fingerprint() {
        let streams = Streams::new(42, 3);
        assert_eq!(streams.sequential("arrivals", 0).next_u64(), 8_364_828_141_030_924_554);
        assert_eq!(streams.keyed("service").draw(12, 1).next_u64(), 8_526_337_813_120_987_684);
    }
}
