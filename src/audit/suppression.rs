//! Comments that allow findings: `# retrystorm: allow RS004 because ...`, on the line of a finding or above it.

use super::finding::{Finding, Suppressed};
use super::model::{Allowance, Sources, Spot, Stack};
use super::rules::{BARE_SUPPRESSION, RULES, rule};
use super::{Options, readers};
use crate::text::{Place, line_at, nearest};

const WORDS: &str = "retrystorm: allow";

/// What all comments of the files allow.
pub fn in_comments(sources: &Sources) -> Vec<Allowance> {
    let of_file = |(file, source): (usize, &super::model::SourceFile)| {
        let found = source.text.match_indices(WORDS).map(|(at, _)| of_comment(file, &source.text, at));
        found.flatten().collect::<Vec<_>>()
    };
    sources.files().iter().enumerate().flat_map(of_file).collect()
}

/// What one comment allows; nothing where the words stand in no comment.
fn of_comment(file: usize, text: &str, at: usize) -> Vec<Allowance> {
    let line = line_at(text, at);
    let before = line.text[..at - line.start].trim_end();
    if !(before.ends_with('#') || before.ends_with("//")) {
        return Vec::new();
    }
    let stands_alone = before.trim_start().trim_start_matches(['#', '/']).is_empty();
    let covers = if stands_alone { until_code(text, line.start) } else { line.start + line.text.len() };
    let end = line.start + line.text.len();
    let said = &text[(at + WORDS.len()).min(end)..end];
    let (rules, reason) = rules_and_reason(said);
    let spot = |start, end| Spot { file, place: Place { start, end } };
    let allowance = |rule: String| Allowance {
        rule,
        reason: reason.clone(),
        spot: spot(at, end),
        covers: spot(line.start, covers),
    };
    rules.into_iter().map(allowance).collect()
}

/// The end of the first line below that is no comment.
fn until_code(text: &str, mut start: usize) -> usize {
    loop {
        let line = line_at(text, start);
        let end = line.start + line.text.len();
        let next = text[end..].find('\n').map(|newline| end + newline + 1);
        match next {
            Some(next) if line.text.trim_start().starts_with(['#', '/']) => start = next,
            _ => return end,
        }
    }
}

/// The ids that a comment begins with, and the rest. No id at all is an id that does not exist.
fn rules_and_reason(said: &str) -> (Vec<String>, String) {
    let mut rules = Vec::new();
    let mut rest = said.trim();
    while let Some(word) = rest.split_whitespace().next() {
        let id = word.trim_end_matches([',', ':']);
        if !is_id(id) && !rules.is_empty() {
            break;
        }
        rules.push(id.to_owned());
        rest = rest[word.len()..].trim_start();
    }
    if rules.is_empty() {
        rules.push(String::new());
    }
    (rules, rest.trim_start_matches(['-', '–', ':', '(', ' ']).to_owned())
}

fn is_id(word: &str) -> bool {
    word.strip_prefix("RS").is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Allowances that say no reason, or name no rule.
pub fn bare(allowances: &[Allowance]) -> Vec<Finding> {
    let finding = |allowance: &Allowance| {
        let id = &allowance.rule;
        let ids = || RULES.iter().map(|rule| rule.id);
        let (message, remedy) = if rule(id).is_none() {
            let shown = readers::shortened(id);
            let remedy = match nearest(id, ids()) {
                Some(nearest) => format!("did you mean {nearest}?"),
                None => "docs/rules.md lists all rules".to_owned(),
            };
            (format!("there is no rule `{shown}` to allow"), remedy)
        } else if allowance.reason.is_empty() {
            (format!("a finding of {id} is allowed without a reason"), format!("write the reason behind {id}"))
        } else {
            return None;
        };
        Some(Finding { rule: &BARE_SUPPRESSION, spot: allowance.spot, message, remedy })
    };
    allowances.iter().filter_map(finding).collect()
}

/// Parts findings into those that stand and those that are allowed.
pub fn sift(findings: Vec<Finding>, allowances: &[Allowance], options: &Options) -> (Vec<Finding>, Vec<Suppressed>) {
    let (mut standing, mut allowed) = (Vec::new(), Vec::new());
    for finding in findings {
        let fits = |allowance: &&Allowance| {
            allowance.rule == finding.rule.id
                && !allowance.reason.is_empty()
                && allowance.covers.file == finding.spot.file
                && (allowance.covers.place.start..=allowance.covers.place.end).contains(&finding.spot.place.start)
        };
        let in_source = allowances.iter().find(fits).map(|allowance| (allowance.reason.clone(), true));
        let by_command = options.allow.iter().find(|(rule, _)| rule == finding.rule.id);
        match in_source.or_else(|| by_command.map(|(_, reason)| (reason.clone(), false))) {
            Some((reason, in_source)) => allowed.push(Suppressed { finding, reason, in_source }),
            None => standing.push(finding),
        }
    }
    (standing, allowed)
}

/// What the stacks allow other than by comments.
pub fn in_stacks(stacks: &[Stack]) -> Vec<Allowance> {
    stacks.iter().flat_map(|stack| stack.allowances.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_before_the_reason() {
        assert_eq!(
            rules_and_reason(" RS004, RS015 - the handler takes one second"),
            (vec!["RS004".to_owned(), "RS015".to_owned()], "the handler takes one second".to_owned())
        );
        assert_eq!(rules_and_reason(" RS004").1, "");
        assert_eq!(rules_and_reason("").0, [""]);
    }

    #[test]
    fn a_comment_alone_on_its_line_is_for_the_code_below() {
        let mut sources = Sources::default();
        sources.add("a.tf", "# retrystorm: allow RS001 no use\n# more\nqueue\nother # retrystorm: allow RS002 x\n\"retrystorm: allow RS003\"\n");
        let found = in_comments(&sources);
        let covered: Vec<usize> = found.iter().map(|allowance| allowance.covers.place.end).collect();
        assert_eq!(covered, [45, 79]);
    }
}
