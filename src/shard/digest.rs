//! Checksums: enough to tell a torn or a foreign file, not to stop a forger.

use std::fmt::{self, Write};

use crate::scenario::Scenario;
use crate::study::SweepFacts;

/// A checksum of bytes in the making: FNV-1a with 64 bits.
pub(super) struct Checksum(u64);

impl Checksum {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub fn written(&self) -> String {
        format!("{:016x}", self.0)
    }
}

impl Write for Checksum {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

/// What tells a sweep from any other: everything that its runs and its results depend on, the version of this program
/// included. Comments and the order of keys in the file are not part of it.
pub fn fingerprint(points: &[Scenario], facts: &SweepFacts) -> String {
    let mut checksum = Checksum::new();
    // Writing into a checksum cannot fail.
    let _ = write!(checksum, "{} {facts:?}", env!("CARGO_PKG_VERSION"));
    for point in points {
        let _ = write!(checksum, "{point:?}");
    }
    checksum.written()
}
