//! Pages of the rules of the model.

use super::super::page::{INDENT, paragraph, wrapped};

/// The contract itself, so that there is no second text.
const MODEL: &str = include_str!("../../../docs/model.md");

/// A rule, as its section of the document has it.
pub struct Rule {
    /// Its number and its title.
    pub heading: &'static str,
    text: &'static str,
}

impl Rule {
    /// Its number, such as Q7.
    pub fn number(&self) -> &'static str {
        self.heading.split(',').next().unwrap_or_default()
    }
}

/// All rules, in the order of the document.
fn rules() -> impl Iterator<Item = Rule> {
    MODEL.split("\n### ").skip(1).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let text = text.split("\n## ").next().unwrap_or_default();
        let (number, _) = heading.split_once(", ")?;
        is_number(number).then_some(Rule { heading, text })
    })
}

/// A capital letter and digits.
fn is_number(word: &str) -> bool {
    let mut characters = word.chars();
    let begins = characters.next().is_some_and(|letter| letter.is_ascii_uppercase());
    begins && word.len() > 1 && characters.all(|digit| digit.is_ascii_digit())
}

/// The numbers of all rules.
pub fn numbers() -> impl Iterator<Item = &'static str> {
    rules().map(|rule| rule.number())
}

/// The rules that a text names.
pub fn cited(text: &str) -> Vec<Rule> {
    let words: Vec<&str> = text.split(|other: char| !other.is_ascii_alphanumeric()).collect();
    rules().filter(|rule| words.contains(&rule.number())).collect()
}

/// The page of a rule.
pub fn page(number: &str) -> Option<String> {
    let rule = rules().find(|rule| rule.number().eq_ignore_ascii_case(number))?;
    let lines: String = rule.text.trim().lines().map(line).collect();
    Some(format!("{} (rule)\n{lines}\nMore\n  docs/model.md\n", rule.heading))
}

/// A line of the document for a terminal.
fn line(line: &str) -> String {
    let text = without_links(line);
    match text.strip_prefix("- ") {
        _ if text.is_empty() || is_ruling(&text) => "\n".to_owned(),
        Some(item) => format!("  - {}\n", wrapped(item, INDENT + 2)),
        None => paragraph("", &text),
    }
}

/// Whether a line is the one between the head and the body of a table.
fn is_ruling(line: &str) -> bool {
    line.starts_with('|') && line.chars().all(|character| "|- :".contains(character))
}

/// A text with the words of each link in place of it.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(words, target)| Some((words, target.split_once(')')?.1)));
        plain.push_str(before);
        match link {
            Some((words, after)) if !words.contains('[') => {
                plain.push_str(words);
                rest = after;
            }
            _ => {
                plain.push('[');
                rest = after;
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_shown_by_its_words() {
        assert_eq!(without_links("see [the page](policies.md#clients), [0, 1] and [x"), "see the page, [0, 1] and [x");
    }

    #[test]
    fn a_rule_ends_where_the_next_part_of_the_document_begins() {
        let page = page("q19").expect("the last rule of the standard queue");
        assert!(page.starts_with("Q19, message id (rule)\n") && !page.contains("FIFO queue\n"), "{page}");
        assert_eq!(numbers().count(), MODEL.lines().filter(|line| line.starts_with("| [")).count());
    }
}
