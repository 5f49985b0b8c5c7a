//! Comments whose numbers say something else than the value beside them.

use super::Ground;
use super::values::{Numeric, numbers};
use crate::audit::finding::{Example, Rule, Severity};
use crate::audit::model::Setting;
use crate::text::number::{duration, human};

/// Names of units of time, and their lengths in seconds.
const UNITS: [(&[&str], f64); 6] = [
    (&["ms", "millisecond", "milliseconds"], 0.001),
    (&["s", "sec", "secs", "second", "seconds"], 1.0),
    (&["m", "min", "mins", "minute", "minutes"], 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600.0),
    (&["d", "day", "days"], 86_400.0),
    (&["w", "week", "weeks"], 604_800.0),
];

pub static CONTRADICTS: Rule = Rule {
    id: "RS024",
    name: "comment-contradicts",
    severity: Severity::Warning,
    looks_for: "A comment behind a value that says another number.",
    leads_to: "One of the two is wrong, and whoever reads the comment counts on it.",
    remedy: "correct the value or the comment",
    source: "docs/rules.md: the value and the comment themselves.",
    fails: Example { file: "main.tf", text: include_str!("examples/RS024/fails.tf") },
    passes: Example { file: "main.tf", text: include_str!("examples/RS024/passes.tf") },
};

pub fn check(ground: &mut Ground<'_>) {
    for number in numbers(ground.stack).iter().filter(|number| number.unit == "s") {
        let Setting::Known { value, spot } = number.setting else { continue };
        let text = &ground.sources.file(*spot).text;
        let behind = text.get(spot.place.end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let Some(said_s) = comment(behind).and_then(said) else { continue };
        // A comment may round.
        if (said_s - value).abs() > 0.02 * value.abs() {
            ground.report(&CONTRADICTS, *spot, contradiction(number, *value, said_s));
        }
    }
}

fn contradiction(number: &Numeric<'_>, value_s: f64, said_s: f64) -> String {
    let in_words = duration(value_s);
    let plain = format!("{} s", human(value_s));
    let shown = if in_words.replace('\u{a0}', " ") == plain { plain } else { format!("{plain} ({in_words})") };
    format!("`{}` has {} of {shown}, and the comment says {}", number.owner, number.what, duration(said_s))
}

/// The comment that a rest of a line begins with, after what ends the value.
fn comment(behind: &str) -> Option<&str> {
    let rest = behind.trim_start_matches(['"', '\'', ',', ' ', '\t', ')', '}', ';']);
    rest.strip_prefix('#').or_else(|| rest.strip_prefix("//")).map(str::trim)
}

/// The time that a comment says, where it says one alone: `30 seconds`, `4 days (the default)`.
fn said(comment: &str) -> Option<f64> {
    let comment = comment.trim_start_matches(['~', '=', '≈', ' ']);
    let digits = comment.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(comment.len());
    let count: f64 = comment[..digits].parse().ok()?;
    let rest = comment[digits..].trim_start();
    let word = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
    let unit = rest[..word].to_lowercase();
    let length_s = UNITS.iter().find(|(names, _)| names.contains(&unit.as_str())).map(|(_, length_s)| length_s)?;
    let after = rest[word..].trim_start();
    let says_no_more = after.is_empty() || after.starts_with(['(', ',', ';', '.', ':']);
    (says_no_more && !after.contains(|letter: char| letter.is_ascii_digit())).then_some(count * length_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_says_a_time_where_it_says_nothing_else() {
        assert_eq!(said("30 seconds"), Some(30.0));
        assert_eq!(said("~ 4 days (the default)"), Some(345_600.0));
        assert_eq!(said("1.5h"), Some(5_400.0));
        for other in ["30 seconds more than the handler", "6 x 30 s", "30 s x 6", "the limit", "5 m, or 300 s", "30"] {
            assert_eq!(said(other), None, "{other}");
        }
    }

    #[test]
    fn a_comment_begins_behind_the_value() {
        assert_eq!(comment(",  # 30 s"), Some("30 s"));
        assert_eq!(comment(" // 30 s"), Some("30 s"));
        assert_eq!(comment(" * 2 # 30 s"), None);
    }
}
