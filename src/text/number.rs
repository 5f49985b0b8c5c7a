//! Numbers and durations as people read them, in every report alike.

/// Keeps a number and its unit on one line.
pub const NO_BREAK: char = '\u{a0}';

const MILLION: f64 = 1e6;
/// A spread below this share of its mean is left out.
const NEGLIGIBLE: f64 = 0.005;

/// A number with thousands set apart: whole from 100 on, with one decimal from 10 on and two below, without idle zeros.
pub fn human(value: f64) -> String {
    let decimals = decimals(value);
    fixed(value, decimals)
}

/// A number that takes little room: in millions (M) from a million on.
pub fn compact(value: f64) -> String {
    match value.abs() {
        magnitude if magnitude >= MILLION => format!("{}{NO_BREAK}M", human(value / MILLION)),
        _ => human(value),
    }
}

/// A mean with half the width of its interval, such as `3 120 ± 640`; without it where it is below half a per cent.
pub fn with_spread(mean: f64, half_width: f64) -> String {
    let (unit, suffix) = if mean.abs() >= MILLION { (MILLION, "M") } else { (1.0, "") };
    let spread = fixed(half_width / unit, decimals(mean / unit));
    if half_width <= mean.abs() * NEGLIGIBLE || spread == "0" {
        return compact(mean);
    }
    let gap = if suffix.is_empty() { "" } else { "\u{a0}" };
    format!("{}{NO_BREAK}±{NO_BREAK}{spread}{gap}{suffix}", human(mean / unit))
}

/// A share of 1 in per cent, with as many decimals as it takes to tell nearly all from all.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    let gap = value.min(100.0 - value).abs();
    let decimals = match gap {
        0.0 => 0,
        gap if gap >= 10.0 => 0,
        gap if gap >= 1.0 => 1,
        gap if gap >= 0.1 => 2,
        _ => 3,
    };
    let text = fixed(value, decimals);
    let text = match text.as_str() {
        "100" if share < 1.0 => "over 99.999".to_owned(),
        "0" if share > 0.0 => "under 0.001".to_owned(),
        _ => text,
    };
    format!("{text}{NO_BREAK}%")
}

/// A duration in its two leading units, such as `1 min 30 s`.
pub fn duration(seconds: f64) -> String {
    if seconds.abs() < 1.0 && seconds != 0.0 {
        return format!("{}{NO_BREAK}ms", human(seconds * 1_000.0));
    }
    if seconds.abs() < 100.0 {
        return format!("{}{NO_BREAK}s", human(seconds));
    }
    let units: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)];
    let total = seconds.abs().round() as u64;
    let leading = units.iter().position(|unit| total >= unit.1).unwrap_or(units.len() - 1);
    let (name, length) = units[leading];
    let sign = if seconds < 0.0 { "−" } else { "" };
    let Some((next_name, next_length)) = units.get(leading + 1) else {
        return format!("{sign}{total}{NO_BREAK}{name}");
    };
    // Rounding to the second unit may carry over into the first.
    let rounded = (total + next_length / 2) / next_length * next_length;
    let (whole, rest) = (rounded / length, rounded % length / next_length);
    match rest {
        0 => format!("{sign}{}{NO_BREAK}{name}", grouped(&whole.to_string())),
        rest => format!("{sign}{}{NO_BREAK}{name}{NO_BREAK}{rest}{NO_BREAK}{next_name}", grouped(&whole.to_string())),
    }
}

/// A duration with half the width of its interval.
pub fn duration_with_spread(mean_s: f64, half_width_s: f64) -> String {
    // Tenths of a second say nothing beside minutes.
    let spread_s = if mean_s.abs() >= 100.0 { half_width_s.round() } else { half_width_s };
    if spread_s == 0.0 || half_width_s <= mean_s.abs() * NEGLIGIBLE {
        duration(mean_s)
    } else {
        format!("{}{NO_BREAK}±{NO_BREAK}{}", duration(mean_s), duration(spread_s))
    }
}

