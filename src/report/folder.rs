//! The name of a study's result folder.

use std::path::Path;

const LONGEST: usize = 80;

/// A folder name for the results of a scenario file: its stem, with nothing in it that any file system minds.
///
/// ```
/// use std::path::Path;
/// use retrystorm::report::folder_name;
///
/// assert_eq!(folder_name(Path::new("scenarios/failover.yaml")), "failover");
/// assert_eq!(folder_name(Path::new("..hidden & odd.yaml")), "hidden-odd");
/// ```
pub fn folder_name(scenario: &Path) -> String {
    let stem = scenario.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = String::new();
    for character in stem.chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') {
            name.push(character);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    // Only ASCII is left, so that any byte is a character boundary. Some systems drop a trailing dot, and some tools
    // take a leading hyphen for an option.
    let edge = ['.', '-'];
    let mut name = name.trim_start_matches(edge).to_owned();
    name.truncate(LONGEST);
    let name = name.trim_end_matches(edge);
    if name.is_empty() || is_reserved(name) { format!("scenario{name}") } else { name.to_owned() }
}

/// Names that Windows keeps for devices, with any extension.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| stem.strip_prefix(prefix).is_some_and(|rest| rest.len() == 1);
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(path: &str) -> String {
        folder_name(Path::new(path))
    }

    #[test]
    fn keeps_only_safe_characters() {
        assert_eq!(named("a/b/naive-vs_exponential.2.yaml"), "naive-vs_exponential.2");
        assert_eq!(named("größe: 10 %.yml"), "gr-e-10");
        assert_eq!(named("../../etc"), "etc");
        assert_eq!(named(".hidden"), "hidden");
    }

    #[test]
    fn is_never_empty_reserved_or_long() {
        for path in ["", "..", "/", "---", "日本語.yaml", "..."] {
            assert_eq!(named(path), "scenario", "{path:?}");
        }
        assert_eq!(named("nul.yaml"), "scenarionul");
        assert_eq!(named(&"x".repeat(500)).len(), LONGEST);
    }
}
