//! Words for what a study looked at, and text that fits where it must.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::number;
use crate::measure::Metric;
use crate::scenario::{Bound, Comparison, Quantity};
use crate::study::{Estimate, Proportion, StudyResult};

/// The name of the scenario's variant with that index.
pub fn variant_name(result: &StudyResult, index: usize) -> &str {
    result.scenario.variants.get(index).map_or("unknown variant", |variant| &variant.name)
}

/// What was looked at, such as `calls from 30 s to 90 s`.
pub fn quantity(result: &StudyResult, quantity: Quantity) -> String {
    let name = quantity.metric_name(&result.scenario.alarms);
    match quantity {
        Quantity::Metric(_) | Quantity::Fact(_) | Quantity::Alarm { .. } => name,
        Quantity::Window { from_s, until_s, .. } => {
            format!("{name} from {} to {}", number::duration(from_s as f64), number::duration(until_s as f64))
        }
        Quantity::Level { at_s, .. } => format!("{name} at {}", number::duration(at_s as f64)),
    }
}

/// A value of a quantity in its unit.
pub fn value(of: Quantity, value: f64) -> String {
    match of {
        Quantity::Fact(_) => format!("{}{}%", number::human(value * 100.0), number::NO_BREAK),
        _ if of.is_time() => number::duration(value),
        _ => number::human(value),
    }
}

/// What was found of a quantity: its mean and half the width of its interval; of a fact, in how many runs it was so.
pub fn found(of: Quantity, found: Option<Estimate>) -> String {
    let Some(estimate) = found else { return "never observed".to_owned() };
    if let Quantity::Fact(_) = of {
        return format!("in {}", proportion(estimate.proportion()));
    }
    let half_width = half_width(estimate);
    if of.is_time() {
        number::duration_with_spread(estimate.mean, half_width)
    } else {
        number::with_spread(estimate.mean, half_width)
    }
}

/// Half the width of an estimate's interval.
pub fn half_width(estimate: Estimate) -> f64 {
    (estimate.hi - estimate.lo) / 2.0
}

/// A value of a metric in its unit.
pub fn metric_value(metric: Metric, value: f64) -> String {
    self::value(Quantity::Metric(metric), value)
}

/// In how many of all runs something was so, such as `7 of 20 runs, 95 % [18 %, 57 %]`.
pub fn proportion(of: Proportion) -> String {
    let runs = if of.n == 1 { "run" } else { "runs" };
    format!("{} of {} {runs}, 95 % [{}, {}]", of.k, of.n, whole_percent(of.lo), whole_percent(of.hi))
}

/// A probability in whole per cent: the ends of an interval claim no more.
pub fn whole_percent(share: f64) -> String {
    format!("{:.0}{}%", share * 100.0, number::NO_BREAK)
}

/// The comparison's name in result files.
pub fn comparison_name(comparison: &Comparison) -> &'static str {
    match comparison {
        Comparison::Equals(_) => "equals",
        Comparison::Below(_) => "below",
        Comparison::AtMost(_) => "at_most",
        Comparison::Above(_) => "above",
        Comparison::AtLeast(_) => "at_least",
        Comparison::Between(..) => "between",
    }
}

/// What was expected with the number that came of it, such as `below 2` or `below 0.02 × no-backoff (3 600)`.
pub fn expected(result: &StudyResult, of: Quantity, comparison: &Comparison, numbers: &[f64]) -> String {
    let rule = rule(result, of, comparison);
    if comparison.other_variant().is_none() {
        return rule;
    }
    let resolved = numbers.first().map_or("undefined".to_owned(), |number| value(of, *number));
    format!("{rule} ({resolved})")
}

