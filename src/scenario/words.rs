//! The nearest right word.

use super::text::quoted;
use crate::measure::Metric;

/// How alike two words must be, from 0 to 1, before one is suggested for the other.
const ALIKE: f64 = 0.55;

/// Most words that a message lists.
const MOST_LISTED: usize = 12;

/// The candidate most like a word, if any is alike enough.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST_WORD: usize = 100;
    if word.len() > LONGEST_WORD {
        return None;
    }
    let tidy = |text: &str| text.to_lowercase().replace(['-', ' ', '.'], "_");
    let word = tidy(word);
    candidates
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&word, &tidy(candidate)), candidate))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|left, right| left.0.total_cmp(&right.0))
        .map(|(_, candidate)| candidate)
}

/// The word that was probably meant, if one is alike enough.
pub fn nearest_word<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    nearest(word, candidates.iter().copied())
}

/// The metric of a run that has the name.
///
/// # Errors
/// Where there is none: a sentence with the nearest name.
pub fn metric_named(name: &str) -> Result<Metric, String> {
    let names = || Metric::ALL.iter().map(|metric| metric.name());
    Metric::from_name(name).ok_or_else(|| match nearest(name, names()) {
        Some(nearest) => format!("there is no metric {}: did you mean `{nearest}`?", quoted(name)),
        None => format!("there is no metric {}; docs/metrics.md lists them all", quoted(name)),
    })
}

/// A help line: the nearest word if there is one, then everything that is allowed.
pub(super) fn did_you_mean(word: &str, candidates: &[&str], owner: &str) -> String {
    let allowed = format!("{owner} takes {}", list(candidates));
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?\n{allowed}"),
        None => allowed,
    }
}

/// Words as a list in a sentence.
pub(super) fn list(words: &[&str]) -> String {
    let shown: Vec<String> = words.iter().take(MOST_LISTED).map(|word| quoted(word)).collect();
    let more = if words.len() > MOST_LISTED { " and others" } else { "" };
    shown.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_forgives_case_and_hyphens() {
        let keys = ["visibility_timeout", "retention", "redrive"];
        assert_eq!(nearest("Visibility-Timeout", keys), Some("visibility_timeout"));
        assert_eq!(nearest("retension", keys), Some("retention"));
        assert_eq!(nearest("colour", keys), None);
    }
}
