//! The nearest right word.

pub(super) use super::text::nearest;
use super::text::quoted;
use crate::measure::Metric;

/// Most words that a message lists.
const MOST_LISTED: usize = 12;

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
