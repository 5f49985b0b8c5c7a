//! Simulated time: whole microseconds since the start of the run, as plain `u64`.
//!
//! Integers make runs identical on every machine. Names carry the unit (`now_us`, `delay_us`).

/// One microsecond, the smallest step of simulated time.
pub const MICROSECOND_US: u64 = 1;
/// One millisecond in microseconds.
pub const MILLISECOND_US: u64 = 1_000;
/// One second in microseconds.
pub const SECOND_US: u64 = 1_000_000;
/// One minute in microseconds.
pub const MINUTE_US: u64 = 60 * SECOND_US;
/// One hour in microseconds.
pub const HOUR_US: u64 = 60 * MINUTE_US;
/// One day in microseconds.
pub const DAY_US: u64 = 24 * HOUR_US;

/// The given microseconds as seconds, for reports.
///
/// ```
/// assert_eq!(retrystorm::engine::time::seconds(1_500_000), 1.5);
/// ```
pub fn seconds(duration_us: u64) -> f64 {
    duration_us as f64 / SECOND_US as f64
}

/// The units of a written duration, from long to short; `m` is a minute and never a month.
pub const UNITS: [(&str, u64); 6] =
    [("d", DAY_US), ("h", HOUR_US), ("m", MINUTE_US), ("s", SECOND_US), ("ms", MILLISECOND_US), ("us", MICROSECOND_US)];

/// A duration as people write it, and as scenarios read it.
///
/// ```
/// use retrystorm::engine::time::written;
///
/// assert_eq!([written(0), written(90_000_000), written(50_000)], ["0s", "1m30s", "50ms"]);
/// ```
pub fn written(duration_us: u64) -> String {
    if duration_us == 0 {
        return "0s".to_owned();
    }
    let mut rest_us = duration_us;
    let mut text = String::new();
    for (name, unit_us) in UNITS {
        if rest_us >= unit_us {
            text += &format!("{}{name}", rest_us / unit_us);
            rest_us %= unit_us;
        }
    }
    text
}
