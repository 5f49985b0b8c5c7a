//! Delays as bars of text.

use retrystorm::engine::time::written;

use super::Bar;

/// Columns of the longest bar.
const COLUMNS: usize = 44;

/// A line for each attempt: smallest, mean and largest delay, and a bar from the smallest to the largest, with the mean
/// marked and dots up to it.
pub fn text(bars: &[Bar]) -> String {
    let longest_us = bars.iter().map(|bar| bar.high_us).fold(0.0, f64::max);
    let lines = bars.iter().zip(1..).map(|(bar, attempt)| {
        let [low, mean, high] = [bar.low_us, bar.mean_us, bar.high_us].map(rounded);
        let drawn = drawn(bar, longest_us);
        format!("  {attempt:>2} {low:>9} {mean:>9} {high:>9}  {drawn}").trim_end().to_owned() + "\n"
    });
    format!("   n       min      mean       max\n{}", lines.collect::<String>())
}

/// A duration with three digits that count.
fn rounded(us: f64) -> String {
    let unit_us = match us {
        us if us >= 1e8 => 1e6,
        us if us >= 1e7 => 1e5,
        us if us >= 1e5 => 1e4,
        us if us >= 1e3 => 1e3,
        _ => 1.0,
    };
    let us = ((us / unit_us).round() * unit_us) as u64;
    match us {
        1_000_000..100_000_000 if !us.is_multiple_of(1_000_000) => format!("{}s", us as f64 / 1e6),
        _ => written(us),
    }
}

fn drawn(bar: &Bar, longest_us: f64) -> String {
    let last = (COLUMNS - 1) as f64;
    let column = |us: f64| if longest_us > 0.0 { (us / longest_us * last).round() as usize } else { 0 };
    let (low, mean, high) = (column(bar.low_us), column(bar.mean_us), column(bar.high_us));
    (0..=high)
        .map(|column| match column {
            column if column == mean => '|',
            column if column >= low => '=',
            _ => '.',
        })
        .collect()
}