/// What is expected, whatever was found.
pub fn rule(result: &StudyResult, of: Quantity, comparison: &Comparison) -> String {
    let single = |bound: &Bound| match bound {
        Bound::Number(number) => value(of, *number),
        Bound::Variant { variant, times, plus } => {
            let name = truncated(variant_name(result, *variant), 24);
            let multiple = if *times == 1.0 { String::new() } else { format!("{} × ", number::human(*times)) };
            let distance = match *plus {
                0.0 => String::new(),
                more if more > 0.0 => format!(" + {}", value(of, more)),
                less => format!(" − {}", value(of, -less)),
            };
            format!("{multiple}{name}{distance}")
        }
    };
    match comparison {
        Comparison::Equals(bound) => format!("equal to {}", single(bound)),
        Comparison::Below(bound) => format!("below {}", single(bound)),
        Comparison::AtMost(bound) => format!("at most {}", single(bound)),
        Comparison::Above(bound) => format!("above {}", single(bound)),
        Comparison::AtLeast(bound) => format!("at least {}", single(bound)),
        Comparison::Between(low, high) => format!("between {} and {}", value(of, *low), value(of, *high)),
    }
}

/// The text without characters that steer a terminal, reverse the reading order or are forbidden in XML.
pub fn clean(text: &str) -> String {
    let steers = |character: char| {
        character.is_control()
            || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}')
    };
    text.chars().map(|character| if steers(character) { '\u{fffd}' } else { character }).collect()
}

/// The last keys of a path, enough to know it by: two, and the list before a number.
pub fn short_path(path: &str) -> String {
    let keys: Vec<&str> = path.split('.').collect();
    let from = keys.len().saturating_sub(2);
    let is_number = |key: &str| key.bytes().all(|byte| byte.is_ascii_digit());
    let from = if is_number(keys[from]) { from.saturating_sub(1) } else { from };
    clean(&keys[from..].join("."))
}

/// The text, cut to a display width with an ellipsis where it is wider.
pub fn truncated(text: &str, width: usize) -> String {
    let text = clean(text);
    if text.width() <= width {
        return text;
    }
    let mut cut = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character.width().unwrap_or(0);
        if used >= width {
            break;
        }
        cut.push(character);
    }
    format!("{}…", cut.trim_end())
}

/// The text, filled up to a display width with spaces.
pub fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// The text in lines of at most a display width; a word that is wider is broken.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in clean(text).split(' ').filter(|word| !word.is_empty()) {
        for piece in pieces(word, width) {
            let Some(line) = lines.last_mut() else { continue };
            if line.is_empty() {
                line.push_str(&piece);
            } else if line.width() + 1 + piece.width() <= width {
                line.push(' ');
                line.push_str(&piece);
            } else {
                lines.push(piece);
            }
        }
    }
    lines
}

fn pieces(word: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for character in word.chars() {
        let character_width = character.width().unwrap_or(0);
        if used + character_width > width && used > 0 {
            pieces.push(String::new());
            used = 0;
        }
        used += character_width;
        if let Some(piece) = pieces.last_mut() {
            piece.push(character);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_counts_columns_of_the_terminal() {
        assert_eq!(truncated("no-backoff", 10), "no-backoff");
        assert_eq!(truncated("no-backoff", 9), "no-backo…");
        assert_eq!(truncated("日本語日本語", 6), "日本…");
        assert_eq!(truncated("a\u{1b}[31mb\u{202e}", 20), "a\u{fffd}[31mb\u{fffd}");
    }

    #[test]
    fn short_paths_say_enough() {
        assert_eq!(short_path("policy.backoff.exponential.base"), "exponential.base");
        assert_eq!(short_path("downstream.outages.0.for"), "outages.0.for");
        assert_eq!(short_path("duration"), "duration");
    }

    #[test]
    fn wrapping_never_exceeds_the_width() {
        let lines = wrapped("a lease of 30 s cannot end within nothing-at-all-of-any-length", 12);
        assert_eq!(lines, ["a lease of", "30 s cannot", "end within", "nothing-at-a", "ll-of-any-le", "ngth"]);
        assert_eq!(wrapped("", 10), [""]);
    }
}
