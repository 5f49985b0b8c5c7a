//! `retrystorm explain`

mod key;
mod metric;
mod rule;

use std::collections::BTreeSet;

use clap::Args;
use retrystorm::scenario::{self, FoundKeys, Key, find_keys, keys};

use super::names::NameOf;
use super::page::{hanging, paragraph};
use super::{CliError, Ending, print};

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  retrystorm explain
  retrystorm explain queue.visibility_timeout
  retrystorm explain visibility_timeout
  retrystorm explain policy.backoff.exponential.base
  retrystorm explain dead_lettered.valid
  retrystorm explain Q7")]
pub struct ExplainArguments {
    /// A key of a scenario with the sections around it, or its last word; a metric; a rule of docs/model.md
    #[arg(value_name = "KEY|METRIC|RULE", value_parser = NameOf(words), hide_possible_values = true)]
    word: Option<String>,
}

/// Tells what a key, a metric or a rule is.
pub fn run(arguments: &ExplainArguments) -> Result<Ending, CliError> {
    let keys = keys();
    let text = match &arguments.word {
        None => overview(&keys),
        Some(word) => explanation(&keys, word)?,
    };
    print::output(&text)?;
    Ok(Ending::Done)
}

/// The keys at the top, and how to go on.
fn overview(keys: &[Key]) -> String {
    let top: Vec<&Key> = keys.iter().filter(|key| !key.path.contains('.')).collect();
    let go_on = [
        ("retrystorm explain queue", "a section and its keys"),
        ("retrystorm explain queue.redrive.timing", "a key, with the sections around it"),
        ("retrystorm explain retention", "all keys of that name"),
        ("retrystorm explain calls_failed", "a metric"),
        ("retrystorm explain Q7", "a rule of the model"),
    ];
    let width = go_on.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let go_on: String = go_on.iter().map(|(command, what)| hanging(command, width, what)).collect();
    format!("Keys of a scenario\n{}\nHow to go on\n{go_on}", key::list(&top))
}

/// All that the word stands for.
fn explanation(keys: &[Key], word: &str) -> Result<String, CliError> {
    let mut pages: Vec<String> = Vec::new();
    let found = find_keys(keys, word);
    match &found {
        FoundKeys::One(places) => pages.push(key::page(keys, places)),
        FoundKeys::Several(several) => pages.push(key::choice(word, several)),
        FoundKeys::Nothing { .. } => {}
    }
    pages.extend(metric::pages(word));
    pages.extend(rule::page(word));
    if pages.is_empty() {
        return Err(CliError::Usage(unknown(word, &found)));
    }
    Ok(pages.join("\n"))
}

/// What is said of a word that stands for nothing.
fn unknown(word: &str, found: &FoundKeys) -> String {
    let (nearest_key, section) = match found {
        FoundKeys::Nothing { nearest, section } => (*nearest, *section),
        _ => (None, None),
    };
    let mut names: Vec<&str> = metric::names().chain(rule::numbers()).collect();
    names.extend(nearest_key);
    let command = section.map_or("explain".to_owned(), |section| format!("explain {}", section.path));
    // A path within a variant is little like the path of the key itself.
    let guess = match scenario::nearest_word(word, &names).or(nearest_key) {
        Some(nearest) => format!("did you mean `{nearest}`? "),
        None => String::new(),
    };
    let what = if section.is_some() { "the keys of that section" } else { "the keys at the top" };
    format!("there is no key, metric or rule `{}`; {guess}`retrystorm {command}` lists {what}", word.escape_default(),)
}

/// The names that a shell completes: paths of keys, metrics and rules.
fn words() -> Vec<String> {
    let paths = keys().into_iter().map(|key| key.path);
    let words = paths.chain(metric::names().chain(rule::numbers()).map(str::to_owned));
    words.collect::<BTreeSet<String>>().into_iter().collect()
}

/// The paragraph with the rules that a text names.
fn source(text: &str) -> String {
    let cited = rule::cited(text);
    let lines = cited.iter().map(|rule| format!("{}; `retrystorm explain {}`", rule.heading, rule.number()));
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let title = if lines.len() == 1 { "Rule of docs/model.md" } else { "Rules of docs/model.md" };
    let lines = lines.iter().map(|line| paragraph("", line));
    format!("\n{title}\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::page::WIDTH;

    #[test]
    fn everything_that_can_be_explained_is_within_the_width_of_a_page() {
        let keys = keys();
        for word in words() {
            let page = explanation(&keys, &word).unwrap_or_else(|error| panic!("{word}: {error}"));
            for line in page.lines() {
                // A path cannot be broken.
                let is_path = line.trim_end_matches(" (key)").trim() == word || !line.trim().contains(' ');
                assert!(is_path || line.chars().count() <= WIDTH, "{word}: {line}");
                assert_eq!(line.trim_end(), line, "{word}");
            }
        }
    }

    #[test]
    fn every_key_has_a_meaning_and_something_that_it_takes() {
        for key in keys() {
            assert!(key.meaning.ends_with('.'), "{}: {}", key.path, key.meaning);
            assert!(!key.forms.is_empty(), "{}", key.path);
        }
    }

    #[test]
    fn a_citation_of_a_rule_leads_to_it() {
        let text = source("At most 12h (rules Q5 and L2), not for 5 (EQ7) or Q99.");
        assert!(text.contains("Q5, twelve-hour ceiling") && text.contains("L2, batch and window"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains("explain ")).count(), 2, "{text}");
        assert_eq!(source("Nothing is cited."), "");
    }
}
