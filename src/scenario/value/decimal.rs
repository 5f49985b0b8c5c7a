//! Exact decimal numbers: `12.5` is 125 tenths, not a float.

/// A number in decimal notation, without sign and exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: u128,
    /// Digits behind the point.
    scale: u32,
}

impl Decimal {
    /// Most digits on both sides of the point together; more than any sensible value has.
    const MOST_DIGITS: usize = 24;

    /// Reads digits with at most one point inside: `30`, `0.5`; not `.5`, `5.`, `1e3` or `-1`.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let digits_only = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits_only(whole) || !digits_only(fraction) || whole.len() + fraction.len() > Self::MOST_DIGITS {
            return None;
        }
        let digits = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { digits, scale: fraction.len() as u32 })
    }

    /// The number times a unit, if that is whole and fits.
    pub fn times(self, unit: u64) -> Option<u64> {
        let product = self.digits.checked_mul(unit.into())?;
        let divisor = 10_u128.pow(self.scale);
        (product % divisor == 0).then(|| u64::try_from(product / divisor).ok())?
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.digits as f64 / 10_f64.powi(self.scale as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(Decimal::parse("0.1").and_then(|value| value.times(1_000_000)), Some(100_000));
        assert_eq!(Decimal::parse("1.0000001").and_then(|value| value.times(1_000_000)), None);
        for wrong in ["", ".", ".5", "5.", "1e3", "-1", "+1", "1.2.3", "1 2", "9999999999999999999999999"] {
            assert_eq!(Decimal::parse(wrong), None, "{wrong}");
        }
    }
}
