//! Times as they are, to the microsecond: whoever reads a trace adds them up.

use crate::engine::time::{MILLISECOND_US, SECOND_US};

/// A time in seconds, or in milliseconds below one.
///
/// ```
/// use retrystorm::trace::exact;
///
/// assert_eq!([exact(0), exact(20_000), exact(250), exact(90_050_000)], ["0 s", "20 ms", "0.25 ms", "90.05 s"]);
/// ```
pub fn exact(duration_us: u64) -> String {
    match duration_us {
        0 => "0 s".to_owned(),
        short if short < SECOND_US => format!("{} ms", decimal(short, MILLISECOND_US)),
        long => format!("{} s", decimal(long, SECOND_US)),
    }
}

/// A quotient by a power of ten, with as many decimals as it has.
fn decimal(value: u64, unit: u64) -> String {
    let width = unit.ilog10() as usize;
    let text = format!("{}.{:0width$}", value / unit, value % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