/// The mean of a count: whole from 10 on, since nobody sends a third of a message, and with one decimal below, where
/// rounding would turn something into nothing.
pub fn mean_count(value: f64) -> String {
    match value {
        small if small > 0.0 && small < 0.05 => "under 0.1".to_owned(),
        small if small.abs() < 9.95 => fixed(value, 1),
        _ => fixed(value, 0),
    }
}

/// The mean of a count with its noun, which takes an `s` unless the count reads as one.
pub fn counted(value: f64, noun: &str) -> String {
    let number = mean_count(value);
    let ending = if number == "1" { "" } else { "s" };
    format!("{number}{NO_BREAK}{noun}{ending}")
}

fn decimals(value: f64) -> usize {
    match value.abs() {
        magnitude if magnitude >= 99.95 => 0,
        magnitude if magnitude >= 9.995 => 1,
        _ => 2,
    }
}

fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    let is_zero = fraction.is_empty() && whole == "0";
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{}{point}{fraction}", grouped(whole))
}

fn grouped(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(NO_BREAK);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: String) -> String {
        text.replace(NO_BREAK, " ")
    }

    #[test]
    fn numbers_have_the_digits_that_matter() {
        let cases = [
            (0.0, "0"),
            (-0.001, "0"),
            (0.25, "0.25"),
            (1.0, "1"),
            (9.999, "10"),
            (12.34, "12.3"),
            (99.96, "100"),
            (3_540.4, "3 540"),
            (1_234_567.0, "1 234 567"),
            (-1_500.0, "−1 500"),
            (f64::NAN, "–"),
        ];
        for (value, expected) in cases {
            assert_eq!(plain(human(value)), expected);
        }
    }

    #[test]
    fn spreads_show_where_they_matter() {
        assert_eq!(plain(with_spread(3_120.0, 640.2)), "3 120 ± 640");
        assert_eq!(plain(with_spread(720_000.0, 80.0)), "720 000");
        assert_eq!(plain(with_spread(1_642_944.0, 205_368.0)), "1.64 ± 0.21 M");
        assert_eq!(plain(with_spread(1_642_944.0, 5.0)), "1.64 M");
        assert_eq!(plain(with_spread(0.4, 0.3)), "0.4 ± 0.3");
        assert_eq!(plain(with_spread(0.0, 0.0)), "0");
        assert_eq!(plain(duration_with_spread(423.0, 22.0)), "7 min 3 s ± 22 s");
    }

    #[test]
    fn durations_read_in_two_units() {
        let cases = [
            (0.0, "0 s"),
            (0.054, "54 ms"),
            (1.5, "1.5 s"),
            (90.0, "90 s"),
            (120.0, "2 min"),
            (423.4, "7 min 3 s"),
            (3_599.6, "1 h"),
            (7_170.0, "2 h"),
            (43_200.0, "12 h"),
            (90_000.0, "1 d 1 h"),
        ];
        for (value, expected) in cases {
            assert_eq!(plain(duration(value)), expected);
        }
    }

    #[test]
    fn nearly_all_is_not_all() {
        let cases = [
            (1.0, "100 %"),
            (0.0, "0 %"),
            (0.995_67, "99.57 %"),
            (0.5, "50 %"),
            (0.999_999_99, "over 99.999 %"),
            (1e-9, "under 0.001 %"),
        ];
        for (value, expected) in cases {
            assert_eq!(plain(percent(value)), expected);
        }
    }

    #[test]
    fn means_of_counts_are_whole_where_that_loses_nothing() {
        let cases = [(0.0, "0"), (0.01, "under 0.1"), (0.3, "0.3"), (5.333, "5.3"), (9.97, "10"), (23.33, "23")];
        for (value, expected) in cases {
            assert_eq!(plain(mean_count(value)), expected);
        }
    }

    #[test]
    fn nouns_follow_their_count() {
        assert_eq!(plain(counted(1.0, "message")), "1 message");
        assert_eq!(plain(counted(3_120.0, "message")), "3 120 messages");
        assert_eq!(plain(counted(0.0, "message")), "0 messages");
    }
}
