//! The nearest right word.

/// How alike two words must be, from 0 to 1, before one is suggested for the other.
const ALIKE: f64 = 0.55;

/// The candidate most like a word, if any is alike enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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
